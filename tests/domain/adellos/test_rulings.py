"""The rulings of docs/rulings.md, section Adellos."""

import pytest
from msgspec.structs import replace

from domain.adellos.commands import (
    Attack,
    EndTurn,
    Hire,
    KeepCounter,
    Move,
    Pass,
    PlayCard,
    Swap,
    TickTimeCounters,
    UseAbility,
)
from domain.adellos.events import CombatEnded, CountersTicked, TurnEnded, TurnStarted
from domain.adellos.options import AdellosOptions
from domain.adellos.state import AdellosState
from domain.game import IllegalCommand
from tests.domain.adellos.table import (
    BOX,
    RULES,
    NoChance,
    at,
    do,
    fold,
    kind,
    legal,
    pass_turn,
    pick,
    resign,
    settle,
    table,
    tick,
    unit,
    values,
)


def test_AE_1_a_turn_does_not_end_while_action_points_can_be_used() -> None:
    with pytest.raises(IllegalCommand, match="AE-1"):
        do(table(), EndTurn())
    assert EndTurn() not in legal(table())
    assert do(table(ap=0), EndTurn()).phase == "ticking"


def test_AE_1_points_that_nothing_can_use_lapse() -> None:
    shut_in = "a1 0 prince-konrad+1, e4 0 soldier+1"
    state = table(shut_in, ap=2)
    assert EndTurn() in legal(state)
    (ended,) = RULES.decide(state, EndTurn(), 0, NoChance())
    assert ended == TurnEnded(seat=0, lapsed=2)


def test_AE_1_a_swap_needs_two_points_and_a_move_a_field() -> None:
    corner = "a1 0 prince-konrad, b1 0 soldier, a2 0 soldier, c1 0 soldier, b2 0 soldier, a3 0 soldier"
    ring = ", d1 0 soldier+1, c2 0 soldier+1, b3 0 soldier+1, a4 0 soldier+1"
    assert EndTurn() in legal(table(corner + ring, ap=1))
    assert EndTurn() not in legal(table(corner + ring, ap=2))


def test_AE_1_option_may_forfeit_ap() -> None:
    assert do(table(options=AdellosOptions(may_forfeit_ap=True)), EndTurn()).phase == "ticking"


def test_AE_1_at_the_deadline_the_system_ends_the_turn_and_points_lapse() -> None:
    state = table()
    command = RULES.default(state, 0)
    assert command == EndTurn()
    assert RULES.decide(state, command, None, NoChance()) == (TurnEnded(seat=0, lapsed=3),)


def test_AE_2_only_units_of_the_player_whose_turn_ends_lose_a_counter() -> None:
    state = table("a1 0 soldier+2, i9 1 thug+2, c3 0 soldier+1", ap=0)
    state = tick(do(state, EndTurn()))
    assert [unit(state, field).counters for field in ("a1", "i9", "c3")] == [1, 2, 0]


def test_AE_2_a_unit_summoned_this_turn_loses_one_too() -> None:
    state = do(table(nobles="zombie-lord prince-konrad", ap=0), Hire("zombie"), *pick("a1"))
    assert unit(pass_turn(state), "a1").counters == 1


def test_AE_2_counters_the_player_chose_to_keep_are_kept() -> None:
    state = do(table("a1 0 soldier+2, a2 0 soldier+2", ap=0), KeepCounter(at("a1")), KeepCounter(at("a2")))
    state = pass_turn(do(state, KeepCounter(at("a2"))))  # taken back
    assert [unit(state, field).counters for field in ("a1", "a2")] == [2, 1]
    assert not unit(state, "a1").keep
    with pytest.raises(IllegalCommand, match="no-counters"):
        do(table("a1 0 soldier"), KeepCounter(at("a1")))


def test_AE_2_the_tick_is_the_systems_and_happens_once() -> None:
    state = do(table("a1 0 soldier+2", ap=0), EndTurn())
    assert (state.phase, RULES.to_act(state), RULES.due(state)) == ("ticking", (), TickTimeCounters())
    with pytest.raises(IllegalCommand, match="system-command"):
        RULES.decide(state, TickTimeCounters(), 0, NoChance())
    events = RULES.decide(state, TickTimeCounters(), None, NoChance())
    assert [type(event) for event in events] == [CountersTicked, TurnStarted]
    after = fold(state, events)
    assert RULES.due(after) is None
    with pytest.raises(IllegalCommand, match="no-tick-due"):
        RULES.decide(after, TickTimeCounters(), None, NoChance())


def test_AE_3_counters_are_not_limited_by_the_20_pieces() -> None:
    state = table(", ".join(f"{column}4 0 soldier+9" for column in "abcdefghi"), ap=0)
    assert sum(one.counters for one in pass_turn(state).board if one is not None) == 72


def test_AE_4_a_unit_attacks_several_times_a_turn() -> None:
    state = table("e4 0 knight, e5 1 ogre")
    for left in (2, 1, 0):
        state = settle(do(state, Attack(at("e4"), at("e5"))))
        assert state.ap == left
    with pytest.raises(IllegalCommand, match="too-few-ap"):
        do(state, Attack(at("e4"), at("e5")))


def test_AE_5_a_defender_plays_only_cards_that_cost_nothing() -> None:
    state = table("e4 0 knight, e5 1 bandit", hands=("", "parry"))
    state = do(state, Attack(at("e4"), at("e5")), Pass())
    assert legal(state) == [Pass(), PlayCard("parry")]
    assert all(card.ap == 0 for card in BOX.cards.values() if card.when == "combat")


def test_AE_6_a_resigning_players_units_leave_and_nobody_is_rewarded() -> None:
    state = table(
        "e4 1 thug, e5 0 soldier",
        "prince-konrad merchant-pinkerton zombie-lord",
        gold=(0, 9),
        hands=("", "mud"),
    )
    state = resign(state, 1)
    assert kind(state, "e4") is None
    assert [player.alive for player in state.players] == [True, False, True]
    assert state.players[0].gold == 0
    assert RULES.outcome(state) is None
    assert pass_turn(state).turn == 2
    with pytest.raises(IllegalCommand, match="not-in-the-match"):
        resign(state, 1)


def test_AE_6_resigning_in_the_own_turn_starts_the_next_players() -> None:
    state = resign(table(nobles="prince-konrad merchant-pinkerton zombie-lord"), 0)
    assert (state.phase, state.turn, state.ap) == ("turn", 1, 3)
    last = resign(state, 1)
    outcome = RULES.outcome(last)
    assert (outcome.result, outcome.winner, outcome.reason) == ("won", 2, "resigned")


def test_AE_6_resigning_in_the_middle_of_a_combat_breaks_it_off() -> None:
    nobles = "prince-konrad merchant-pinkerton zombie-lord"
    state = do(table("e4 0 knight, e5 1 bandit, e3 2 zombie", nobles), Attack(at("e4"), at("e5")))
    events = RULES.resign(state, 1, NoChance())
    assert CombatEnded() in events
    after = fold(state, events)
    assert (after.combat, after.turn, after.ap) == (None, 0, 2)
    attacker = fold(state, RULES.resign(state, 0, NoChance()))
    assert (attacker.combat, attacker.turn, kind(attacker, "e5")) == (None, 1, "bandit")
    third = resign(state, 2)
    assert third.combat is not None


def held(players: str, turns: int) -> AdellosState:
    state = table("e5 0 soldier", players)
    me = replace(state.players[0], held=turns)
    return replace(state, players=(me, *state.players[1:]), ap=0)


@pytest.mark.parametrize(
    ("players", "needed"),
    [
        ("prince-konrad merchant-pinkerton", 5),
        ("prince-konrad merchant-pinkerton zombie-lord", 4),
        ("prince-konrad merchant-pinkerton zombie-lord pope-anicetus-iv", 3),
    ],
)
def test_AE_7_the_tower_wins_by_the_number_of_players_at_the_beginning(players: str, needed: int) -> None:
    for before, wins in ((needed - 2, False), (needed - 1, True)):
        state = held(players, before)
        for _ in players.split():
            assert RULES.outcome(state) is None
            state = pass_turn(state)
        outcome = RULES.outcome(state)
        assert (outcome is not None) == wins
        if outcome is not None:
            assert (outcome.winner, outcome.reason) == (0, "bonus_field")
        else:
            assert (state.ap, state.players[0].held) == (4, before + 1)


def test_AE_7_elimination_does_not_change_the_number_of_turns() -> None:
    state = resign(held("prince-konrad merchant-pinkerton zombie-lord", 2), 1)
    state = pass_turn(pass_turn(state))
    assert RULES.outcome(state) is None
    assert state.players[0].held == 3


def test_AE_7_a_break_restarts_the_count() -> None:
    state = pass_turn(held("prince-konrad merchant-pinkerton", 3))
    assert state.players[0].holding
    gone = table("e5 0 recruit, e6 1 ogre")
    gone = replace(gone, players=(replace(gone.players[0], held=3, holding=True), gone.players[1]), turn=1)
    gone = settle(do(gone, Attack(at("e6"), at("e5"))))
    assert not gone.players[0].holding
    gone = pass_turn(gone)
    assert (gone.players[0].held, gone.ap) == (0, 3)


def test_AE_7_what_happens_within_the_own_turn_does_not_matter() -> None:
    state = table("e5 0 soldier, e4 0 soldier", ap=3)
    state = do(state, Move(at("e5"), at("e6")), Move(at("e4"), at("e5")), Move(at("e6"), at("e7")))
    state = pass_turn(pass_turn(state))
    assert (state.players[0].held, state.ap) == (1, 4)


def test_AE_7_the_last_counter_on_the_tower_comes_off_in_time() -> None:
    state = pass_turn(table("e5 0 soldier+1"))
    assert state.players[0].holding
    state = pass_turn(state)
    assert (state.players[0].held, state.ap) == (1, 4)
    still = pass_turn(table("e5 0 soldier+2"))
    assert not still.players[0].holding


def test_AE_7_counters_laid_on_the_unit_break_it() -> None:
    state = pass_turn(table("e5 0 soldier", hands=("", "curse-of-sloth")))
    state = do(state, PlayCard("curse-of-sloth"), *pick("e5"))
    assert not state.players[0].holding


def test_AE_8_an_ability_bought_with_gold_alone_has_no_limit() -> None:
    state = table(nobles="merchant-pinkerton prince-konrad", gold=(8,), ap=0, deck="mud mud mud mud")
    for _ in range(4):
        state = do(state, UseAbility(at("b2"), "merchant-pinkerton"))
    assert (state.players[0].gold, len(state.players[0].hand)) == (0, 4)


def test_AE_9_missionizing_costs_the_packs_gold_and_1_ap() -> None:
    ability = BOX.abilities["missionizing"]
    assert (ability.gold, ability.ap) == (4, 1)
    state = table("e4 0 missionary, e5 1 knight", "pope-anicetus-iv prince-konrad", gold=(3,))
    with pytest.raises(IllegalCommand, match="too-little-gold"):
        do(state, UseAbility(at("e4"), "missionizing"))


def test_AE_10_worth_is_the_printed_price_in_gold_or_counters() -> None:
    for kind_ in BOX.kinds.values():
        if not kind_.noble and not kind_.token:
            assert kind_.worth == (kind_.gold or kind_.counters)
    state = table("e4 0 skeleton+1", "zombie-lord prince-konrad", hands=("call-to-arms",))
    state = do(state, PlayCard("call-to-arms"), *pick("e4", "zombie"))
    assert (kind(state, "e4"), unit(state, "e4").counters) == ("zombie", 0)


def test_AE_11_with_a_full_hand_nothing_is_drawn() -> None:
    limit = AdellosOptions(hand_limit=2)
    state = table("e4 1 fortune-teller", hands=("", "mud tithe"), deck="parry", options=limit, ap=0)
    state = pass_turn(state)
    assert (state.players[1].hand, state.deck) == (("mud", "tithe"), ("parry",))


def test_AE_11_captured_cards_beyond_the_limit_leave_the_game() -> None:
    limit = AdellosOptions(hand_limit=2)
    state = table(
        "e4 0 ogre, e5 1 prince-konrad",
        "merchant-pinkerton prince-konrad zombie-lord",
        hands=("tithe", "feint mud parry"),
        options=limit,
        deck="ambush",
    )
    state = settle(do(state, Attack(at("e4"), at("e5"))))
    assert len(state.players[0].hand) == 2


def test_AE_13_the_jesters_copy_ends_with_end_turn_before_the_counters() -> None:
    state = table("e4 0 soldier+3", "jester-caspar merchant-pinkerton", ap=1)
    state = do(state, UseAbility(at("b2"), "jester-caspar"), *pick("pope-anicetus-iv"))
    assert unit(state, "e4").counters == 0
    state = pass_turn(state)
    state = replace(state, players=(state.players[0], replace(state.players[1], hand=("curse-of-sloth",))))
    assert unit(do(state, PlayCard("curse-of-sloth"), *pick("e4")), "e4").counters == 2


def test_AE_14_a_returned_unit_whose_player_is_out_is_lost() -> None:
    nobles = "conquistadora-lucia merchant-pinkerton zombie-lord"
    state = table("e4 0 missionary, e5 1 thug", nobles, gold=(1,), hands=("", "", "banishment"))
    state = do(state, UseAbility(at("e4"), "missionizing"), *pick("e5"))
    state = resign(state, 1)
    assert kind(state, "e5") == "thug"  # its controller is in the match
    state = pass_turn(state)
    lost = do(state, PlayCard("banishment"), *pick("e5"))
    assert kind(lost, "e5") is None
    assert lost.players[1].supply == state.players[1].supply


def test_AE_14_a_returned_token_is_back_among_the_tokens() -> None:
    state = replace(table("e5 1 paladin", hands=("banishment",)), tokens=(4, 3, 2))
    assert do(state, PlayCard("banishment"), *pick("e5")).tokens == (5, 3, 2)


def test_AE_15_walls_are_paid_once_and_a_swap_is_no_entering() -> None:
    walls = AdellosOptions(obstructing_walls=True)
    state = table("f8 0 knight, f9 1 ogre", options=walls)  # next to the castle of seat 1
    assert do(state, Move(at("f8"), at("g8"))).ap == 1
    assert do(state, Move(at("f8"), at("e8"))).ap == 2
    assert Move(at("f8"), at("g8")) not in legal(replace(state, ap=1))
    with pytest.raises(IllegalCommand, match="too-few-ap"):
        do(replace(state, ap=1), Move(at("f8"), at("g8")))
    inside = table("g8 0 knight", options=walls)
    assert do(inside, Move(at("g8"), at("g7"))).ap == 2
    swapped = table("f8 0 knight, g8 0 soldier", options=walls)
    assert do(swapped, Swap(at("f8"), at("g8"))).ap == 1


def test_AE_16_a_turn_without_any_action_can_always_be_ended() -> None:
    state = table("a1 0 prince-konrad+9, i9 1 merchant-pinkerton+9")
    state = replace(state, options=AdellosOptions(turn_limit=4))
    while RULES.outcome(state) is None:
        assert legal(state)[0] == EndTurn()
        state = tick(do(state, EndTurn()))
    outcome = RULES.outcome(state)
    assert (outcome.result, outcome.reason, outcome.winner) == ("drawn", "turn_limit", None)


def test_values_are_never_below_0() -> None:
    state = table("e4 0 court-scholar, e5 1 banshee", "prince-konrad zombie-lord")
    assert values(state, "e4")[0] == 0
