"""Match clocks as values: what is left to whom, and until when."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from domain.clocks import SECOND, ClockChosen, ClockSet, DaysClock, FischerClock, MoveClock, chosen, set_anew

T = 1_800_000_000 * SECOND


def set_all(clock: ClockChosen, *passes: tuple[tuple[int, ...], int]) -> ClockSet:
    """The clock after decisions passed to these seats, at these seconds."""
    last = None
    for awaited, seconds in passes:
        last = set_anew(clock, last, 2, awaited, T + seconds * SECOND)
    assert last is not None
    return last


def test_a_move_clock_gives_each_decision_its_whole_time() -> None:
    clock = set_all(chosen(MoveClock(30)), ((0,), 0), ((1,), 25))
    assert clock.deadline == T + 55 * SECOND
    assert clock.remaining == (30 * SECOND, 30 * SECOND)


def test_days_are_days() -> None:
    assert set_all(chosen(DaysClock(2)), ((0,), 0)).deadline == T + 2 * 86_400 * SECOND


def test_a_fischer_clock_takes_what_was_used_and_adds_the_increment() -> None:
    clock = set_all(chosen(FischerClock(60, 5)), ((0,), 0), ((1,), 20), ((0,), 30))
    assert clock.remaining == (45 * SECOND, 55 * SECOND)
    assert clock.deadline == T + (30 + 45) * SECOND


def test_no_clock_runs_while_the_system_has_to_act() -> None:
    clock = chosen(FischerClock(60))
    waiting = set_all(clock, ((0,), 0), ((), 10))
    assert (waiting.deadline, waiting.remaining) == (None, (50 * SECOND, 60 * SECOND))
    assert set_all(clock, ((0,), 0), ((), 10), ((1,), 500)).deadline == T + 560 * SECOND


def test_time_used_up_is_not_owed() -> None:
    clock = set_all(chosen(FischerClock(10, 2)), ((0,), 0), ((1,), 99))
    assert clock.remaining[0] == 2 * SECOND


@given(
    st.lists(st.tuples(st.sampled_from([(0,), (1,), ()]), st.integers(0, 100)), min_size=1, max_size=20),
    st.integers(1, 100),
    st.integers(0, 10),
)
def test_a_fischer_clock_loses_no_time(passes: Any, seconds: int, increment: int) -> None:
    """What is left and what was used come to what was given; the deadline is never before it was set."""
    clock, last, at, used, given_ = (
        chosen(FischerClock(seconds, increment)),
        None,
        T,
        [0, 0],
        [seconds * SECOND] * 2,
    )
    for awaited, wait in passes:
        at += wait * SECOND
        before, last = last, set_anew(clock, last, 2, awaited, at)
        for seat in before.awaited if before else ():
            assert before is not None
            used[seat] += min(wait * SECOND, before.remaining[seat])
            given_[seat] += increment * SECOND if seat not in awaited else 0
        assert list(last.remaining) == [one - other for one, other in zip(given_, used, strict=True)]
        assert last.deadline is None or last.deadline >= at
