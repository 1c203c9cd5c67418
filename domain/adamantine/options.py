"""What can be chosen when a match of Adamantine is created."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.game import Options, public


class DeckList(Struct, frozen=True, forbid_unknown_fields=True):
    """A hero deck and a dungeon deck: how many of each card of the catalogue."""

    hero: Annotated[dict[str, int], public("hero cards by id", unit="cards")]
    dungeon: Annotated[dict[str, int], public("dungeon cards by id", unit="cards")]


class AdamantineOptions(Options, frozen=True):
    decks: Annotated[tuple[str, ...], public("ready deck of each seat; the first two if empty")] = ()
    bring_decks: Annotated[bool, public("each seat brings a deck of its own that nobody else sees")] = False
    first_seat: Annotated[int | None, public("the seat that starts; drawn if none")] = None
    explorations_per_day: Annotated[
        Annotated[int, Meta(ge=1, le=100)] | None, public("explorations a day; any number if none (AM-4)")
    ] = None
    searches_per_day: Annotated[int, Meta(ge=1, le=10), public("searches a day (AM-4)")] = 1
    turn_limit: Annotated[
        Annotated[int, Meta(ge=1, le=100_000)] | None, public("the match is drawn after so many turns")
    ] = None
