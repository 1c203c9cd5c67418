"""What happens in a match of Adaman."""

from typing import Annotated, Literal

from msgspec import Struct

from domain.game import Event, hidden, public

Row = Literal["capital", "palace", "resources"]


class Dealt(Struct, frozen=True, gc=False):
    """One card turned up, and the row it was laid in."""

    card: Annotated[str, public("card turned up")]
    row: Annotated[Row, public("row it was laid in")]


class DeckShuffled(Event, frozen=True, gc=False):
    TOPIC = "adaman.deck_shuffled.1"
    REVEALS = True

    draw: Annotated[int, public("index of the draw in the match's chance")]
    cards: Annotated[int, public("size of the deck", unit="cards")]
    order: Annotated[tuple[str, ...], hidden("the whole deck, next card first")]


class CardsDealt(Event, frozen=True, gc=False):
    TOPIC = "adaman.cards_dealt.1"
    REVEALS = True

    dealt: Annotated[tuple[Dealt, ...], public("cards in the order they were turned up, at least one")]


class CardControlled(Event, frozen=True, gc=False):
    TOPIC = "adaman.card_controlled.1"

    target: Annotated[str, public("card controlled")]
    payment: Annotated[tuple[str, ...], public("resource cards discarded for it")]


class ExcuseTurnedUp(Event, frozen=True, gc=False):
    """The Excuse lies face up and a card of the other row has to be chosen."""

    TOPIC = "adaman.excuse_turned_up.1"
    REVEALS = True

    row: Annotated[Row, public("row the Excuse was turned up in")]


class ExcuseResolved(Event, frozen=True, gc=False):
    TOPIC = "adaman.excuse_resolved.1"

    card: Annotated[str, public("card chosen")]
    to: Annotated[Row, public("row it moved to")]


class ExcuseDiscarded(Event, frozen=True, gc=False):
    """There was nothing to choose, so the Excuse was just discarded (AD-9)."""

    TOPIC = "adaman.excuse_discarded.1"

    row: Annotated[Row, public("row the Excuse was turned up in")]


AdamanEvent = DeckShuffled | CardsDealt | CardControlled | ExcuseTurnedUp | ExcuseResolved | ExcuseDiscarded
EVENTS = (DeckShuffled, CardsDealt, CardControlled, ExcuseTurnedUp, ExcuseResolved, ExcuseDiscarded)
