"""What events do. Total: nothing is checked and nothing drawn."""

from typing import Any

from msgspec.structs import replace

from domain.adamantine import checks, combat, death, exploring, performing, playing, setup, turn
from domain.adamantine import events as e
from domain.adamantine.box import Box
from domain.adamantine.state import AdamantineState, Choice


def evolve(box: Box, state: AdamantineState, event: Any) -> AdamantineState:
    """The state after `event`; the most frequent events first, for speed."""
    match event:
        case e.CardPicked():
            return _picked(state, event)
        case e.ChoiceBegun():
            return replace(state, choice=Choice(event.seat, event.what, event.card))
        case e.ChoiceCancelled():
            return _cancelled(state)
        case e.RoomBuilt():
            return turn.room_built(state, event)
        case e.CardPlayed():
            return playing.card_played(box, state, event)
        case e.AbilityUsed():
            return performing.ability_used(box, state, event)
        case e.EffectPerformed():
            return performing.performed(box, state, event)
        case e.DayBegun():
            return turn.day_begun(state, event)
        case e.DayEnded():
            return turn.day_ended(state, event)
        case e.NightBegun():
            return turn.night_begun(state, event)
        case e.NightEnded():
            return turn.night_ended(state, event)
        case e.EncounterRolled():
            return turn.encounter_rolled(state, event)
        case e.EncounterLaid():
            return turn.encounter_laid(box, state, event)
        case e.Searched():
            return turn.searched(state, event)
        case e.HeroCardsDrawn():
            return performing.drawn(box, state, event)
        case e.DungeonCardsDiscarded():
            return performing.milled(box, state, event)
        case e.RoomSeen():
            return performing.seen(box, state, event)
        case e.CardsLost():
            return performing.cards_lost(box, state, event)
        case e.ChampionPossessed():
            return death.champion_possessed(box, state, event)
    return _in_room(box, state, event)


def _in_room(box: Box, state: AdamantineState, event: Any) -> AdamantineState:
    match event:
        case e.RoomExplored():
            return exploring.room_explored(box, state, event)
        case e.RoomTrimmed():
            return exploring.room_trimmed(box, state, event)
        case e.EventResolved():
            return exploring.event_resolved(state, event)
        case e.StatisticChosen():
            return combat.statistic_chosen(state, event)
        case e.DamageRolled():
            return combat.damage_rolled(state, event)
        case e.DamageDivided():
            return combat.damage_divided(box, state, event)
        case e.MonsterStruck():
            return combat.monster_struck(box, state, event)
        case e.CheckBegun():
            return checks.check_begun(state)
        case e.CheckRolled():
            return checks.check_rolled(box, state, event)
        case e.RewardEnded():
            return exploring.reward_ended(box, state)
        case e.ExplorationEnded():
            return exploring.ended(state)
    return _set_up_and_end(state, event)


def _set_up_and_end(state: AdamantineState, event: Any) -> AdamantineState:
    match event:
        case e.FirstSeatDrawn():
            return setup.first_seat_drawn(state, event)
        case e.DeckBrought():
            return setup.deck_brought(state, event)
        case e.ChampionChosen():
            return setup.champion_chosen(state, event)
        case e.ClassChosen():
            return setup.class_chosen(state, event)
        case e.DeckShuffled():
            return setup.deck_shuffled(state, event)
        case e.NightFailed():
            return turn.night_failed(state, event)
        case e.ChampionSlain():
            return death.champion_slain(state, event)
        case e.SeatResigned():
            return death.resigned(state, event)
    raise TypeError(f"{type(event).__name__} is no event of Adamantine")


def _picked(state: AdamantineState, event: e.CardPicked) -> AdamantineState:
    choice = state.choice
    if choice is None:
        return exploring.pick(state, event.card, event.times)
    return replace(state, choice=replace(choice, picks=(*choice.picks, event.card)))


def _cancelled(state: AdamantineState) -> AdamantineState:
    """What was put together is taken back; a die that was rolled for an encounter is not."""
    choice, now = state.choice, state.exploration
    if choice is not None:
        return replace(state, choice=replace(choice, picks=()) if choice.what == "encounter" else None)
    assert now is not None
    return replace(state, exploration=replace(now, picks=()))
