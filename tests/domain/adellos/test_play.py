"""Hiring, moving, fighting, the death of nobles, the makers' options, defaults."""

import pytest

from domain.adellos import ADELLOS
from domain.adellos.commands import (
    AgreeTrading,
    Attack,
    CancelChoice,
    ChooseNoble,
    EndSetUp,
    EndTurn,
    Hire,
    Move,
    Pass,
    PlaceNoble,
    PlayCard,
    Swap,
)
from domain.adellos.events import CardDrawn, UnitDefeated
from domain.adellos.options import AdellosOptions
from domain.game import IllegalCommand
from tests.domain.adellos.table import (
    BOX,
    RULES,
    NoChance,
    at,
    begin,
    do,
    fold,
    kind,
    legal,
    pass_turn,
    pick,
    settle,
    supply,
    table,
    targets,
    unit,
)

THREE = "prince-konrad merchant-pinkerton zombie-lord"


# --- hiring ------------------------------------------------------------------------------------------------


def test_a_soldier_costs_3_gold_and_no_ap_and_can_act_at_once() -> None:
    state = do(table(gold=(3,)), Hire("soldier"))
    assert targets(state) == {at(field) for field in ("a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3")}
    state = do(state, *pick("c3"))
    assert (kind(state, "c3"), state.players[0].gold, state.ap, supply(state, 0, "soldier")) == (
        "soldier",
        0,
        3,
        2,
    )
    assert kind(do(state, Move(at("c3"), at("d3"))), "d3") == "soldier"


def test_a_hire_can_be_cancelled() -> None:
    state = do(table(gold=(3,)), Hire("soldier"), CancelChoice())
    assert (state.players[0].gold, state.choice) == (3, None)


def test_a_noble_outside_the_castle_hires_nothing() -> None:
    with pytest.raises(IllegalCommand, match="noble-not-in-castle"):
        do(table("e4 0 prince-konrad", gold=(9,)), Hire("soldier"))
    with pytest.raises(IllegalCommand, match="noble-not-in-castle"):
        do(table("h8 0 prince-konrad, g7 1 merchant-pinkerton", gold=(9,)), Hire("soldier"))


def test_hiring_needs_gold_a_tile_and_a_free_field() -> None:
    with pytest.raises(IllegalCommand, match="too-little-gold"):
        do(table(gold=(2,)), Hire("soldier"))
    with pytest.raises(IllegalCommand, match="not-in-supply"):
        do(table("e4 0 soldier, e5 0 soldier, e6 0 soldier", gold=(9,)), Hire("soldier"))
    with pytest.raises(IllegalCommand, match="not-in-supply"):
        do(table(gold=(9,)), Hire("thug"))
    full = ", ".join(f"{c}{r} 0 recruit" for c in "abc" for r in "123" if c + r != "b2")
    with pytest.raises(IllegalCommand, match="castle-full"):
        do(table(full, gold=(9,)), Hire("soldier"))


def test_there_is_no_limit_on_purchases() -> None:
    state = table(gold=(9,))
    for field in ("a1", "a2", "a3"):
        state = do(state, Hire("soldier"), *pick(field))
    assert state.players[0].gold == 0


def test_a_summoned_unit_bears_its_counters_and_can_do_nothing_until_the_last_is_off() -> None:
    state = do(table(nobles="zombie-lord prince-konrad"), Hire("zombie"), *pick("c3"))
    assert unit(state, "c3").counters == 2
    with pytest.raises(IllegalCommand, match="unit-not-able"):
        do(state, Move(at("c3"), at("d3")))
    with pytest.raises(IllegalCommand, match="unit-not-able"):
        do(state, Swap(at("b2"), at("c3")))
    assert state.players[0].gold == 0


# --- moving ------------------------------------------------------------------------------------------------


def test_one_ap_moves_a_unit_up_to_its_movement_points_over_free_fields() -> None:
    state = table("e4 0 knight, e5 1 thug, d4 1 thug")
    reached = {
        command.to for command in legal(state) if isinstance(command, Move) and command.field == at("e4")
    }
    assert reached == {at("e3"), at("e2"), at("d3"), at("f3"), at("f4"), at("f5"), at("g4")}
    assert do(state, Move(at("e4"), at("g4"))).ap == 2
    with pytest.raises(IllegalCommand, match="out-of-reach"):
        do(state, Move(at("e4"), at("e6")))
    with pytest.raises(IllegalCommand, match="out-of-reach"):
        do(state, Move(at("e4"), at("e4")))


def test_two_ap_swap_two_adjacent_own_units() -> None:
    state = do(table("e4 0 knight, e5 0 recruit"), Swap(at("e4"), at("e5")))
    assert (kind(state, "e4"), kind(state, "e5"), state.ap) == ("recruit", "knight", 1)
    for field, other, rule in (("e4", "f5", "not-adjacent"), ("e5", "e4", "swap-order")):
        with pytest.raises(IllegalCommand, match=rule):
            do(table("e4 0 knight, e5 0 recruit, f5 0 recruit"), Swap(at(field), at(other)))


def test_nobles_move_and_fight_as_units_do() -> None:
    state = do(table("e4 0 prince-konrad, e6 1 thug"), Move(at("e4"), at("e5")))
    assert state.players[0].noble_at == at("e5")
    assert kind(settle(do(state, Attack(at("e5"), at("e6")))), "e6") is None


# --- combat ------------------------------------------------------------------------------------------------


def test_attack_must_be_higher_than_defence() -> None:
    equal = settle(do(table("e4 0 spearman, e5 1 bandit"), Attack(at("e4"), at("e5"))))
    assert (kind(equal, "e4"), kind(equal, "e5"), equal.ap) == ("spearman", "bandit", 2)
    higher = settle(do(table("e4 0 soldier, e5 1 bandit"), Attack(at("e4"), at("e5"))))
    assert (kind(higher, "e4"), kind(higher, "e5")) == ("soldier", None)


def test_attacker_and_defender_are_asked_in_turn_until_both_pass() -> None:
    state = table("e4 0 soldier, e5 1 bandit", hands=("feint", "parry"))
    state = do(state, Attack(at("e4"), at("e5")))
    assert RULES.to_act(state) == (0,)
    state = do(state, Pass())
    assert RULES.to_act(state) == (1,)
    state = do(state, PlayCard("parry"))
    assert RULES.to_act(state) == (0,)
    state = do(state, PlayCard("feint"))
    state = do(state, Pass())
    assert state.combat is not None
    assert do(state, Pass()).combat is None


def test_in_a_combat_only_cards_and_passes_are_legal() -> None:
    state = do(table("e4 0 soldier, e5 1 bandit", hands=("tithe",)), Attack(at("e4"), at("e5")))
    assert legal(state) == [Pass()]
    with pytest.raises(IllegalCommand, match="combat-goes-on"):
        do(state, EndTurn())


def test_only_adjacent_enemies_are_attacked() -> None:
    state = table("e4 0 soldier, e6 1 bandit, e5 0 recruit")
    with pytest.raises(IllegalCommand, match="not-adjacent"):
        do(state, Attack(at("e4"), at("e6")))
    with pytest.raises(IllegalCommand, match="no-enemy-there"):
        do(state, Attack(at("e4"), at("e5")))


# --- the death of nobles -----------------------------------------------------------------------------------


def test_a_nobles_death_removes_the_units_and_rewards_the_victor() -> None:
    units = "e4 0 steel-colossus, e5 1 merchant-pinkerton, a9 1 thug"
    state = table(units, THREE, gold=(1, 4), hands=("mud", "tithe"), deck="parry feint")
    state = do(state, Attack(at("e4"), at("e5")), Pass())
    events = RULES.decide(state, Pass(), 1, NoChance())
    assert [type(event) for event in events][-2:] == [UnitDefeated, CardDrawn]
    state = fold(state, events)
    assert kind(state, "a9") is None
    assert (state.players[0].gold, state.players[0].hand) == (7, ("mud", "parry", "tithe"))
    assert (state.players[1].alive, state.players[1].gold, state.players[1].hand) == (False, 0, ())
    assert RULES.outcome(state) is None


def test_the_last_noble_standing_wins() -> None:
    state = settle(do(table("e4 0 steel-colossus, e5 1 merchant-pinkerton"), Attack(at("e4"), at("e5"))))
    outcome = RULES.outcome(state)
    assert (outcome.result, outcome.winner, outcome.reason, outcome.scores) == (
        "won",
        0,
        "last_noble",
        (1, 0),
    )
    assert legal_of_all(state) == []


def legal_of_all(state: object) -> list[object]:
    return [command for seat in range(2) for command in RULES.legal(state, seat)]


def test_an_eliminated_players_castle_is_ordinary_ground() -> None:
    walls = AdellosOptions(obstructing_walls=True)
    state = table("f5 0 soldier, f4 0 soldier", THREE, options=walls)
    state = fold(state, RULES.resign(state, 1, NoChance()))
    state = do(state, Move(at("f4"), at("f3")))
    assert do(state, Move(at("f3"), at("g3"))).ap == 1


# --- the makers' options -----------------------------------------------------------------------------------


def test_sudden_death_ends_the_match_with_the_first_noble() -> None:
    sudden = AdellosOptions(sudden_death=True)
    state = table("e4 0 steel-colossus, e5 1 merchant-pinkerton", THREE, options=sudden)
    outcome = RULES.outcome(settle(do(state, Attack(at("e4"), at("e5")))))
    assert (outcome.winner, outcome.reason) == (0, "sudden_death")


def test_protecting_walls_give_1_defence_against_attacks_from_outside() -> None:
    walls = AdellosOptions(protecting_walls=True)
    outside = table("f8 0 soldier, g8 1 bandit-captain", options=walls)
    assert kind(settle(do(outside, Attack(at("f8"), at("g8")))), "g8") == "bandit-captain"
    inside = table("g7 0 soldier, g8 1 bandit-captain", options=walls)
    assert kind(settle(do(inside, Attack(at("g7"), at("g8")))), "g8") is None


def test_paved_with_gold_pays_for_kills_and_for_the_bonus_field() -> None:
    paved = AdellosOptions(paved_with_gold=True)
    state = settle(do(table("e4 0 soldier, e5 1 thug", options=paved), Attack(at("e4"), at("e5"))))
    assert state.players[0].gold == 2
    state = do(state, Move(at("e4"), at("e5")))
    state = pass_turn(state)
    state = pass_turn(state)
    assert state.players[0].gold == 4


def test_a_board_for_two_uses_one_side_of_the_map() -> None:
    state = begin(("scum", "clergy"), board="duel")
    assert len(state.board) == 45
    assert BOX.ground(state.options).tower >= 0


# --- deadlines ---------------------------------------------------------------------------------------------


def test_every_pending_decision_has_a_default_the_system_can_give() -> None:
    asked = begin(("scum", "clergy"), trading=True)
    assert RULES.default(asked, 0) == AgreeTrading(agree=False)
    assert RULES.default(asked, 1) is None
    nobles = begin(("scum", "clergy"))
    assert RULES.default(nobles, 0) == ChooseNoble("merchant-pinkerton")
    placing = do(nobles, ChooseNoble("merchant-pinkerton"), ChooseNoble("pope-anicetus-iv"))
    assert RULES.default(placing, 0) == PlaceNoble(at("a1"))
    assert RULES.default(do(placing, PlaceNoble(at("b2"))), 0) == EndSetUp()
    choosing = do(table(gold=(3,)), Hire("soldier"))
    assert RULES.default(choosing, 0) == CancelChoice()
    fighting = do(table("e4 0 soldier, e5 1 bandit"), Attack(at("e4"), at("e5")))
    assert RULES.default(fighting, 0) == Pass()
    for state in (asked, nobles, placing, choosing, fighting, table()):
        command = RULES.default(state, RULES.to_act(state)[0])
        assert RULES.decide(state, command, None, NoChance())


def test_a_rewind_into_a_command_is_finished() -> None:
    state = table(hands=("old-scrolls",), deck="mud tithe parry")
    events = RULES.decide(state, PlayCard("old-scrolls"), 0, NoChance())
    for cut in range(1, len(events) + 1):
        halfway = fold(state, events[:cut])
        assert fold(halfway, RULES.advance(halfway, NoChance())) == fold(state, events)


def test_the_game_names_its_parts() -> None:
    assert (ADELLOS.min_seats, ADELLOS.max_seats, ADELLOS.solitaire) == (2, 4, False)
    assert ADELLOS.content == BOX.content
    assert len(ADELLOS.content) == 64
    assert {entry["part"] for entry in ADELLOS.catalogue} == {
        "boards",
        "abilities",
        "factions",
        "nobles",
        "tokens",
        "cards",
    }
