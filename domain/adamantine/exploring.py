"""Exploring a room, step by step: the danger limit, events, rewards, the end. Between them combat and checks.

`onward` goes from step to step where nobody decides and nothing is drawn; `advance` pays what is owed.
"""

from msgspec.structs import replace

from domain.adamantine.box import Box
from domain.adamantine.commands import Cancel, Discard, Explore
from domain.adamantine.events import CardPicked, EventResolved, RewardEnded, RoomExplored, RoomTrimmed
from domain.adamantine.standing import danger_level, danger_of, explored_room, monsters_in, room_of
from domain.adamantine.state import AdamantineState, Cursor, Exploration, Laid, Room
from domain.adamantine.table import change_player, discarded_from_room, put_room
from domain.game import Event, IllegalCommand

# --- entering ----------------------------------------------------------------------------------------------


def explorable(state: AdamantineState, seat: int) -> list[int]:
    """Handles of the rooms the seat can explore now (AM-4)."""
    limit = state.options.explorations_per_day
    if limit is not None and state.players[seat].explorations >= limit:
        return []
    return [room.handle for room in state.players[1 - seat].rooms if not room.explored]


def explore(state: AdamantineState, command: Explore, seat: int) -> RoomExplored:
    room = room_of(state.players[1 - seat], command.room)
    if room is None:
        raise IllegalCommand("no-such-room", "The opponent has no such room.")
    if command.room not in explorable(state, seat):
        raise IllegalCommand("AM-4", "The room can't be explored again today.")
    return RoomExplored(seat=seat, room=room.handle, cards=tuple([laid.card for laid in room.cards]))


def room_explored(box: Box, state: AdamantineState, event: RoomExplored) -> AdamantineState:
    owner = 1 - event.seat
    room = room_of(state.players[owner], event.room)
    assert room is not None
    turned = not all(laid.up for laid in room.cards)
    cards = tuple([Laid(laid.handle, card, True) for laid, card in zip(room.cards, event.cards, strict=True)])
    room = replace(room, cards=cards, explored=True)
    state = put_room(state, owner, room)
    state = change_player(state, event.seat, explorations=state.players[event.seat].explorations + 1)
    return entered(box, state, event.seat, room, turned=turned)


def entered(box: Box, state: AdamantineState, explorer: int, room: Room, *, turned: bool) -> AdamantineState:
    """The champion stands in the room. A room just turned up may be too dangerous for it (AM-6)."""
    over = turned and danger_of(box, room.cards) > danger_level(box, state.players[explorer])
    exploration = Exploration(explorer, 1 - explorer, room.handle, "trimming" if over else "events")
    return onward(box, replace(state, exploration=exploration))


def onward(box: Box, state: AdamantineState) -> AdamantineState:
    """The exploration at the next step at which somebody decides, or something is drawn or told."""
    now = state.exploration
    if now is None or state.cursor is not None or state.dying:
        return state
    if now.step == "events":
        room = explored_room(state)
        if any(laid.card in box.events for laid in room.cards):
            return state
        if monsters_in(box, room):
            return replace(state, exploration=replace(now, step="combat"))
        return _to_checks(box, state, now)
    if now.step == "combat" and not monsters_in(box, explored_room(state)):
        return _to_checks(box, state, now)
    if now.step == "striking" and not now.queue:
        return _to_checks(box, state, now)
    if now.step in ("checks", "reward"):
        return _check_or_reward(state, now)
    return state


def _to_checks(box: Box, state: AdamantineState, now: Exploration) -> AdamantineState:
    traps = tuple([laid.handle for laid in explored_room(state).cards if laid.card in box.traps])
    changes = tuple([change for change in now.changes if change.lasting])
    return _check_or_reward(state, replace(now, step="checks", queue=traps, changes=changes))


def _check_or_reward(state: AdamantineState, now: Exploration) -> AdamantineState:
    """The reward, as long as there is gold and a hand to spend it on; then the next trap, then the end."""
    if now.gold and state.players[now.explorer].hero_hand:
        return replace(state, exploration=replace(now, step="reward"))
    if not now.queue:
        return replace(state, exploration=replace(now, step="ending"))
    return replace(state, exploration=replace(now, step="checks", gold=0))


def pick(state: AdamantineState, card: int, times: int = 1) -> AdamantineState:
    now = state.exploration
    assert now is not None
    return replace(state, exploration=replace(now, picks=(*now.picks, *(card,) * times)))


# --- the danger limit (AM-6) -------------------------------------------------------------------------------


def trimmable(box: Box, state: AdamantineState) -> list[Laid]:
    """The cards the room's owner can discard next, the most dangerous first."""
    now = state.exploration
    assert now is not None
    left = [laid for laid in explored_room(state).cards if laid.handle not in now.picks]
    return sorted(left, key=lambda laid: -box.danger[laid.card])


def trim(box: Box, state: AdamantineState, command: Discard) -> Event:
    now = state.exploration
    assert now is not None
    left = trimmable(box, state)
    if all(laid.handle != command.card for laid in left):
        raise IllegalCommand("no-such-card", "There is no such card left in the room.")
    danger = sum([box.danger[laid.card] for laid in left if laid.handle != command.card])
    if danger > danger_level(box, state.players[now.explorer]):
        return CardPicked(seat=now.owner, card=command.card)
    return RoomTrimmed(seat=now.owner, cards=(*now.picks, command.card))


def default_trim(box: Box, state: AdamantineState) -> Discard | Cancel:
    """The fewest cards, the most dangerous first; what was chosen otherwise is taken back first (AM-6)."""
    now = state.exploration
    assert now is not None
    order = sorted(explored_room(state).cards, key=lambda laid: -box.danger[laid.card])
    chosen = len(now.picks)
    if now.picks != tuple([laid.handle for laid in order[:chosen]]):
        return Cancel()
    return Discard(order[chosen].handle)


def room_trimmed(box: Box, state: AdamantineState, event: RoomTrimmed) -> AdamantineState:
    now = state.exploration
    assert now is not None
    state = discarded_from_room(state, event.seat, explored_room(state), event.cards)
    return onward(box, replace(state, exploration=replace(now, step="events", picks=())))


# --- events ------------------------------------------------------------------------------------------------


def next_event(box: Box, state: AdamantineState) -> EventResolved:
    return EventResolved(
        card=next(laid.handle for laid in explored_room(state).cards if laid.card in box.events)
    )


def event_resolved(state: AdamantineState, event: EventResolved) -> AdamantineState:
    now = state.exploration
    assert now is not None
    room = explored_room(state)
    card = next(laid.card for laid in room.cards if laid.handle == event.card)
    state = discarded_from_room(state, now.owner, room, (event.card,))
    return replace(state, cursor=Cursor(now.explorer, card, "event"))


# --- rewards and the end -----------------------------------------------------------------------------------


def end_reward(state: AdamantineState) -> RewardEnded:
    now = state.exploration
    assert now is not None
    return RewardEnded(seat=now.explorer, lost=now.gold)


def reward_ended(box: Box, state: AdamantineState) -> AdamantineState:
    now = state.exploration
    assert now is not None
    return onward(box, replace(state, exploration=replace(now, step="checks", gold=0)))


def ended(state: AdamantineState) -> AdamantineState:
    """A room left without cards ceases to exist; an encounter is over, whatever was beaten (AM-11)."""
    now = state.exploration
    assert now is not None
    player, room = state.players[now.owner], explored_room(state)
    discard = player.dungeon_discard
    rooms = player.rooms
    if room.encounter or not room.cards:
        rooms = tuple([one for one in rooms if one.handle != room.handle])
        discard = (*discard, *[laid.card for laid in room.cards])
    state = change_player(state, now.owner, rooms=rooms, dungeon_discard=discard)
    return replace(state, exploration=None, cursor=None)
