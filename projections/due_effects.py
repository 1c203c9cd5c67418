"""The table of due effects: what will have to be done to which match, and when.

It is the truth; queues hold hints.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from domain.match import MatchCreated, MatchEnded, SeedRevealed
from projections.projection import live_rows, marks
from services.codec import Unreadable
from services.effects import ABANDON, Effect
from services.store.port import Entry, Stored
from services.store.sql import Database, Row, Transaction

LIVE = live_rows("due_effects_v1")
SECOND = 1_000_000  # microseconds


class Idle(Struct, frozen=True):
    """An unfinished match: abandoned at `due_at` (microseconds UTC) unless it moves on from `version`."""

    match_id: str
    version: int
    idle_limit: int
    due_at: int
    effect_id: str


COLUMNS = Idle.__struct_fields__


class DueEffectsProjection:
    name = "due_effects"
    fold = 1
    tables = ("due_effects_v1",)
    creations = (
        (
            "CREATE TABLE IF NOT EXISTS due_effects_v1 (generation INTEGER NOT NULL, match_id TEXT NOT NULL, "
            "version BIGINT NOT NULL, idle_limit BIGINT NOT NULL, due_at BIGINT NOT NULL, "
            "effect_id TEXT NOT NULL, PRIMARY KEY (generation, match_id))"
        ),
        "CREATE INDEX IF NOT EXISTS due_effects_v1_due ON due_effects_v1 (generation, due_at)",
        "CREATE INDEX IF NOT EXISTS due_effects_v1_id ON due_effects_v1 (generation, effect_id)",
    )

    def apply(self, sql: Transaction, generation: int, batch: Sequence[Stored]) -> None:
        streams = sorted({entry.stream for _, entry in batch})
        rows = sql.rows(
            f"SELECT {', '.join(COLUMNS)} FROM due_effects_v1 "  # noqa: S608 - names of our own columns
            f"WHERE generation = ? AND match_id IN ({marks(streams)})",
            generation,
            *streams,
        )
        idle: dict[str, Idle | None] = {row["match_id"]: Idle(**row) for row in rows}
        for _, entry in batch:
            idle[entry.stream] = _fold(idle.get(entry.stream), entry)
        sql.many(
            f"INSERT INTO due_effects_v1 (generation, {', '.join(COLUMNS)}) "  # noqa: S608
            f"VALUES (?, {marks(COLUMNS)}) ON CONFLICT (generation, match_id) DO UPDATE SET "
            + ", ".join(f"{name} = excluded.{name}" for name in COLUMNS[1:]),
            [(generation, *msgspec.structs.astuple(match)) for match in idle.values() if match],
        )
        sql.many(
            "DELETE FROM due_effects_v1 WHERE generation = ? AND match_id = ?",
            [(generation, stream) for stream, match in idle.items() if match is None],
        )


def _fold(idle: Idle | None, entry: Entry) -> Idle | None:
    event = entry.event
    if isinstance(event, MatchCreated):
        return _waiting(entry, event.idle_limit)
    if idle is None and isinstance(event, SeedRevealed):
        return None  # it follows the end
    if idle is None or entry.version != idle.version + 1:
        raise Unreadable(f"{entry.stream} jumps to version {entry.version}")
    return None if isinstance(event, MatchEnded) else _waiting(entry, idle.idle_limit)


def _waiting(entry: Entry, idle_limit: int) -> Idle:
    return Idle(
        match_id=entry.stream,
        version=entry.version,
        idle_limit=idle_limit,
        due_at=entry.at + idle_limit * SECOND,
        effect_id=f"{ABANDON}-{entry.stream}-{entry.version}",
    )


class DueEffectsView:
    """Answers `services.effects.DueEffects`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def due(self, now: int, limit: int) -> list[Effect]:
        with self._database.reading() as sql:
            rows = sql.rows(
                f"SELECT * FROM due_effects_v1 WHERE {LIVE} AND due_at <= ? "  # noqa: S608
                "ORDER BY due_at, match_id LIMIT ?",
                now,
                limit,
            )
        return [_effect(row) for row in rows]

    def find(self, effect_id: str) -> Effect | None:
        with self._database.reading() as sql:
            row = sql.row(f"SELECT * FROM due_effects_v1 WHERE {LIVE} AND effect_id = ?", effect_id)  # noqa: S608
        return _effect(row) if row else None


def _effect(row: Row) -> Effect:
    return Effect(
        id=row["effect_id"], kind=ABANDON, match=row["match_id"], version=row["version"], due_at=row["due_at"]
    )
