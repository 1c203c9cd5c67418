"""Simulated matches of several seats."""

import pytest
from msgspec.structs import replace

from domain.adaman import ADAMAN
from domain.adellos import ADELLOS
from domain.adellos.options import AdellosOptions
from domain.game import Tally
from services.simulate import simulate

KEYS = [
    "game", "bot", "players", "matches", "plays", "wins_by_faction", "wins_by_seat", "ends", "median_turns",
    "plays_per_s",
]  # fmt: skip
FACTIONS = ["clergy", "royal-army", "scum", "undead"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_bots_end_their_matches_by_the_rules(players: int) -> None:
    counted = simulate(ADELLOS, 4, "greedy", 1, players=players)
    assert list(counted) == KEYS
    assert [counted[key] for key in KEYS[:4]] == ["adellos", "greedy", players, 4]
    assert list(counted["ends"]) == ["last_noble", "bonus_field", "resigned", "cut"]
    assert counted["ends"]["cut"] == 0
    assert sum(counted["ends"].values()) == 4
    assert sum(counted["wins_by_seat"]) == sum(counted["wins_by_faction"].values()) == 4


def test_the_same_seed_gives_the_same_figures() -> None:
    first, second = (simulate(ADELLOS, 3, "random", 5, players=3) for _ in range(2))
    assert first | {"plays_per_s": 0} == second | {"plays_per_s": 0}


def test_a_match_that_reaches_the_limit_is_cut_and_won_by_nobody() -> None:
    counted = simulate(ADELLOS, 3, "random", 1, AdellosOptions(turn_limit=2), players=4)
    assert counted["ends"] == {"last_noble": 0, "bonus_field": 0, "resigned": 0, "cut": 3}
    assert counted["wins_by_seat"] == [0, 0, 0, 0]
    assert counted["wins_by_faction"] == dict.fromkeys(FACTIONS, 0)


def test_a_game_may_count_decks_from_the_starting_seat_and_play_its_arrangements_in_turn() -> None:
    """The same table under the names another game gives its figures: what a seat plays with, and whence."""
    pairs = [AdellosOptions(factions=pair, first_seat=1) for pair in (("scum", "undead"), ("undead", "scum"))]
    tally = Tally("faction", ("last_noble", "bonus_field"), from_start=True, in_turn=lambda _: pairs)
    duel = replace(ADELLOS, max_seats=2, tally=tally)
    counted = simulate(duel, 4, "greedy", 2)
    assert list(counted) == [
        "game", "bot", "factions", "matches", "plays", "wins_by_faction", "wins_by_starting_seat", "ends",
        "median_turns", "plays_per_s",
    ]  # fmt: skip
    assert counted["factions"] == list(counted["wins_by_faction"]) == ["scum", "undead"]
    by_number = simulate(replace(duel, tally=replace(tally, from_start=False)), 4, "greedy", 2)
    assert by_number["wins_by_seat"] == counted["wins_by_starting_seat"][::-1]


def test_the_number_of_players_is_checked() -> None:
    for players in (1, 5):
        with pytest.raises(ValueError, match="2 to 4 players"):
            simulate(ADELLOS, 1, "random", 1, players=players)


def test_solitaire_is_counted_as_before() -> None:
    assert set(simulate(ADAMAN, 2, "random", 1)) >= {"outcomes", "mean_score"}
