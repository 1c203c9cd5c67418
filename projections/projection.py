"""What a projection is, and how a batch of the log is applied to one: once, and with its position.

Each projection keeps its rows under a generation. One generation is live and answers queries; a rebuild fills
another beside it and swaps. Every row of every table therefore begins with the number of its generation.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Protocol

import psycopg
from msgspec import Struct

from services.errors import StoreUnavailable
from services.store.port import Damaged, Found, Stored
from services.store.sql import Database, Transaction

BATCH = 250  # entries of the log applied in one transaction

# Faults of the database or the code's tables: waiting may help, and no single event is to blame.
FAULTS = (
    StoreUnavailable,
    psycopg.OperationalError,
    psycopg.ProgrammingError,
    psycopg.InternalError,
    sqlite3.OperationalError,
    sqlite3.ProgrammingError,
    OSError,
    MemoryError,
)

TABLES = (
    (
        "CREATE TABLE IF NOT EXISTS projection_positions (projection TEXT NOT NULL, "
        "generation INTEGER NOT NULL, position BIGINT NOT NULL, live INTEGER NOT NULL, "
        "PRIMARY KEY (projection, generation))"
    ),
    (
        "CREATE TABLE IF NOT EXISTS projection_owners "
        "(projection TEXT PRIMARY KEY, owner TEXT, beat BIGINT NOT NULL)"
    ),
    (
        "CREATE TABLE IF NOT EXISTS projection_quarantine (projection TEXT NOT NULL, "
        "generation INTEGER NOT NULL, stream TEXT NOT NULL, position BIGINT NOT NULL, error TEXT NOT NULL, "
        "PRIMARY KEY (projection, generation, stream))"
    ),
)


class Projection(Protocol):
    """A read model as a function of the log. A changed function gets a new `fold` number and new tables."""

    @property
    def name(self) -> str: ...

    @property
    def fold(self) -> int: ...

    @property
    def creations(self) -> Sequence[str]:
        """The statements that create its tables and indexes, where they are missing."""

    @property
    def tables(self) -> Sequence[str]:
        """The names of its tables. Each has a column `generation`."""

    def apply(self, sql: Transaction, generation: int, batch: Sequence[Stored]) -> None:
        """Fold a batch into the generation's rows. An exception means: an event of it can't be folded."""


class Superseded(Exception):
    """Somebody else moved the projection on or swapped its generation: what was read of it is stale."""


class Place(Struct, frozen=True):
    """How far a generation of a projection is."""

    generation: int
    position: int


def key(projection: Projection) -> str:
    """The projection's name in the position, owner and quarantine tables."""
    return f"{projection.name}_v{projection.fold}"


def create_tables(database: Database, projections: Iterable[Projection]) -> None:
    """Create what is missing: in one process only. Each projection starts with an empty live generation."""
    with database.writing() as sql:
        for statement in TABLES:
            sql.run(statement)
        for projection in projections:
            for statement in projection.creations:
                sql.run(statement)
            name = key(projection)
            if live_place(sql, projection) is None:
                sql.run("INSERT INTO projection_positions VALUES (?, 1, 0, 1) ON CONFLICT DO NOTHING", name)
            sql.run("INSERT INTO projection_owners VALUES (?, NULL, 0) ON CONFLICT DO NOTHING", name)


def live_place(sql: Transaction, projection: Projection) -> Place | None:
    row = sql.row(
        "SELECT generation, position FROM projection_positions WHERE projection = ? AND live = 1",
        key(projection),
    )
    return Place(row["generation"], row["position"]) if row else None


def advance(database: Database, projection: Projection, place: Place, batch: Sequence[Found]) -> Place:
    """Apply what follows `place` in the log. Raises Superseded if `place` is stale; then nothing changed.

    If an event can't be folded, the batch is applied one by one; the matches to blame go into quarantine.
    """
    target = Place(place.generation, batch[-1].position)
    try:
        with database.writing() as sql:
            _move(sql, projection, place, target)
            fold_batch(sql, projection, place.generation, batch)
    except (Superseded, *FAULTS):
        raise
    except Exception:  # noqa: BLE001 - an event is to blame; the next lines find which
        with database.writing() as sql:
            _move(sql, projection, place, target)
            fold_singly(sql, projection, place.generation, batch)
    return target


def advance_together(
    database: Database, places: Sequence[tuple[Projection, Place]], batch: Sequence[Found]
) -> list[Place]:
    """Apply a batch to several projections that are at the same position, in one transaction for all.

    Any exception means that nothing was done, and does not tell for which of them: then `advance` each by itself.
    """
    targets = [Place(place.generation, batch[-1].position) for _, place in places]
    with database.writing() as sql:
        for (projection, place), target in zip(places, targets, strict=True):
            _move(sql, projection, place, target)
            fold_batch(sql, projection, place.generation, batch)
    return targets


def _move(sql: Transaction, projection: Projection, place: Place, target: Place) -> None:
    """Write the position first: it locks the row, and whoever comes second finds it changed."""
    moved = sql.run(
        "UPDATE projection_positions SET position = ? "
        "WHERE projection = ? AND generation = ? AND position = ?",
        target.position,
        key(projection),
        place.generation,
        place.position,
    )
    if not moved:
        raise Superseded


def fold_batch(sql: Transaction, projection: Projection, generation: int, batch: Sequence[Found]) -> None:
    out = _quarantined(sql, projection, generation)
    readable: list[Stored] = []
    for found in batch:
        if isinstance(found, Damaged):
            _quarantine(sql, projection, generation, found.stream, found.position, found.error)
            out.add(found.stream)
        elif found.entry.stream not in out:
            readable.append(found)
    if readable:
        projection.apply(sql, generation, readable)


def fold_singly(sql: Transaction, projection: Projection, generation: int, batch: Sequence[Found]) -> None:
    """Like `fold_batch`, one event at a time; a match with one that can't be folded is set aside (P18)."""
    for found in batch:
        sql.run("SAVEPOINT one_event")
        try:
            fold_batch(sql, projection, generation, [found])
        except FAULTS:
            raise
        except Exception as error:  # noqa: BLE001 - recorded and shown, never swallowed
            sql.run("ROLLBACK TO SAVEPOINT one_event")
            stream = found.stream if isinstance(found, Damaged) else found.entry.stream
            _quarantine(sql, projection, generation, stream, found.position, type(error).__name__)
        sql.run("RELEASE SAVEPOINT one_event")


def _quarantined(sql: Transaction, projection: Projection, generation: int) -> set[str]:
    rows = sql.rows(
        "SELECT stream FROM projection_quarantine WHERE projection = ? AND generation = ?",
        key(projection),
        generation,
    )
    return {row["stream"] for row in rows}


def _quarantine(
    sql: Transaction, projection: Projection, generation: int, stream: str, position: int, error: str
) -> None:
    sql.run(
        "INSERT INTO projection_quarantine (projection, generation, stream, position, error) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT (projection, generation, stream) DO NOTHING",
        key(projection),
        generation,
        stream,
        position,
        error,
    )


def live_rows(projection_key: str) -> str:
    """The condition that keeps a query to the live generation; one statement sees one generation only."""
    return (
        "generation = (SELECT live.generation FROM projection_positions live "  # noqa: S608 - a constant of ours
        f"WHERE live.projection = '{projection_key}' AND live.live = 1)"
    )


def upsert(table: str, columns: Sequence[str], keys: int = 1) -> str:
    """The statement that writes a row: its generation, then `columns`, of which the first `keys` name it."""
    return (
        f"INSERT INTO {table} (generation, {', '.join(columns)}) VALUES (?, {marks(columns)}) "  # noqa: S608
        f"ON CONFLICT (generation, {', '.join(columns[:keys])}) DO UPDATE SET "
        + ", ".join(f"{name} = excluded.{name}" for name in columns[keys:])
    )


def marks(values: Sequence[object]) -> str:
    """Placeholders for an IN list."""
    return ", ".join("?" * len(values))
