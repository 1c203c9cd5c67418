"""How a turn starts and ends: resources, action points, the bonus field, Time Counters."""

from msgspec.structs import replace

from domain.adellos.board import change_player, holder, put, with_player
from domain.adellos.box import Box, Ground
from domain.adellos.commands import KeepCounter
from domain.adellos.effects import ActionPoints, Aura, Gold, NoIncome
from domain.adellos.events import (
    CardDrawn,
    CounterKept,
    CountersTicked,
    DrawSkipped,
    HandSeen,
    TurnEnded,
    TurnStarted,
)
from domain.adellos.performing import hand_full
from domain.adellos.standing import resources
from domain.adellos.state import AdellosState, Modifier, Owed
from domain.game import Event, IllegalCommand

ACTION_POINTS = 3
TURNS_TO_HOLD = {4: 3, 3: 4, 2: 5}  # by the players the match began with (AE-7)
TOWER_GOLD = 2  # option `paved_with_gold`


# --- the start ---------------------------------------------------------------------------------------------


def begin(box: Box, state: AdellosState) -> TurnStarted:
    """The next player's turn: the cards in front are applied, then resources and action points counted."""
    seat = next_seat(state)
    player = state.players[seat]
    effects = [effect for lying in player.front for effect in box.cards[lying.card].effects]
    gold = player.gold
    for effect in effects:
        if type(effect) is Gold:
            gold = max(0, gold + effect.amount)
    income, cards, more_ap = resources(box, state, seat)
    if not any(type(effect) is NoIncome for effect in effects):
        gold += income
    if state.options.paved_with_gold and holder(box.ground(state.options), state.board) == seat:
        gold += TOWER_GOLD
    ap = ACTION_POINTS + more_ap + sum(effect.amount for effect in effects if type(effect) is ActionPoints)
    held = 0
    if player.holding:
        held = player.held + 1
        ap += 1
    return TurnStarted(seat=seat, ap=max(0, ap), gold=gold - player.gold, cards=cards, held=held)


def next_seat(state: AdellosState) -> int:
    """The next player clockwise who is still in the match; the starting seat at first."""
    seats = len(state.players)
    seat = state.first if state.turn < 0 else (state.turn + 1) % seats
    while not state.players[seat].alive:
        seat = (seat + 1) % seats
    return seat


def started(box: Box, state: AdellosState, event: TurnStarted) -> AdellosState:
    seat = event.seat
    player = state.players[seat]
    modifiers = tuple(
        Modifier(seat, effect.value, effect.amount, effect.of)
        for lying in player.front
        for effect in box.cards[lying.card].effects
        if isinstance(effect, Aura)
    )
    player = replace(
        player, gold=player.gold + event.gold, front=(), holding=False, held=event.held, summons=0
    )
    state = replace(
        state,
        phase="turn",
        players=with_player(state.players, player),
        turn=seat,
        turns=state.turns + 1,
        ap=event.ap,
        modifiers=modifiers,
    )
    if event.held >= TURNS_TO_HOLD[len(state.players)]:
        return replace(state, phase="over", winner=seat, reason="bonus_field")
    return owe(state, seat, event.cards)


# --- drawing -----------------------------------------------------------------------------------------------


def owe(state: AdellosState, seat: int, cards: int) -> AdellosState:
    """`state` in which the player has to draw cards."""
    return replace(state, owed=(*state.owed, Owed(seat, cards))) if cards > 0 else state


def settle(state: AdellosState) -> Event:
    """The next card that is owed, or the hand that is to be seen."""
    owed = state.owed[0]
    if owed.look >= 0:
        return HandSeen(seat=owed.seat, of=owed.look, hand=state.players[owed.look].hand)
    if not state.deck or hand_full(state, owed.seat):
        return DrawSkipped(seat=owed.seat, cards=owed.cards)
    return CardDrawn(seat=owed.seat, card=state.deck[0])


def drawn(state: AdellosState, event: CardDrawn) -> AdellosState:
    hand = tuple(sorted((*state.players[event.seat].hand, event.card)))
    owed = state.owed
    if owed:
        first = owed[0]
        owed = owed[1:] if first.cards <= 1 else (replace(first, cards=first.cards - 1), *owed[1:])
    return replace(change_player(state, event.seat, hand=hand), deck=state.deck[1:], owed=owed)


def settled(state: AdellosState) -> AdellosState:
    return replace(state, owed=state.owed[1:])


# --- the end -----------------------------------------------------------------------------------------------


def keep_counter(state: AdellosState, command: KeepCounter, seat: int) -> CounterKept:
    unit = state.board[command.field] if 0 <= command.field < len(state.board) else None
    if unit is None or unit.seat != seat:
        raise IllegalCommand("not-own-unit", "No own unit stands there.")
    if not unit.counters:
        raise IllegalCommand("no-counters", "The unit bears no Time Counter.")
    return CounterKept(field=command.field, keep=not unit.keep)


def counter_kept(ground: Ground, state: AdellosState, event: CounterKept) -> AdellosState:
    unit = state.board[event.field]
    assert unit is not None
    return put(ground, state, (event.field, replace(unit, keep=event.keep)))


def ended(state: AdellosState, event: TurnEnded) -> AdellosState:
    """What lasted until the turn ends is over; the counters wait for the system."""
    return replace(without_changes(change_player(state, event.seat, copied="")), phase="ticking", choice=None)


def without_changes(state: AdellosState) -> AdellosState:
    """`state` without action points and what lasts until the turn ends."""
    board = tuple(
        replace(unit, used=0, attack=0, defence=0, movement=0)
        if unit is not None and (unit.used or unit.attack or unit.defence or unit.movement)
        else unit
        for unit in state.board
    )
    return replace(state, board=board, ap=0, modifiers=())


def tick(state: AdellosState) -> CountersTicked:
    """One counter from each unit of the player whose turn has ended, but those left alone (AE-2)."""
    fields = tuple(
        field
        for field, unit in enumerate(state.board)
        if unit is not None and unit.seat == state.turn and unit.counters and not unit.keep
    )
    return CountersTicked(seat=state.turn, fields=fields)


def ticked(ground: Ground, state: AdellosState, event: CountersTicked) -> AdellosState:
    board = list(state.board)
    for field in event.fields:
        unit = board[field]
        assert unit is not None
        board[field] = replace(unit, counters=unit.counters - 1)
    for field, unit in enumerate(board):
        if unit is not None and unit.keep and unit.seat == event.seat:
            board[field] = replace(unit, keep=False)
    player = replace(state.players[event.seat], holding=holder(ground, board) == event.seat)
    return over(replace(state, board=tuple(board), players=with_player(state.players, player)))


def over(state: AdellosState) -> AdellosState:
    """The next turn is due, or the match is over (option `turn_limit`)."""
    limit = state.options.turn_limit
    if limit is not None and state.turns >= limit:
        return replace(state, phase="over", reason="turn_limit")
    return replace(state, phase="ticked")
