"""Hiring, summoning, moving and swapping."""

from msgspec.structs import replace

from domain.adellos.board import (
    change_player,
    free_in_castle,
    put,
    reach,
    reach_with_prices,
    restock,
    stock,
    unit_at,
)
from domain.adellos.box import Box, Ground, Kind
from domain.adellos.commands import Hire, Move, Swap
from domain.adellos.events import UnitHired, UnitMoved, UnitsSwapped
from domain.adellos.performing import relocate
from domain.adellos.standing import MOVEMENT, summon_counters, summons_allowed, value
from domain.adellos.state import AdellosState, Choice, Unit
from domain.game import IllegalCommand

SWAP_AP = 2


# --- hiring ------------------------------------------------------------------------------------------------


def hire(box: Box, ground: Ground, state: AdellosState, command: Hire, seat: int) -> Choice:
    """The choice of a field for what is hired or summoned."""
    player = state.players[seat]
    if player.noble_at < 0:
        raise IllegalCommand("noble-not-placed", "The noble has to be placed first.")
    if not stock(box, player, command.unit):
        raise IllegalCommand("not-in-supply", "There is no such unit in the own supply.")
    if ground.castle_of[player.noble_at] != player.castle:
        raise IllegalCommand("noble-not-in-castle", "Units are hired only while the noble is in its castle.")
    if not free_in_castle(ground, state, seat):
        raise IllegalCommand("castle-full", "No field of the own castle is free.")
    kind = box.kinds[command.unit]
    if kind.gold > player.gold:
        raise IllegalCommand("too-little-gold", f"{kind.name} costs {kind.gold} gold.")
    if kind.counters and player.summons >= summons_allowed(box, state, seat):
        raise IllegalCommand("summons-used-up", "No more units can be summoned this turn.")
    return Choice(seat, hire=command.unit)


def hireable(box: Box, ground: Ground, state: AdellosState, seat: int) -> list[Kind]:
    """The units the player can hire or summon now."""
    player = state.players[seat]
    if not free_in_castle(ground, state, seat):
        return []
    may_summon = player.summons < summons_allowed(box, state, seat)
    gold = player.gold
    return [
        kind
        for kind, tiles in zip(box.units[player.faction], player.supply, strict=True)
        if tiles and kind.gold <= gold and (may_summon or not kind.counters)
    ]


def hired_at(box: Box, state: AdellosState, choice: Choice, field: int) -> UnitHired:
    return UnitHired(
        seat=choice.seat,
        unit=choice.hire,
        field=field,
        gold=box.kinds[choice.hire].gold,
        counters=summon_counters(box, state, choice.seat, choice.hire),
    )


def hired(box: Box, ground: Ground, state: AdellosState, event: UnitHired) -> AdellosState:
    seat = event.seat
    player = state.players[seat]
    summons = player.summons + (1 if box.kinds[event.unit].counters else 0)
    state = restock(box, state, seat, event.unit, -1)
    state = change_player(state, seat, gold=player.gold - event.gold, summons=summons)
    unit = Unit(event.unit, seat, seat, event.counters)
    return put(ground, state, (event.field, unit), choice=None)


# --- moving ------------------------------------------------------------------------------------------------


def own_able(state: AdellosState, field: int, seat: int) -> Unit:
    """The player's able unit on a field. Raises IllegalCommand."""
    unit = unit_at(state, field)
    if unit is None or unit.seat != seat:
        raise IllegalCommand("not-own-unit", "No own unit stands there.")
    if unit.counters:
        raise IllegalCommand("unit-not-able", "A unit that bears Time Counters can do nothing.")
    return unit


def ways(box: Box, ground: Ground, state: AdellosState, field: int) -> dict[int, int] | list[int]:
    """Where the unit on `field` can move; with the AP each way costs where that differs."""
    points = value(box, ground, state, field, MOVEMENT)
    if state.options.obstructing_walls:
        return reach_with_prices(ground, state, field, points)
    return reach(ground, state.board, field, points)


def move(box: Box, ground: Ground, state: AdellosState, command: Move, seat: int) -> UnitMoved:
    own_able(state, command.field, seat)
    found = ways(box, ground, state, command.field)
    if command.to not in found:
        raise IllegalCommand("out-of-reach", "The unit can't get there.")
    price = found[command.to] if isinstance(found, dict) else 1
    if price > state.ap:
        raise IllegalCommand("too-few-ap", f"The move costs {price} AP.")
    return UnitMoved(field=command.field, to=command.to, ap=price)


def moved(ground: Ground, state: AdellosState, event: UnitMoved) -> AdellosState:
    unit = state.board[event.field]
    return put(ground, state, (event.field, None), (event.to, unit), ap=state.ap - event.ap)


def swap(ground: Ground, state: AdellosState, command: Swap, seat: int) -> UnitsSwapped:
    own_able(state, command.field, seat)
    own_able(state, command.other, seat)
    if command.other not in ground.neighbours[command.field]:
        raise IllegalCommand("not-adjacent", "Only adjacent units can swap.")
    if command.field > command.other:
        raise IllegalCommand("swap-order", "A swap names the lower field first.")
    if state.ap < SWAP_AP:
        raise IllegalCommand("too-few-ap", f"A swap costs {SWAP_AP} AP.")
    return UnitsSwapped(field=command.field, other=command.other)


def swapped(ground: Ground, state: AdellosState, event: UnitsSwapped) -> AdellosState:
    state = relocate(ground, state, {event.field: event.other, event.other: event.field})
    return replace(state, ap=state.ap - SWAP_AP)
