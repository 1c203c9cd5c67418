"""Timed effects: what is due at a time, whoever notices it. Performing one twice changes nothing."""

from typing import Protocol

from msgspec import Struct

from services.carrying import DUE
from services.clock import Clock
from services.errors import MatchNotFound, MatchNotStarted, MatchOver, NothingDue, VersionConflict
from services.patience import patient
from services.timekeeping import CARETAKER, Timekeeping

ABANDON = "abandon"
DEADLINE = "deadline"
TIMEKEEPER = "timekeeper"  # goes on where the rules wait for the system, or somebody's time is up
GRACE = 500_000  # microseconds after a deadline in which a command received before it may still be on its way


class Effect(Struct, frozen=True):
    """Something to do to a match at `due_at` (microseconds UTC), left by what happened to it at `version`."""

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
    def __init__(self, timekeeping: Timekeeping, table: DueEffects, clock: Clock) -> None:
        self._timekeeping = timekeeping
        self._table = table
        self._clock = clock

    @patient
    def due(self, limit: int) -> list[Effect]:
        """What is due now."""
        return self._table.due(self._clock.now(), limit)

    def overdue(self) -> int:
        """For how many microseconds the oldest effect that is not done has been due; 0 if there is none."""
        return max((self._clock.now() - effect.due_at for effect in self.due(1)), default=0)

    @patient
    def perform(self, effect_id: str) -> bool:
        """Do what is due; False if there is nothing (left) to do or it is too early. Never early (P14)."""
        kind, _, rest = effect_id.partition("-")
        if kind == DUE:  # the match itself tells whether it is; the table may not have heard of it yet
            return self.settle(rest.rpartition("-")[0])
        effect = self._table.find(effect_id)
        if effect is None or self._clock.now() < effect.due_at:
            return False
        try:
            if effect.kind == ABANDON:
                self._timekeeping.abandon(effect.match, actor=CARETAKER, version=effect.version)
            else:
                self._timekeeping.expire(effect.match, actor=TIMEKEEPER, version=effect.version)
        except (VersionConflict, MatchOver, MatchNotFound, NothingDue):
            return False
        return True

    def settle(self, match: str) -> bool:
        """Do now what the system has to do in a match; whether there was anything."""
        try:
            self._timekeeping.settle(match, actor=TIMEKEEPER)
        except (MatchNotFound, MatchNotStarted, MatchOver, NothingDue):
            return False
        return True
