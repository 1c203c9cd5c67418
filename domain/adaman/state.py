"""The table of a match of Adaman."""

from typing import Annotated

from msgspec import Struct

from domain.adaman.events import Row
from domain.game import hidden, public


class AdamanState(Struct, frozen=True, gc=False):
    """Where every card lies. Cards keep their place in a row; a new one is laid at its end."""

    deck: Annotated[tuple[str, ...], hidden("cards not yet dealt, next card first")]
    uncontrolled: Annotated[int, public("personalities of the deck in play not yet controlled", unit="cards")]
    final_deal: Annotated[bool, public("cards are dealt once more before a win is scored (AD-3)")] = False
    capital: Annotated[tuple[str, ...], public("the capital row")] = ()
    palace: Annotated[tuple[str, ...], public("the palace row")] = ()
    resources: Annotated[tuple[str, ...], public("the resource row")] = ()
    discard: Annotated[tuple[str, ...], public("discarded cards, oldest first")] = ()
    shuffled: Annotated[bool, public("whether the deck has been shuffled")] = False
    excuse: Annotated[Row | None, public("row in which the Excuse lies face up")] = None
    choosing: Annotated[bool, public("whether the Excuse's choice is awaited")] = False
