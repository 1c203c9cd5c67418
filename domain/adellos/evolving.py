"""What events do. Total: nothing is checked and nothing drawn."""

from typing import Any

from msgspec.structs import replace

from domain.adellos import choices, combat, movement, setup, turn
from domain.adellos import events as e
from domain.adellos.box import Box, Ground
from domain.adellos.state import AdellosState


def evolve(box: Box, ground: Ground, state: AdellosState, event: Any) -> AdellosState:
    """The state after `event`; the most frequent events first, for speed."""
    match event:
        case e.UnitMoved():
            return movement.moved(ground, state, event)
        case e.TurnEnded():
            return turn.ended(state, event)
        case e.CountersTicked():
            return turn.ticked(ground, state, event)
        case e.TurnStarted():
            return turn.started(box, state, event)
        case e.ChoiceBegun():
            return choices.begun(state, event)
        case e.TargetChosen():
            return choices.aimed(state, event)
        case e.ChoiceCancelled():
            return replace(state, choice=None)
        case e.UnitHired():
            return movement.hired(box, ground, state, event)
        case e.CounterKept():
            return turn.counter_kept(ground, state, event)
        case e.CombatBegun():
            return combat.begun(state, event)
        case e.Passed():
            return combat.passed(state, event)
        case e.CombatEnded():
            return combat.ended(state)
        case e.UnitDefeated():
            return combat.defeated(box, ground, state, event)
        case e.CardPlayed():
            return choices.card_played(box, ground, state, event)
        case e.CardAimed():
            return choices.card_aimed(box, ground, state, event)
        case e.AbilityUsed():
            return choices.ability_used(box, ground, state, event)
        case e.UnitsSwapped():
            return movement.swapped(ground, state, event)
        case e.CardDrawn():
            return turn.drawn(state, event)
        case e.DrawSkipped() | e.HandSeen():
            return turn.settled(state)
        case e.GoldGiven() | e.CardGiven():
            return _traded(state, event)
        case e.SeatResigned():
            return combat.resigned(ground, state, event)
    return _set_up(box, ground, state, event)


def _set_up(box: Box, ground: Ground, state: AdellosState, event: Any) -> AdellosState:
    match event:
        case e.FactionsDrawn():
            return setup.factions_drawn(box, state, event)
        case e.FirstSeatDrawn():
            return replace(state, first=event.seat)
        case e.DeckShuffled():
            return setup.deck_shuffled(state, event)
        case e.TradingAnswered():
            return setup.trading_answered(state, event)
        case e.NobleChosen():
            return setup.noble_chosen(box, state, event)
        case e.NoblePlaced():
            return setup.noble_placed(ground, state, event)
        case e.SetUpEnded():
            return setup.to_next(state)
    raise TypeError(f"{type(event).__name__} is no event of Adellos")


def _traded(state: AdellosState, event: e.GoldGiven | e.CardGiven) -> AdellosState:
    giver, taker = state.players[event.seat], state.players[event.to]
    if isinstance(event, e.GoldGiven):
        giver, taker = replace(giver, gold=giver.gold - 1), replace(taker, gold=taker.gold + 1)
    else:
        hand = list(giver.hand)
        hand.remove(event.card)
        giver = replace(giver, hand=tuple(hand))
        taker = replace(taker, hand=tuple(sorted((*taker.hand, event.card))))
    players = list(state.players)
    players[giver.seat], players[taker.seat] = giver, taker
    return replace(state, players=tuple(players))
