"""Each ability of units: its effect and its limits."""

import pytest
from msgspec.structs import replace

from domain.adellos.commands import EndTurn
from domain.game import IllegalCommand
from tests.domain.adellos.table import (
    BOX,
    INCOME,
    RULES,
    NoChance,
    at,
    do,
    fold,
    gained,
    kind,
    pass_turn,
    pick,
    table,
    targets,
    tick,
    unit,
    use,
)

TESTED = {
    "income",
    "ancient-wisdom",
    "leadership",
    "command",
    "steel-wall",
    "marching-orders",
    "herald",
    "missionizing",
    "healing",
    "penance",
    "smuggling",
    "poison",
    "dread",
    "conjuring",
}


def test_every_unit_ability_is_tested_here() -> None:
    nobles = {noble.ability for noble in BOX.pack.nobles}
    assert {ability.id for ability in BOX.pack.abilities} - nobles == TESTED


def next_turn_of_seat_1(units: str, **more: object) -> object:
    state = table(units, ap=0, **more)
    state = do(state, EndTurn())
    return fold(state, RULES.decide(state, RULES.due(state), None, NoChance()))


def test_income_gives_gold_at_the_start_of_the_own_turn() -> None:
    state = next_turn_of_seat_1("e4 1 fence, e5 1 fence, e6 1 fence+2, a1 0 tax-collector", gold=(0, 1))
    assert [player.gold for player in state.players] == [
        0,
        1 + 2 * INCOME,
    ]  # not the unit that bears counters


def test_ancient_wisdom_draws_a_card_at_the_start_of_the_own_turn() -> None:
    state = next_turn_of_seat_1(
        "e4 1 fortune-teller, e5 1 fortune-teller, e6 1 fortune-teller+2", deck="tithe mud"
    )
    assert state.players[1].hand == ("mud", "tithe")
    assert state.deck == ()


def test_ancient_wisdom_draws_nothing_from_an_empty_deck() -> None:
    state = next_turn_of_seat_1("e4 1 fortune-teller, e5 1 fortune-teller", deck="tithe")
    assert state.players[1].hand == ("tithe",)
    assert (state.phase, state.owed) == ("turn", ())


def test_leadership_gives_adjacent_bandits_1_attack() -> None:
    state = table("e4 1 bandit-captain, e5 1 bandit, d4 1 thug, e7 1 bandit")
    assert [gained(state, field)[0] for field in ("e5", "d4", "e7")] == [1, 0, 0]
    assert gained(state, "e4")[0] == 0  # not itself


def test_command_of_a_field_marshal_gives_adjacent_own_units_1_attack() -> None:
    state = table("e4 0 field-marshal, e5 0 soldier, d4 1 thug")
    assert (gained(state, "e5")[0], gained(state, "d4")[0]) == (1, 0)
    assert gained(table("e4 0 field-marshal+1, e5 0 soldier"), "e5")[0] == 0  # an aura needs an able unit


def test_steel_wall_of_a_steel_colossus_gives_adjacent_own_units_1_defence() -> None:
    state = table("e4 0 steel-colossus, e5 0 soldier, e6 0 soldier+1, d5 0 soldier+1")
    assert (gained(state, "e5")[1], gained(state, "e6")[1]) == (1, 0)
    near = table("e4 0 steel-colossus, e5 0 soldier+1")
    assert gained(near, "e5")[1] == 1  # a unit that bears counters keeps and gets values


def test_marching_orders_give_adjacent_units_1_movement() -> None:
    state = table("e4 0 banner-bearer, e5 0 soldier, e8 0 soldier")
    assert (gained(state, "e5")[2], gained(state, "e8")[2]) == (1, 0)


def test_herald_gives_1_more_action_point() -> None:
    state = table("e4 1 herald, e5 1 herald+2", "merchant-pinkerton prince-konrad", ap=0)
    assert tick(do(state, EndTurn())).ap == 4


def test_missionizing_takes_over_an_adjacent_enemy_unit_AE_9() -> None:
    state = table(
        "e4 0 missionary, e5 1 knight, e6 1 thug, d4 1 fence+2", "pope-anicetus-iv prince-konrad", gold=(9,)
    )
    begun = do(state, use("e4", "missionizing"))
    assert targets(begun) == {at("e5"), at("d4")}
    done = do(begun, *pick("e5"))
    assert (unit(done, "e5").seat, unit(done, "e5").origin) == (0, 1)
    assert (done.players[0].gold, done.ap) == (5, 2)


def test_missionizing_takes_no_noble() -> None:
    state = table("e4 0 missionary, e5 1 prince-konrad", "pope-anicetus-iv prince-konrad", gold=(9,))
    with pytest.raises(IllegalCommand, match="ability-without-effect"):
        do(state, use("e4", "missionizing"))


def test_healing_takes_two_counters_from_an_adjacent_own_unit() -> None:
    state = table("e4 0 abbess, e5 0 templar+3, e6 0 templar+3", "conquistadora-lucia prince-konrad")
    state = do(state, use("e4", "healing"), *pick("e5"))
    assert (unit(state, "e5").counters, state.ap) == (1, 2)
    state = do(state, use("e4", "healing"), *pick("e5"))
    assert unit(state, "e5").counters == 0
    with pytest.raises(IllegalCommand, match="ability-without-effect"):
        do(state, use("e4", "healing"))


def test_penance_lays_a_counter_once_a_turn() -> None:
    state = table("e4 0 inquisitor, e5 1 knight", "pope-anicetus-iv prince-konrad")
    state = do(state, use("e4", "penance"), *pick("e5"))
    assert unit(state, "e5").counters == 1
    with pytest.raises(IllegalCommand, match="ability-used-up"):
        do(state, use("e4", "penance"))
    later = pass_turn(state)
    later = replace(pass_turn(later), ap=3)
    assert do(later, use("e4", "penance"), *pick("e5")).ap == 2


def test_a_unit_that_bears_counters_uses_no_ability() -> None:
    state = table("e4 0 inquisitor+1, e5 1 knight", "conquistadora-lucia prince-konrad")
    with pytest.raises(IllegalCommand, match="unit-not-able"):
        do(state, use("e4", "penance"))


def test_smuggling_moves_an_adjacent_own_unit_up_to_3_fields() -> None:
    state = table("e4 0 smuggler, e5 0 ogre", "merchant-pinkerton prince-konrad")
    state = do(state, use("e4", "smuggling"), *pick("e5"))
    assert at("e8") in targets(state)
    assert at("e9") not in targets(state)
    state = do(state, *pick("e8"))
    assert (kind(state, "e8"), kind(state, "e5"), state.ap) == ("ogre", None, 2)


def test_poison_lowers_defence_until_the_turn_ends() -> None:
    state = table("e4 0 poisoner, e5 1 knight", "merchant-pinkerton prince-konrad")
    state = do(state, use("e4", "poison"), *pick("e5"))
    assert gained(state, "e5")[1] == -1
    with pytest.raises(IllegalCommand, match="ability-used-up"):
        do(state, use("e4", "poison"))
    assert gained(do(replace(state, ap=0), EndTurn()), "e5")[1] == 0


def test_dread_lowers_the_attack_of_adjacent_enemies() -> None:
    state = table("e4 0 banshee, e5 1 knight, d4 0 ghoul", "zombie-lord prince-konrad")
    assert (gained(state, "e5")[0], gained(state, "d4")[0]) == (-1, 0)


def test_conjuring_places_an_imp_once_a_turn_while_there_are_any() -> None:
    state = table("e4 0 necromancer, e5 0 necromancer", "zombie-lord prince-konrad", gold=(3,))
    state = do(state, use("e4", "conjuring"), *pick("a1"))
    assert (kind(state, "a1"), state.players[0].gold, state.tokens[2]) == ("imp", 2, 1)
    with pytest.raises(IllegalCommand, match="ability-used-up"):
        do(state, use("e4", "conjuring"))
    state = do(state, use("e5", "conjuring"), *pick("a2"))
    later = pass_turn(state)
    later = replace(pass_turn(later), ap=3)
    with pytest.raises(IllegalCommand, match="ability-without-effect"):
        do(later, use("e4", "conjuring"))
