"""What the read models answer."""

from typing import Any

import pytest

from domain.game import Outcome
from domain.match import MatchEnded
from services.errors import InvalidField
from services.read_models import LobbyFilter
from services.wishes import CreateMatch, Order
from tests.house import HOUR, SECOND, House, created, entry, seated, token_of

ANY = LobbyFilter()

# --- lobby -------------------------------------------------------------------------------------------------


def test_the_lobby_lists_newest_activity_first_in_pages(house: House) -> None:
    opened = [house.open(f"player {number}", deal=number + 1) for number in range(5)]
    house.play(opened[1], 1)
    house.catch_up()
    expected = [opened[number].id for number in (1, 4, 3, 2, 0)]
    seen, cursor = [], None
    while True:
        rows, cursor = house.read_side.lobby.page(ANY, cursor, 2)
        seen += [row["id"] for row in rows]
        if cursor is None:
            break
    assert seen == expected


def test_a_page_that_ends_with_the_last_match_has_no_cursor(house: House) -> None:
    for deal in (1, 2):
        house.open(deal=deal)
    house.catch_up()
    rows, cursor = house.read_side.lobby.page(ANY, None, 2)
    assert (len(rows), cursor) == (2, None)


def test_a_row_tells_what_the_match_is(house: House) -> None:
    opened = house.open(deal=7)
    house.clock.go(60)
    house.resign(opened)
    house.catch_up()
    (row,), _ = house.read_side.lobby.page(ANY, None, 10)
    history = house.service.ledger.history(opened.id)
    assert row == {
        "id": opened.id,
        "game": "adaman",
        "status": "ended",
        "version": history.match.version,
        "players": [house.player()],
        "seats": 1,
        "deal": 7,
        "spectators": True,
        "ranked": True,
        "outcome": {"result": "resigned", "score": history.match.outcome.score},  # type: ignore[union-attr]
        "created_at": history.entries[0].at,
        "updated_at": history.entries[0].at + 60 * SECOND,
    }


def test_the_lobby_filters_by_game_status_and_player(house: House) -> None:
    ann, bob = house.open("ann", deal=1), house.open("bob", deal=1)
    free = house.service.opening.create(CreateMatch("adaman"), Order())
    house.resign(bob)
    house.catch_up()

    def listed(**wanted: str) -> list[str]:
        return [row["id"] for row in house.read_side.lobby.page(LobbyFilter(**wanted), None, 10)[0]]

    assert listed(status="running") == [ann.id]
    assert listed(status="open") == [free.id]
    assert listed(status="ended", game="adaman") == [bob.id]
    assert listed(player=house.player("bob")) == [bob.id]
    assert listed(player=house.player("bob"), status="running") == []
    assert listed(game="adellos") == []


def test_P11_a_match_closed_to_spectators_is_listed_to_nobody(house: House) -> None:
    house.open(deal=1, spectators=False)
    house.catch_up()
    assert house.read_side.lobby.page(ANY, None, 10) == ([], None)
    assert house.read_side.lobby.page(LobbyFilter(player=house.player()), None, 10) == ([], None)


@pytest.mark.parametrize(
    "cursor", ["", "x", "MTIz=", "LTE", "4oiS", "A" * 40, "é", "OTk5OTk5OTk5OTk5OTk5OTk5OTk"]
)
def test_a_cursor_no_page_gave_is_refused(sqlite_house: House, cursor: str) -> None:
    with pytest.raises(InvalidField):
        sqlite_house.read_side.lobby.page(ANY, cursor, 10)


# --- statistics --------------------------------------------------------------------------------------------


class Career:
    """Matches put straight into the log, with the outcomes a test needs."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.count = 0

    def play(
        self, player: str, result: str, score: int, deal: int | None = None, end: bool = True, **changes: Any
    ) -> str:
        self.count += 1
        stream = f"m_{self.count}"
        commitment = None if deal else "c"
        creation = created(deal=deal, commitment=commitment, **changes)
        self.house.service.store.append([entry(stream, 1, creation), entry(stream, 2, seated(player))])
        if end:
            self.end(stream, result, score)
        return stream

    def end(self, stream: str, result: str, score: int) -> None:
        self.house.service.store.append([entry(stream, 3, MatchEnded(Outcome(result, score)))])


@pytest.fixture
def career(house: House) -> Career:
    return Career(house)


def test_statistics_of_somebody_who_never_played_are_all_zero(house: House) -> None:
    assert house.read_side.statistics.of("p_nobody") == {
        "player": "p_nobody",
        "games": 0,
        "unranked": 0,
        "outcomes": {"won": 0, "lost": 0, "lost_utterly": 0, "resigned": 0, "abandoned": 0},
        "streak": {"current": 0, "best": 0},
        "best_score": None,
        "mean_score": None,
        "deals": [],
    }


def test_every_finished_game_counts_once_and_in_the_mean(house: House, career: Career) -> None:
    results = ["won", "won", "lost", "lost_utterly", "resigned", "won"]
    for result, score in zip(results, (70, 67, 30, 0, 10, 66), strict=True):
        career.play("p_a", result, score)
        house.catch_up()
    career.play("p_a", "won", 80, end=False)  # unfinished
    house.catch_up()
    found = house.read_side.statistics.of("p_a")
    assert found["games"] == 6
    assert found["outcomes"] == {"won": 3, "lost": 1, "lost_utterly": 1, "resigned": 1, "abandoned": 0}
    assert found["streak"] == {"current": 1, "best": 2}
    assert found["best_score"] == 70
    assert found["mean_score"] == round((70 + 67 + 30 + 0 + 10 + 66) / 6, 3)


def test_a_rewound_match_counts_among_the_games_but_in_no_ranking(house: House) -> None:
    opened = house.open(deal=5)
    house.play(opened, 2)
    house.service.matches.rewind(opened.id, token_of(opened), opened.version, Order())
    house.resign(opened)
    house.catch_up()
    found = house.read_side.statistics.of(house.player())
    assert (found["games"], found["unranked"], found["best_score"]) == (1, 1, None)
    assert found["deals"][0]["first"]["ranked"] is False
    assert house.read_side.statistics.leaderboard(5, 10) == []


def test_a_fork_and_a_running_match_it_was_taken_from_are_unranked(house: House) -> None:
    origin = house.open(deal=5)
    fork = house.service.opening.fork(origin.id, origin.version, token_of(origin), None, Order())
    house.resign(fork)
    house.resign(origin)
    house.catch_up()
    found = house.read_side.statistics.of(house.player())
    assert (found["games"], found["unranked"]) == (2, 2)
    assert [row["deal"] for row in found["deals"]] == [5], "a fork is no try at the deal"
    assert house.read_side.statistics.leaderboard(5, 10) == []


def test_a_leaderboard_takes_a_players_first_try_only(house: House, career: Career) -> None:
    career.play("p_a", "lost", 20, deal=9)
    career.play("p_a", "won", 90, deal=9)
    career.play("p_b", "won", 70, deal=9)
    career.play("p_c", "lost", 70, deal=8)
    house.catch_up()
    assert [(row["player"], row["score"]) for row in house.read_side.statistics.leaderboard(9, 10)] == [
        ("p_b", 70),
        ("p_a", 20),
    ]
    (deal,) = house.read_side.statistics.of("p_a")["deals"]
    assert deal == {
        "deal": 9,
        "tries": 2,
        "best": 90,
        "first": {"result": "lost", "score": 20, "ranked": True},
    }


def test_the_first_try_is_the_one_begun_first_even_if_it_ends_never(house: House, career: Career) -> None:
    first = career.play("p_a", "", 0, deal=9, end=False)
    career.play("p_a", "won", 90, deal=9)
    house.catch_up()
    assert house.read_side.statistics.leaderboard(9, 10) == []
    career.end(first, "lost", 15)
    house.catch_up()
    (row,) = house.read_side.statistics.leaderboard(9, 10)
    assert (row["score"], row["match"]) == (15, first)


def test_other_options_make_another_deal(house: House, career: Career) -> None:
    career.play("p_a", "won", 90, deal=9, options={"excuse": True})
    career.play("p_b", "won", 70, deal=9, options={"excuse": False})
    house.catch_up()
    assert [row["player"] for row in house.read_side.statistics.leaderboard(9, 10)] == ["p_b"]
    assert house.read_side.statistics.of("p_a")["deals"] == []
    assert house.read_side.statistics.of("p_a")["games"] == 1


def test_P11_a_leaderboard_names_no_match_that_is_closed_to_spectators(house: House, career: Career) -> None:
    career.play("p_a", "won", 90, deal=9, spectators=False)
    house.catch_up()
    (row,) = house.read_side.statistics.leaderboard(9, 10)
    assert (row["player"], row["match"]) == ("p_a", None)


def test_equal_scores_rank_by_who_ended_first_and_the_limit_holds(house: House, career: Career) -> None:
    for player in ("p_c", "p_a", "p_b"):
        career.play(player, "won", 70, deal=9)
    house.catch_up()
    assert [row["player"] for row in house.read_side.statistics.leaderboard(9, 2)] == ["p_c", "p_a"]


# --- due effects -------------------------------------------------------------------------------------------


def test_P14_an_unfinished_match_is_due_when_it_was_idle_for_its_limit_not_before(house: House) -> None:
    opened = house.open(deal=1)
    house.clock.go(10)
    house.play(opened, 1)
    house.catch_up()
    table, last = house.read_side.due_effects, house.service.store.read(opened.id)[-1]
    due_at = last.at + HOUR * SECOND
    assert table.due(due_at - 1, 10) == []
    (effect,) = table.due(due_at, 10)
    assert (effect.kind, effect.match, effect.due_at) == ("abandon", opened.id, due_at)
    assert effect.version == last.version
    assert table.find(effect.id) == effect
    assert table.find("abandon-m_none-1") is None


def test_an_ended_match_is_due_never(house: House) -> None:
    house.resign(house.open(deal=1))
    house.resign(house.open())
    house.catch_up()
    assert house.read_side.due_effects.due(2**62, 10) == []


def test_P14_effects_come_in_deadline_order(house: House) -> None:
    later, sooner = [house.open(deal=1) for _ in range(2)]
    house.clock.go(100)
    house.play(later, 1)
    house.catch_up()
    assert [effect.match for effect in house.read_side.due_effects.due(2**62, 10)] == [sooner.id, later.id]
    assert [effect.match for effect in house.read_side.due_effects.due(2**62, 1)] == [sooner.id]


# --- progress ----------------------------------------------------------------------------------------------


def test_progress_tells_how_far_the_projections_are(house: House) -> None:
    opened = house.open(deal=1)
    progress = house.read_side.progress
    assert progress.wait(0, 0)
    assert not progress.wait(opened.position, 0.05)
    assert progress.lag() == dict.fromkeys(["due_effects", "lobby", "statistics"], opened.position)
    house.catch_up()
    assert progress.wait(opened.position, 1)
    assert progress.lag() == dict.fromkeys(["due_effects", "lobby", "statistics"], 0)
    assert progress.quarantined() == []
