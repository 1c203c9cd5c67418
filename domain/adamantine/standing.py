"""What cards in play make of a champion: statistics, health, danger level, prices."""

from domain.adamantine.box import Box
from domain.adamantine.effects import STATS, Horde
from domain.adamantine.state import AdamantineState, Exploration, Held, Laid, Piece, Player, Room

HAND = 6
STAT_AT = {stat: place for place, stat in enumerate(STATS)}


def pieces(player: Player) -> tuple[Piece, ...]:
    """All own hero cards in play, the champion first."""
    return player.in_play if player.champion is None else (player.champion, *player.in_play)


def piece_of(player: Player, handle: int) -> Piece | None:
    for piece in pieces(player):
        if piece.handle == handle:
            return piece
    return None


def held(hand: tuple[Held, ...], handle: int) -> Held | None:
    for card in hand:
        if card.handle == handle:
            return card
    return None


def health(box: Box, player: Player) -> int:
    gear = box.gear
    return sum([gear[piece.card].health for piece in pieces(player)])


def danger_level(box: Box, player: Player) -> int:
    gear = box.gear
    return max(0, sum([gear[piece.card].danger for piece in pieces(player)]))


def total(box: Box, player: Player, what: str) -> int:
    """The sum of one of the plain amounts of Gear over the cards in play."""
    return sum([getattr(box.gear[piece.card], what) for piece in pieces(player)])


def statistic(box: Box, player: Player, stat: str, exploration: Exploration | None, *, combat: bool) -> int:
    """A statistic as it counts in a combat or a check; never below 0."""
    place = STAT_AT[stat]  # type: ignore[index]
    gear = box.gear
    if combat:
        value = sum([gear[piece.card].combat[place] for piece in pieces(player)])
    else:
        value = sum([gear[piece.card].check[place] for piece in pieces(player)])
    if exploration is not None and exploration.explorer == player.seat:
        value += sum([change.amount for change in exploration.changes if change.statistic in ("", stat)])
    return max(0, value)


def price(box: Box, player: Player, card: str) -> int:
    """What a hero card costs the player, in gold."""
    gear, kind = box.gear, box.kinds[card]
    cost = gear[card].gold
    for piece in pieces(player):
        for cheap, gold in gear[piece.card].cheaper:
            if cheap == kind:
                cost -= gold
    return max(0, cost)


# --- rooms -------------------------------------------------------------------------------------------------


def room_of(player: Player, handle: int) -> Room | None:
    for room in player.rooms:
        if room.handle == handle:
            return room
    return None


def explored_room(state: AdamantineState) -> Room:
    exploration = state.exploration
    assert exploration is not None
    room = room_of(state.players[exploration.owner], exploration.room)
    assert room is not None
    return room


def next_in_queue(state: AdamantineState) -> Laid:
    """The monster that strikes next, or the trap at hand."""
    now = state.exploration
    assert now is not None
    return next(laid for laid in explored_room(state).cards if laid.handle == now.queue[0])


def danger_of(box: Box, cards: tuple[Laid, ...]) -> int:
    danger = box.danger
    return sum([danger[laid.card] for laid in cards])


def monsters_in(box: Box, room: Room) -> list[Laid]:
    monsters = box.monsters
    return [laid for laid in room.cards if laid.card in monsters]


def monster_health(box: Box, exploration: Exploration, card: str) -> int:
    return box.monsters[card].health + exploration.toughness


def monster_damage(box: Box, state: AdamantineState, laid: Laid) -> int:
    """What a monster deals, before armour."""
    exploration = state.exploration
    assert exploration is not None
    monster = box.monsters[laid.card]
    damage = monster.damage + exploration.rage
    for effect in monster.nature:
        if isinstance(effect, Horde):
            damage += effect.amount * (len(monsters_in(box, explored_room(state))) - 1)
    return damage


def rolled(box: Box, state: AdamantineState, stat: str) -> int:
    """What is added to the die of the combat that goes on; may be negative."""
    exploration = state.exploration
    assert exploration is not None
    player = state.players[exploration.explorer]
    value = statistic(box, player, stat, exploration, combat=True)
    monsters = monsters_in(box, explored_room(state))
    place = STAT_AT[stat]  # type: ignore[index]
    value -= sum([box.hardness[laid.card][place] for laid in monsters])
    for piece in pieces(player):
        for trait, amount in box.gear[piece.card].slayer:
            if any(trait in box.monsters[laid.card].traits for laid in monsters):
                value += amount
    return value
