"""What cards, rooms and players are called, from what somebody sees of the table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from domain.adamantine.box import Box
from domain.adamantine.effects import STATS
from domain.adamantine.options import AdamantineOptions
from domain.adamantine.pack import Champion, HeroCard, Monster, Trap
from domain.adamantine.state import NOBODY, AdamantineState, Held, Laid, Piece, Player, Room
from domain.game import Scene

FACE_DOWN = ""  # the id of a card whose face is not seen
BLANK = AdamantineState(AdamantineOptions(), "drawing", (Player(0), Player(1)))

Card = Held | Piece | Laid


def slug(name: str) -> str:
    return "-".join(name.lower().split())


def counted(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def listed(parts: Iterable[str]) -> str:
    """`a, b and c`; `nothing` of none."""
    *first, last = list(parts) or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


def first_up(text: str) -> str:
    return text[:1].upper() + text[1:]


def seen_state(scene: Scene) -> AdamantineState:
    """What is seen of the table as a state, so that the rules work out its numbers; the rest is empty."""
    table = scene.table
    if table is None:
        return BLANK
    pending = table["pending"] or {}
    numbers = {
        name: NOBODY if table[name] is None else table[name]
        for name in ("first", "turn", "winner", "turns", "handles")
    }
    known = {
        "options": {},
        "phase": table["phase"],
        "players": [_seen_player(player) for player in table["players"]],
        "exploration": table["exploration"],
        "choice": pending.get("choice"),
        "cursor": pending.get("effects"),
        "reason": table["reason"],
        **numbers,
    }
    return msgspec.convert(known, AdamantineState)


def _seen_player(player: Mapping[str, Any]) -> dict[str, Any]:
    rooms = [
        {**room, "cards": [{"card": FACE_DOWN, **laid} for laid in room["cards"]]} for room in player["rooms"]
    ]
    return {**player, "rooms": rooms}


def who(data: Mapping[str, Any], scene: Scene) -> str:
    """What the seat is called that an event is about."""
    return scene.name(data["seat"])


def zones(player: Player) -> Iterator[Sequence[Card]]:
    """The player's cards in sight, by where they are."""
    yield player.hero_hand
    yield player.dungeon_hand
    yield (player.champion, *player.in_play) if player.champion else player.in_play
    for room in player.rooms:
        yield room.cards


class Wording:
    def __init__(self, box: Box) -> None:
        self.box = box

    # --- cards by name -------------------------------------------------------------------------------------

    def cards(self, cards: Iterable[str]) -> str:
        """Cards with how many there are of each: `Goblin×2, Pit`; `nothing` of none."""
        numbers: dict[str, int] = {}
        for card in cards:
            numbers[card] = numbers.get(card, 0) + 1
        return listed(self.several(card, number) for card, number in numbers.items())

    def several(self, card: str, number: int) -> str:
        return self.name(card) + (f"×{number}" if number > 1 else "")

    def name(self, card: str) -> str:
        return self.box.name(card) if card != FACE_DOWN else "a face-down card"

    # --- cards by handle -----------------------------------------------------------------------------------

    def find(self, state: AdamantineState, handle: int) -> tuple[Player, Sequence[Card], Card] | None:
        """A card in sight: whose it is, what lies with it, the card."""
        for player in state.players:
            for zone in zones(player):
                for card in zone:
                    if card.handle == handle:
                        return player, zone, card
        return None

    def one(self, state: AdamantineState, handle: int) -> str:
        """`Goblin`, or `Goblin #45` where another of the name lies beside it."""
        found = self.find(state, handle)
        if found is None:
            return f"card #{handle}"
        _, zone, card = found
        alike = sum(other.card == card.card for other in zone)
        return self.name(card.card) + (f" #{handle}" if alike > 1 else "")

    def ones(self, state: AdamantineState, handles: Iterable[int]) -> str:
        return listed(self.one(state, handle) for handle in handles)

    def card_of(self, state: AdamantineState, handle: int) -> str:
        found = self.find(state, handle)
        return found[2].card if found else FACE_DOWN

    # --- champions and rooms -------------------------------------------------------------------------------

    def champion(self, scene: Scene, player: Player) -> str:
        """`ann's Garrod the Unbowed`."""
        who = scene.name(player.seat)
        return f"{who}'s {self.name(player.champion.card)}" if player.champion else f"{who}'s champion"

    def whose(self, data: Mapping[str, Any], scene: Scene, state: AdamantineState) -> str:
        """The champion of the seat that an event is about."""
        return self.champion(scene, state.players[data["seat"]])

    def room(self, state: AdamantineState, handle: int) -> Room | None:
        rooms = [room for player in state.players for room in player.rooms]
        return next((room for room in rooms if room.handle == handle), None)

    def owner(self, state: AdamantineState, handle: int) -> Player | None:
        """Whose room it is."""
        return next(
            (player for player in state.players if any(room.handle == handle for room in player.rooms)), None
        )

    # --- what is printed -----------------------------------------------------------------------------------

    def values(self, card: str) -> str:
        """What is printed on a card in numbers: `2/1` gold and danger, `d2 3/2` or `d2 agility 6`."""
        box = self.box
        if card in box.heroes:
            hero = box.heroes[card]
            return f"{hero.gold}/{hero.danger}"
        if card in box.champions:
            return f"-/{box.champions[card].danger}"
        if card in box.monsters:
            monster = box.monsters[card]
            return f"d{monster.danger} {monster.health}/{monster.damage}"
        if card in box.traps:
            trap = box.traps[card]
            return f"d{trap.danger} {trap.statistic} {trap.value}"
        return f"d{box.danger[card]} event" if card in box.danger else ""

    def numbers(self, card: str) -> str:
        """The same in words, with the kind of the card: `monster, danger 2, health 3, damage 2, reward 1`."""
        match self.box.hero_cards.get(card) or self.box.dungeon.get(card):
            case Champion() as champion:
                stats = ", ".join(f"{stat} {getattr(champion, stat)}" for stat in STATS)
                return f"champion, {stats}, health {champion.health}, danger {champion.danger}"
            case HeroCard() as hero:
                kind = "prestige class" if hero.kind == "prestige" else hero.kind
                return f"{kind}, {hero.gold} gold, danger {hero.danger}"
            case Monster() as monster:
                traits = f"{' '.join(monster.traits)} " if monster.traits else ""
                return (
                    f"{traits}monster, danger {monster.danger}, health {monster.health}, "
                    f"damage {monster.damage}, reward {monster.reward}"
                )
            case Trap() as trap:
                return f"trap, danger {trap.danger}, {trap.statistic} {trap.value}, reward {trap.reward}"
            case None:
                return "unknown"
            case event:
                return f"event, danger {event.danger}"

    def text(self, card: str) -> str:
        found = self.box.hero_cards.get(card) or self.box.dungeon.get(card)
        return found.text if found else ""
