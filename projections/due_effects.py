"""The table of due effects: what will have to be done to which match, and when.

It is the truth; queues hold hints.
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from domain.clocks import SECOND, ClockSet
from domain.match import LIFECYCLE, MatchCreated, MatchEnded, MatchRewound, MatchStarted, SeedRevealed
from projections.projection import live_rows, marks, upsert
from services.carrying import DUE
from services.codec import Unreadable
from services.effects import ABANDON, DEADLINE, GRACE, Effect
from services.store.port import Entry, Stored
from services.store.sql import Database, Row, Transaction

LIVE = live_rows("due_effects_v2")


class Unfinished(Struct):
    """A match that has not ended, and what may become due in it. Times are microseconds UTC.

    It is abandoned at `idle_at` unless it moves on from `version`. Where its newest event of the game, at `awaits`,
    awaits the system, that is due since `awaits_at`. The clock set at `clock` runs out at `deadline`. A version of 0
    is none. `due_at` is the earliest of the three times.
    """

    match_id: str
    version: int
    idle_limit: int
    idle_at: int
    running: int = 0
    awaits: int = 0
    awaits_at: int = 0
    clock: int = 0
    deadline: int = 0
    due_at: int = 0

    def effects(self) -> Iterator[Effect]:
        yield self._effect(ABANDON, self.version, self.idle_at)
        if self.running and self.awaits:
            yield self._effect(DUE, self.awaits, self.awaits_at)
        if self.clock:
            yield self._effect(DEADLINE, self.clock, self.deadline + GRACE)

    def _effect(self, kind: str, version: int, due_at: int) -> Effect:
        return Effect(f"{kind}-{self.match_id}-{version}", kind, self.match_id, version, due_at)


COLUMNS = Unfinished.__struct_fields__
WRITE = upsert("due_effects_v2", COLUMNS)
KERNELS = frozenset(LIFECYCLE)


class DueEffectsProjection:
    name = "due_effects"
    fold = 2
    tables = ("due_effects_v2",)
    creations = (
        "CREATE TABLE IF NOT EXISTS due_effects_v2 (generation INTEGER NOT NULL, match_id TEXT NOT NULL, "
        + ", ".join(f"{name} BIGINT NOT NULL" for name in COLUMNS[1:])
        + ", PRIMARY KEY (generation, match_id))",
        "CREATE INDEX IF NOT EXISTS due_effects_v2_due ON due_effects_v2 (generation, due_at)",
    )

    def apply(self, sql: Transaction, generation: int, batch: Sequence[Stored]) -> None:
        streams = sorted({entry.stream for _, entry in batch})
        rows = sql.rows(
            f"SELECT {', '.join(COLUMNS)} FROM due_effects_v2 "  # noqa: S608 - names of our own columns
            f"WHERE generation = ? AND match_id IN ({marks(streams)})",
            generation,
            *streams,
        )
        matches: dict[str, Unfinished | None] = {row["match_id"]: Unfinished(**row) for row in rows}
        for _, entry in batch:
            matches[entry.stream] = _fold(matches.get(entry.stream), entry)
        unfinished = [match for match in matches.values() if match]
        for match in unfinished:
            match.due_at = min(effect.due_at for effect in match.effects())
        sql.many(
            WRITE,
            [(generation, *msgspec.structs.astuple(match)) for match in unfinished],
        )
        sql.many(
            "DELETE FROM due_effects_v2 WHERE generation = ? AND match_id = ?",
            [(generation, stream) for stream, match in matches.items() if match is None],
        )


def _fold(match: Unfinished | None, entry: Entry) -> Unfinished | None:
    event = entry.event
    if isinstance(event, MatchCreated):
        match = Unfinished(entry.stream, 0, event.idle_limit, 0)
    if match is None and isinstance(event, SeedRevealed):
        return None  # it follows the end
    if match is None or entry.version != match.version + 1:
        raise Unreadable(f"{entry.stream} jumps to version {entry.version}")
    if isinstance(event, MatchEnded):
        return None
    match.version, match.idle_at = entry.version, entry.at + match.idle_limit * SECOND
    if type(event) not in KERNELS:
        match.awaits = entry.version if event.AWAITS_SYSTEM else 0
        match.awaits_at = entry.at if event.AWAITS_SYSTEM else match.awaits_at
    elif isinstance(event, MatchStarted):
        match.running, match.awaits = 1, 0
    elif isinstance(event, ClockSet):
        match.clock = entry.version if event.deadline else 0
        match.deadline = event.deadline or match.deadline
    elif isinstance(event, MatchRewound):
        match.awaits = 0  # a rewind finishes what the rules owe, the system's part too
    return match


class DueEffectsView:
    """Answers `services.effects.DueEffects`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def due(self, now: int, limit: int) -> list[Effect]:
        with self._database.reading() as sql:
            rows = sql.rows(
                f"SELECT * FROM due_effects_v2 WHERE {LIVE} AND due_at <= ? "  # noqa: S608
                "ORDER BY due_at, match_id LIMIT ?",
                now,
                limit,
            )
        found = [effect for row in rows for effect in _unfinished(row).effects() if effect.due_at <= now]
        return sorted(found, key=lambda effect: (effect.due_at, effect.id))[:limit]

    def find(self, effect_id: str) -> Effect | None:
        match = effect_id.partition("-")[2].rpartition("-")[0]
        with self._database.reading() as sql:
            row = sql.row(f"SELECT * FROM due_effects_v2 WHERE {LIVE} AND match_id = ?", match)  # noqa: S608
        return (
            next((effect for effect in _unfinished(row).effects() if effect.id == effect_id), None)
            if row
            else None
        )


def _unfinished(row: Row) -> Unfinished:
    return Unfinished(**{name: row[name] for name in COLUMNS})
