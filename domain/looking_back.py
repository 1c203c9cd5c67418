"""Looking back over a stream: the line that made a state, and what of it a plain undo may take back."""

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Protocol, TypeVar

from domain.game import Event, Game
from domain.match import LIFECYCLE, CannotRewind, Match, MatchRewound, to_act


class Step(Protocol):
    """One event of a stream with what undo and fork need of its envelope."""

    @property
    def version(self) -> int: ...
    @property
    def command(self) -> str: ...
    @property
    def by(self) -> str: ...
    @property
    def event(self) -> Event: ...


AnyStep = TypeVar("AnyStep", bound=Step)


def line(steps: Sequence[AnyStep], version: int) -> list[AnyStep]:
    """The steps that made the state at `version`, oldest first: rewound branches and life-cycle events are left out."""
    return [*_line_back(steps, version)][::-1]


def _line_back(steps: Sequence[AnyStep], version: int) -> Iterator[AnyStep]:
    """The same, newest first; no step is looked at before it is asked for."""
    while version > 0:
        step = steps[version - 1]
        if isinstance(step.event, MatchRewound):
            version = step.event.to_version
            continue
        if not isinstance(step.event, LIFECYCLE):
            yield step
        version -= 1


def undo_target(
    match: Match, game: Game, steps: Sequence[Step], seat: int, recall: Callable[[int], Match]
) -> Match:
    """The version a plain undo by `seat` leads to. Raises CannotRewind naming the reason (P16)."""
    played = _line_back(steps, match.version)
    last = next(played, None)
    if last is None or not last.by.startswith("seat:"):
        raise CannotRewind("nothing-to-undo", "There is no action to undo.")
    group = [last, *takewhile(lambda step: step.command == last.command, played)]
    first = group[-1]
    if any(step.event.REVEALS for step in group):
        raise CannotRewind(
            "undo-reveals", "Something was turned up since, so it can't be undone; a rewind can."
        )
    if first.by != f"seat:{seat}":
        raise CannotRewind("undo-others", "The last action was another seat's.")
    target = recall(first.version - 1)
    if to_act(target, game) != to_act(match, game):
        raise CannotRewind("undo-turn", "The turn has passed on since.")
    return target
