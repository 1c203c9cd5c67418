"""Simulated matches of several seats."""

import pytest

from domain.adaman import ADAMAN
from domain.adellos import ADELLOS
from services.simulate import simulate

KEYS = {
    "game",
    "bot",
    "players",
    "matches",
    "plays",
    "wins_by_faction",
    "wins_by_seat",
    "ends",
    "median_turns",
    "plays_per_s",
}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_bots_end_their_matches_by_the_rules(players: int) -> None:
    counted = simulate(ADELLOS, 4, "greedy", 1, players=players)
    assert set(counted) >= KEYS
    assert counted["ends"]["cut"] == 0
    assert sum(counted["wins_by_seat"]) == sum(counted["wins_by_faction"].values()) == 4


def test_the_same_seed_gives_the_same_figures() -> None:
    first, second = (simulate(ADELLOS, 3, "random", 5, players=3) for _ in range(2))
    assert first | {"plays_per_s": 0} == second | {"plays_per_s": 0}


def test_the_number_of_players_is_checked() -> None:
    for players in (1, 5):
        with pytest.raises(ValueError, match="2 to 4 players"):
            simulate(ADELLOS, 1, "random", 1, players=players)


def test_solitaire_is_counted_as_before() -> None:
    assert set(simulate(ADAMAN, 2, "random", 1)) >= {"outcomes", "mean_score"}
