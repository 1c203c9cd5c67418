"""Moving cards about the table: hands, play, rooms and discards. Nothing here asks whether it is allowed."""

from typing import Any

from msgspec.structs import replace

from domain.adamantine.box import Box
from domain.adamantine.standing import health
from domain.adamantine.state import AdamantineState, Held, Piece, Player, Room


def change_player(state: AdamantineState, seat: int, **changes: Any) -> AdamantineState:
    return put_player(state, replace(state.players[seat], **changes))


def put_player(state: AdamantineState, player: Player) -> AdamantineState:
    one, other = state.players
    return replace(state, players=(player, other) if player.seat == 0 else (one, player))


def deal(state: AdamantineState, hand: tuple[Held, ...], cards: tuple[str, ...]) -> tuple[Held, ...]:
    """The hand with cards added under the next handles; the caller counts them on."""
    first = state.handles + 1
    return (*hand, *[Held(handle, card) for handle, card in enumerate(cards, first)])


def hero_cards_drawn(state: AdamantineState, seat: int, cards: tuple[str, ...]) -> AdamantineState:
    player = state.players[seat]
    hand = deal(state, player.hero_hand, cards)
    player = replace(player, hero_hand=hand, hero_deck=player.hero_deck[len(cards) :])
    return replace(put_player(state, player), handles=state.handles + len(cards))


def dungeon_cards_discarded(state: AdamantineState, seat: int, cards: tuple[str, ...]) -> AdamantineState:
    player = state.players[seat]
    return change_player(
        state,
        seat,
        dungeon_deck=player.dungeon_deck[len(cards) :],
        dungeon_discard=(*player.dungeon_discard, *cards),
    )


def brought_into_play(state: AdamantineState, seat: int, handle: int, card: str) -> AdamantineState:
    """A card of the hand comes into play under a new handle."""
    player = state.players[seat]
    piece = Piece(state.handles + 1, card)
    hand = tuple([one for one in player.hero_hand if one.handle != handle])
    player = replace(player, hero_hand=hand, in_play=(*player.in_play, piece))
    return replace(put_player(state, player), handles=piece.handle)


def discarded_from_play(
    box: Box, state: AdamantineState, seat: int, handles: tuple[int, ...]
) -> AdamantineState:
    player = state.players[seat]
    gone = tuple([piece.card for piece in player.in_play if piece.handle in handles])
    player = replace(
        player,
        in_play=tuple([piece for piece in player.in_play if piece.handle not in handles]),
        hero_discard=(*player.hero_discard, *gone),
    )
    return checked(box, put_player(state, player), seat)


def put_room(state: AdamantineState, owner: int, room: Room) -> AdamantineState:
    """The owner's rooms with this one changed."""
    rooms = tuple([room if one.handle == room.handle else one for one in state.players[owner].rooms])
    return change_player(state, owner, rooms=rooms)


def discarded_from_room(
    state: AdamantineState, owner: int, room: Room, handles: tuple[int, ...]
) -> AdamantineState:
    player = state.players[owner]
    gone = tuple([laid.card for laid in room.cards if laid.handle in handles])
    left = replace(room, cards=tuple([laid for laid in room.cards if laid.handle not in handles]))
    rooms = tuple([left if one.handle == room.handle else one for one in player.rooms])
    return change_player(state, owner, rooms=rooms, dungeon_discard=(*player.dungeon_discard, *gone))


def wounded(box: Box, state: AdamantineState, seat: int, wounds: int) -> AdamantineState:
    state = change_player(state, seat, wounds=max(0, state.players[seat].wounds + wounds))
    return checked(box, state, seat)


def checked(box: Box, state: AdamantineState, seat: int) -> AdamantineState:
    """A champion whose wounds have reached its health dies: what was going on with it stops (AM-5)."""
    player = state.players[seat]
    if player.champion is None or player.wounds < health(box, player) or seat in state.dying:
        return state
    dying = tuple(sorted((*state.dying, seat), key=lambda one: one != state.turn))
    return replace(state, dying=dying, cursor=None)
