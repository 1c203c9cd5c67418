"""What effects do when they are performed: of abilities, events, traps and strikes, one after the other."""

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from domain.adamantine import effects as v
from domain.adamantine.box import Box
from domain.adamantine.checks import passed
from domain.adamantine.combat import beaten
from domain.adamantine.commands import Discard, Use
from domain.adamantine.events import (
    AbilityUsed,
    CardPicked,
    CardsLost,
    ChoiceBegun,
    DungeonCardsDiscarded,
    EffectPerformed,
    HeroCardsDrawn,
    RoomSeen,
)
from domain.adamantine.exploring import onward
from domain.adamantine.pack import Ability
from domain.adamantine.standing import (
    explored_room,
    monster_health,
    monsters_in,
    next_in_queue,
    piece_of,
    room_of,
    total,
)
from domain.adamantine.state import AdamantineState, Change, Choice, Cursor
from domain.adamantine.table import (
    change_player,
    discarded_from_play,
    dungeon_cards_discarded,
    hero_cards_drawn,
    put_player,
    put_room,
    wounded,
)
from domain.game import Event, IllegalCommand

NO_TARGET = 0


# --- using an ability --------------------------------------------------------------------------------------


def usable(box: Box, state: AdamantineState, seat: int, time: str) -> list[tuple[int, int]]:
    """What the seat can use at this time: handles of the card and of what it is aimed at."""
    found: list[tuple[int, int]] = []
    for piece in state.players[seat].in_play:
        ability = box.gear[piece.card].ability
        if ability is not None and ability.time == time and piece.used < ability.uses:
            found += [(piece.handle, target) for target in targets(box, state, seat, ability)]
    return found


def targets(box: Box, state: AdamantineState, seat: int, ability: Ability) -> list[int]:
    """What an ability can be aimed at: handles, NO_TARGET where it needs none, nothing where it would do nothing."""
    useful = False
    for effect in ability.effects:
        match effect:
            case v.Smite(health=most):
                now = state.exploration
                assert now is not None
                return [
                    laid.handle
                    for laid in monsters_in(box, explored_room(state))
                    if monster_health(box, now, laid.card) <= most
                ]
            case v.Scout():
                return [NO_TARGET] if scoutable(state, seat) else []
        useful = useful or _useful(box, state, seat, effect)
    return [NO_TARGET] if useful else []


def scoutable(state: AdamantineState, seat: int) -> list[int]:
    """Handles of the opponent's rooms that can be looked into."""
    return [
        room.handle
        for room in state.players[1 - seat].rooms
        if not room.seen and not all(laid.up for laid in room.cards)
    ]


def _useful(box: Box, state: AdamantineState, seat: int, effect: v.Used) -> bool:
    player = state.players[seat]
    match effect:
        case v.Heal():
            return player.wounds > 0
        case v.Draw():
            return bool(player.hero_deck)
        case v.Mill(whose=whose):
            return bool(state.players[seat if whose == "own" else 1 - seat].dungeon_deck)
        case v.Disarm(value=value):
            return box.traps[next_in_queue(state).card].value <= value
        case v.Boost(statistic=statistic):
            now = state.exploration
            assert now is not None
            return (
                now.step == "combat"
                or statistic is None
                or statistic == box.traps[next_in_queue(state).card].statistic
            )
    return True


def use(box: Box, state: AdamantineState, command: Use, seat: int, time: str) -> Event:
    piece = piece_of(state.players[seat], command.card)
    ability = box.gear[piece.card].ability if piece is not None else None
    if piece is None or ability is None:
        raise IllegalCommand("no-such-ability", "There is no such card in play with an ability.")
    if ability.time != time:
        raise IllegalCommand("wrong-time", f"{box.name(piece.card)} is not used now.")
    if piece.used >= ability.uses:
        raise IllegalCommand("ability-used-up", f"{box.name(piece.card)} can't be used again this turn.")
    if command.target not in targets(box, state, seat, ability):
        raise IllegalCommand("no-such-target", f"{box.name(piece.card)} can't be aimed at that.")
    if any(isinstance(effect, v.Scout) for effect in ability.effects):
        return ChoiceBegun(seat=seat, what="aim", card=piece.handle)
    return AbilityUsed(seat=seat, card=piece.handle, target=command.target)


def aim(state: AdamantineState, command: Use, choice: Choice) -> AbilityUsed:
    """An ability that was taken up is aimed at one of many rooms."""
    if command.card != choice.card or command.target not in scoutable(state, choice.seat):
        raise IllegalCommand("no-such-target", "It can't be aimed at that.")
    return AbilityUsed(seat=choice.seat, card=command.card, target=command.target)


def ability_used(box: Box, state: AdamantineState, event: AbilityUsed) -> AdamantineState:
    player = state.players[event.seat]
    piece = piece_of(player, event.card)
    assert piece is not None
    ability = box.gear[piece.card].ability
    assert ability is not None
    state = replace(state, choice=None, cursor=Cursor(event.seat, piece.card, "use", 0, event.target))
    if ability.discard:
        return discarded_from_play(box, state, event.seat, (event.card,))
    used = replace(piece, used=piece.used + 1)
    in_play = tuple([used if one.handle == event.card else one for one in player.in_play])
    return put_player(state, replace(player, in_play=in_play))


# --- performing --------------------------------------------------------------------------------------------


def effect_at(box: Box, cursor: Cursor) -> v.Effect:
    return box.effects(cursor.card, cursor.part)[cursor.done]


def finished(box: Box, cursor: Cursor) -> bool:
    return cursor.done >= len(box.effects(cursor.card, cursor.part))


def losable(box: Box, state: AdamantineState, cursor: Cursor) -> list[tuple[int, str]]:
    """Handles and names of what can be discarded for the effect at hand; nothing for one that asks for none."""
    player = state.players[cursor.seat]
    match effect_at(box, cursor):
        case v.Lose(kind=kind):
            return [
                (piece.handle, piece.card)
                for piece in player.in_play
                if kind in ("any", box.kinds[piece.card])
            ]
        case v.Forget():
            return [(card.handle, card.card) for card in player.hero_hand]
    return []


def owed_cards(box: Box, state: AdamantineState) -> int:
    """How many cards the effect at hand still asks the explorer to discard."""
    cursor = state.cursor
    if cursor is None:
        return 0
    effect = effect_at(box, cursor)
    if not isinstance(effect, v.Lose | v.Forget):
        return 0
    now = state.exploration
    assert now is not None
    return min(effect.cards, len(losable(box, state, cursor))) - len(now.picks)


def perform(box: Box, state: AdamantineState, cursor: Cursor) -> Event | None:
    """The event of the next effect; None while the explorer has to choose cards for it."""
    effect = effect_at(box, cursor)
    player, other = state.players[cursor.seat], state.players[1 - cursor.seat]
    match effect:
        case v.Draw(cards=cards):
            drawn = player.hero_deck[:cards]
            return HeroCardsDrawn(seat=cursor.seat, drawn=len(drawn), cards=drawn)
        case v.Mill(cards=cards, whose=whose):
            whom = player if whose == "own" else other
            return DungeonCardsDiscarded(seat=whom.seat, cards=whom.dungeon_deck[:cards])
        case v.Scout():
            room = room_of(other, cursor.target)
            assert room is not None
            return RoomSeen(
                seat=cursor.seat, room=room.handle, cards=tuple([laid.card for laid in room.cards])
            )
        case v.Lose() | v.Forget():
            if owed_cards(box, state):
                return None
    return EffectPerformed(seat=cursor.seat, card=cursor.card, part=cursor.part, number=cursor.done)


def discard(box: Box, state: AdamantineState, command: Discard, cursor: Cursor) -> Event:
    now = state.exploration
    assert now is not None
    cards = dict(losable(box, state, cursor))
    if command.card not in cards or command.card in now.picks:
        raise IllegalCommand("no-such-card", "That card can't be discarded for this.")
    picks = (*now.picks, command.card)
    if owed_cards(box, state) > 1:
        return CardPicked(seat=cursor.seat, card=command.card)
    return CardsLost(seat=cursor.seat, handles=picks, cards=tuple([cards[handle] for handle in picks]))


# --- what events do ----------------------------------------------------------------------------------------


def counted(box: Box, state: AdamantineState) -> AdamantineState:
    """One effect more is performed."""
    cursor = state.cursor
    if cursor is None:
        return state
    cursor = replace(cursor, done=cursor.done + 1)
    return replace(state, cursor=None if finished(box, cursor) else cursor)


def cards_lost(box: Box, state: AdamantineState, event: CardsLost) -> AdamantineState:
    now, player = state.exploration, state.players[event.seat]
    assert now is not None
    state = counted(box, replace(state, exploration=replace(now, picks=())))
    if any(card.handle in event.handles for card in player.hero_hand):
        state = change_player(
            state,
            event.seat,
            hero_hand=tuple([card for card in player.hero_hand if card.handle not in event.handles]),
            hero_discard=(*player.hero_discard, *event.cards),
        )
    else:
        state = discarded_from_play(box, state, event.seat, event.handles)
    return onward(box, state)


def drawn(box: Box, state: AdamantineState, event: HeroCardsDrawn) -> AdamantineState:
    return onward(box, counted(box, hero_cards_drawn(state, event.seat, event.cards)))


def milled(box: Box, state: AdamantineState, event: DungeonCardsDiscarded) -> AdamantineState:
    return onward(box, counted(box, dungeon_cards_discarded(state, event.seat, event.cards)))


def seen(box: Box, state: AdamantineState, event: RoomSeen) -> AdamantineState:
    owner = 1 - event.seat
    room = room_of(state.players[owner], event.room)
    assert room is not None
    return counted(box, put_room(state, owner, replace(room, seen=True)))


def performed(box: Box, state: AdamantineState, event: EffectPerformed) -> AdamantineState:
    cursor = state.cursor
    assert cursor is not None
    effect = box.effects(event.card, event.part)[event.number]
    state = _performed(box, counted(box, state), cursor, effect)  # type: ignore[arg-type]
    return onward(box, state)


def _performed(box: Box, state: AdamantineState, cursor: Cursor, effect: v.Performed) -> AdamantineState:
    player = state.players[cursor.seat]
    match effect:
        case v.Heal(amount=amount):
            return change_player(state, cursor.seat, wounds=max(0, player.wounds - amount))
        case v.Harm(amount=amount, whom=whom):
            seats = [cursor.seat, 1 - cursor.seat] if whom == "both" else [cursor.seat]
            return _harmed(box, state, seats, amount, warded=cursor.part != "strike")
        case v.SearchAgain():
            return change_player(state, cursor.seat, searches=player.searches + 1)
        case v.Draw() | v.Mill() | v.Scout() | v.Lose() | v.Forget():
            return state
    return _in_room(box, state, cursor, effect)


def _harmed(
    box: Box, state: AdamantineState, seats: Sequence[int], amount: int, *, warded: bool
) -> AdamantineState:
    """Champions are wounded; a ward helps against traps and events, not against monsters that strike."""
    for seat in seats:
        ward = total(box, state.players[seat], "ward") if warded else 0
        state = wounded(box, state, seat, max(0, amount - ward))
    return state


def _in_room(
    box: Box,
    state: AdamantineState,
    cursor: Cursor,
    effect: v.Boost | v.Curse | v.Shield | v.Smite | v.Disarm | v.Gold | v.Rage | v.Toughen | v.Leave,
) -> AdamantineState:
    now = state.exploration
    assert now is not None
    match effect:
        case v.Boost(amount=amount, statistic=statistic):
            change = Change(amount, statistic or "")
            return replace(state, exploration=replace(now, changes=(*now.changes, change)))
        case v.Curse(amount=amount, statistic=statistic):
            change = Change(-amount, statistic or "", lasting=True)
            return replace(state, exploration=replace(now, changes=(*now.changes, change)))
        case v.Shield(amount=amount):
            return replace(state, exploration=replace(now, shield=now.shield + amount))
        case v.Smite():
            return beaten(box, state, (cursor.target,))
        case v.Disarm():
            return passed(box, state)
        case v.Gold(amount=amount):
            return replace(state, exploration=replace(now, gold=now.gold + amount))
        case v.Rage(amount=amount):
            return replace(state, exploration=replace(now, rage=now.rage + amount))
        case v.Toughen(amount=amount):
            return replace(state, exploration=replace(now, toughness=now.toughness + amount))
        case v.Leave():
            return replace(state, exploration=replace(now, step="ending", queue=(), gold=0))
    assert_never(effect)
