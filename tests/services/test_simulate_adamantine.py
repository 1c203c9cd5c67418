"""Simulated matches of Adamantine: what is told, that greedy bots end matches by the rules and play better."""

from random import Random

from domain.adamantine import ADAMANTINE
from domain.adamantine.options import AdamantineOptions
from domain.chance import SealedChance
from services.bots import BOTS
from services.simulate import simulate

KEYS = [
    "game", "bot", "decks", "matches", "plays", "wins_by_deck", "wins_by_starting_seat", "ends", "median_turns",
    "plays_per_s",
]  # fmt: skip


def test_a_simulation_plays_all_pairs_of_ready_decks_in_turn_and_tells_what_it_did() -> None:
    counted = simulate(ADAMANTINE, 24, "random", 3)
    assert list(counted) == KEYS
    assert [counted[key] for key in ("game", "bot", "matches")] == ["adamantine", "random", 24]
    assert counted["decks"] == sorted(ADAMANTINE.rules.box.decks)
    assert list(counted["ends"]) == ["champion_slain", "no_cards_at_night", "resigned", "cut"]
    assert sum(counted["wins_by_deck"].values()) == sum(counted["wins_by_starting_seat"]) == 24
    assert sum(counted["ends"].values()) == 24


def test_greedy_bots_end_their_matches_by_the_rules() -> None:
    counted = simulate(ADAMANTINE, 6, "greedy", 1, AdamantineOptions(decks=("iron-vow", "wild-host")))
    assert counted["decks"] == ["iron-vow", "wild-host"]
    assert counted["ends"]["champion_slain"] + counted["ends"]["no_cards_at_night"] == 6
    assert 4 <= counted["median_turns"] <= 22


def test_the_same_seed_gives_the_same_figures() -> None:
    first, second = (simulate(ADAMANTINE, 3, "greedy", 5) for _ in range(2))
    assert first | {"plays_per_s": 0} == second | {"plays_per_s": 0}


def test_the_greedy_bot_beats_the_random_one() -> None:
    rules, rng, won = ADAMANTINE.rules, Random(4), 0
    for number in range(8):
        greedy = number % 2
        chance = SealedChance(rng.randbytes(32))
        state = rules.initial(AdamantineOptions(), 2)
        events = rules.start(AdamantineOptions(), 2, chance)
        while True:
            for event in events:
                state = rules.evolve(state, event)
            if (outcome := rules.outcome(state)) is not None:
                break
            (seat,) = rules.to_act(state)
            bot = BOTS["greedy" if seat == greedy else "random"]
            events = rules.decide(state, bot.choose(ADAMANTINE, state, seat, rng), seat, chance)
        won += outcome.winner == greedy
    assert won >= 7
