"""A turn: by day the hero hand, searching; by night the dungeon hand, rooms and encounters."""

from typing import Any

from msgspec.structs import replace

from domain.adamantine.box import Box
from domain.adamantine.commands import LayCard
from domain.adamantine.events import (
    CardPicked,
    ChoiceBegun,
    DayBegun,
    DayEnded,
    EncounterLaid,
    EncounterRolled,
    NightBegun,
    NightEnded,
    NightFailed,
    RoomBuilt,
    Searched,
)
from domain.adamantine.exploring import entered
from domain.adamantine.standing import HAND, held, total
from domain.adamantine.state import AdamantineState, Choice, Laid, Piece, Player, Room
from domain.adamantine.table import change_player, deal, dungeon_cards_discarded, put_player
from domain.chance import Chance
from domain.game import Event, IllegalCommand

DIE = 6


# --- by day ------------------------------------------------------------------------------------------------


def begin_day(box: Box, state: AdamantineState) -> DayBegun:
    player = state.players[state.turn]
    missing = HAND + total(box, player, "insight") - len(player.hero_hand)
    cards = player.hero_deck[: max(0, missing)]
    return DayBegun(seat=state.turn, drawn=len(cards), cards=cards)


def day_begun(state: AdamantineState, event: DayBegun) -> AdamantineState:
    player = state.players[event.seat]
    hand = deal(state, player.hero_hand, event.cards)
    player = replace(
        _rested(player),
        hero_hand=hand,
        hero_deck=player.hero_deck[len(event.cards) :],
        days=player.days + 1,
        free=() if player.days else tuple([card.handle for card in hand]),
        searches=state.options.searches_per_day,
        explorations=0,
        encounters=0,
    )
    other = state.players[1 - event.seat]
    other = replace(
        _rested(other),
        rooms=tuple([replace(room, explored=False) if room.explored else room for room in other.rooms]),
    )
    players = (player, other) if event.seat == 0 else (other, player)
    return replace(
        state,
        phase="day",
        players=players,
        turns=state.turns + 1,
        handles=state.handles + len(event.cards),
    )


def _rested(player: Player) -> Player:
    """Every ability can be used again."""
    return replace(player, in_play=tuple([_unused(piece) for piece in player.in_play]))


def _unused(piece: Piece) -> Piece:
    return replace(piece, used=0) if piece.used else piece


def may_search(state: AdamantineState, seat: int) -> bool:
    return state.players[seat].searches > 0 and not state.players[1 - seat].rooms  # AM-4


def search(box: Box, state: AdamantineState, seat: int, chance: Chance) -> Event:
    if state.players[1 - seat].rooms:
        raise IllegalCommand("rooms-left", "There are rooms to be explored.")
    if not state.players[seat].searches:
        raise IllegalCommand("AM-4", "No search is left today.")
    draw, die = chance.roll("search", DIE)
    cards = state.players[1 - seat].dungeon_deck[: die + total(box, state.players[seat], "searching")]
    return Searched(draw=draw, seat=seat, die=die, cards=cards)


def searched(state: AdamantineState, event: Searched) -> AdamantineState:
    state = change_player(state, event.seat, searches=state.players[event.seat].searches - 1)
    return dungeon_cards_discarded(state, 1 - event.seat, event.cards)


def day_ended(state: AdamantineState, event: DayEnded) -> AdamantineState:
    return replace(change_player(state, event.seat, free=()), phase="dusk")


# --- by night ----------------------------------------------------------------------------------------------


def begin_night(state: AdamantineState) -> Event:
    player = state.players[state.turn]
    if not player.dungeon_deck:
        return NightFailed(seat=state.turn)
    cards = player.dungeon_deck[:HAND]  # AM-10
    left = tuple([card.card for card in player.dungeon_hand])
    return NightBegun(seat=state.turn, discarded=left, drawn=len(cards), cards=cards)


def night_begun(state: AdamantineState, event: NightBegun) -> AdamantineState:
    player = state.players[event.seat]
    player = replace(
        player,
        dungeon_hand=deal(state, (), event.cards),
        dungeon_deck=player.dungeon_deck[len(event.cards) :],
        dungeon_discard=(*player.dungeon_discard, *event.discarded),
    )
    return replace(put_player(state, player), phase="night", handles=state.handles + len(event.cards))


def night_failed(state: AdamantineState, event: NightFailed) -> AdamantineState:
    return replace(state, phase="over", winner=1 - event.seat, reason="no_cards_at_night")


def night_ended(state: AdamantineState, event: NightEnded) -> AdamantineState:
    limit = state.options.turn_limit
    if limit is not None and state.turns >= limit:
        return replace(state, phase="over", reason="turn_limit")
    return replace(state, phase="dawn", turn=1 - event.seat)


# --- rooms and encounters ----------------------------------------------------------------------------------


def build_room(state: AdamantineState, seat: int) -> ChoiceBegun:
    if not state.players[seat].dungeon_hand:
        raise IllegalCommand("no-dungeon-cards", "There is no dungeon card in hand to lay.")
    return ChoiceBegun(seat=seat, what="room")


def roll_encounter(state: AdamantineState, seat: int, chance: Chance) -> EncounterRolled:
    if state.players[seat].encounters:
        raise IllegalCommand("AM-13", "There is one random encounter a night.")
    draw, die = chance.roll("random encounter", DIE)
    return EncounterRolled(draw=draw, seat=seat, die=die)


def encounter_rolled(state: AdamantineState, event: EncounterRolled) -> AdamantineState:
    state = change_player(state, event.seat, encounters=1)
    return replace(state, choice=Choice(event.seat, "encounter", limit=event.die))


def layable(box: Box, state: AdamantineState, choice: Choice) -> list[int]:
    """Handles of the dungeon cards that can be laid next."""
    if choice.what == "encounter" and len(choice.picks) >= choice.limit:
        return []
    return [
        card.handle
        for card in state.players[choice.seat].dungeon_hand
        if card.handle not in choice.picks and not (choice.what == "encounter" and card.card in box.traps)
    ]


def lay_card(box: Box, state: AdamantineState, command: LayCard, choice: Choice) -> CardPicked:
    card = held(state.players[choice.seat].dungeon_hand, command.card)
    if card is None or card.handle in choice.picks:
        raise IllegalCommand("card-not-in-hand", "There is no such dungeon card left in the own hand.")
    if choice.what == "encounter":
        if card.card in box.traps:
            raise IllegalCommand("AM-13", "An encounter has monsters and events only.")
        if len(choice.picks) >= choice.limit:
            raise IllegalCommand("AM-13", "The die allows no more cards.")
    return CardPicked(seat=choice.seat, card=command.card)


def finish_laying(state: AdamantineState, choice: Choice) -> Event:
    hand = {card.handle: card.card for card in state.players[choice.seat].dungeon_hand}
    cards = tuple([hand[handle] for handle in choice.picks])
    if choice.what == "encounter":
        return EncounterLaid(seat=choice.seat, cards=cards)
    if not cards:
        raise IllegalCommand("room-without-cards", "A room has at least one card.")
    return RoomBuilt(seat=choice.seat, size=len(cards), cards=cards)


def room_built(state: AdamantineState, event: RoomBuilt) -> AdamantineState:
    return _laid(state, event, encounter=False)


def encounter_laid(box: Box, state: AdamantineState, event: EncounterLaid) -> AdamantineState:
    """The cards are met at once by the opponent's champion; none, and nothing happens."""
    if not event.cards:
        return replace(state, choice=None)
    state = _laid(state, event, encounter=True)
    return entered(box, state, 1 - event.seat, state.players[event.seat].rooms[-1], turned=True)


def _laid(state: AdamantineState, event: Any, *, encounter: bool) -> AdamantineState:
    assert state.choice is not None
    player, picks = state.players[event.seat], state.choice.picks
    first = state.handles + 1
    laid = tuple([Laid(handle, card, encounter) for handle, card in enumerate(event.cards, first + 1)])
    hand = tuple([card for card in player.dungeon_hand if card.handle not in picks])
    room = Room(first, laid, encounter=encounter)
    player = replace(player, dungeon_hand=hand, rooms=(*player.rooms, room))
    return replace(put_player(state, player), choice=None, handles=first + len(laid))
