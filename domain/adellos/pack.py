"""A content pack: everything printed on the components, as frozen values.

`services.packs` reads packs from JSON and checks them; the house pack is also here as a Python value.
"""

from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.adellos.effects import Performed, Standing

Timing = Literal["own_turn", "combat", "next_turn"]


class Field(Struct, frozen=True, forbid_unknown_fields=True):
    """A field of a board. `id` is its place in the list; `castle` is a number from 0 clockwise."""

    id: int
    x: int
    y: int
    neighbours: tuple[int, ...]
    castle: int | None = None
    tower: bool = False


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """A board. `castles` gives for each number of players the castles of the seats in their order."""

    id: str
    name: str
    fields: tuple[Field, ...]
    castles: dict[str, tuple[int, ...]]


class Ability(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the ability sheet.

    `gold` and `ap` are paid for what is `performed`; `limit` is how often a turn one unit may (0: as often
    as it is paid for).
    """

    id: str
    name: str
    text: str
    standing: tuple[Standing, ...] = ()
    performed: tuple[Performed, ...] = ()
    gold: int = 0
    ap: int = 0
    limit: int = 0


class UnitTile(Struct, frozen=True, forbid_unknown_fields=True):
    """A unit tile: bought with `gold` or summoned with `counters`, whichever is not 0."""

    id: str
    name: str
    count: int
    move: int
    defence: int
    attack: int
    gold: int = 0
    counters: int = 0
    traits: tuple[str, ...] = ()
    ability: str | None = None


class Faction(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    gold: int
    units: tuple[UnitTile, ...]


class NobleTile(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    faction: str
    move: int
    defence: int
    attack: int
    ability: str


class TokenTile(Struct, frozen=True, forbid_unknown_fields=True):
    """A token; `worth` stands for the price it doesn't have."""

    id: str
    name: str
    count: int
    move: int
    defence: int
    attack: int
    worth: int
    traits: tuple[str, ...] = ()
    ability: str | None = None


class EventCard(Struct, frozen=True, forbid_unknown_fields=True):
    """An event card. `side` says who may play it in a combat."""

    id: str
    name: str
    text: str
    count: int
    ap: int
    when: Timing
    effects: tuple[Performed, ...]
    side: Literal["either", "attacker", "defender"] = "either"


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    boards: tuple[Board, ...]
    abilities: tuple[Ability, ...]
    factions: tuple[Faction, ...]
    nobles: tuple[NobleTile, ...]
    tokens: tuple[TokenTile, ...]
    cards: tuple[EventCard, ...]


def pack_from(value: Any) -> Pack:
    """A pack from plain JSON values. Checks types only; what a pack must hold, `services.packs` checks."""
    return msgspec.convert(value, Pack)


def content_of(pack: Pack) -> str:
    """SHA-256 (hex) over the pack's canonical JSON: sorted keys, defaults written out, no spaces."""
    return sha256(msgspec.json.encode(pack, order="sorted")).hexdigest()
