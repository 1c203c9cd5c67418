"""A content pack: everything printed on the cards, and the ready decks, as frozen values.

`services.packs` reads packs from JSON and checks them; the house pack is also here as a Python value.
"""

from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.adamantine.effects import Kind, Nature, Standing, Stat, Suffered, Used

Time = Literal["day", "combat", "check"]


class Ability(Struct, frozen=True, forbid_unknown_fields=True):
    """What a feat or item can be used for.

    `time`: between the actions of the own day, before the statistic of a combat is named, or before a trap is
    checked. `uses` is how often a turn; with `discard` the card is discarded by it.
    """

    time: Time
    effects: tuple[Used, ...]
    uses: int = 1
    discard: bool = False


class Champion(Struct, frozen=True, forbid_unknown_fields=True):
    """A champion: always unique, never played for gold (AM-1)."""

    id: str
    name: str
    text: str
    gold: int
    danger: int
    might: int
    agility: int
    wits: int
    will: int
    health: int
    standing: tuple[Standing, ...] = ()


class HeroCard(Struct, frozen=True, forbid_unknown_fields=True):
    """Any other hero card. `needs` names the classes a prestige class asks for."""

    id: str
    name: str
    text: str
    kind: Kind
    gold: int
    danger: int
    unique: bool = False
    needs: tuple[str, ...] = ()
    standing: tuple[Standing, ...] = ()
    ability: Ability | None = None


class Monster(Struct, frozen=True, forbid_unknown_fields=True):
    """A monster; `strike` happens after it dealt its damage."""

    id: str
    name: str
    text: str
    danger: int
    reward: int
    health: int
    damage: int
    unique: bool = False
    traits: tuple[str, ...] = ()
    nature: tuple[Nature, ...] = ()
    strike: tuple[Suffered, ...] = ()


class Trap(Struct, frozen=True, forbid_unknown_fields=True):
    """A trap: the statistic it tries, the value to be exceeded, what success and failure do."""

    id: str
    name: str
    text: str
    danger: int
    reward: int
    statistic: Stat
    value: int
    unique: bool = False
    success: tuple[Suffered, ...] = ()
    failure: tuple[Suffered, ...] = ()


class EventCard(Struct, frozen=True, forbid_unknown_fields=True):
    """An event."""

    id: str
    name: str
    text: str
    danger: int
    effects: tuple[Suffered, ...]
    unique: bool = False


class ReadyDeck(Struct, frozen=True, forbid_unknown_fields=True):
    """A hero deck and a dungeon deck that can be played as they are: how many of each card."""

    id: str
    name: str
    text: str
    hero: dict[str, int]
    dungeon: dict[str, int]


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    champions: tuple[Champion, ...]
    heroes: tuple[HeroCard, ...]
    monsters: tuple[Monster, ...]
    traps: tuple[Trap, ...]
    events: tuple[EventCard, ...]
    decks: tuple[ReadyDeck, ...]


def pack_from(value: Any) -> Pack:
    """A pack from plain JSON values. Checks types only; what a pack must hold, `services.packs` checks."""
    return msgspec.convert(value, Pack)


def content_of(pack: Pack) -> str:
    """SHA-256 (hex) over the pack's canonical JSON: sorted keys, defaults written out, no spaces."""
    return sha256(msgspec.json.encode(pack, order="sorted")).hexdigest()
