"""What a durable append costs in a store of 10^4 events and in one of 10^6, on SQLite and on PostgreSQL.

Single commands are appended to both stores in turn, so that both see the same machine: each to a match picked at
random among all there are, which is the hardest there is for an index. Two figures are told apart: by the clock,
most of which is the flush to disk, and on the processor, of this process and of PostgreSQL's.
"""

import os
import random
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import mean, median

import psycopg
from msgspec import structs

from benchmarks.databases import KINDS, configured
from benchmarks.matches import ID, log
from ledgertop.config import Config
from ledgertop.wiring import open_store
from services.codec import encode_recorded, topic_of
from services.store.port import Entry, EventStore

SMALL, LARGE = 10_000, 1_000_000
APPENDS = 3_000
WARM = 200  # appends before, which count for nothing
PLAYED = 20_000  # events of the log that is copied under new ids until a store is full
GOAL = 1.10

Rows = Iterator[tuple[str, int, str, bytes]]


def copied(played: Sequence[tuple[str, int, str, bytes]], events: int) -> Rows:
    """`events` rows: those that were played, again and again, each time of matches with ids of their own."""
    made = 0
    while True:
        ids: dict[str, str] = {}
        for stream, version, topic, state in played:
            if stream not in ids:
                ids[stream] = ID.match_id(None)
            yield ids[stream], version, topic, state.replace(stream.encode(), ids[stream].encode(), 1)
            made += 1
            if made == events:
                return


def fill(config: Config, rows: Rows) -> dict[str, int]:
    """Put rows into an empty store below its port, and how many there are of each match."""
    versions: dict[str, int] = {}

    def noted() -> Rows:
        for row in rows:
            versions[row[0]] = row[1]
            yield row

    if config.database_url:
        with (
            psycopg.connect(config.database_url, autocommit=True) as connection,
            connection.cursor() as cursor,
        ):
            statement = "COPY stored_events (originator_id, originator_version, topic, state) FROM STDIN"
            with cursor.copy(statement) as copy:
                for row in noted():
                    copy.write_row(row)
            cursor.execute("VACUUM ANALYZE stored_events")
            cursor.execute("CHECKPOINT")
    else:
        file = sqlite3.connect(config.data / "ledger.sqlite3", isolation_level=None)
        file.execute("BEGIN")
        file.executemany("INSERT INTO stored_events VALUES (?, ?, ?, ?)", noted())
        file.execute("COMMIT")
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        file.close()
    return versions


class Growing:
    """A store, its matches, and what appends to it cost."""

    def __init__(self, store: EventStore, versions: dict[str, int]) -> None:
        self._store = store
        self._versions = versions
        self._streams = sorted(versions)
        self.wall: list[float] = []
        self.processor: list[float] = []

    def append(self, command: list[Entry], rng: random.Random) -> None:
        """The events of a command, as the next of some match."""
        stream = rng.choice(self._streams)
        entries: list[Entry] = []
        for entry in command:
            self._versions[stream] += 1
            entries.append(structs.replace(entry, stream=stream, version=self._versions[stream]))
        wall, processor = time.perf_counter(), time.thread_time()
        self._store.append(entries)
        self.processor.append(1e6 * (time.thread_time() - processor))
        self.wall.append(1e6 * (time.perf_counter() - wall))


def main() -> None:
    print(f"What a durable append costs, a command each (goal: at {LARGE:,} events within 10 % of {SMALL:,})")
    commands = list(log(PLAYED, 1))
    played = [
        (entry.stream, entry.version, topic_of(entry), encode_recorded(entry))
        for entries in commands
        for entry in entries
    ]
    moves = [entries for entries in commands if entries[0].version > 10]
    for kind in KINDS:
        with configured(kind) as small, configured(kind) as large, ExitStack() as stack:
            began = time.perf_counter()
            stores = [
                stack.enter_context(filled(config, copied(played, events)))
                for config, events in ((small, SMALL), (large, LARGE))
            ]
            print(f" {kind}: filled in {time.perf_counter() - began:.0f} s")
            rng = random.Random(1)
            alternate(stores, rng.choices(moves, k=WARM), rng)
            before = [server_seconds(config) for config in (small, large)]
            alternate(stores, rng.choices(moves, k=APPENDS), rng)
            after = [server_seconds(config) for config in (small, large)]
            for name in ("wall", "processor"):
                few, many = (getattr(one, name)[WARM:] for one in stores)
                tell(f"{name}, median", median(few), median(many))
                tell(f"{name}, mean", mean(few), mean(many))
            if all(after):
                took = [1e6 * (end - begin) / APPENDS for begin, end in zip(before, after, strict=True)]
                tell("server's processor, mean", *took)


def alternate(stores: Sequence[Growing], commands: Sequence[list[Entry]], rng: random.Random) -> None:
    for command in commands:
        for one in rng.sample(stores, len(stores)):
            one.append(command, rng)


def tell(name: str, few: float, many: float) -> None:
    print(f"  {name:<26} {few:6.0f} µs and {many:6.0f} µs   ratio {many / few:.3f}")


def server_seconds(config: Config) -> float:
    """What the server's processes for this database have computed so far; 0 where that can't be told from here."""
    if not config.database_url:
        return 0.0
    query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with psycopg.connect(config.database_url) as connection:
        processes = [Path(f"/proc/{pid}") for (pid,) in connection.execute(query)]
    ticks = 0
    for process in processes:
        try:
            if (process / "comm").read_text().startswith("postgres"):
                ticks += sum(map(int, (process / "stat").read_text().rsplit(")", 1)[1].split()[11:13]))
        except OSError:
            pass  # it has ended, or is not of this machine
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def filled(config: Config, rows: Rows) -> Iterator[Growing]:
    store = open_store(config, migrate=True)
    try:
        versions = fill(config, rows)
        assert store.head() == sum(versions.values())
        yield Growing(store, versions)
    finally:
        store.close()


if __name__ == "__main__":
    main()
