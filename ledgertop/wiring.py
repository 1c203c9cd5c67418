"""The one place where Ledgertop's parts are wired together."""

from contextlib import AbstractContextManager, nullcontext

import projections
from ledgertop.config import Config
from services.carrying import Carrier, Nudge
from services.clock import Clock, SteadyClock
from services.effects import Effects
from services.feed import Feed
from services.ledger import Ledger
from services.looking import Looking
from services.matches import Matches
from services.opening import Opening
from services.people import People
from services.seeds import Seeds
from services.service import Service
from services.snapshots import Snapshots
from services.standing_orders import OrderBook, Ordering
from services.store.eventsourced import PostgresStore, SQLiteStore
from services.store.port import EventStore, Stored
from services.store.postgres import migrating_alone
from services.store.sql import Database, PostgresDatabase, SQLiteDatabase, one_at_a_time
from services.timekeeping import Timekeeping
from services.tokens import Keys
from workers.jobs import Seal


def open_store(config: Config, *, migrate: bool = False) -> EventStore:
    """The event store of this configuration."""
    if config.database_url:
        return PostgresStore(config.database_url, migrate=migrate)
    return SQLiteStore(config.data / "ledger.sqlite3")


def open_tables(config: Config) -> Database:
    """Seeds and names, as durable as the log."""
    if config.database_url:
        return PostgresDatabase(config.database_url, durable=True)
    return SQLiteDatabase(config.data / "tables.sqlite3", durable=True)


def open_views(config: Config) -> Database:
    """Read models, which can be rebuilt."""
    if config.database_url:
        return PostgresDatabase(config.database_url, durable=False)
    return SQLiteDatabase(config.data / "views.sqlite3", durable=False)


def open_read_side(config: Config, store: EventStore) -> projections.ReadSide:
    """The read side by itself: for the process that keeps it up to date, and for rebuilding."""
    return projections.open_read_side(store, open_views(config))


def newest_time(store: EventStore) -> int:
    """The time of the newest event in the log, 0 if it is empty or can't be read."""
    found = store.scan(store.head() - 1, 1)
    return found[-1].entry.at if found and isinstance(found[-1], Stored) else 0


def queue_seal(config: Config) -> Seal:
    """What hints in the queue are told from forged ones by."""
    return Seal(Keys(config.server_key).hint_key())


def build(
    config: Config, *, migrate: bool = False, clock: Clock | None = None, nudge: Nudge = lambda _: None
) -> Service:
    """The whole service. `migrate=True` creates missing tables: before processes start that don't.
    `nudge` is told of what is due at once.

    Its threads start with the first use; don't build it before a fork (trap 3).
    """
    with _alone(config) if migrate else nullcontext():
        return _built(config, migrate, clock, nudge)


def _alone(config: Config) -> AbstractContextManager[None]:
    """Nobody else creates tables meanwhile: processes that start at once would fall over each other."""
    if config.database_url:
        return migrating_alone(config.database_url)
    return one_at_a_time(config.data / "migrate.lock")


def _built(config: Config, migrate: bool, clock: Clock | None, nudge: Nudge) -> Service:
    store = open_store(config, migrate=migrate)
    tables, views = open_tables(config), open_views(config)
    steady = SteadyClock(tables, lambda: newest_time(store))
    clock = clock or steady
    seeds, people, orders = Seeds(tables), People(tables), OrderBook(tables)
    snapshots = Snapshots(views)
    if migrate:
        seeds.migrate()
        people.migrate()
        orders.migrate()
        steady.migrate()
        projections.migrate(views)
        snapshots.migrate()
    ledger = Ledger(store, snapshots)
    read_side = projections.open_read_side(store, views)
    carrier = Carrier(ledger, seeds, Keys(config.server_key), clock, orders, nudge)
    timekeeping = Timekeeping(carrier)
    looking = Looking(ledger, people)

    def close() -> None:
        tables.close()
        views.close()

    return Service(
        store=store,
        ledger=ledger,
        seeds=seeds,
        people=people,
        opening=Opening(carrier, people, idle_limit=config.idle_limit),
        matches=Matches(carrier),
        timekeeping=timekeeping,
        ordering=Ordering(ledger, orders, carrier.follow_orders),
        looking=looking,
        feed=Feed(store, looking),
        effects=Effects(timekeeping, read_side.due_effects, clock),
        lobby=read_side.lobby,
        statistics=read_side.statistics,
        progress=read_side.progress,
        clock=clock,
        on_close=close,
    )
