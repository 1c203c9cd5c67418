"""Match clocks: how long whoever has to decide may take. All times are whole microseconds, UTC.

A clock is chosen when a match is created. Whenever it becomes somebody else's decision a `ClockSet` says until when,
and what is left to each seat; nothing else is needed to know who ran out of time.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.game import Event, public

SECOND = 1_000_000  # microseconds
DAY = 86_400  # seconds
MAX_SECONDS = 365 * DAY

Seconds = Annotated[int, Meta(ge=1, le=MAX_SECONDS)]


class MoveClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="move"):
    """So many seconds for each decision, from when it becomes one's own."""

    seconds: Seconds


class DaysClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="days"):
    """So many days for each decision: play by correspondence."""

    days: Annotated[int, Meta(ge=1, le=365)]


class FischerClock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="fischer"):
    """So many seconds for the whole match, and some more with each decision made."""

    seconds: Seconds
    increment: Annotated[int, Meta(ge=0, le=MAX_SECONDS)] = 0


Clock = MoveClock | DaysClock | FischerClock


class ClockChosen(Event, frozen=True):
    TOPIC = "match.clock_chosen.1"

    kind: Annotated[Literal["move", "days", "fischer"], public("how time is given")]
    seconds: Annotated[int, public("for each decision, or for the whole match (fischer)", unit="s")]
    increment: Annotated[int, public("added with each decision made (fischer)", unit="s")]


class ClockSet(Event, frozen=True):
    TOPIC = "match.clock_set.1"

    awaited: Annotated[tuple[int, ...], public("the seats that decide now; none while the system has to act")]
    deadline: Annotated[int | None, public("when their time is up; none if nobody decides", unit="us UTC")]
    remaining: Annotated[tuple[int, ...], public("what each seat has left, itself not counted on", unit="us")]


def chosen(clock: Clock) -> ClockChosen:
    match clock:
        case MoveClock():
            return ClockChosen(kind="move", seconds=clock.seconds, increment=0)
        case DaysClock():
            return ClockChosen(kind="days", seconds=clock.days * DAY, increment=0)
        case FischerClock():
            return ClockChosen(kind="fischer", seconds=clock.seconds, increment=clock.increment)


def set_anew(
    clock: ClockChosen, last: ClockSet | None, seats: int, awaited: tuple[int, ...], at: int
) -> ClockSet:
    """The clock when the decision passes to the seats `awaited` at time `at`; `last` is how it was set before."""
    whole = clock.seconds * SECOND
    remaining = list(last.remaining) if last else [whole] * seats
    if last and last.deadline is not None:
        spared = last.deadline - min(remaining[seat] for seat in last.awaited)  # when it was set
        for seat in last.awaited:
            remaining[seat] = max(0, remaining[seat] - max(0, at - spared))
            if seat not in awaited:
                remaining[seat] += clock.increment * SECOND
    if clock.kind != "fischer":
        remaining = [whole] * seats
    deadline = at + min(remaining[seat] for seat in awaited) if awaited else None
    return ClockSet(awaited=awaited, deadline=deadline, remaining=tuple(remaining))
