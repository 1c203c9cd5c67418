"""The one place where Ledgertop's parts are wired together."""

from ledgertop.config import Config
from services.clock import Clock, SystemClock
from services.ledger import Ledger
from services.looking import Looking
from services.matches import Matches
from services.people import People
from services.seeds import Seeds
from services.store.eventsourced import PostgresStore, SQLiteStore
from services.store.port import EventStore
from services.store.sql import Database, PostgresDatabase, SQLiteDatabase
from services.tokens import Keys


def open_store(config: Config, *, migrate: bool = False) -> EventStore:
    """The event store of this configuration."""
    if config.database_url:
        return PostgresStore(config.database_url, migrate=migrate)
    return SQLiteStore(config.data / "ledger.sqlite3")


def open_tables(config: Config) -> Database:
    """Seeds and names, as durable as the log."""
    if config.database_url:
        return PostgresDatabase(config.database_url)
    return SQLiteDatabase(config.data / "tables.sqlite3", durable=True)


def open_views(config: Config) -> Database:
    """Read models, which can be rebuilt."""
    if config.database_url:
        return PostgresDatabase(config.database_url)
    return SQLiteDatabase(config.data / "views.sqlite3", durable=False)
