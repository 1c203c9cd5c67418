"""Each event card: what it does and where it stops."""

import pytest
from msgspec.structs import replace

from domain.adellos import ADELLOS
from domain.adellos.commands import Attack, EndTurn, Move, Pass, PlayCard
from domain.adellos.effects import ActionPoints, Convert, Target
from domain.adellos.events import HandSeen
from domain.adellos.state import AdellosState
from domain.game import SPECTATOR, IllegalCommand, at_seat
from tests.domain.adellos.table import (
    BOX,
    RULES,
    NoChance,
    at,
    do,
    gained,
    kind,
    legal,
    pass_turn,
    pick,
    resign,
    settle,
    supply,
    table,
    targets,
    unit,
    values,
)

PK = "prince-konrad merchant-pinkerton"


def test_every_card_is_tested_here() -> None:
    names = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    for card in BOX.cards:
        assert any(name.startswith(card.replace("-", "_")) for name in names), card


def play(card: str, units: str = "", nobles: str = PK, **more: object) -> AdellosState:
    return do(table(units, nobles, hands=(card,), **more), PlayCard(card))


def fight(
    mine: str = "", theirs: str = "", units: str = "e4 0 knight, e5 1 bandit", **more: object
) -> AdellosState:
    """Seat 0 attacks e5 from e4; seat 0 and 1 hold the cards named."""
    return do(table(units, hands=(mine, theirs), **more), Attack(at("e4"), at("e5")))


def test_call_to_arms_exchanges_up_to_three_units_of_worth_1_for_worth_2() -> None:
    state = play("call-to-arms", "e4 0 recruit, e5 0 recruit+1, e6 0 knight")
    assert targets(state) == {at("e4"), at("e5")}
    state = do(state, *pick("e5", "spearman"), *pick("e4"))
    before = supply(state, 0, "recruit")
    state = do(state, *pick("spearman"))
    assert (kind(state, "e4"), kind(state, "e5")) == ("spearman", "spearman")
    assert unit(state, "e5").counters == 0  # AE-10
    assert (supply(state, 0, "recruit"), supply(state, 0, "spearman")) == (before + 2, 1)
    assert (state.ap, state.players[0].hand) == (2, ())


def test_call_to_arms_may_stop_after_any_unit_and_is_spent() -> None:
    state = play("call-to-arms", "e4 0 recruit, e5 0 recruit")
    none, one = do(state, *pick(".")), do(state, *pick("e4", "spearman", "."))
    assert (kind(none, "e4"), none.players[0].hand, none.ap) == ("recruit", (), 2)
    assert (kind(one, "e4"), kind(one, "e5")) == ("spearman", "recruit")


def test_call_to_arms_without_units_worth_2_in_the_supply_does_nothing() -> None:
    gone = ", ".join(f"{column}4 0 spearman" for column in "abc")
    assert play("call-to-arms", f"e4 0 recruit, {gone}").choice is None
    assert at("e4") not in targets(play("call-to-arms", "e4 1 urchin, e5 0 recruit"))


def test_tithe_gives_3_gold() -> None:
    assert play("tithe").players[0].gold == 3


def test_second_wind_gives_2_action_points() -> None:
    assert play("second-wind").ap == 5


def test_old_scrolls_draw_2_cards() -> None:
    assert play("old-scrolls", deck="mud tithe parry").players[0].hand == ("mud", "tithe")
    assert play("old-scrolls", deck="mud").players[0].hand == ("mud",)


def test_battle_fury_gives_own_units_1_attack_until_the_turn_ends() -> None:
    state = play("battle-fury", "e4 0 knight, e5 1 thug")
    assert (values(state, "e4")[0], values(state, "e5")[0]) == (5, 3)
    assert values(do(replace(state, ap=0), EndTurn()), "e4")[0] == 4


def test_seven_league_boots_give_a_unit_2_movement_until_the_turn_ends() -> None:
    state = do(play("seven-league-boots", "e4 0 soldier"), *pick("e4"))
    assert values(state, "e4")[2] == 3
    moved = do(state, Move(at("e4"), at("e7")))
    assert values(moved, "e7")[2] == 3
    assert values(do(replace(moved, ap=0), EndTurn()), "e7")[2] == 1


def test_change_of_places_swaps_two_own_able_units_anywhere() -> None:
    state = play("change-of-places", "e4 0 knight, i1 0 recruit, e6 0 soldier+1")
    assert targets(state) == {at("e4"), at("i1"), at("b2")}
    state = do(state, *pick("e4", "i1"))
    assert (kind(state, "e4"), kind(state, "i1")) == ("recruit", "knight")


def test_secret_passage_moves_a_unit_up_to_3_fields() -> None:
    state = do(play("secret-passage", "e4 0 soldier"), *pick("e4", "e7"))
    assert (kind(state, "e7"), state.ap) == ("soldier", 3)


def test_desertion_takes_over_an_enemy_worth_3_at_most_next_to_an_able_own_unit() -> None:
    state = play("desertion", "e4 0 soldier, e5 1 bandit, d4 1 ogre, g4 1 thug, g6 0 soldier+1, g7 1 thug")
    assert targets(state) == {at("e5")}
    assert unit(do(state, *pick("e5")), "e5").seat == 0


def test_banishment_returns_an_enemy_unit_to_its_supply() -> None:
    state = play("banishment", "e5 1 bandit, d4 1 ogre")
    assert targets(state) == {at("e5")}  # no noble, and nothing worth more than 4
    before = supply(state, 1, "bandit")
    state = do(state, *pick("e5"))
    assert (kind(state, "e5"), supply(state, 1, "bandit")) == (None, before + 1)


def test_assassination_removes_an_enemy_unit_from_the_game() -> None:
    state = play("assassination", "e5 1 bandit, d4 1 ogre")
    assert targets(state) == {at("e5")}
    before = supply(state, 1, "bandit")
    state = do(state, *pick("e5"))
    assert (kind(state, "e5"), supply(state, 1, "bandit")) == (None, before)


def test_curse_of_sloth_lays_2_counters_on_an_enemy_unit() -> None:
    state = do(play("curse-of-sloth", "e5 1 ogre"), *pick("e5"))
    assert unit(state, "e5").counters == 2


def test_hourglass_takes_2_counters_from_each_of_two_units() -> None:
    state = play("hourglass", "e4 0 soldier+3, e5 0 soldier+1, e6 0 soldier+1")
    assert at("b2") not in targets(state)
    state = do(state, *pick("e4", "e5"))
    assert [unit(state, field).counters for field in ("e4", "e5", "e6")] == [1, 0, 1]


def test_spyglass_shows_an_opponents_hand_to_the_player_alone() -> None:
    state = table(hands=("spyglass", "mud tithe"))
    state = do(state, PlayCard("spyglass"))
    events = RULES.decide(state, pick(1)[0], 0, NoChance())
    seen = next(event for event in events if isinstance(event, HandSeen))
    assert ADELLOS.view.redact(seen, at_seat(0))["hand"] == ["mud", "tithe"]
    for viewer in (at_seat(1), SPECTATOR):
        assert ADELLOS.view.redact(seen, viewer) == {"seat": 0, "of": 1}


def test_volunteers_hire_a_unit_worth_2_at_most_for_nothing() -> None:
    state = play("volunteers")
    assert targets(state) == {"recruit", "spearman"}
    state = do(state, *pick("spearman", "a1"))
    assert (kind(state, "a1"), state.players[0].gold, supply(state, 0, "spearman")) == ("spearman", 0, 2)


def test_muster_places_a_militia_token() -> None:
    state = do(play("muster"), *pick("a1"))
    assert (kind(state, "a1"), unit(state, "a1").origin, state.tokens[1]) == ("militia", -1, 2)


def test_muster_without_tokens_or_noble_in_the_castle_does_nothing() -> None:
    state = replace(table(hands=("muster",)), tokens=(5, 0, 2))
    state = do(state, PlayCard("muster"))
    assert (state.choice, state.players[0].hand) == (None, ())
    assert play("muster", "e4 0 prince-konrad").choice is None


def test_ambush_gives_the_attacker_2_attack() -> None:
    state = settle(do(fight("ambush", units="e4 0 recruit, e5 1 bandit"), PlayCard("ambush")))
    assert kind(state, "e5") is None  # 2 + 2 against 2
    attacked = do(fight("", "ambush"), Pass())
    with pytest.raises(IllegalCommand, match="wrong-side"):
        do(attacked, PlayCard("ambush"))


def test_parry_gives_the_defender_2_defence() -> None:
    state = settle(do(fight("", "parry"), Pass(), PlayCard("parry")))
    assert kind(state, "e5") == "bandit"  # 4 against 2 + 2
    with pytest.raises(IllegalCommand, match="wrong-side"):
        do(fight("parry"), PlayCard("parry"))


def test_feint_lowers_what_the_enemy_unit_counts() -> None:
    attacker = do(fight("feint", units="e4 0 spearman, e5 1 bandit"), PlayCard("feint"))
    assert kind(settle(attacker), "e5") is None  # 2 against 2 - 1
    defender = do(fight("", "feint", units="e4 0 recruit, e5 1 urchin"), Pass(), PlayCard("feint"))
    assert kind(settle(defender), "e5") == "urchin"  # 2 - 1 against 1


def test_retreat_ends_the_combat_without_defeat() -> None:
    state = do(fight("", "retreat"), Pass(), PlayCard("retreat"))
    assert (state.combat, kind(state, "e5")) == (None, "bandit")


def test_counter_plot_cancels_the_last_card_of_the_other_side() -> None:
    state = do(fight("counter-plot", "parry parry"), Pass(), PlayCard("parry"), PlayCard("counter-plot"))
    assert kind(settle(state), "e5") is None
    again = do(state, PlayCard("parry"))
    assert kind(settle(again), "e5") == "bandit"


def test_counter_plot_with_nothing_to_cancel_is_just_played() -> None:
    state = do(fight("counter-plot"), PlayCard("counter-plot"))
    assert state.players[0].hand == ()


def test_side_step_moves_the_own_fighter_and_may_break_the_combat_off() -> None:
    state = do(fight("", "side-step"), Pass(), PlayCard("side-step"))
    assert targets(state) == {at("d5"), at("f5"), at("e6")}
    state = do(state, *pick("f5"))
    assert (state.combat, kind(state, "f5"), kind(state, "e5")) == (None, "bandit", None)


def test_side_step_with_no_free_field_does_nothing() -> None:
    state = fight("", "side-step", units="e4 0 knight, e5 1 bandit, d5 1 thug, f5 1 thug, e6 1 thug")
    state = do(state, Pass(), PlayCard("side-step"))
    assert (state.choice, kind(settle(state), "e5")) == (None, None)


def test_drowsiness_makes_the_attacker_unable_and_ends_the_combat() -> None:
    state = do(fight("", "drowsiness"), Pass(), PlayCard("drowsiness"))
    assert (state.combat, unit(state, "e4").counters, kind(state, "e5")) == (None, 1, "bandit")


def lying(card: str, units: str = "", **more: object) -> AdellosState:
    """Seat 1's turn after seat 0 laid `card` in front of it."""
    state = do(play(card, units, **more), *pick(1))
    assert [one.card for one in state.players[1].front] == [card]
    state = pass_turn(state)
    assert state.players[1].front == ()
    return state


def test_sabotage_costs_1_action_point_of_the_next_turn() -> None:
    assert lying("sabotage").ap == 2


def test_mud_lowers_movement_for_the_next_turn() -> None:
    state = lying("mud", "e5 1 rogue, e6 1 thug, a1 0 knight")
    assert (values(state, "e5")[2], values(state, "e6")[2], values(state, "a1")[2]) == (1, 0, 2)
    assert all(not (isinstance(command, Move) and command.field == at("e6")) for command in legal(state))
    assert values(pass_turn(state), "e5")[2] == 2


def test_embargo_stops_income_for_the_next_turn() -> None:
    assert lying("embargo", "e5 1 fence").players[1].gold == 0


def test_ill_omen_lowers_attack_for_the_next_turn() -> None:
    state = lying("ill-omen", "e5 1 rogue, e6 0 knight")
    assert (gained(state, "e5"), gained(state, "e6")) == ((-1, 0, 0), (0, 0, 0))


def test_ill_omen_lies_open_in_front_of_one_opponent_only() -> None:
    state = do(play("ill-omen", nobles="prince-konrad merchant-pinkerton zombie-lord"), *pick(2))
    assert [len(player.front) for player in state.players] == [0, 0, 1]
    seen = ADELLOS.view.observe(state, SPECTATOR)["players"][2]["front"]
    assert seen == [{"card": "ill-omen", "by": 0}]


def test_tithe_costs_and_timing_are_checked() -> None:
    with pytest.raises(IllegalCommand, match="card-not-in-hand"):
        do(table(), PlayCard("tithe"))
    with pytest.raises(IllegalCommand, match="too-few-ap"):
        do(table(hands=("battle-fury",), ap=0), PlayCard("battle-fury"))
    with pytest.raises(IllegalCommand, match="wrong-time"):
        do(table(hands=("parry",)), PlayCard("parry"))
    with pytest.raises(IllegalCommand, match="wrong-time"):
        do(fight("tithe"), PlayCard("tithe"))


# --- more limits -------------------------------------------------------------------------------------------


def test_second_wind_and_other_cards_of_the_own_turn_are_not_for_a_combat_or_another_turn() -> None:
    with pytest.raises(IllegalCommand, match="wrong-time"):
        do(fight("second-wind"), PlayCard("second-wind"))
    state = table(hands=("", "second-wind"))
    with pytest.raises(IllegalCommand, match="not-your-decision"):
        RULES.decide(state, PlayCard("second-wind"), 1, NoChance())


def test_change_of_places_needs_two_able_units() -> None:
    assert play("change-of-places", "e4 0 knight+1").choice is None


def test_secret_passage_goes_over_free_fields_and_not_with_counters() -> None:
    state = play("secret-passage", "a9 0 soldier, b9 1 thug, a7 1 thug, e4 0 knight+1")
    assert targets(state) == {at("a9"), at("b2")}
    assert targets(do(state, *pick("a9"))) == {at("a8"), at("b8"), at("b7"), at("c8")}


def test_curse_of_sloth_is_for_enemies_that_are_no_nobles() -> None:
    assert targets(play("curse-of-sloth", "e4 0 knight, e5 1 ogre+1")) == {at("e5")}
    assert play("curse-of-sloth").choice is None


def test_hourglass_takes_from_two_different_own_units() -> None:
    state = do(play("hourglass", "e4 0 soldier+4, e5 0 soldier+3, e6 1 thug+3"), *pick("e4"))
    assert targets(state) == {at("e5")}


def test_spyglass_is_for_an_opponent_in_the_match() -> None:
    nobles = "prince-konrad merchant-pinkerton zombie-lord"
    state = resign(table(nobles=nobles, hands=("spyglass",)), 1)
    assert targets(do(state, PlayCard("spyglass"))) == {2}


def test_retreat_is_for_the_defender() -> None:
    with pytest.raises(IllegalCommand, match="wrong-side"):
        do(fight("retreat"), PlayCard("retreat"))


def test_drowsiness_is_for_the_defender_and_reaches_a_noble() -> None:
    with pytest.raises(IllegalCommand, match="wrong-side"):
        do(fight("drowsiness"), PlayCard("drowsiness"))
    state = fight("", "drowsiness", "e4 0 prince-konrad, e5 1 bandit")
    assert unit(do(state, Pass(), PlayCard("drowsiness")), "e4").counters == 1


def test_feint_counts_in_this_combat_only() -> None:
    state = settle(do(fight("feint", units="e4 0 recruit, e5 1 bandit-captain"), PlayCard("feint")))
    assert values(state, "e5")[1] == 3


def test_embargo_stops_gold_and_no_cards() -> None:
    state = lying("embargo", "e5 1 fence, e6 1 fortune-teller", deck="mud")
    assert (state.players[1].gold, state.players[1].hand) == (0, ("mud",))


def test_sabotage_cards_add_up_and_are_gone_after_the_turn() -> None:
    state = do(
        table(hands=("sabotage sabotage",)), PlayCard("sabotage"), *pick(1), PlayCard("sabotage"), *pick(1)
    )
    state = pass_turn(state)
    assert state.ap == 1
    assert pass_turn(pass_turn(state)).ap == 3


# --- cards another pack may print --------------------------------------------------------------------------


def printed(monkeypatch: pytest.MonkeyPatch, card: str, **changes: object) -> None:
    """The card printed otherwise, for one test."""
    monkeypatch.setitem(BOX.cards, card, replace(BOX.cards[card], **changes))


def test_a_fighter_that_a_card_moves_fights_on_where_it_is_still_adjacent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed(monkeypatch, "side-step", effects=(replace(BOX.cards["side-step"].effects[0], distance=2),))
    defends = do(fight("", "side-step"), Pass(), PlayCard("side-step"), *pick("d4"))
    assert (kind(settle(defends), "d4"), kind(defends, "e5")) == (None, None)
    attacks = do(fight("side-step"), PlayCard("side-step"), *pick("d5"))
    assert (kind(attacks, "d5"), kind(settle(attacks), "e5")) == ("knight", None)


def test_a_fighter_that_a_card_takes_over_fights_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "feint", effects=(Convert(Target(whose="enemy", near="fighting")),))
    state = do(fight("feint"), PlayCard("feint"))
    assert (state.combat, unit(state, "e5").seat) == (None, 0)


def test_a_defender_has_no_action_points_to_pay_or_to_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "parry", ap=1)
    with pytest.raises(IllegalCommand, match="too-few-ap"):
        do(fight("", "parry"), Pass(), PlayCard("parry"))
    assert legal(do(fight("", "parry"), Pass())) == [Pass()]
    printed(monkeypatch, "parry", ap=0, effects=(ActionPoints(2),))
    assert do(fight("", "parry"), Pass(), PlayCard("parry")).ap == 2
