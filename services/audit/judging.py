"""Deciding a stored command again: with draws from the seed, else with the draws as they are recorded."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

import domain.match as kernel
from domain.chance import Chance, SealedChance
from domain.game import Event, Game, IllegalCommand
from domain.match import Match, MatchCreated

Item = TypeVar("Item")
ChanceFor = Callable[[Match], Chance]
Way = Callable[[ChanceFor], Sequence[Event]]  # what a command leads to, given where a match's draws come from

# What rules may stumble over when stored events make no sense.
FOLDING_ERRORS = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, AssertionError)

MAX_TRIES = 10_000  # readings of one command's dice that are tried before it counts as unexplained


class NoSuchDraw(Exception):
    """The stored events hold no draw that fits."""


class Drawn(Struct, frozen=True):
    """One draw as the rules asked for it and as the record answers it."""

    draw: int
    match: Match
    label: str
    of: Any  # items to shuffle, or the number of sides
    result: Any  # of a shuffle its beginning, as far as the event tells it

    def is_like(self, again: Any) -> bool:
        """Whether the same draw from a seed, `again`, agrees with what is recorded."""
        return bool(
            again == self.result if isinstance(self.of, int) else again[: len(self.result)] == self.result
        )

    def again(self, seed: bytes) -> Any:
        """The same draw from a seed."""
        chance = kernel.chance_of(msgspec.structs.replace(self.match, draws=self.draw), seed)
        if isinstance(self.of, int):
            return chance.roll(self.label, self.of)[1]
        return chance.shuffle(self.label, self.of)[1]


class RecordedChance:
    """Chance that answers with what stored events say was drawn, and notes every question.

    Which number of an event is the die may be open, and whether it counts from 0 or 1; `picks` chooses among the
    readings. Of a shuffle an event may tell the first items only; the others come in any order.
    """

    def __init__(self, match: Match, events: Sequence[Event], picks: list[int]) -> None:
        self.next_draw = match.draws
        self.drawn: list[Drawn] = []
        self.choices: list[int] = []
        self._match = match
        self._events = events
        self._picks = picks

    def shuffle(self, label: str, items: Sequence[Item]) -> tuple[int, tuple[Item, ...]]:
        wanted = Counter(items)
        told = [(part, _counts(part)) for part in self._parts() if isinstance(part, tuple) and part]
        readings = [part for part, counts in told if counts == wanted]
        readings = readings or [part for part, counts in told if counts is not None and counts < wanted]
        first: tuple[Item, ...] = self._pick(label, tuple(items), readings)
        return self.next_draw - 1, (*first, *(wanted - Counter(first)).elements())

    def roll(self, label: str, sides: int) -> tuple[int, int]:
        told = [part for part in self._parts() if type(part) is int]
        readings = [part for part in told if 1 <= part <= sides]
        readings += [part + 1 for part in told if 0 <= part < sides and part + 1 not in readings]
        value: int = self._pick(label, sides, readings)
        return self.next_draw - 1, value

    def _pick(self, label: str, of: Any, readings: list[Any]) -> Any:
        if not readings:
            raise NoSuchDraw
        place = len(self.drawn)
        pick = self._picks[place] if place < len(self._picks) else 0
        self.choices.append(len(readings))
        self.drawn.append(Drawn(self.next_draw, self._match, label, of, readings[pick]))
        self.next_draw += 1
        return readings[pick]

    def _parts(self) -> Iterator[Any]:
        for event in self._events:
            if getattr(event, "draw", None) == self.next_draw:
                for field in msgspec.structs.fields(event):
                    if field.name != "draw":
                        value = getattr(event, field.name)
                        yield value
                        if isinstance(value, tuple):
                            yield from value


def _counts(part: tuple[Any, ...]) -> Counter[Any] | None:
    try:
        return Counter(part)
    except TypeError:
        return None


def _next_picks(picks: list[int], choices: list[int]) -> list[int] | None:
    """The next reading in order, or None after the last."""
    for place in range(len(choices) - 1, -1, -1):
        pick = picks[place] if place < len(picks) else 0
        if pick + 1 < choices[place]:
            return [*(picks[p] if p < len(picks) else 0 for p in range(place)), pick + 1]
    return None


class Verdict(Struct, frozen=True):
    """How a stored command compares with the ways it may have gone.

    `way` is the number of the one that fits, or None; `closest` are then the events of the best attempt.
    `checked` draws came out equal from the seed; `believed` were taken as recorded and are yet to be checked.
    """

    way: int | None
    closest: Sequence[Event] = ()
    checked: int = 0
    believed: Sequence[Drawn] = ()


def judge(recorded: Sequence[Event], ways: Callable[[], Iterable[Way]], seed: bytes | None) -> Verdict:
    """Find the way that leads to exactly the recorded events."""
    verdict = _drawn_again(recorded, ways, seed) if seed is not None else Verdict(None)
    return verdict if verdict.way is not None else _drawn_as_recorded(recorded, ways, verdict.closest)


def _drawn_again(recorded: Sequence[Event], ways: Callable[[], Iterable[Way]], seed: bytes) -> Verdict:
    best: Sequence[Event] = ()
    for number, way in enumerate(ways()):
        source = _FromSeed(seed)
        events = _tried(way, source)
        if events is None:
            continue
        if list(events) == list(recorded):
            return Verdict(number, checked=source.draws)
        best = _closer(events, best, recorded)
    return Verdict(None, best)


def _drawn_as_recorded(
    recorded: Sequence[Event], ways: Callable[[], Iterable[Way]], best: Sequence[Event]
) -> Verdict:
    tries = 0
    for number, way in enumerate(ways()):
        picks: list[int] | None = []
        while picks is not None and tries < MAX_TRIES:
            tries += 1
            source = _FromRecord(recorded, picks)
            events = _tried(way, source)
            if events is not None and list(events) == list(recorded):
                return Verdict(number, believed=source.drawn)
            best = _closer(events or (), best, recorded)
            picks = _next_picks(picks, source.choices)
    return Verdict(None, best)


class _FromSeed:
    """Chance as the match had it."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._made: list[tuple[int, SealedChance]] = []

    def __call__(self, match: Match) -> Chance:
        chance = kernel.chance_of(match, self._seed)
        self._made.append((match.draws, chance))
        return chance

    @property
    def draws(self) -> int:
        return sum(chance.next_draw - first for first, chance in self._made)


class _FromRecord:
    """Chance as the record tells it."""

    def __init__(self, recorded: Sequence[Event], picks: list[int]) -> None:
        self._recorded = recorded
        self._picks = picks
        self._made: RecordedChance | None = None

    def __call__(self, match: Match) -> Chance:
        if self._made is None:
            self._made = RecordedChance(match, self._recorded, self._picks)
        return self._made

    @property
    def drawn(self) -> list[Drawn]:
        return self._made.drawn if self._made else []

    @property
    def choices(self) -> list[int]:
        return self._made.choices if self._made else []


def _tried(way: Way, source: ChanceFor) -> Sequence[Event] | None:
    """What a way leads to; None where the rules refuse it or draw what is not recorded."""
    try:
        return way(source)
    except (IllegalCommand, NoSuchDraw, *FOLDING_ERRORS):
        return None


class Draft:
    """Events of one command, folded as they are added."""

    def __init__(self, match_id: str, game: Game, states: Sequence[Match]) -> None:
        self.events: list[Event] = []
        self._match_id = match_id
        self._game = game
        self._before = states
        self._drafted: list[Match] = []

    @property
    def match(self) -> Match:
        return self._drafted[-1] if self._drafted else self._before[-1]

    def add(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, MatchCreated):
                self._drafted.append(kernel.begin(self._match_id, event, self._game))
            else:
                self._drafted.append(kernel.evolve(self.match, event, self._game, self._recall))
            self.events.append(event)

    def _recall(self, version: int) -> Match:
        known = len(self._before)
        return self._before[version - 1] if version <= known else self._drafted[version - known - 1]


def agreement(events: Sequence[Event], recorded: Sequence[Event]) -> int:
    """How many events agree before the first that differs."""
    for place, (one, other) in enumerate(zip(events, recorded, strict=False)):
        if one != other:
            return place
    return min(len(events), len(recorded))


def _closer(events: Sequence[Event], best: Sequence[Event], recorded: Sequence[Event]) -> Sequence[Event]:
    """Which of two unfit results agrees longer with what is recorded."""
    return events if not best or agreement(events, recorded) > agreement(best, recorded) else best
