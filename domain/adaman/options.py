"""What can be chosen when a match of Adaman is created, and the deck it makes."""

from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta

from domain.adaman.content.decktet import BASIC, EXTENDED, PERSONALITIES
from domain.game import Options, public

ExtraPersonality = Literal["light-keeper", "watchman", "consul"]


class AdamanOptions(Options, frozen=True):
    excuse: Annotated[bool, public("the Excuse is in the deck")] = False
    pawns: Annotated[bool, public("the four Pawns are in the deck")] = False
    courts: Annotated[bool, public("the four Courts are in the deck")] = False
    extra_personalities: Annotated[
        tuple[ExtraPersonality, ...],
        public("personalities added without the rest of the Pawns and Courts: a harder game"),
        Meta(extra_json_schema={"uniqueItems": True}),
    ] = ()
    final_deal: Annotated[bool, public("cards are dealt once more before a win is scored (AD-3)")] = False

    def __post_init__(self) -> None:
        if len(set(self.extra_personalities)) < len(self.extra_personalities):
            raise ValueError("extra_personalities names a card twice")


@lru_cache(maxsize=256)
def deck_of(options: AdamanOptions) -> tuple[str, ...]:
    """The ids of the cards in play in the order of the printed table, each once."""
    added: set[str] = set(options.extra_personalities)
    for card in EXTENDED:
        wanted = {None: options.excuse, "Pawn": options.pawns, "Court": options.courts}
        if wanted[card.rank]:
            added.add(card.id)
    return (*(card.id for card in BASIC), *(card.id for card in EXTENDED if card.id in added))


@lru_cache(maxsize=256)
def personalities_of(options: AdamanOptions) -> int:
    """How many personalities are in play."""
    return sum(card in PERSONALITIES for card in deck_of(options))
