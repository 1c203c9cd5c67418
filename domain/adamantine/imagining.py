"""An imagined table: what a seat sees, with everything hidden from it drawn anew.

Which handles the other's hands have is hidden as well: which were played is not told. They get others, below 0.
"""

from msgspec.structs import replace

from domain.adamantine.box import Box
from domain.adamantine.state import AdamantineState, Held, Laid, Player, Room
from domain.adamantine.table import put_player
from domain.chance import Chance


def imagine(box: Box, state: AdamantineState, seat: int, chance: Chance) -> AdamantineState:
    """The own decks in another order; the other's hands, decks and face-down cards drawn anew."""
    mine, other = state.players[seat], state.players[1 - seat]
    if state.shuffles:
        mine = replace(
            mine,
            hero_deck=chance.shuffle("imagine", sorted(mine.hero_deck))[1],
            dungeon_deck=chance.shuffle("imagine", sorted(mine.dungeon_deck))[1],
        )
    choice = state.choice if state.choice is not None and state.choice.seat == seat else None
    state = put_player(put_player(state, mine), _imagined(box, other, chance))
    now = state.exploration
    if now is not None and now.picks and (now.owner if now.step == "trimming" else now.explorer) != seat:
        now = replace(now, picks=())
    return replace(state, choice=choice, exploration=now)


def _imagined(box: Box, player: Player, chance: Chance) -> Player:
    heroes = [*player.hero_deck, *[card.card for card in player.hero_hand]]
    dungeon = [
        *player.dungeon_deck,
        *[card.card for card in player.dungeon_hand],
        *[laid.card for room in player.rooms if not room.seen for laid in room.cards if not laid.up],
    ]
    if player.secret:
        # What the lists hold is not known: any card of the catalogue may come.
        heroes = _any(sorted(box.heroes), len(heroes), chance)
        dungeon = _any(sorted(box.dungeon), len(dungeon), chance)
    hero_cards = chance.shuffle("imagine", sorted(heroes))[1]
    dungeon_cards = chance.shuffle("imagine", sorted(dungeon))[1]
    size, night = len(player.hero_hand), len(player.dungeon_hand)
    hero_hand = tuple([Held(number, card) for number, card in enumerate(hero_cards[:size], -size - night)])
    hand = tuple([Held(number, card) for number, card in enumerate(dungeon_cards[:night], -night)])
    dungeon_cards = dungeon_cards[len(hand) :]
    rooms: list[Room] = []
    for room in player.rooms:
        down = 0 if room.seen else sum(not laid.up for laid in room.cards)
        if down:
            faces = iter(dungeon_cards[:down])
            dungeon_cards = dungeon_cards[down:]
            cards = tuple([laid if laid.up else Laid(laid.handle, next(faces)) for laid in room.cards])
            room = replace(room, cards=cards)
        rooms.append(room)
    return replace(
        player,
        free=(),
        hero_hand=hero_hand,
        hero_deck=hero_cards[size:],
        dungeon_hand=hand,
        dungeon_deck=dungeon_cards,
        rooms=tuple(rooms),
    )


def _any(cards: list[str], count: int, chance: Chance) -> list[str]:
    """So many cards of a list, each as often as any other."""
    many = cards * (count // len(cards) + 1)
    return list(chance.shuffle("imagine", many)[1][:count])
