"""What abilities change while their units are able: values, prices, immunity, resources."""

from domain.adellos.box import Box, Ground
from domain.adellos.effects import (
    VALUES,
    ActionPoints,
    CheaperAbility,
    CheaperSummons,
    Draw,
    Immunity,
    Income,
    MoreSummons,
    Standing,
)
from domain.adellos.pack import Ability
from domain.adellos.state import AdellosState, Player

ATTACK, DEFENCE, MOVEMENT = 0, 1, 2  # places in a unit's values
SUMMONS = 2  # a turn


# --- values ------------------------------------------------------------------------------------------------


def value(box: Box, ground: Ground, state: AdellosState, field: int, which: int) -> int:
    """Attack, defence or movement of the unit on `field` with everything but the cards of a combat."""
    return max(0, balance(box, ground, state, field, which))


def balance(box: Box, ground: Ground, state: AdellosState, field: int, which: int) -> int:
    """The value before it is kept from falling below 0."""
    board = state.board
    unit = board[field]
    assert unit is not None
    name, seat = unit.kind, unit.seat
    total = box.kinds[name].values[which]
    total += unit.attack if which == ATTACK else unit.defence if which == DEFENCE else unit.movement
    radiating = box.radiating[which]
    for other in ground.neighbours[field]:
        near = board[other]
        if near is not None and near.kind in radiating and not near.counters:
            for aura in radiating[near.kind]:
                if aura.own == (near.seat == seat) and name in aura.kinds:
                    total += aura.amount
    ruling = box.ruling[which]
    if ruling:
        for player in state.players:
            for noble in able_nobles(state, player):
                for aura in ruling.get(noble, ()):
                    if aura.own == (player.seat == seat) and name in aura.kinds:
                        total += aura.amount
    for modifier in state.modifiers:
        if modifier.seat == seat and modifier.value == VALUES[which] and name in box.matching(modifier.of):
            total += modifier.amount
    return total


def able_nobles(state: AdellosState, player: Player) -> tuple[str, ...]:
    """The nobles whose abilities the player has: the own one while it is able, and the one it copies."""
    if player.noble_at < 0:
        return ()
    noble = state.board[player.noble_at]
    if noble is None or noble.counters:
        return ()
    return (player.noble, player.copied) if player.copied else (player.noble,)


def powers(box: Box, state: AdellosState, seat: int) -> tuple[Standing, ...]:
    """The standing effects of the player's noble and of the one it copies."""
    effects: tuple[Standing, ...] = ()
    for noble in able_nobles(state, state.players[seat]):
        effects += box.kinds[noble].standing
    return effects


# --- prices and limits -------------------------------------------------------------------------------------


def immune(box: Box, state: AdellosState, seat: int) -> bool:
    """Whether the player's units take no Time Counters."""
    return any(type(effect) is Immunity for effect in powers(box, state, seat))


def ability_price(box: Box, state: AdellosState, seat: int, ability: Ability) -> int:
    """Gold the player pays for an ability."""
    price = ability.gold
    for effect in powers(box, state, seat):
        if type(effect) is CheaperAbility and effect.ability == ability.id:
            price -= effect.gold
    return max(0, price)


def summon_counters(box: Box, state: AdellosState, seat: int, unit: str) -> int:
    """Time Counters a unit bears when the player summons it."""
    counters = box.kinds[unit].counters
    for effect in powers(box, state, seat):
        if type(effect) is CheaperSummons and unit in box.matching(effect.of):
            counters -= effect.counters
        elif type(effect) is Immunity:
            return 0
    return max(0, counters)


def summons_allowed(box: Box, state: AdellosState, seat: int) -> int:
    """Summons the player may make in one turn."""
    return SUMMONS + sum(effect.amount for effect in powers(box, state, seat) if type(effect) is MoreSummons)


# --- resources ---------------------------------------------------------------------------------------------


def resources(box: Box, state: AdellosState, seat: int) -> tuple[int, int, int]:
    """Gold, event cards and action points the player's able units give at the start of a turn."""
    gold = cards = ap = 0
    effects: list[Standing] = []
    for unit in state.board:
        if unit is not None and unit.seat == seat and not unit.counters and box.kinds[unit.kind].resources:
            effects += box.kinds[unit.kind].standing
    for effect in effects:
        if type(effect) is Income:
            gold += effect.amount
        elif type(effect) is Draw:
            cards += effect.amount
        elif type(effect) is ActionPoints:
            ap += effect.amount
    return gold, cards, ap
