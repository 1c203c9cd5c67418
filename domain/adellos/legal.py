"""All commands a seat can give now: the same guards as deciding, for every candidate."""

from functools import cache

from domain.adellos import choices
from domain.adellos.board import reach
from domain.adellos.box import Box, Ground
from domain.adellos.commands import (
    AgreeTrading,
    Attack,
    CancelChoice,
    ChooseField,
    ChooseKind,
    ChooseNoble,
    ChooseSeat,
    EndSetUp,
    EndTurn,
    FinishChoice,
    GiveCard,
    GiveGold,
    Hire,
    KeepCounter,
    Move,
    Pass,
    PlaceNoble,
    PlayCard,
    Swap,
    UseAbility,
)
from domain.adellos.movement import SWAP_AP, hireable, ways
from domain.adellos.standing import MOVEMENT, value
from domain.adellos.state import AdellosState, Choice
from domain.game import Command

# A command is a frozen value, so each is made once.
_move, _attack, _swap = cache(Move), cache(Attack), cache(Swap)
_hire, _place, _field, _kind = cache(Hire), cache(PlaceNoble), cache(ChooseField), cache(ChooseKind)
_card, _keep, _ability = cache(PlayCard), cache(KeepCounter), cache(UseAbility)
_CANCEL, _FINISH, _PASS, _END, _END_SET_UP = CancelChoice(), FinishChoice(), Pass(), EndTurn(), EndSetUp()


def legal(box: Box, ground: Ground, state: AdellosState, seat: int) -> list[Command]:
    """Every command the seat whose decision is awaited can give."""
    if state.choice is not None:
        return _aiming(box, ground, state, state.choice)
    if state.combat is not None:
        return [_PASS, *map(_card, choices.playable(box, state, seat))]
    player = state.players[seat]
    match state.phase:
        case "turn":
            return _in_turn(box, ground, state, seat)
        case "agreeing":
            return [AgreeTrading(agree=True), AgreeTrading(agree=False)]
        case "nobles":
            return [ChooseNoble(noble) for noble in box.nobles[player.faction]]
    if player.noble_at < 0:
        return [_place(field) for field in ground.castles[player.castle]]
    return [*(_hire(kind.id) for kind in hireable(box, ground, state, seat)), _END_SET_UP]


def _aiming(box: Box, ground: Ground, state: AdellosState, choice: Choice) -> list[Command]:
    ask = choices.ask_of(box, ground, state, choice)
    assert ask is not None
    make = {"field": _field, "kind": _kind, "seat": ChooseSeat}[ask.what]
    found: list[Command] = [make(option) for option in ask.options]  # type: ignore[operator]
    if ask.may_finish:
        found.append(_FINISH)
    if not choice.card:
        found.append(_CANCEL)
    return found


def declined(box: Box, ground: Ground, state: AdellosState, choice: Choice) -> Command:
    """An open choice taken back; for a card, which is played already, no more targets or the first there is."""
    found = _aiming(box, ground, state, choice)
    return found[-1] if found[-1] in (_CANCEL, _FINISH) else found[0]


def _in_turn(box: Box, ground: Ground, state: AdellosState, seat: int) -> list[Command]:
    found = board_actions(box, ground, state, seat) if state.ap else []
    if not found or state.options.may_forfeit_ap:
        found.append(_END)
    kinds = box.kinds
    for field, unit in enumerate(state.board):
        if unit is None or unit.seat != seat:
            continue
        if unit.counters:
            found.append(_keep(field))
        elif kinds[unit.kind].noble or kinds[unit.kind].active:
            found += [
                _ability(field, ability.id) for ability in choices.usable(box, state, seat, field, unit)
            ]
    found += [_hire(kind.id) for kind in hireable(box, ground, state, seat)]
    if state.players[seat].hand:
        found += map(_card, choices.playable(box, state, seat))
    if state.trading:
        found += _gifts(state, seat)
    return found


def must_spend(box: Box, ground: Ground, state: AdellosState, seat: int) -> bool:
    """Whether action points are left that the player has to use before ending the turn (AE-1)."""
    return bool(state.ap and not state.options.may_forfeit_ap and board_actions(box, ground, state, seat))


def board_actions(box: Box, ground: Ground, state: AdellosState, seat: int) -> list[Command]:
    """The attacks, swaps and moves the player has the action points for, at least one.

    Most of a match is spent here, so one look at the neighbours serves all three.
    """
    found: list[Command] = []
    board, neighbours = state.board, ground.neighbours
    may_swap = state.ap >= SWAP_AP
    walls = state.options.obstructing_walls
    plain = not (state.modifiers or box.ruling[MOVEMENT])
    radiating = box.radiating[MOVEMENT]
    for field, unit in enumerate(board):
        if unit is None or unit.seat != seat or unit.counters:
            continue
        free = []
        changed = not plain
        for other in neighbours[field]:
            near = board[other]
            if near is None:
                free.append(other)
                continue
            if near.kind in radiating:
                changed = True
            if near.seat != seat:
                found.append(_attack(field, other))
            elif may_swap and other > field and not near.counters:
                found.append(_swap(field, other))
        if not free:
            continue
        if walls:
            found += _through_walls(box, ground, state, field)
            continue
        if changed:
            points = value(box, ground, state, field, MOVEMENT)
        else:
            points = box.kinds[unit.kind].values[MOVEMENT] + unit.movement
        if points > 1:
            free = reach(ground, board, field, points)
        elif points < 1:
            continue
        for to in free:
            found.append(_move(field, to))
    return found


def _through_walls(box: Box, ground: Ground, state: AdellosState, field: int) -> list[Command]:
    prices = ways(box, ground, state, field)
    assert isinstance(prices, dict)
    return [_move(field, to) for to, price in prices.items() if price <= state.ap]


def _gifts(state: AdellosState, seat: int) -> list[Command]:
    player = state.players[seat]
    receivers = [other.seat for other in state.players if other.alive and other.seat != seat]
    found: list[Command] = [GiveGold(to) for to in receivers if player.gold > 0]
    for place, card in enumerate(player.hand):
        if place == 0 or player.hand[place - 1] != card:
            found += [GiveCard(to, card) for to in receivers]
    return found
