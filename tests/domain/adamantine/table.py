"""Small builders: a table of Adamantine in words, and dice that fall as they are told."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain.adamantine.commands import AssignDamage, ChooseStatistic, Finish, LayCard, PlayCard, Sacrifice
from domain.adamantine.events import EVENTS
from domain.adamantine.options import AdamantineOptions
from domain.adamantine.standing import pieces
from domain.adamantine.state import AdamantineState, Held, Laid, Piece, Player, Room
from tests.domain.adamantine.random_play import BOX, RULES

__all__ = ["BOX", "EVENTS", "RULES"]
CARDS = "pit pit pit pit pit pit pit pit pit pit pit pit"


class Dice:
    """Dice that show the values given, in their order; shuffles leave the order."""

    def __init__(self, *values: int) -> None:
        self.values = list(values)
        self.draws = 0

    def roll(self, label: str, sides: int) -> tuple[int, int]:
        assert self.values, f"{label} was rolled"
        self.draws += 1
        return self.draws - 1, self.values.pop(0)

    def shuffle(self, label: str, items: Sequence[Any]) -> tuple[int, tuple[Any, ...]]:
        self.draws += 1
        return self.draws - 1, tuple(items)


class Side:
    """One player's side in words. Rooms are separated by `|`; a room with `!` is turned up."""

    def __init__(
        self,
        play: str = "",
        *,
        champion: str = "garrod-the-unbowed",
        wounds: int = 0,
        hand: str = "",
        night: str = "",
        heroes: str = "",
        dungeon: str = CARDS,
        rooms: str = "",
        days: int = 2,
        free: bool = False,
        searches: int = 1,
    ) -> None:
        self.play, self.champion, self.wounds, self.hand, self.night = play, champion, wounds, hand, night
        self.heroes, self.dungeon, self.rooms, self.days, self.free = heroes, dungeon, rooms, days, free
        self.searches = searches


def table(
    mine: Side | None = None,
    other: Side | None = None,
    *,
    turn: int = 0,
    phase: str = "day",
    options: AdamantineOptions | None = None,
) -> AdamantineState:
    """Seat `turn` is to act by day or by night."""
    state = RULES.initial(options or AdamantineOptions(first_seat=0), 2)
    counter = iter(range(1, 1000))
    players = tuple(_player(seat, side or Side(), counter) for seat, side in enumerate((mine, other)))
    return replace(
        state,
        phase=phase,
        players=players,
        first=0,
        turn=turn,
        turns=3,
        shuffles=4,
        handles=next(counter) - 1,
    )


def _player(seat: int, side: Side, counter: Any) -> Player:
    for card in (*side.play.split(), *side.hand.split(), *side.heroes.split(), side.champion):
        assert card in BOX.hero_cards, card
    for card in (
        *side.night.split(),
        *side.dungeon.split(),
        *side.rooms.replace("|", " ").replace("!", " ").split(),
    ):
        assert card in BOX.dungeon, card
    hand = tuple(Held(next(counter), card) for card in side.hand.split())
    rooms = tuple(
        Room(
            next(counter),
            tuple(Laid(next(counter), card, "!" in room) for card in room.replace("!", " ").split()),
        )
        for room in filter(None, side.rooms.split("|"))
    )
    return Player(
        seat,
        deck="iron-vow",
        champion=Piece(next(counter), side.champion),
        wounds=side.wounds,
        in_play=tuple(Piece(next(counter), card) for card in side.play.split()),
        hero_hand=hand,
        dungeon_hand=tuple(Held(next(counter), card) for card in side.night.split()),
        hero_deck=tuple(side.heroes.split()),
        dungeon_deck=tuple(side.dungeon.split()),
        rooms=rooms,
        days=side.days,
        free=tuple(card.handle for card in hand) if side.free else (),
        searches=side.searches,
    )


def fold(state: AdamantineState, events: Sequence[Any]) -> AdamantineState:
    for event in events:
        state = RULES.evolve(state, event)
    return state


def do(state: AdamantineState, *commands: Any, dice: Sequence[int] = ()) -> AdamantineState:
    """The table after commands, each given by the seat that is to act; all dice have to be used."""
    chance = Dice(*dice)
    for command in commands:
        state = fold(state, RULES.decide(state, command, RULES.to_act(state)[0], chance))
    assert not chance.values, f"{chance.values} were not rolled"
    return state


def legal(state: AdamantineState) -> list[Any]:
    return list(RULES.legal(state, RULES.to_act(state)[0]))


def held(state: AdamantineState, card: str, seat: int = 0) -> int:
    """Handle of a card in a hand."""
    player = state.players[seat]
    return next(one.handle for one in (*player.hero_hand, *player.dungeon_hand) if one.card == card)


def put(state: AdamantineState, card: str, seat: int = 0) -> int:
    """Handle of a card in play."""
    return next(one.handle for one in pieces(state.players[seat]) if one.card == card)


def laid(state: AdamantineState, card: str, seat: int = 1) -> int:
    """Handle of a card in a room."""
    return next(one.handle for room in state.players[seat].rooms for one in room.cards if one.card == card)


def room(state: AdamantineState, number: int = 0, seat: int = 1) -> int:
    """Handle of a room."""
    return state.players[seat].rooms[number].handle


def in_play(state: AdamantineState, seat: int = 0) -> list[str]:
    return sorted(piece.card for piece in state.players[seat].in_play)


def in_room(state: AdamantineState, seat: int = 1) -> list[list[str]]:
    return [[one.card for one in room.cards] for room in state.players[seat].rooms]


def play(state: AdamantineState, card: str, *paid: str, seat: int = 0) -> AdamantineState:
    """A card of the hand is played for what is named."""
    state = do(state, PlayCard(held(state, card, seat)))
    for name in paid:
        choice = state.choice
        assert choice is not None
        handle = next(
            p.handle for p in state.players[seat].in_play if p.card == name and p.handle not in choice.picks
        )
        state = do(state, Sacrifice(handle))
    return state


def fight(statistic: str = "might") -> ChooseStatistic:
    return ChooseStatistic(statistic)  # type: ignore[arg-type]


def assign(state: AdamantineState, card: str, points: int = 1) -> AssignDamage:
    return AssignDamage(laid(state, card), points)


def lay(state: AdamantineState, *cards: str, seat: int = 0) -> AdamantineState:
    """Dungeon cards of the hand are laid for what is being put together, then it is finished."""
    for card in cards:
        choice = state.choice
        assert choice is not None
        hand = state.players[seat].dungeon_hand
        state = do(
            state, LayCard(next(h.handle for h in hand if h.card == card and h.handle not in choice.picks))
        )
    return do(state, Finish())
