"""What `make balance` says is counted rightly."""

from collections import Counter

import pytest
from msgspec.structs import replace

from benchmarks.balance import GAMES, Goal, goals, measure, report, share, wilson
from services.simulate import Played

KINDS = {kind.seats: kind for kind in GAMES["adellos"]()}


@pytest.mark.parametrize(
    ("times", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (384, 1536, 0.2290, 0.2723)],
)
def test_wilson_intervals_as_tables_give_them(times: int, of: int, low: float, high: float) -> None:
    assert wilson(times, of) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("times", "said"), [(250, "met"), (300, "open"), (400, "missed"), (100, "missed")])
def test_a_goal_is_missed_only_where_the_whole_interval_lies_outside(times: int, said: str) -> None:
    assert share("clergy", times, 1_000, Goal(0.21, 0.29)).goal == said


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_faction_plays_from_every_seat_and_place_equally_often(seats: int) -> None:
    by_seat: Counter[tuple[str, int]] = Counter()
    by_place: Counter[tuple[str, int]] = Counter()
    for options in KINDS[seats].arrangements:
        for seat, faction in enumerate(options.factions):  # type: ignore[attr-defined]
            by_seat[faction, seat] += 1
            by_place[faction, (seat - options.first_seat) % seats] += 1  # type: ignore[attr-defined]
    for counted in (by_seat, by_place):
        assert len(counted) == 4 * seats
        assert len(set(counted.values())) == 1


def test_shares_of_sides_seats_and_pairings_of_known_matches() -> None:
    kind = replace(KINDS[2], seat=Goal(0, 0.6), turns=Goal(8, 20))
    played = [
        Played(("scum", "undead"), first=1, winner=0, end="bonus_field", turns=10, plays=1),
        Played(("undead", "scum"), first=0, winner=1, end="last_noble", turns=20, plays=1),
        Played(("clergy", "scum"), first=0, winner=None, end="cut", turns=300, plays=1),
    ]
    told = report(kind, played)
    assert [(row.name, row.times, row.of) for row in told["sides"]] == [
        ("clergy", 0, 1),
        ("scum", 2, 3),
        ("undead", 0, 2),
    ]
    assert [(row.name, row.times, row.of) for row in told["seats"]] == [("starts", 0, 3), ("1 after", 2, 3)]
    assert [(row.name, row.times, row.of) for row in told["pairings"]] == [
        ("clergy v. scum", 0, 1),
        ("scum v. undead", 2, 2),
    ]
    assert [(row.name, row.times) for row in told["ends"]] == [
        ("bonus_field", 1),
        ("cut", 1),
        ("last_noble", 1),
    ]
    assert (told["median_turns"], told["turns_goal"]) == (20, "met")
    assert Counter(goals(told)) == {"met": 2, "open": 3}


def test_the_number_of_processes_changes_nothing() -> None:
    assert measure("adellos", 1, 3, 5, processes=1) == measure("adellos", 1, 3, 5, processes=2)
