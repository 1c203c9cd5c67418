"""Set-up, plays and the end, rule by rule in the rulebook's order. The Excuse has a file of its own."""

from typing import Any

import pytest

from domain.adaman import payments, rules
from domain.adaman.commands import AdamanCommand, ControlCard, ResolveExcuse
from domain.adaman.content.decktet import BASIC, CARDS, VALUE
from domain.adaman.events import CardControlled, CardsDealt, Dealt, DeckShuffled
from domain.adaman.state import AdamanState
from domain.game import IllegalCommand, Outcome
from tests.domain.adaman.table import OPTIONS, NoChance, Stacked, deal, fold, play, result, set_up, table

CAPITAL = "author savage sea end bard"


# --- set-up ------------------------------------------------------------------------------------------------


def test_set_up_shuffles_and_deals_five_to_the_capital_and_five_resources() -> None:
    shuffled, dealt = rules.start(
        OPTIONS["basic"], 1, Stacked("author savage sea end bard ace-of-suns cave mill pact forest")
    )
    assert isinstance(shuffled, DeckShuffled)
    assert (shuffled.draw, shuffled.cards, len(shuffled.order)) == (0, 36, 36)
    assert dealt == CardsDealt(
        dealt=(
            *(Dealt(card, "capital") for card in CAPITAL.split()),
            *(Dealt(card, "resources") for card in ["ace-of-suns", "cave", "mill", "pact", "forest"]),
        )
    )


def test_set_up_deals_the_capital_before_the_resources_personalities_included() -> None:
    state = set_up("author savage bard huntress diplomat")
    assert state.capital == ("author", "savage", "bard", "huntress", "diplomat")
    assert state.palace == ()


def test_set_up_sends_personalities_among_the_resources_to_the_palace_until_there_are_five_resources() -> (
    None
):
    state = set_up(f"{CAPITAL} painter cave mill sailor pact soldier forest castle lunatic")
    assert state.palace == ("painter", "sailor", "soldier")
    assert state.resources == ("cave", "mill", "pact", "forest", "castle")
    assert state.deck[0] == "lunatic"


def test_AD_4_a_sixth_personality_in_the_palace_ends_the_game_during_set_up_and_dealing_stops_there() -> None:
    state = set_up("sea end cave mill pact forest painter sailor soldier lunatic penitent diplomat castle")
    assert state.palace == ("painter", "sailor", "soldier", "lunatic", "penitent", "diplomat")
    assert state.resources == ("forest",)
    assert state.deck[0] == "castle"
    assert rules.outcome(state) == Outcome("lost_utterly", 0)
    assert rules.advance(state, NoChance()) == ()


def test_five_personalities_in_the_palace_are_not_too_many() -> None:
    state = set_up(
        "sea end cave mill pact painter sailor soldier lunatic penitent castle forest market desert origin"
    )
    assert len(state.palace) == 5
    assert result(state) is None


# --- a play ------------------------------------------------------------------------------------------------


def refused(state: AdamanState, command: AdamanCommand) -> str:
    with pytest.raises(IllegalCommand) as refusal:
        rules.decide(state, command, 0, NoChance())
    return refusal.value.rule


PLAYABLE = table(capital="savage cave", palace="author", resources="origin battle mountain ace-of-wyrms")


def test_a_card_of_the_capital_may_be_controlled() -> None:
    events = rules.decide(PLAYABLE, ControlCard("savage", ("battle",)), 0, NoChance())
    assert events == (CardControlled(target="savage", payment=("battle",)),)


def test_a_card_of_the_palace_may_be_controlled() -> None:
    state = play(PLAYABLE, ControlCard("author", ("battle",)))
    assert state.palace == ()
    assert state.discard == ("battle", "author")


def test_several_resources_may_pay_together_and_need_share_no_suit_with_each_other() -> None:
    assert not set(CARDS["origin"].suits) & set(CARDS["ace-of-wyrms"].suits)
    state = play(PLAYABLE, ControlCard("savage", ("origin", "ace-of-wyrms")))
    assert state.discard == ("origin", "ace-of-wyrms", "savage")


def test_AD_11_the_order_of_a_payment_has_no_meaning() -> None:
    one = play(PLAYABLE, ControlCard("savage", ("origin", "ace-of-wyrms")))
    other = play(PLAYABLE, ControlCard("savage", ("ace-of-wyrms", "origin")))
    assert sorted(one.discard) == sorted(other.discard)
    assert (one.capital, one.palace, one.resources) == (other.capital, other.palace, other.resources)
    controls = [command for command in rules.legal(PLAYABLE, 0) if isinstance(command, ControlCard)]
    assert len({(command.target, frozenset(command.payment)) for command in controls}) == len(controls)


def test_a_payment_of_exactly_the_rank_is_enough_and_one_less_is_not() -> None:
    assert VALUE["battle"] + VALUE["ace-of-knots"] == VALUE["soldier"]
    state = table(capital="soldier", resources="battle ace-of-knots")
    assert result(play(state, ControlCard("soldier", ("battle", "ace-of-knots")))) == "won"
    assert refused(state, ControlCard("soldier", ("battle",))) == "payment-too-small"


def test_overpaying_is_legal() -> None:
    state = table(capital="ace-of-moons author", resources="mountain pact")
    assert play(state, ControlCard("ace-of-moons", ("pact",))).resources == ("mountain", "ace-of-moons")


def test_AD_2_cards_beyond_what_is_needed_may_be_paid_and_are_discarded() -> None:
    state = play(PLAYABLE, ControlCard("savage", ("battle", "origin", "ace-of-wyrms")))
    assert state.discard == ("battle", "origin", "ace-of-wyrms", "savage")
    assert state.resources == ("mountain",)
    assert ControlCard("savage", ("origin", "battle")) in list(rules.legal(PLAYABLE, 0))


def test_payments_kept_for_speed_are_bounded_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = list(rules.legal(PLAYABLE, 0))
    monkeypatch.setattr(payments, "_known", {})
    monkeypatch.setattr(payments, "_KNOWN_AT_MOST", 1)
    payments.plays.cache_clear()
    assert list(rules.legal(PLAYABLE, 0)) == expected
    assert len(payments._known) == 1


def test_a_controlled_card_that_is_no_personality_becomes_a_resource() -> None:
    state = play(table(capital="origin bard", resources="mill forest"), ControlCard("origin", ("mill",)))
    assert state.resources == ("forest", "origin")
    assert state.discard == ("mill",)
    assert state.uncontrolled == 1


def test_a_controlled_personality_is_discarded_and_counts() -> None:
    state = play(PLAYABLE, ControlCard("savage", ("battle",)))
    assert "savage" in state.discard
    assert "savage" not in state.resources
    assert state.uncontrolled == PLAYABLE.uncontrolled - 1


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (ControlCard("dragon", ("battle",)), "unknown-card"),
        (ControlCard("savage", ("dragon",)), "unknown-card"),
        (ControlCard("bard", ("battle",)), "target-not-on-table"),
        (ControlCard("battle", ("battle",)), "target-not-on-table"),
        (ControlCard("savage", ()), "payment-empty"),
        (ControlCard("savage", ("origin", "origin")), "payment-repeats-card"),
        (ControlCard("savage", ("calamity",)), "payment-not-in-resources"),
        (ControlCard("savage", ("cave",)), "payment-not-in-resources"),
        (ControlCard("savage", ("mountain",)), "payment-no-common-suit"),
        (ControlCard("savage", ("battle", "mountain")), "payment-no-common-suit"),
        (ControlCard("savage", ("origin",)), "payment-too-small"),
        (ControlCard("cave", ("origin", "battle")), "payment-too-small"),
        (ResolveExcuse("origin"), "no-choice-pending"),
    ],
)
def test_what_may_not_be_played_is_refused_by_its_rule(command: AdamanCommand, rule: str) -> None:
    assert refused(PLAYABLE, command) == rule


# --- dealing after a play ----------------------------------------------------------------------------------


def test_dealing_fills_the_capital_first_then_the_resources() -> None:
    state = play(
        table(
            capital="author savage sea end cave",
            resources="pact mountain forest mill origin",
            deck="castle market desert bard",
        ),
        ControlCard("author", ("pact", "mountain")),
    )
    assert state.capital == ("savage", "sea", "end", "cave", "castle")
    assert state.resources == ("forest", "mill", "origin", "market", "desert")
    assert state.deck == ("bard",)


def test_a_personality_dealt_to_the_capital_stays_there_and_one_for_the_resources_goes_to_the_palace() -> (
    None
):
    state = play(
        table(
            capital="author savage sea end cave",
            resources="pact mountain forest mill origin",
            deck="bard huntress castle market",
        ),
        ControlCard("author", ("pact",)),
    )
    assert state.capital[-1] == "bard"
    assert state.palace == ("huntress",)
    assert state.resources == ("mountain", "forest", "mill", "origin", "castle")


def test_controlling_a_card_of_the_palace_deals_nothing_to_the_capital() -> None:
    state = play(
        table(
            capital="savage sea end cave bard",
            palace="author",
            resources="pact mountain forest mill origin",
            deck="castle market",
        ),
        ControlCard("author", ("pact",)),
    )
    assert state.capital == ("savage", "sea", "end", "cave", "bard")
    assert state.resources[-1] == "castle"


def test_an_empty_deck_deals_nothing() -> None:
    events = rules.decide(PLAYABLE, ControlCard("savage", ("battle",)), 0, NoChance())
    assert len(events) == 1


def test_a_deck_that_runs_out_deals_what_it_has() -> None:
    state = play(
        table(
            capital="author savage sea end cave",
            resources="pact mountain forest mill origin",
            deck="castle market",
        ),
        ControlCard("author", ("pact", "mountain")),
    )
    assert state.capital == ("savage", "sea", "end", "cave", "castle")
    assert state.resources == ("forest", "mill", "origin", "market")
    assert state.deck == ()


CROWDED = table(
    capital="author savage sea end cave",
    palace="painter sailor soldier lunatic penitent",
    resources="pact mountain forest mill origin",
    deck="castle diplomat market",
)


def test_AD_4_the_sixth_personality_ends_the_game_and_the_cards_stay_as_they_lie() -> None:
    state = play(CROWDED, ControlCard("author", ("pact", "mountain")))
    assert state.palace[-1] == "diplomat"
    assert state.capital[-1] == "castle"
    assert state.resources == ("forest", "mill", "origin")
    assert state.deck == ("market",)
    assert rules.outcome(state) == Outcome("lost_utterly", 0)
    assert (rules.to_act(state), list(rules.legal(state, 0))) == ((), [])
    assert refused(state, ControlCard("castle", ("forest",))) == "match-over"


def test_an_utter_loss_scores_nothing_whatever_was_controlled() -> None:
    state = play(CROWDED, ControlCard("author", ("pact",)))
    assert "author" in state.discard
    assert rules.outcome(state) == Outcome("lost_utterly", 0)


# --- the end -----------------------------------------------------------------------------------------------

FULL: dict[str, Any] = {
    "capital": "author sea end battle mill",
    "resources": "pact mountain cave origin forest",
}
LAST = table(**FULL, deck="castle market desert", discard="bard")
LAST_WITH_FINAL_DEAL = table(**FULL, deck="castle market desert", discard="bard", final_deal=True)


def test_AD_3_controlling_the_last_personality_wins_before_anything_is_dealt() -> None:
    events = rules.decide(LAST, ControlCard("author", ("pact",)), 0, NoChance())
    assert events == (CardControlled(target="author", payment=("pact",)),)
    state = fold(LAST, events)
    assert state.deck == LAST.deck
    # Bard 10 and Author 2; kept are Mountain 4, Cave 7, Origin 2 and Forest 5
    assert rules.outcome(state) == Outcome("won", 12 + 18)
    assert rules.advance(state, NoChance()) == ()


def test_AD_3_with_final_deal_cards_are_dealt_before_the_win_is_scored() -> None:
    events = rules.decide(LAST_WITH_FINAL_DEAL, ControlCard("author", ("pact",)), 0, NoChance())
    assert [type(event) for event in events] == [CardControlled, CardsDealt]
    between = fold(LAST_WITH_FINAL_DEAL, events[:1])
    assert (rules.outcome(between), rules.to_act(between), len(rules.legal(between, 0))) == (None, (), 0)
    state = fold(LAST_WITH_FINAL_DEAL, events)
    assert state.capital[-1] == "castle"
    assert state.resources == ("mountain", "cave", "origin", "forest", "market")
    assert rules.outcome(state) == Outcome("won", 12 + 18 + 6)


def test_the_last_personality_may_be_controlled_with_everything_else_gone() -> None:
    assert rules.outcome(
        play(table(capital="author", resources="pact"), ControlCard("author", ("pact",)))
    ) == (Outcome("won", 2))


def test_AD_1_a_win_scores_the_personalities_of_the_deck_in_play_and_the_highest_loss_two_less() -> None:
    personalities = [card.id for card in BASIC if card.personality]
    won = table(discard=" ".join(personalities), resources="sea")
    assert rules.outcome(won) == Outcome("won", 66 + 10)
    lost = table(discard=" ".join(card for card in personalities if card != "author"), capital="author")
    assert rules.outcome(lost) == Outcome("lost", 64)


def test_no_legal_play_with_personalities_on_the_table_is_lost() -> None:
    state = table(capital="huntress sea", resources="ace-of-moons cave", discard="author mill savage")
    assert rules.outcome(state) == Outcome("lost", 5)
    assert refused(state, ControlCard("huntress", ("ace-of-moons",))) == "match-over"


def test_AD_5_no_legal_play_is_lost_though_the_remaining_personalities_are_all_in_the_deck() -> None:
    state = table(
        capital="sea end calamity windfall pact",
        resources="ace-of-moons ace-of-suns ace-of-waves ace-of-leaves ace-of-knots",
        deck="bard huntress",
        discard="author",
    )
    assert rules.outcome(state) == Outcome("lost", 2)


def test_AD_6_resigning_and_leaving_score_as_a_loss() -> None:
    state = table(capital="sea", resources="cave", discard="author mill bard", deck="savage")
    assert rules.forfeit(state, 0, "resigned") == Outcome("resigned", 12)
    assert rules.forfeit(state, None, "abandoned") == Outcome("abandoned", 12)


def test_AD_10_while_a_legal_play_exists_the_game_goes_on_without_a_pass() -> None:
    state = table(capital="ace-of-moons bard", resources="mountain")
    assert result(state) is None
    assert [type(command) for command in rules.legal(state, 0)] == [ControlCard]
    assert rules.to_act(state) == (0,)


def test_AD_12_nothing_may_be_played_while_cards_are_still_owed() -> None:
    before = deal(7)[0]
    command = rules.legal(before, 0)[0]
    between = rules.evolve(before, rules.decide(before, command, 0, NoChance())[0])
    assert (rules.to_act(between), len(rules.legal(between, 0)), rules.outcome(between)) == ((), 0, None)
    assert refused(between, ControlCard(between.capital[0], (between.resources[0],))) == "dealing-not-done"
    assert refused(rules.initial(OPTIONS["basic"], 1), ControlCard("sea", ("mill",))) == "dealing-not-done"


# --- pawns, courts and extra personalities -----------------------------------------------------------------


def test_pawns_and_courts_count_ten() -> None:
    state = table(capital="bard", resources="harvest")
    assert rules.outcome(play(state, ControlCard("bard", ("harvest",)))) == Outcome("won", 10)
    short = table(capital="window author", resources="pact mountain")
    assert refused(short, ControlCard("window", ("pact",))) == "payment-too-small"


def test_a_personality_of_the_extension_goes_to_the_palace_and_has_to_be_controlled() -> None:
    state = set_up("sea end cave mill pact consul", OPTIONS["courts"])
    assert state.palace[0] == "consul"
    assert state.uncontrolled == 12
