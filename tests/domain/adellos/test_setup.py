"""Before play: seats, factions, gold, nobles, first purchases."""

import pytest
from msgspec.structs import replace

from domain.adellos.commands import (
    AgreeTrading,
    ChooseNoble,
    EndSetUp,
    GiveCard,
    GiveGold,
    Hire,
    PlaceNoble,
    UseAbility,
)
from domain.adellos.options import AdellosOptions
from domain.game import IllegalCommand
from tests.domain.adellos.table import (
    RULES,
    at,
    begin,
    chosen,
    do,
    kind,
    pick,
    table,
    unit,
)


def test_factions_and_starting_seat_are_drawn_or_chosen() -> None:
    drawn = begin((), 4, first_seat=None)
    assert sorted(player.faction for player in drawn.players) == ["clergy", "royal-army", "scum", "undead"]
    assert 0 <= drawn.first < 4
    given = begin(("scum", "undead"), first_seat=1)
    assert [player.faction for player in given.players] == ["scum", "undead"]
    assert (given.first, given.turn) == (1, 1)


def test_options_that_do_not_fit_are_refused() -> None:
    for options, rule in [
        (AdellosOptions(factions=("scum",)), "factions-not-for-seats"),
        (AdellosOptions(factions=("scum", "elves")), "unknown-faction"),
        (AdellosOptions(first_seat=2), "unknown-seat"),
        (AdellosOptions(board="moon"), "unknown-board"),
    ]:
        with pytest.raises(IllegalCommand, match=rule):
            RULES.initial(options, 2)
    with pytest.raises(IllegalCommand, match="board-not-for-players"):
        RULES.initial(AdellosOptions(board="duel"), 3)


def test_undead_start_with_3_gold_the_others_with_5() -> None:
    state = begin(("clergy", "royal-army", "scum", "undead"))
    assert [player.gold for player in state.players] == [5, 5, 5, 3]


def test_gold_rush_doubles_starting_gold() -> None:
    assert [player.gold for player in begin(("scum", "undead"), gold_rush=True).players] == [10, 6]


def test_middle_seat_gold_is_for_seat_1_of_three() -> None:
    three = begin(("scum", "clergy", "undead"), middle_seat_gold=True)
    assert [player.gold for player in three.players] == [5, 7, 3]
    assert [player.gold for player in begin(("scum", "clergy"), middle_seat_gold=True).players] == [5, 5]


def test_two_players_sit_in_opposite_corners_three_in_0_1_2() -> None:
    assert [player.castle for player in begin(("scum", "clergy")).players] == [0, 2]
    assert [player.castle for player in begin(("scum", "clergy", "undead")).players] == [0, 1, 2]


def test_all_choose_nobles_then_all_place_them_and_buy() -> None:
    state = begin(("scum", "royal-army"))
    with pytest.raises(IllegalCommand, match="not-own-noble"):
        do(state, ChooseNoble("prince-konrad"))
    state = do(state, ChooseNoble("merchant-pinkerton"), ChooseNoble("prince-konrad"))
    with pytest.raises(IllegalCommand, match="noble-not-placed"):
        do(state, Hire("thug"))
    with pytest.raises(IllegalCommand, match="noble-not-placed"):
        do(state, EndSetUp())
    with pytest.raises(IllegalCommand, match="not-own-castle"):
        do(state, PlaceNoble(at("e5")))
    state = do(state, PlaceNoble(at("b2")), Hire("thug"), *pick("c3"), EndSetUp())
    assert (kind(state, "c3"), state.players[0].gold, state.turn) == ("thug", 3, 1)
    with pytest.raises(IllegalCommand, match="not-own-castle"):
        do(state, PlaceNoble(at("a1")))
    state = do(state, PlaceNoble(at("h8")), EndSetUp())
    assert (state.phase, state.turn, state.turns, state.ap) == ("turn", 0, 1, 3)


def test_set_up_counts_as_one_turn_for_the_summoning_limit() -> None:
    state = do(chosen(("undead", "scum"), ("zombie-lord", "merchant-pinkerton")), PlaceNoble(at("b2")))
    state = do(state, Hire("skeleton"), *pick("a1"), Hire("zombie"), *pick("a2"))
    with pytest.raises(IllegalCommand, match="summons-used-up"):
        do(state, Hire("skeleton"))
    state = do(state, EndSetUp(), PlaceNoble(at("h8")), EndSetUp())
    assert unit(state, "a1").counters == 1  # set-up is no turn whose end takes counters off
    assert state.players[0].summons == 0


def test_active_abilities_wait_for_the_first_turn() -> None:
    state = do(chosen(("scum", "clergy"), ("merchant-pinkerton", "pope-anicetus-iv")), PlaceNoble(at("b2")))
    with pytest.raises(IllegalCommand, match="not-at-this-step"):
        do(state, UseAbility(at("b2"), "merchant-pinkerton"))


def test_AE_12_seats_set_up_clockwise_from_the_starting_seat() -> None:
    state = begin(("scum", "clergy", "undead"), first_seat=1)
    order = []
    for noble in ("pope-anicetus-iv", "zombie-lord", "merchant-pinkerton"):
        order.append(state.turn)
        state = do(state, ChooseNoble(noble))
    assert order == [1, 2, 0]


def test_trading_needs_everybodys_agreement_before_set_up() -> None:
    asked = begin(("scum", "clergy"), trading=True)
    agreed = do(asked, AgreeTrading(agree=True), AgreeTrading(agree=True))
    refused = do(asked, AgreeTrading(agree=True), AgreeTrading(agree=False))
    assert (agreed.trading, refused.trading) == (True, False)
    assert (agreed.phase, refused.phase) == ("nobles", "nobles")


def test_gold_and_cards_can_be_given_only_with_trading() -> None:
    state = table(hands=("tithe",), gold=(1,))
    with pytest.raises(IllegalCommand, match="no-trading"):
        do(state, GiveGold(1))
    state = do(replace(state, trading=True), GiveGold(1), GiveCard(1, "tithe"))
    assert (state.players[0].gold, state.players[0].hand) == (0, ())
    assert (state.players[1].gold, state.players[1].hand) == (1, ("tithe",))
    with pytest.raises(IllegalCommand, match="too-little-gold"):
        do(state, GiveGold(1))
    with pytest.raises(IllegalCommand, match="no-such-receiver"):
        do(state, GiveGold(0))
