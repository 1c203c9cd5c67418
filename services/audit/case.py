"""One match under audit: what was folded and found so far, and how a command is held against the rules."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import msgspec

import domain.match as kernel
from domain.game import Event, Game, Outcome
from domain.match import Match, MatchCreated, MatchRewound
from services.audit.judging import ChanceFor, Draft, Drawn, Way, agreement, judge
from services.audit.report import Finding, What
from services.codec import digest
from services.record import Record
from services.store.port import Entry

Fill = Callable[[Draft, ChanceFor], None]  # adds what a command leads to, given where draws come from


class Stop(Exception):
    """Nothing after this can be checked."""


class Case:
    """A match of a record; `origin` is the finished case of what it was forked from."""

    game: Game  # once the beginning was looked at

    def __init__(self, record: Record, origin: "Case | None") -> None:
        self.record = record
        self.entries = record.entries
        self.states: list[Match] = []
        self.origin = origin
        self.seed: bytes | None = None
        self.findings: list[Finding] = []
        self.pending: list[str] = []
        self.decisions = self.draws_checked = self.open_draws = 0

    @property
    def match(self) -> Match:
        return self.states[-1]

    def recall(self, version: int) -> Match:
        return self.states[version - 1]

    def fault(self, version: int | None, what: What, reason: str, expected: Any, actual: Any) -> None:
        self.findings.append(Finding(self.record.match, version, what, reason, expected, actual))

    def stop(self, version: int, what: What, reason: str, expected: Any, actual: Any) -> NoReturn:
        self.fault(version, what, reason, expected, actual)
        raise Stop

    def leave_open(self, sentence: str) -> None:
        self.pending.append(sentence)

    # --- one command ---------------------------------------------------------------------------------------

    def acting_seat(self, entry: Entry) -> int | None:
        """The seat an entry names, if somebody sits there."""
        return next((seat.number for seat in self.match.seats if entry.by == f"seat:{seat.number}"), None)

    def close(self, match: Match, forced: Outcome | None = None) -> tuple[Event, ...]:
        return kernel.close(match, self.game, self.seed or b"", forced)

    def way(self, group: list[Entry], fill: Fill, forced: Outcome | None = None) -> Way:
        """One way a command may have gone: what `fill` adds, the match's end if it came, the clock."""

        def decided(chance_for: ChanceFor) -> Sequence[Event]:
            draft = Draft(self.record.match, self.game, self.states)
            fill(draft, chance_for)
            draft.add(self.close(draft.match, forced))
            draft.add(kernel.clock(draft.match, self.game, group[0].at))
            return draft.events

        return decided

    def check_body(self, entry: Entry, body: dict[str, Any]) -> None:
        """Hold the hash of the command's body against that of `body`."""
        if entry.digest != digest(body):
            reason = "the command's body had another hash"
            self.fault(entry.version, "command", reason, digest(body), entry.digest)

    def judge(
        self, group: list[Entry], ways: Callable[[], Iterable[Way]], what: What, reason: str
    ) -> int | None:
        """Hold a command against the ways it may have gone, then fold it. The number of the way that fits."""
        recorded = [entry.event for entry in group]
        verdict = judge(recorded, ways, self.seed)
        if verdict.way is None:
            closest = verdict.closest
            place = agreement(closest, recorded)
            version = group[min(place, len(group) - 1)].version
            expected = shown(closest[place]) if place < len(closest) else None
            actual = shown(recorded[place]) if place < len(recorded) else None
            self.fault(version, what, reason, expected, actual)
        self.draws_checked += verdict.checked
        self._look_at_draws(group, verdict.believed)
        self.fold(group)
        return verdict.way

    def _look_at_draws(self, group: list[Entry], believed: Sequence[Drawn]) -> None:
        """Draws that were taken as recorded, held against the seed."""
        if self.seed is None:
            self.open_draws += len(believed)
            return
        for one in believed:
            self.draws_checked += 1
            again = one.again(self.seed)
            if not one.is_like(again):
                version = next(entry.version for entry in group if draw_of(entry.event) == one.draw)
                reason = f"draw {one.draw} ({one.label}) is not what the seed gives"
                expected, actual = msgspec.to_builtins(again), msgspec.to_builtins(one.result)
                self.fault(version, "draw", reason, expected, actual)

    def fold(self, group: list[Entry]) -> None:
        """Go on from what is recorded, right or wrong, so that one fault is reported once."""
        for entry in group:
            event = entry.event
            if isinstance(event, MatchCreated):
                if self.states:
                    self.stop(entry.version, "creation", "a match is created once", None, shown(event))
            elif isinstance(event, MatchRewound):
                self.demand_version(entry.version, event.to_version)
            kernel.extend(self.states, self.record.match, (event,), self.game)

    def demand_version(self, version: int, to: int) -> None:
        """Stop where a rewind names a version that is not there."""
        if not 1 <= to <= len(self.states):
            reason = "there is no such version to go back to"
            self.stop(version, "rewind", reason, f"1 to {len(self.states)}", to)


def shown(event: Event) -> dict[str, Any]:
    return {"type": event.type_name(), "data": msgspec.to_builtins(event)}


def draw_of(event: Event) -> int | None:
    draw: int | None = getattr(event, "draw", None)
    return draw
