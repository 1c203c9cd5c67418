"""The Excuse: where it turns up, what is asked and how the deal goes on."""

from typing import Any

import pytest

from domain.adaman import rules
from domain.adaman.commands import AdamanCommand, ControlCard, ResolveExcuse
from domain.adaman.events import (
    EVENTS,
    CardControlled,
    CardsDealt,
    Dealt,
    ExcuseDiscarded,
    ExcuseResolved,
    ExcuseTurnedUp,
)
from domain.adaman.state import AdamanState
from domain.game import IllegalCommand, Outcome
from tests.domain.adaman.table import OPTIONS, NoChance, Stacked, fold, play, result, set_up, table

EXCUSE = OPTIONS["excuse"]
FULL: dict[str, Any] = {
    "capital": "author savage sea end cave",
    "resources": "pact mountain forest mill origin",
}
PAY = ControlCard("author", ("pact", "mountain"))


def refused(state: AdamanState, command: AdamanCommand) -> str:
    with pytest.raises(IllegalCommand) as refusal:
        rules.decide(state, command, 0, NoChance())
    return refusal.value.rule


def choices(state: AdamanState) -> list[AdamanCommand]:
    return list(rules.legal(state, 0))


# --- turned up in a refill ---------------------------------------------------------------------------------


def test_AD_7_turned_up_in_the_capital_dealing_stops_and_a_resource_is_asked_for() -> None:
    before = table(**FULL, deck="excuse castle market desert")
    events = rules.decide(before, PAY, 0, NoChance())
    assert events[1:] == (CardsDealt(dealt=(Dealt("excuse", "capital"),)), ExcuseTurnedUp(row="capital"))
    state = fold(before, events)
    assert state.resources == ("forest", "mill", "origin")
    assert choices(state) == [ResolveExcuse("forest"), ResolveExcuse("mill"), ResolveExcuse("origin")]
    assert (rules.to_act(state), rules.outcome(state)) == ((0,), None)


def test_the_chosen_resource_moves_to_the_capital_and_the_excuse_is_discarded() -> None:
    asked = play(table(**FULL, deck="excuse castle market desert"), PAY)
    events = rules.decide(asked, ResolveExcuse("mill"), 0, NoChance())
    assert events[0] == ExcuseResolved(card="mill", to="capital")
    state = fold(asked, events)
    assert state.capital == ("savage", "sea", "end", "cave", "mill")
    assert state.discard[-1] == "excuse"
    assert (state.excuse, state.choosing) == (None, False)
    # the deal goes on with the resources, the capital being full again
    assert state.resources == ("forest", "origin", "castle", "market", "desert")


def test_AD_7_turned_up_among_the_resources_dealing_stops_and_a_capital_card_is_asked_for() -> None:
    before = table(**FULL, deck="bard castle excuse market desert")
    events = rules.decide(before, PAY, 0, NoChance())
    assert events[2] == ExcuseTurnedUp(row="resources")
    state = fold(before, events)
    assert state.resources == ("forest", "mill", "origin", "castle", "excuse")
    assert choices(state) == [ResolveExcuse(card) for card in ("savage", "sea", "end", "cave", "bard")]


def test_AD_8_after_a_capital_card_became_a_resource_the_capital_is_dealt_to_first() -> None:
    asked = play(table(**FULL, deck="bard castle excuse market desert"), PAY)
    state = play(asked, ResolveExcuse("sea"))
    assert state.resources == ("forest", "mill", "origin", "castle", "sea")
    assert state.capital == ("savage", "end", "cave", "bard", "market")
    assert state.deck == ("desert",)


def test_AD_8_a_personality_chosen_from_the_capital_goes_to_the_palace() -> None:
    asked = play(table(**FULL, deck="bard castle excuse market desert"), PAY)
    events = rules.decide(asked, ResolveExcuse("savage"), 0, NoChance())
    assert events[0] == ExcuseResolved(card="savage", to="palace")
    state = fold(asked, events)
    assert state.palace == ("savage",)
    assert state.capital == ("sea", "end", "cave", "bard", "market")
    assert state.resources == ("forest", "mill", "origin", "castle", "desert")
    assert state.uncontrolled == asked.uncontrolled


def test_AD_4_AD_8_a_personality_chosen_as_the_sixth_in_the_palace_ends_the_game() -> None:
    palace = "painter sailor soldier lunatic penitent"
    asked = play(table(**FULL, palace=palace, deck="bard castle excuse market desert"), PAY)
    state = play(asked, ResolveExcuse("savage"))
    assert rules.outcome(state) == Outcome("lost_utterly", 0)
    assert state.deck == ("market", "desert")


def test_AD_9_turned_up_in_the_capital_without_resources_it_is_just_discarded() -> None:
    before = table(capital="author savage sea end cave", resources="pact", deck="excuse castle market desert")
    between = rules.evolve(before, CardControlled(target="author", payment=("pact",)))
    owed = rules.advance(between, NoChance())
    assert owed[:2] == (CardsDealt(dealt=(Dealt("excuse", "capital"),)), ExcuseDiscarded(row="capital"))
    state = fold(between, owed)
    assert state.discard == ("pact", "author", "excuse")
    assert state.capital == ("savage", "sea", "end", "cave", "castle")
    assert state.resources == ("market", "desert")


def test_AD_9_turned_up_among_the_resources_with_an_empty_capital_it_is_just_discarded() -> None:
    state = table(palace="author", resources="pact excuse")
    assert rules.advance(state, NoChance()) == (ExcuseDiscarded(row="resources"),)


def test_the_excuse_as_the_last_card_of_the_deck_is_asked_as_usual() -> None:
    asked = play(table(**FULL, deck="excuse"), PAY)
    state = play(asked, ResolveExcuse("mill"))
    assert state.resources == ("forest", "origin")
    assert state.deck == ()


# --- turned up at set-up -----------------------------------------------------------------------------------


def test_AD_7_in_the_capital_at_set_up_it_holds_its_place_until_the_resources_are_dealt() -> None:
    top = "author excuse savage sea end cave bard pact mountain forest mill castle"
    _, dealt, turned_up = rules.start(EXCUSE, 1, Stacked(top))
    assert isinstance(dealt, CardsDealt)
    assert turned_up == ExcuseTurnedUp(row="capital")
    state = set_up(top, EXCUSE)
    assert state.capital == ("author", "excuse", "savage", "sea", "end")
    assert state.palace == ("bard",)
    assert state.resources == ("cave", "pact", "mountain", "forest", "mill")
    state = play(state, ResolveExcuse("cave"))
    assert state.capital == ("author", "savage", "sea", "end", "cave")
    assert state.resources == ("pact", "mountain", "forest", "mill", "castle")


def test_AD_7_among_the_resources_at_set_up_dealing_stops_at_it() -> None:
    state = set_up("author savage sea end cave pact excuse mountain forest mill castle market", EXCUSE)
    assert state.resources == ("pact", "excuse")
    assert (state.excuse, state.choosing) == ("resources", True)
    state = play(state, ResolveExcuse("sea"))
    assert state.capital == ("author", "savage", "end", "cave", "mountain")
    assert state.resources == ("pact", "sea", "forest", "mill", "castle")


def test_AD_4_a_sixth_personality_at_set_up_ends_the_game_before_the_excuse_in_the_capital_is_asked() -> None:
    state = set_up("excuse sea end cave mill painter sailor soldier lunatic penitent diplomat", EXCUSE)
    assert result(state) == "lost_utterly"
    assert "excuse" in state.capital
    assert not state.choosing


# --- while the choice is pending ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (ControlCard("savage", ("mill", "forest")), "choice-pending"),
        (ResolveExcuse("savage"), "not-a-choice"),
        (ResolveExcuse("excuse"), "not-a-choice"),
        (ResolveExcuse("castle"), "not-a-choice"),
        (ResolveExcuse("dragon"), "unknown-card"),
    ],
)
def test_while_the_choice_is_pending_nothing_else_is_legal(command: AdamanCommand, rule: str) -> None:
    asked = play(table(**FULL, deck="excuse castle market"), PAY)
    assert refused(asked, command) == rule


def test_AD_6_resigning_is_scored_while_the_choice_is_pending() -> None:
    asked = play(table(**FULL, deck="excuse castle market"), PAY)
    assert rules.forfeit(asked, 0, "resigned") == Outcome("resigned", 2)


def test_AD_3_with_final_deal_an_excuse_is_asked_before_the_win_is_scored() -> None:
    last = table(
        capital="author sea end battle mill",
        resources="pact mountain forest cave origin",
        deck="excuse castle",
        final_deal=True,
    )
    events = rules.decide(last, ControlCard("author", ("pact",)), 0, NoChance())
    assert [type(event) for event in events] == [CardControlled, CardsDealt, ExcuseTurnedUp]
    asked = fold(last, events)
    assert (rules.outcome(asked), rules.to_act(asked)) == (None, (0,))
    won = play(asked, ResolveExcuse("origin"))
    assert won.resources == ("mountain", "forest", "cave", "castle")
    assert rules.outcome(won) == Outcome("won", 2 + 4 + 5 + 7 + 7)


def test_AD_3_without_final_deal_the_excuse_on_top_of_the_deck_is_not_turned_up_by_a_win() -> None:
    last = table(capital="author sea end battle mill", resources="pact mountain", deck="excuse castle forest")
    won = rules.evolve(last, CardControlled(target="author", payment=("pact",)))
    assert rules.advance(won, NoChance()) == ()
    assert rules.outcome(won) == Outcome("won", 2 + 4)


def test_P16_whatever_turns_a_card_up_says_so() -> None:
    revealing = {event.type_name() for event in EVENTS if event.REVEALS}
    assert revealing == {"deck_shuffled", "cards_dealt", "excuse_turned_up"}


# --- a rewind may land anywhere ----------------------------------------------------------------------------


def test_advance_goes_on_from_the_middle_of_every_command() -> None:
    before = table(**FULL, deck="castle excuse market desert")
    events = rules.decide(before, PAY, 0, NoChance())
    for cut in range(1, len(events) + 1):
        assert rules.advance(fold(before, events[:cut]), NoChance()) == events[cut:]


def test_advance_goes_on_from_the_middle_of_the_set_up() -> None:
    top = "author excuse savage sea end cave bard pact mountain forest mill castle"
    events = rules.start(EXCUSE, 1, Stacked(top))
    for cut in range(1, len(events) + 1):
        state = fold(rules.initial(EXCUSE, 1), events[:cut])
        assert rules.advance(state, NoChance()) == events[cut:]
