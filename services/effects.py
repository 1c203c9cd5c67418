"""Timed effects: what is due at a time, whoever notices it. Performing one twice changes nothing."""

from typing import Protocol

from msgspec import Struct

from services.clock import Clock
from services.errors import MatchNotFound, MatchOver, VersionConflict
from services.matches import Matches

ABANDON = "abandon"
CARETAKER = "caretaker"


class Effect(Struct, frozen=True):
    """Something to do to a match at `due_at` (microseconds UTC) if it is still at `version` then."""

    id: str
    kind: str
    match: str
    version: int
    due_at: int


class DueEffects(Protocol):
    """The table of effects that are not done yet; a projection keeps it, and it is the truth (P15)."""

    def due(self, now: int, limit: int) -> list[Effect]:
        """Effects whose time has come, in deadline order."""

    def find(self, effect_id: str) -> Effect | None:
        """An effect that is not done, by id."""


class Effects:
    def __init__(self, matches: Matches, table: DueEffects, clock: Clock) -> None:
        self._matches = matches
        self._table = table
        self._clock = clock

    def due(self, limit: int) -> list[Effect]:
        """What is due now."""
        return self._table.due(self._clock.now(), limit)

    def perform(self, effect_id: str) -> bool:
        """Do what is due; False if there is nothing (left) to do or it is too early. Never early (P14)."""
        effect = self._table.find(effect_id)
        if effect is None or self._clock.now() < effect.due_at:
            return False
        if effect.kind != ABANDON:
            raise ValueError(f"no effect of kind {effect.kind!r} is known")
        try:
            self._matches.abandon(effect.match, actor=CARETAKER, version=effect.version)
        except (VersionConflict, MatchOver, MatchNotFound):
            return False
        return True
