"""How good a table is for a seat, as bots judge it: champions, decks, rooms, and how an exploration will go."""

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from domain.adamantine import playing
from domain.adamantine.box import Box, Gear
from domain.adamantine.effects import STATS, Curse, Harm, Heal, Horde, Mill
from domain.adamantine.standing import (
    health,
    monster_health,
    pieces,
    price,
    room_of,
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
EAGER = 0.05


def evaluate(box: Box, state: AdamantineState, seat: int) -> float:
    """What the seat has less what the other has, and what the exploration that goes on will do."""
    if state.phase == "over":
        return WIN if state.winner == seat else 0.0 if state.winner < 0 else -WIN
    if state.dying:
        return -WIN / 2 if seat in state.dying else WIN / 2
    choice = state.choice
    aiming = choice is not None and choice.seat == seat and choice.what == "aim"
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
    if aiming:
        value += EAGER
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
    cards = tuple([piece.card for piece in pieces(player)])
    most, value = _cards_worth(box, cards)
    left = most - player.wounds
    value += HEALTH * left - LAST_HEALTH / max(0.5, left)
    return value - USED_UP * sum([piece.used for piece in player.in_play])


@lru_cache(maxsize=4096)
def _cards_worth(box: Box, cards: tuple[str, ...]) -> tuple[int, float]:
    """The health that cards in play give together, and what else they are worth."""
    fighter = _bare(box, cards)
    value = 1.3 * max(fighter.combat) + 0.12 * sum(fighter.combat)
    value += 0.35 * sum([min(one, 8) for one in fighter.check])
    value += sum([_worth(box.gear[card]) for card in cards])
    return sum([box.gear[card].health for card in cards]), value


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


class Fighter(Struct, frozen=True):
    """What a champion brings into a room, with its cards in play."""

    combat: tuple[int, ...]
    check: tuple[int, ...]
    armour: int
    ward: int
    level: int
    slayer: tuple[tuple[str, int], ...]


class Setting(Struct, frozen=True):
    """What changes the monsters of a room, and the statistic once it is named."""

    named: str = ""
    rage: int = 0
    toughness: int = 0


QUIET = Setting()


@lru_cache(maxsize=4096)
def _bare(box: Box, cards: tuple[str, ...]) -> Fighter:
    gears = [box.gear[card] for card in cards]
    return Fighter(
        combat=tuple([sum([gear.combat[place] for gear in gears]) for place in range(len(STATS))]),
        check=tuple([sum([gear.check[place] for gear in gears]) for place in range(len(STATS))]),
        armour=sum([gear.armour for gear in gears]),
        ward=sum([gear.ward for gear in gears]),
        level=max(0, sum([gear.danger for gear in gears])),
        slayer=tuple([one for gear in gears for one in gear.slayer]),
    )


def _fighter(box: Box, player: Player, now: Exploration | None = None) -> Fighter:
    bare = _bare(box, tuple([piece.card for piece in pieces(player)]))
    if now is None or not (now.changes or now.shield):
        return bare
    changed = [sum([one.amount for one in now.changes if one.statistic in ("", stat)]) for stat in STATS]
    return replace(
        bare,
        combat=tuple([max(0, value + change) for value, change in zip(bare.combat, changed, strict=True)]),
        check=tuple([max(0, value + change) for value, change in zip(bare.check, changed, strict=True)]),
        armour=bare.armour + now.shield,
    )


def _rooms(box: Box, state: AdamantineState, owner: Player, explorer: Player, *, known: bool) -> float:
    """What rooms are worth to their owner; the one that is being explored counts for itself."""
    now = state.exploration
    here = now.room if now is not None else 0
    rooms = [room for room in owner.rooms if room.handle != here]
    if not rooms:
        return 0.0
    fighter = _fighter(box, explorer)
    return ANY_ROOM + sum([_room(box, room, fighter, known=known) for room in rooms])


def _room(box: Box, room: Room, fighter: Fighter, *, known: bool) -> float:
    up = [laid.up for laid in room.cards]
    if not known and not room.seen and not all(up):
        return ROOM + THREAT * UNKNOWN * len(up)
    cards = tuple([laid.card for laid in room.cards])
    return ROOM + THREAT * (_harm(box, cards, fighter) if all(up) else _trimmed(box, cards, fighter))


def _trimmed(box: Box, cards: tuple[str, ...], fighter: Fighter, setting: Setting = QUIET) -> float:
    """The harm of what is left of a room once it is not too dangerous for the explorer."""
    left = sorted(cards, key=lambda card: -box.danger[card])
    while sum([box.danger[card] for card in left]) > fighter.level:
        left.pop(0)
    return _harm(box, tuple(left), fighter, setting)


def _night(box: Box, state: AdamantineState, mine: Player, other: Player) -> float:
    """Dungeon cards still in hand, and what is being put together."""
    choice, fighter = state.choice, _fighter(box, other)
    picks = choice.picks if choice is not None else ()
    rest = [card.card for card in mine.dungeon_hand if card.handle not in picks]
    value = LATER * sum([ROOM + THREAT * _trimmed(box, (card,), fighter) for card in rest])
    if choice is None:
        return value
    laid = tuple([card.card for card in mine.dungeon_hand if card.handle in picks])
    if choice.what == "encounter":
        return value + _trimmed(box, laid, fighter) + EAGER
    return value + EAGER + (ROOM + THREAT * _trimmed(box, laid, fighter) if laid else 0.0)


# --- what a room will do -----------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def _harm(box: Box, cards: tuple[str, ...], fighter: Fighter, setting: Setting = QUIET) -> float:
    """Wounds and losses a champion can expect of cards, less some of what it earns by them."""
    monsters = [card for card in cards if card in box.monsters]
    value = _fight(box, monsters, fighter, setting) if monsters else 0.0
    for card in cards:
        if card in box.traps:
            value += _trap(box, card, fighter)
        elif card in box.events:
            value += sum([_suffering(effect, fighter.ward) for effect in box.events[card].effects])
    return value


def _fight(box: Box, monsters: list[str], fighter: Fighter, setting: Setting) -> float:
    best = max(
        [
            fighter.combat[place] - sum([box.hardness[card][place] for card in monsters])
            for place, stat in enumerate(STATS)
            if setting.named in ("", stat)
        ]
    )
    for trait, amount in fighter.slayer:
        if any(trait in box.monsters[card].traits for card in monsters):
            best += amount
    order = sorted(monsters, key=lambda card: box.monsters[card].health)
    harm = 0.0
    for die in range(1, DIE + 1):
        points = max(0, best + die)
        left = []
        for card in order:
            needed = box.monsters[card].health + setting.toughness
            if needed <= points:
                points -= needed
                harm -= LEFT_GOLD * box.monsters[card].reward
            else:
                left.append(card)
        for card in left:
            horde = sum([e.amount for e in box.monsters[card].nature if isinstance(e, Horde)]) * (
                len(left) - 1
            )
            harm += max(0, box.monsters[card].damage + setting.rage + horde - fighter.armour) + ROOM
            harm += sum([_suffering(effect, 0) for effect in box.monsters[card].strike])
    return harm / DIE


def _trap(box: Box, card: str, fighter: Fighter) -> float:
    trap = box.traps[card]
    lacks = trap.value - fighter.check[STATS.index(trap.statistic)]
    fails = min(DIE, max(0, lacks - 1)) / DIE
    passes = min(DIE, max(0, DIE - lacks)) / DIE
    harm = fails * sum([_suffering(effect, fighter.ward) for effect in trap.failure])
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
    fighter = _fighter(box, explorer, now)
    setting = Setting(now.statistic if now.step == "rolling" else "", now.rage, now.toughness)
    room = room_of(state.players[now.owner], now.room)
    assert room is not None
    cards = room.cards
    gold = LEFT_GOLD * now.gold
    if now.step == "trimming":
        left = tuple([laid.card for laid in cards if laid.handle not in now.picks])
        return -_trimmed(box, left, fighter, setting)
    if now.step == "dividing":
        cards, earned = _divided(box, now, room)
        gold += earned
    ahead = _ahead(now, cards)
    if now.step in ("striking", "dividing"):
        struck = [laid for laid in cards if laid.card in box.monsters]
        if now.step == "striking":
            struck = [laid for laid in struck if laid.handle in now.queue]
        harm = 0.0 + sum(
            [max(0, box.monsters[laid.card].damage + now.rage - fighter.armour) for laid in struck]
        )
        harm += _harm(box, tuple([card for card in ahead if card in box.traps]), fighter, setting)
    else:
        harm = _harm(box, ahead, fighter, setting)
    left_health = health(box, explorer) - explorer.wounds
    deadly = DEADLY * max(0.0, harm - 0.75 * left_health) / left_health if left_health > 0 else DEADLY
    passed_by = 0.0 if room.encounter else ROOM * sum([laid.card not in ahead for laid in cards])
    return gold - harm - deadly - passed_by - (0.0 if not cards or room.encounter else ANY_ROOM * 0.3)


def _ahead(now: Exploration, cards: tuple[Laid, ...]) -> tuple[str, ...]:
    """The cards of the room that are still to be met."""
    if now.step in ("checks", "checking", "reward"):
        return tuple([laid.card for laid in cards if laid.handle in now.queue])
    return () if now.step == "ending" else tuple([laid.card for laid in cards])


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
