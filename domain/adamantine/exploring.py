"""Exploring a room, step by step: the danger limit, events, the combat, the checks, rewards, the end.

`onward` goes from step to step where nobody decides and nothing is drawn; `advance` pays what is owed.
"""

from msgspec.structs import replace

from domain.adamantine.box import Box
from domain.adamantine.commands import AssignDamage, Cancel, ChooseStatistic, Discard, Explore, TakeDamage
from domain.adamantine.events import (
    CardPicked,
    CheckRolled,
    DamageDivided,
    DamageRolled,
    EventResolved,
    MonsterStruck,
    RewardEnded,
    RoomExplored,
    RoomTrimmed,
    StatisticChosen,
)
from domain.adamantine.standing import (
    danger_level,
    danger_of,
    explored_room,
    monster_damage,
    monster_health,
    monsters_in,
    rolled,
    room_of,
    statistic,
    total,
)
from domain.adamantine.state import AdamantineState, Cursor, Exploration, Laid, Piece, Room
from domain.adamantine.table import (
    change_player,
    discarded_from_play,
    discarded_from_room,
    put_room,
    wounded,
)
from domain.chance import Chance
from domain.game import Event, IllegalCommand

DIE = 6


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
    if now.step == "checks":
        return _check_or_reward(state, now)
    return state


def _to_checks(box: Box, state: AdamantineState, now: Exploration) -> AdamantineState:
    traps = tuple([laid.handle for laid in explored_room(state).cards if laid.card in box.traps])
    changes = tuple([change for change in now.changes if change.lasting])
    return _check_or_reward(state, replace(now, step="checks", queue=traps, changes=changes))


def _check_or_reward(state: AdamantineState, now: Exploration) -> AdamantineState:
    if now.gold and state.players[now.explorer].hero_hand:
        return replace(state, exploration=replace(now, step="reward"))
    if not now.queue:
        return replace(state, exploration=replace(now, step="ending"))
    return replace(state, exploration=replace(now, gold=0))


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


# --- the combat --------------------------------------------------------------------------------------------


def choose_statistic(command: ChooseStatistic, seat: int) -> StatisticChosen:
    return StatisticChosen(seat=seat, statistic=command.statistic)


def statistic_chosen(state: AdamantineState, event: StatisticChosen) -> AdamantineState:
    now = state.exploration
    assert now is not None
    return replace(state, exploration=replace(now, step="rolling", statistic=event.statistic))


def roll_damage(box: Box, state: AdamantineState, chance: Chance) -> DamageRolled:
    now = state.exploration
    assert now is not None
    draw, die = chance.roll("damage", DIE)
    return DamageRolled(draw=draw, die=die, damage=max(0, die + rolled(box, state, now.statistic)))


def damage_rolled(state: AdamantineState, event: DamageRolled) -> AdamantineState:
    now = state.exploration
    assert now is not None
    return replace(state, exploration=replace(now, step="dividing", damage=event.damage))


def missing(box: Box, state: AdamantineState) -> dict[int, int]:
    """For each monster what it still lacks to die, after what is assigned."""
    now = state.exploration
    assert now is not None
    return {
        laid.handle: monster_health(box, now, laid.card) - now.picks.count(laid.handle)
        for laid in monsters_in(box, explored_room(state))
    }


def only_division(box: Box, state: AdamantineState) -> DamageDivided | None:
    """The division where every one comes to the same: enough for all, enough for none, or a single monster (AM-15)."""
    now = state.exploration
    assert now is not None
    lacks = missing(box, state)
    left = now.damage - len(now.picks)
    if sum(lacks.values()) <= left:
        return DamageDivided(seat=now.explorer, beaten=tuple(lacks))
    if not now.picks and (len(lacks) == 1 or min(lacks.values()) > left):
        return DamageDivided(seat=now.explorer, beaten=())
    return None


def assignable(box: Box, state: AdamantineState) -> list[tuple[int, int]]:
    """Monsters with the points that can be assigned to them next: one, or all they lack."""
    now = state.exploration
    assert now is not None
    left = now.damage - len(now.picks)
    found = []
    for handle, lack in missing(box, state).items():
        if lack > 0:
            found.append((handle, 1))
            if 1 < lack <= left:
                found.append((handle, lack))
    return found


def assign_damage(box: Box, state: AdamantineState, command: AssignDamage) -> Event:
    now = state.exploration
    assert now is not None
    if (command.card, command.points) not in assignable(box, state):
        raise IllegalCommand("no-such-division", "A monster gets one point, or all it lacks to die.")
    picks = (*now.picks, *(command.card,) * command.points)
    after = replace(state, exploration=replace(now, picks=picks))
    lacks = missing(box, after)
    if len(picks) >= now.damage or not any(lacks.values()):
        return DamageDivided(
            seat=now.explorer, beaten=tuple(card for card, lack in lacks.items() if not lack)
        )
    return CardPicked(seat=now.explorer, card=command.card, times=command.points)


def damage_divided(box: Box, state: AdamantineState, event: DamageDivided) -> AdamantineState:
    now = state.exploration
    assert now is not None
    state = beaten(box, state, event.beaten)
    now = state.exploration
    assert now is not None
    left = tuple([laid.handle for laid in monsters_in(box, explored_room(state))])
    return onward(
        box, replace(state, exploration=replace(now, step="striking", queue=left, picks=(), damage=0))
    )


def beaten(box: Box, state: AdamantineState, handles: tuple[int, ...]) -> AdamantineState:
    """Monsters that die and traps that are passed: discarded, their reward gold pooled (AM-14)."""
    now = state.exploration
    assert now is not None
    room = explored_room(state)
    plunder = total(box, state.players[now.explorer], "plunder")
    gold = 0
    for laid in room.cards:
        if laid.handle in handles:
            gold += box.dungeon[laid.card].reward + plunder  # type: ignore[union-attr]
    state = discarded_from_room(state, now.owner, room, handles)
    return replace(state, exploration=replace(now, gold=now.gold + gold))


def guards(box: Box, state: AdamantineState) -> list[Piece]:
    """Allies that may take the next monster's damage (AM-7)."""
    now = state.exploration
    assert now is not None
    return [piece for piece in state.players[now.explorer].in_play if box.gear[piece.card].guard]


def next_in_queue(state: AdamantineState) -> Laid:
    now = state.exploration
    assert now is not None
    return next(laid for laid in explored_room(state).cards if laid.handle == now.queue[0])


def strike(box: Box, state: AdamantineState, target: int) -> MonsterStruck:
    """The next monster's damage to the champion (less its armour) or to an ally."""
    now = state.exploration
    assert now is not None
    player = state.players[now.explorer]
    assert player.champion is not None
    damage = monster_damage(box, state, next_in_queue(state))
    if target == player.champion.handle:
        damage = max(0, damage - total(box, player, "armour") - now.shield)
    return MonsterStruck(card=now.queue[0], target=target, damage=damage)


def take_damage(box: Box, state: AdamantineState, command: TakeDamage, seat: int) -> MonsterStruck:
    champion = state.players[seat].champion
    assert champion is not None
    if command.card != champion.handle and all(command.card != one.handle for one in guards(box, state)):
        raise IllegalCommand("AM-7", "The champion takes the damage, or an ally whose card says so.")
    return strike(box, state, command.card)


def monster_struck(box: Box, state: AdamantineState, event: MonsterStruck) -> AdamantineState:
    now = state.exploration
    assert now is not None
    card = next_in_queue(state).card
    state = replace(state, exploration=replace(now, queue=now.queue[1:]))
    if box.monsters[card].strike:
        state = replace(state, cursor=Cursor(now.explorer, card, "strike"))
    player = state.players[now.explorer]
    assert player.champion is not None
    if event.target == player.champion.handle:
        state = wounded(box, state, now.explorer, event.damage)
    else:
        guard = next(piece for piece in player.in_play if piece.handle == event.target)
        if event.damage >= box.gear[guard.card].guard:
            state = discarded_from_play(box, state, now.explorer, (guard.handle,))
    return onward(box, state)


# --- the checks --------------------------------------------------------------------------------------------


def trap_at_hand(state: AdamantineState) -> Laid:
    return next_in_queue(state)


def roll_check(box: Box, state: AdamantineState, chance: Chance) -> CheckRolled:
    now = state.exploration
    assert now is not None
    trap = box.traps[trap_at_hand(state).card]
    value = statistic(box, state.players[now.explorer], trap.statistic, now, combat=False)
    draw, die = chance.roll("check", DIE)
    return CheckRolled(draw=draw, card=now.queue[0], die=die, total=die + value)


def check_begun(state: AdamantineState) -> AdamantineState:
    now = state.exploration
    assert now is not None
    return replace(state, exploration=replace(now, step="checking"))


def check_rolled(box: Box, state: AdamantineState, event: CheckRolled) -> AdamantineState:
    """Higher is a success, lower a failure; equal is neither, and the trap stays (AM-8)."""
    card = trap_at_hand(state).card
    value = box.traps[card].value
    if event.total > value:
        return passed(box, state)
    state = _next_trap(state)
    now = state.exploration
    assert now is not None
    if event.total < value:
        state = replace(state, cursor=Cursor(now.explorer, card, "failure"))
    return onward(box, state)


def passed(box: Box, state: AdamantineState) -> AdamantineState:
    """The trap at hand is beaten; what its success brings follows."""
    laid = trap_at_hand(state)
    state = _next_trap(beaten(box, state, (laid.handle,)))
    now = state.exploration
    assert now is not None
    if box.traps[laid.card].success:
        state = replace(state, cursor=Cursor(now.explorer, laid.card, "success"))
    return onward(box, state)


def _next_trap(state: AdamantineState) -> AdamantineState:
    now = state.exploration
    assert now is not None
    changes = tuple([change for change in now.changes if change.lasting])
    return replace(state, exploration=replace(now, step="checks", queue=now.queue[1:], changes=changes))


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
