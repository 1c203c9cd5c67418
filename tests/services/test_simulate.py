"""Bots and the simulator."""

from random import Random
from typing import Any

import pytest

from domain.adaman import ADAMAN, rules
from domain.adaman.commands import ControlCard
from domain.adaman.content.decktet import VALUE
from domain.adaman.options import AdamanOptions
from domain.adaman.payments import BIT, MATCHING
from domain.chance import SealedChance, deal_seed
from domain.game import IllegalCommand
from services.bots import BOTS
from services.simulate import simulate


def told(report: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in report.items() if key != "plays_per_s"}


def test_a_simulation_reports_what_it_did() -> None:
    report = simulate(ADAMAN, 200, "random", 1)
    assert list(report) == [
        "game", "bot", "seed", "matches", "plays", "outcomes", "mean_score", "plays_per_s",
    ]  # fmt: skip
    assert [report[key] for key in ("game", "bot", "seed", "matches")] == ["adaman", "random", 1, 200]
    assert list(report["outcomes"]) == ["won", "lost", "lost_utterly"]
    assert sum(report["outcomes"].values()) == 200
    assert report["plays"] >= 200
    assert 0 < report["mean_score"] < 64
    assert report["plays_per_s"] > 0


def test_plays_are_commands_and_the_mean_is_over_all_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    ends: list[Any] = []
    outcome = rules.outcome

    class Watched:
        def choose(self, *asked: Any) -> Any:
            given.append(BOTS["greedy"].choose(*asked))
            return given[-1]

    def watched(state: Any) -> Any:
        ended = outcome(state)
        if ended:
            ends.append(ended)
        return ended

    monkeypatch.setitem(BOTS, "watched", Watched())
    monkeypatch.setattr("domain.adaman.rules.outcome", watched)
    report = simulate(ADAMAN, 200, "watched", 4, AdamanOptions(excuse=True, courts=True))
    results = [ended.result for ended in ends]
    assert {result: results.count(result) for result in report["outcomes"]} == report["outcomes"]
    assert all(report["outcomes"].values())
    assert report["plays"] == len(given)
    assert report["mean_score"] == sum(ended.score for ended in ends) / 200


@pytest.mark.parametrize("bot", sorted(BOTS))
def test_the_same_seed_gives_the_same_simulation_and_another_seed_another(bot: str) -> None:
    assert told(simulate(ADAMAN, 60, bot, 5)) == told(simulate(ADAMAN, 60, bot, 5))
    assert told(simulate(ADAMAN, 60, bot, 5)) != told(simulate(ADAMAN, 60, bot, 6)) | {"seed": 5}


def test_options_change_the_deck_that_is_played() -> None:
    basic = simulate(ADAMAN, 300, "random", 1)
    harder = simulate(
        ADAMAN, 300, "random", 1, AdamanOptions(extra_personalities=("consul", "watchman", "light-keeper"))
    )
    assert harder["outcomes"]["lost_utterly"] > basic["outcomes"]["lost_utterly"]


def test_the_rules_are_looked_up_late(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = told(simulate(ADAMAN, 100, "random", 1))
    decide = rules.decide

    def extravagant(state: Any, command: Any, seat: int, chance: Any) -> Any:
        matching = tuple(card for card in state.resources if BIT[card] & MATCHING[command.target])
        return decide(state, ControlCard(command.target, matching), seat, chance)

    monkeypatch.setattr("domain.adaman.rules.decide", extravagant)
    changed = told(simulate(ADAMAN, 100, "random", 1))
    assert changed["plays"] < usual["plays"]
    assert changed["outcomes"] != usual["outcomes"]


def test_a_patched_decide_takes_effect_in_both_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise IllegalCommand("closed", "Nothing is legal today.")

    monkeypatch.setattr("domain.adaman.rules.decide", refuse)
    for bot in BOTS:
        with pytest.raises(IllegalCommand, match="closed"):
            simulate(ADAMAN, 1, bot, 1)


def test_greedy_plays_noticeably_better_than_random() -> None:
    random, greedy = (simulate(ADAMAN, 400, bot, 3) for bot in ("random", "greedy"))
    assert greedy["mean_score"] > 1.5 * random["mean_score"]
    assert greedy["outcomes"]["won"] > random["outcomes"]["won"]


def test_the_random_bot_chooses_every_legal_pair_about_equally_often() -> None:
    chance = SealedChance(deal_seed("adaman", 7))
    state = rules.initial(AdamanOptions(), 1)
    for event in rules.start(AdamanOptions(), 1, chance):
        state = rules.evolve(state, event)
    legal = list(rules.legal(state, 0))
    rng, rounds = Random(1), 400
    chosen = [BOTS["random"].choose(ADAMAN, state, 0, rng) for _ in range(rounds * len(legal))]
    assert all(rounds * 0.75 < chosen.count(command) < rounds * 1.25 for command in legal)


@pytest.mark.parametrize("bot", sorted(BOTS))
def test_P11_a_bot_chooses_the_same_whatever_the_order_of_the_deck(bot: str) -> None:
    for number in range(1, 30):
        chance = SealedChance(deal_seed("adaman", number))
        state = rules.initial(AdamanOptions(excuse=True), 1)
        for event in rules.start(AdamanOptions(excuse=True), 1, chance):
            state = rules.evolve(state, event)
        twin = rules.imagine(state, 0, chance)
        assert twin.deck != state.deck
        if not rules.to_act(state):
            continue
        player = BOTS[bot]
        assert player.choose(ADAMAN, state, 0, Random(1)) == player.choose(ADAMAN, twin, 0, Random(1))


def test_AD_2_the_greedy_bot_pays_no_card_that_can_be_spared() -> None:
    """Whatever it could get rid of by it: what a bot or a hint proposes is a payment that people expect."""
    rng = Random(2)
    for number in range(1, 40):
        chance = SealedChance(deal_seed("adaman", number))
        state = rules.initial(AdamanOptions(), 1)
        events: Any = rules.start(AdamanOptions(), 1, chance)
        while True:
            for event in events:
                state = rules.evolve(state, event)
            if rules.outcome(state):
                break
            command = BOTS["greedy"].choose(ADAMAN, state, 0, rng)
            assert isinstance(command, ControlCard)
            paid = [VALUE[card] for card in command.payment]
            assert len(paid) == 1 or sum(paid) - min(paid) < VALUE[command.target], command
            events = rules.decide(state, command, 0, chance)


def test_a_simulation_of_nothing_or_by_nobody_is_refused() -> None:
    with pytest.raises(ValueError):
        simulate(ADAMAN, 0, "random", 1)
    with pytest.raises(KeyError):
        simulate(ADAMAN, 1, "oracle", 1)
