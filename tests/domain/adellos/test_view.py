"""What is seen of a match beside what is printed: values, prices and abilities as they are now."""

from typing import Any

from msgspec.structs import replace

from domain.adellos import ADELLOS
from domain.adellos.state import AdellosState
from domain.game import SPECTATOR, at_seat
from tests.domain.adellos.table import BOX, at, table


def seen(state: AdellosState) -> Any:
    return ADELLOS.view.observe(state, SPECTATOR)


def unit_on(state: AdellosState, field: str) -> Any:
    return next(unit for unit in seen(state)["units"] if unit["field"] == at(field))


def test_a_unit_shows_its_values_as_they_are_now() -> None:
    state = table("e4 0 soldier, e5 0 field-marshal", "general-iron-fist merchant-pinkerton")
    soldier = unit_on(state, "e4")
    attack, defence, movement = BOX.kinds["soldier"].values
    assert (soldier["attack"], soldier["defence"], soldier["movement"]) == (attack + 2, defence, movement)


def test_prices_are_what_the_player_pays_now() -> None:
    vampire, robber = BOX.kinds["vampire"], BOX.kinds["grave-robber"]
    for noble, less in (("vampirelord-darkuhla", 3), ("zombie-lord", 0)):
        prices = seen(table("", f"{noble} merchant-pinkerton"))["players"][0]["prices"]
        assert prices["vampire"] == {"gold": 0, "counters": vampire.counters - less}
        assert prices["grave-robber"] == {"gold": robber.gold, "counters": 0}


def test_an_ability_shows_what_it_costs_its_player_now() -> None:
    for noble, gold in (("conquistadora-lucia", 1), ("pope-anicetus-iv", 4)):
        state = table("e4 0 missionary", f"{noble} merchant-pinkerton")
        assert unit_on(state, "e4")["abilities"] == [{"id": "missionizing", "gold": gold, "ap": 1, "used": 0}]


def test_a_copied_ability_is_shown_with_the_noble_that_copies() -> None:
    state = table("", "jester-caspar merchant-pinkerton")
    copying = ADELLOS.view.observe(_copying(state, "arch-paladin-mathias"), at_seat(1))
    noble = next(unit for unit in copying["units"] if unit["kind"] == "jester-caspar")
    assert [ability["id"] for ability in noble["abilities"]] == ["jester-caspar", "arch-paladin-mathias"]


def _copying(state: AdellosState, noble: str) -> AdellosState:
    first, *others = state.players
    return replace(state, players=(replace(first, copied=noble), *others))
