"""The Decktet, one line a card: printed name, printed rank, suits and types.

The basic deck is as both rulebooks have it; the extended cards are options of the match.
"""

from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

Suit = Literal["moons", "suns", "waves", "leaves", "wyrms", "knots"]
SUITS: tuple[Suit, ...] = ("moons", "suns", "waves", "leaves", "wyrms", "knots")

_VALUES = {None: 0, "Ace": 1, "Crown": 10, "Pawn": 10, "Court": 10}


class Card(Struct, frozen=True, gc=False):
    """A printed card. `value` is what its rank counts; the Excuse has neither rank nor suit and counts 0."""

    id: str
    name: str
    rank: str | None
    value: int
    suits: tuple[str, ...]
    types: tuple[str, ...]

    @property
    def personality(self) -> bool:
        return "personality" in self.types


def _card(name: str, rank: str | None, suits: str, types: str) -> Card:
    value = _VALUES[rank] if rank in _VALUES else int(rank or 0)
    return Card(name.lower().replace(" ", "-"), name, rank, value, tuple(suits.split()), tuple(types.split()))


BASIC: tuple[Card, ...] = (
    _card("Ace of Moons", "Ace", "moons", ""),
    _card("Ace of Suns", "Ace", "suns", ""),
    _card("Ace of Waves", "Ace", "waves", ""),
    _card("Ace of Leaves", "Ace", "leaves", ""),
    _card("Ace of Wyrms", "Ace", "wyrms", ""),
    _card("Ace of Knots", "Ace", "knots", ""),
    _card("Author", "2", "moons knots", "personality"),
    _card("Desert", "2", "suns wyrms", "location"),
    _card("Origin", "2", "waves leaves", "location event"),
    _card("Journey", "3", "moons waves", "event"),
    _card("Painter", "3", "suns knots", "personality"),
    _card("Savage", "3", "leaves wyrms", "personality"),
    _card("Mountain", "4", "moons suns", "location"),
    _card("Sailor", "4", "waves leaves", "personality"),
    _card("Battle", "4", "wyrms knots", "event"),
    _card("Forest", "5", "moons leaves", "location"),
    _card("Discovery", "5", "suns waves", "event"),
    _card("Soldier", "5", "wyrms knots", "personality"),
    _card("Lunatic", "6", "moons waves", "personality"),
    _card("Penitent", "6", "suns wyrms", "personality"),
    _card("Market", "6", "leaves knots", "location event"),
    _card("Chance Meeting", "7", "moons leaves", "event"),
    _card("Castle", "7", "suns knots", "location"),
    _card("Cave", "7", "waves wyrms", "location"),
    _card("Diplomat", "8", "moons suns", "personality"),
    _card("Mill", "8", "waves leaves", "location"),
    _card("Betrayal", "8", "wyrms knots", "event"),
    _card("Pact", "9", "moons suns", "event"),
    _card("Darkness", "9", "waves wyrms", "location"),
    _card("Merchant", "9", "leaves knots", "personality"),
    _card("Huntress", "Crown", "moons", "personality"),
    _card("Bard", "Crown", "suns", "personality"),
    _card("Sea", "Crown", "waves", "location"),
    _card("End", "Crown", "leaves", "location event"),
    _card("Calamity", "Crown", "wyrms", "event"),
    _card("Windfall", "Crown", "knots", "event"),
)

EXTENDED: tuple[Card, ...] = (
    _card("Excuse", None, "", ""),
    _card("Harvest", "Pawn", "moons suns leaves", "event"),
    _card("Watchman", "Pawn", "moons wyrms knots", "personality"),
    _card("Light Keeper", "Pawn", "suns waves knots", "personality"),
    _card("Borderland", "Pawn", "waves leaves wyrms", "location"),
    _card("Consul", "Court", "moons waves knots", "personality"),
    _card("Rite", "Court", "moons leaves wyrms", "event"),
    _card("Island", "Court", "suns waves wyrms", "location"),
    _card("Window", "Court", "suns leaves knots", "location"),
)

CARDS: dict[str, Card] = {card.id: card for card in (*BASIC, *EXTENDED)}
EXCUSE = "excuse"
PERSONALITIES: frozenset[str] = frozenset(card.id for card in CARDS.values() if card.personality)
VALUE: dict[str, int] = {card.id: card.value for card in CARDS.values()}

CATALOGUE: tuple[dict[str, Any], ...] = tuple(msgspec.to_builtins(card) for card in CARDS.values())
CONTENT = sha256(msgspec.json.encode(CATALOGUE)).hexdigest()
