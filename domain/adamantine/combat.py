"""The combat of an exploration: a statistic, a die, the damage divided, the survivors' damage taken."""

from msgspec.structs import replace

from domain.adamantine.box import Box
from domain.adamantine.commands import AssignDamage, ChooseStatistic, TakeDamage
from domain.adamantine.events import CardPicked, DamageDivided, DamageRolled, MonsterStruck, StatisticChosen
from domain.adamantine.exploring import onward
from domain.adamantine.standing import (
    explored_room,
    monster_damage,
    monster_health,
    monsters_in,
    next_in_queue,
    rolled,
    total,
)
from domain.adamantine.state import AdamantineState, Cursor, Piece
from domain.adamantine.table import discarded_from_play, discarded_from_room, wounded
from domain.chance import Chance
from domain.game import Event, IllegalCommand

DIE = 6


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
    """The division where every one comes to the same: the damage is enough for all monsters, or for none (AM-15)."""
    now = state.exploration
    assert now is not None
    lacks = missing(box, state)
    left = now.damage - len(now.picks)
    if sum(lacks.values()) <= left:
        return DamageDivided(seat=now.explorer, beaten=tuple(lacks))
    if not now.picks and min(lacks.values()) > left:
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
