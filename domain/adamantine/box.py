"""A pack made ready for play: its cards by name, and tables worked out once."""

from msgspec import Struct

from domain.adamantine.effects import (
    STATS,
    Armour,
    Bonus,
    Cheaper,
    Effect,
    Guard,
    Hardened,
    Insight,
    Plunder,
    Searching,
    Slayer,
    Stealth,
    Vigour,
    Ward,
    Weakness,
)
from domain.adamantine.pack import Ability, Champion, EventCard, HeroCard, Monster, Pack, Trap, content_of

FREE_COST = 5  # gold; what costs no more is put into play free on the first day


class Gear(Struct, frozen=True):
    """What a hero card does while it is in play, as tables; statistics in the order of STATS."""

    gold: int
    danger: int
    combat: tuple[int, ...]
    check: tuple[int, ...]
    health: int = 0
    armour: int = 0
    ward: int = 0
    plunder: int = 0
    insight: int = 0
    searching: int = 0
    guard: int = 0
    slayer: tuple[tuple[str, int], ...] = ()
    cheaper: tuple[tuple[str, int], ...] = ()
    ability: Ability | None = None


class Box:
    """The cards of one pack. Never changed after it is made."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.content = content_of(pack)
        self.champions = {card.id: card for card in pack.champions}
        self.heroes = {card.id: card for card in pack.heroes}
        self.monsters = {card.id: card for card in pack.monsters}
        self.traps = {card.id: card for card in pack.traps}
        self.events = {card.id: card for card in pack.events}
        self.decks = {deck.id: deck for deck in pack.decks}
        self.dungeon: dict[str, Monster | Trap | EventCard] = {**self.monsters, **self.traps, **self.events}
        self.hero_cards: dict[str, HeroCard | Champion] = {**self.champions, **self.heroes}
        self.gear = {card.id: _gear(card) for card in self.hero_cards.values()}
        self.danger = {card.id: card.danger for card in self.dungeon.values()}
        self.kinds = {card.id: card.kind for card in pack.heroes} | dict.fromkeys(self.champions, "champion")
        self.hardness = {card.id: _hardness(card) for card in pack.monsters}

    def name(self, card: str) -> str:
        """A card's or deck's printed name; the id itself where there is none."""
        for cards in (self.hero_cards, self.dungeon, self.decks):
            if card in cards:
                return str(cards[card].name)
        return card

    def effects(self, card: str, part: str) -> tuple[Effect, ...]:
        """The effects of one part of a card."""
        match part:
            case "use":
                ability = self.gear[card].ability
                assert ability is not None
                return ability.effects
            case "event":
                return self.events[card].effects
            case "success":
                return self.traps[card].success
            case "failure":
                return self.traps[card].failure
        return self.monsters[card].strike


def _gear(card: HeroCard | Champion) -> Gear:
    combat, check = [0] * len(STATS), [0] * len(STATS)
    danger = card.danger
    amounts: dict[str, int] = {}
    slayer: list[tuple[str, int]] = []
    cheaper: list[tuple[str, int]] = []
    if isinstance(card, Champion):
        combat = [getattr(card, stat) for stat in STATS]
        check = list(combat)
        amounts["health"] = card.health
    for effect in card.standing:
        match effect:
            case Bonus(statistic=statistic, amount=amount, when=when):
                place = STATS.index(statistic)
                combat[place] += amount if when != "check" else 0
                check[place] += amount if when != "combat" else 0
            case Slayer(trait=trait, amount=amount):
                slayer.append((trait, amount))
            case Cheaper(kind=kind, gold=gold):
                cheaper.append((kind, gold))
            case Stealth(amount=amount):
                danger -= amount
            case Vigour(amount=amount):
                amounts["health"] = amounts.get("health", 0) + amount
            case Armour(amount=amount):
                amounts["armour"] = amount
            case Ward(amount=amount):
                amounts["ward"] = amount
            case Plunder(gold=gold):
                amounts["plunder"] = gold
            case Insight(cards=cards):
                amounts["insight"] = cards
            case Searching(cards=cards):
                amounts["searching"] = cards
            case Guard(toughness=toughness):
                amounts["guard"] = toughness
    return Gear(
        gold=card.gold,
        danger=danger,
        combat=tuple(combat),
        check=tuple(check),
        slayer=tuple(slayer),
        cheaper=tuple(cheaper),
        ability=None if isinstance(card, Champion) else card.ability,
        **amounts,
    )


def _hardness(monster: Monster) -> tuple[int, ...]:
    """By statistic how much less damage is rolled against a room with the monster."""
    return tuple(
        sum(
            effect.amount * (1 if isinstance(effect, Hardened) else -1)
            for effect in monster.nature
            if isinstance(effect, Hardened | Weakness) and effect.statistic == stat
        )
        for stat in STATS
    )
