"""How good a table is for a seat, as bots judge it: champions, decks, rooms, and how an exploration will go."""

from functools import lru_cache

from msgspec.structs import replace

from domain.adamantine import playing
from domain.adamantine.box import Box, Gear
from domain.adamantine.effects import STATS, Curse, Harm, Heal, Horde, Mill
from domain.adamantine.standing import (
    danger_level,
    health,
    monster_health,
    pieces,
    price,
    room_of,
    statistic,
    total,
)
from domain.adamantine.state import AdamantineState, Exploration, Laid, Piece, Player, Room
from domain.adamantine.table import brought_into_play, discarded_from_play

WIN = 10_000.0
HEALTH, LAST_HEALTH = 1.0, 14.0  # a point of health left, and how the last ones weigh more
DUNGEON_CARD, HERO_CARD = 1.3, 0.3  # of the own deck, in the own hand
ROOM, ANY_ROOM = 0.8, 2.0  # a room in the way of a search
LATER = 0.9  # a dungeon card in hand by night, of what it is worth as a room of its own
THREAT = 0.5  # harm a room is expected to do, while nobody is in it
UNKNOWN = 1.1  # harm expected of a face-down card
DIE = 6
GOLD, LEFT_GOLD = 0.3, 0.35  # of a card in play, of a reward not spent
USED_UP = 0.05
DEADLY = 40.0


def evaluate(box: Box, state: AdamantineState, seat: int) -> float:
    """What the seat has less what the other has, and what the exploration that goes on will do."""
    if state.phase == "over":
        return WIN if state.winner == seat else 0.0 if state.winner < 0 else -WIN
    if state.dying:
        return -WIN / 2 if seat in state.dying else WIN / 2
    choice = state.choice
    if choice is not None and choice.seat == seat and choice.what == "payment":
        state = _paid(box, state)
    mine, other = state.players[seat], state.players[1 - seat]
    value = _strength(box, mine) - _strength(box, other)
    value += DUNGEON_CARD * (_clock(mine) - _clock(other))
    value += HERO_CARD * (len(mine.hero_hand) - len(other.hero_hand))
    value += _rooms(box, state, mine, other, known=True) - _rooms(box, state, other, mine, known=False)
    if state.phase == "night" and state.turn == seat:
        value += _night(box, state, mine, other)
    now = state.exploration
    if now is not None:
        value += _expected(box, state, now) * (1 if now.explorer == seat else -1)
    if state.phase == "day" and state.turn == seat:
        value += 0.5 * DUNGEON_CARD * mine.searches  # not yet made
    return value


def _clock(player: Player) -> float:
    """Cards of the dungeon deck; the last ones count more."""
    left = len(player.dungeon_deck)
    return left - 12.0 / (left + 1)


# --- a champion --------------------------------------------------------------------------------------------


def _strength(box: Box, player: Player) -> float:
    if player.champion is None:
        return 0.0
    gears = [box.gear[piece.card] for piece in pieces(player)]
    fight = [sum([gear.combat[place] for gear in gears]) for place in range(len(STATS))]
    tried = [sum([gear.check[place] for gear in gears]) for place in range(len(STATS))]
    value = 1.3 * max(fight) + 0.12 * sum(fight) + sum([min(one, 8) for one in tried]) * 0.35
    value += sum([_worth(gear) for gear in gears])
    left = health(box, player) - player.wounds
    value += HEALTH * left - LAST_HEALTH / max(0.5, left)
    value -= USED_UP * sum([piece.used for piece in player.in_play])
    return value


@lru_cache(maxsize=4096)
def _worth(gear: Gear) -> float:
    """What a card in play is worth beside its statistics and health."""
    value = GOLD * gear.gold - 0.08 * gear.danger
    value += 1.6 * gear.armour + 0.8 * gear.ward + 0.9 * gear.plunder + 0.7 * gear.insight
    value += (
        1.3 * gear.searching + 0.45 * min(gear.guard, 6) + 0.6 * len(gear.slayer) + 0.4 * len(gear.cheaper)
    )
    if gear.ability is not None:
        value += 1.2 if gear.ability.discard else 2.0
    return value


# --- rooms -------------------------------------------------------------------------------------------------


def _rooms(box: Box, state: AdamantineState, owner: Player, explorer: Player, *, known: bool) -> float:
    """What rooms are worth to their owner; the one that is being explored counts for itself."""
    now = state.exploration
    here = now.room if now is not None else 0
    rooms = [room for room in owner.rooms if room.handle != here]
    if not rooms:
        return 0.0
    return ANY_ROOM + sum([_room(box, room, explorer, known=known) for room in rooms])


def _room(box: Box, room: Room, explorer: Player, *, known: bool) -> float:
    if not known and not room.seen and not all(laid.up for laid in room.cards):
        return ROOM + THREAT * UNKNOWN * len(room.cards)
    cards = tuple([laid.card for laid in room.cards])
    if not all(laid.up for laid in room.cards):
        cards = _within(box, cards, danger_level(box, explorer))
    return ROOM + THREAT * _harm(box, cards, explorer, None)


def _within(box: Box, cards: tuple[str, ...], level: int) -> tuple[str, ...]:
    """What is left of a room that is too dangerous for the explorer."""
    left = sorted(cards, key=lambda card: -box.danger[card])
    while sum([box.danger[card] for card in left]) > level:
        left.pop(0)
    return tuple(left)


def _night(box: Box, state: AdamantineState, mine: Player, other: Player) -> float:
    """Dungeon cards still in hand, and what is being put together."""
    choice = state.choice
    picks = choice.picks if choice is not None else ()
    rest = [card.card for card in mine.dungeon_hand if card.handle not in picks]
    value = LATER * sum([_alone(box, card, other) for card in rest])
    if choice is None:
        return value
    laid = tuple([card.card for card in mine.dungeon_hand if card.handle in picks])
    if choice.what == "encounter":
        return value + _harm(box, _within(box, laid, danger_level(box, other)), other, None) + 0.05
    if not laid:
        return value + 0.05
    return value + ROOM + THREAT * _harm(box, _within(box, laid, danger_level(box, other)), other, None)


def _alone(box: Box, card: str, explorer: Player) -> float:
    return ROOM + THREAT * _harm(box, _within(box, (card,), danger_level(box, explorer)), explorer, None)


# --- what a room will do -----------------------------------------------------------------------------------


def _harm(box: Box, cards: tuple[str, ...], explorer: Player, now: Exploration | None) -> float:
    """Wounds and losses a champion can expect of cards, less half of what it earns by them."""
    monsters = [card for card in cards if card in box.monsters]
    value = _fight(box, monsters, explorer, now) if monsters else 0.0
    ward = total(box, explorer, "ward")
    for card in cards:
        if card in box.traps:
            value += _trap(box, card, explorer, now, ward)
        elif card in box.events:
            value += sum([_suffering(effect, ward) for effect in box.events[card].effects])
    return value


def _fight(box: Box, monsters: list[str], explorer: Player, now: Exploration | None) -> float:
    named = now.statistic if now is not None and now.step == "rolling" else ""
    best = max(
        [
            statistic(box, explorer, stat, now, combat=True)
            - sum([box.hardness[card][place] for card in monsters])
            + _slaying(box, monsters, explorer)
            for place, stat in enumerate(STATS)
            if not named or stat == named
        ]
    )
    armour = total(box, explorer, "armour") + (now.shield if now is not None else 0)
    rage, tough = (now.rage, now.toughness) if now is not None else (0, 0)
    harm = 0.0
    for die in range(1, DIE + 1):
        points = max(0, best + die)
        left = []
        for card in sorted(monsters, key=lambda card: box.monsters[card].health):
            needed = box.monsters[card].health + tough
            if needed <= points:
                points -= needed
                harm -= LEFT_GOLD * box.monsters[card].reward
            else:
                left.append(card)
        for card in left:
            horde = sum([e.amount for e in box.monsters[card].nature if isinstance(e, Horde)]) * (
                len(left) - 1
            )
            harm += max(0, box.monsters[card].damage + rage + horde - armour) + ROOM
            harm += sum([_suffering(effect, 0) for effect in box.monsters[card].strike])
    return harm / DIE


def _slaying(box: Box, monsters: list[str], explorer: Player) -> int:
    value = 0
    for piece in pieces(explorer):
        for trait, amount in box.gear[piece.card].slayer:
            if any(trait in box.monsters[card].traits for card in monsters):
                value += amount
    return value


def _trap(box: Box, card: str, explorer: Player, now: Exploration | None, ward: int) -> float:
    trap = box.traps[card]
    lacks = trap.value - statistic(box, explorer, trap.statistic, now, combat=False)
    fails = min(DIE, max(0, lacks - 1)) / DIE
    passes = min(DIE, max(0, DIE - lacks)) / DIE
    harm = fails * sum([_suffering(effect, ward) for effect in trap.failure])
    return harm - passes * (LEFT_GOLD * trap.reward - ROOM / 2) + (1 - passes) * ROOM


def _suffering(effect: object, ward: int) -> float:
    match effect:
        case Harm(amount=amount, whom=whom):
            return max(0, amount - ward) * (0.2 if whom == "both" else 1.0)
        case Heal(amount=amount):
            return -0.7 * amount
        case Curse(amount=amount, statistic=stat):
            return 0.3 * amount * (1 if stat else 2)
        case Mill(cards=cards, whose=whose):
            return DUNGEON_CARD * cards * (1 if whose == "own" else -1)
    return 1.2


def _expected(box: Box, state: AdamantineState, now: Exploration) -> float:
    """What the exploration is still going to bring the explorer."""
    explorer = state.players[now.explorer]
    room = room_of(state.players[now.owner], now.room)
    assert room is not None
    cards = room.cards
    gold = LEFT_GOLD * now.gold
    if now.step == "trimming":
        left = tuple([laid.card for laid in cards if laid.handle not in now.picks])
        return -_harm(box, _within(box, left, danger_level(box, explorer)), explorer, now)
    if now.step == "dividing":
        cards, earned = _divided(box, now, room)
        gold += earned
    ahead = _ahead(now, cards)
    harm = _harm(box, ahead, explorer, now) if now.step not in ("striking", "dividing") else 0.0
    if now.step in ("striking", "dividing"):
        struck = [laid for laid in cards if laid.card in box.monsters]
        if now.step == "striking":
            struck = [laid for laid in struck if laid.handle in now.queue]
        armour = total(box, explorer, "armour") + now.shield
        harm = sum([max(0, box.monsters[laid.card].damage + now.rage - armour) for laid in struck])
        harm += _harm(box, tuple([card for card in ahead if card in box.traps]), explorer, now)
    left_health = health(box, explorer) - explorer.wounds
    deadly = DEADLY * max(0.0, harm - 0.75 * left_health) / left_health if left_health > 0 else DEADLY
    passed_by = 0.0 if room.encounter else ROOM * sum([laid.card not in ahead for laid in cards])
    return gold - harm - deadly - passed_by - (0.0 if not cards or room.encounter else ANY_ROOM * 0.3)


def _ahead(now: Exploration, cards: tuple[Laid, ...]) -> tuple[str, ...]:
    """The cards of the room that are still to be met."""
    if now.step in ("checks", "checking"):
        return tuple([laid.card for laid in cards if laid.handle in now.queue])
    if now.step == "reward":
        return tuple([laid.card for laid in cards if laid.handle in now.queue])
    if now.step == "ending":
        return ()
    return tuple([laid.card for laid in cards])


def _divided(box: Box, now: Exploration, room: Room) -> tuple[tuple[Laid, ...], float]:
    """The room once the damage is divided in the best way that is left, and the reward for it."""
    left = now.damage - len(now.picks)
    dead: set[int] = set()
    lacks = sorted(
        (monster_health(box, now, laid.card) - now.picks.count(laid.handle), laid.handle)
        for laid in room.cards
        if laid.card in box.monsters
    )
    for lack, handle in lacks:
        if lack <= left:
            left -= lack
            dead.add(handle)
    gold = sum([box.monsters[laid.card].reward for laid in room.cards if laid.handle in dead])
    return tuple([laid for laid in room.cards if laid.handle not in dead]), LEFT_GOLD * gold


# --- paying ------------------------------------------------------------------------------------------------


def _paid(box: Box, state: AdamantineState) -> AdamantineState:
    """The table once what is being paid for is in play, for what can best be spared."""
    choice = state.choice
    assert choice is not None
    player = state.players[choice.seat]
    card = next(held for held in player.hero_hand if held.handle == choice.card)
    needed = playing.cost(box, state, choice.seat, card)
    while playing.gold_of(box, player, choice.picks) < needed:
        found = playing.payable(box, replace(state, choice=choice), choice)
        spare = min(found, key=lambda handle: _dear(box, player, handle))
        choice = replace(choice, picks=(*choice.picks, spare))
    now = state.exploration
    if now is not None and now.step == "reward":
        spent = min(now.gold, price(box, player, card.card))
        state = replace(state, exploration=replace(now, gold=now.gold - spent))
    state = brought_into_play(replace(state, choice=None), choice.seat, card.handle, card.card)
    return discarded_from_play(box, state, choice.seat, choice.picks)


def _dear(box: Box, player: Player, handle: int) -> float:
    """What a card is worth for each gold it pays."""
    piece = next(piece for piece in player.in_play if piece.handle == handle)
    return _keep(box, piece) / box.gear[piece.card].gold


def _keep(box: Box, piece: Piece) -> float:
    gear = box.gear[piece.card]
    return max(gear.combat) + 0.4 * sum(gear.check) + HEALTH * gear.health + _worth(gear)
