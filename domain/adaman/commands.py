"""What a player of Adaman asks for."""

from typing import Annotated

from domain.game import Command, public


class ControlCard(Command, frozen=True, gc=False, tag="control"):
    """Control a card of the capital or the palace by discarding resources."""

    target: Annotated[str, public("card of the capital or the palace to control")]
    payment: Annotated[tuple[str, ...], public("resource cards discarded for it; their order has no meaning")]


class ResolveExcuse(Command, frozen=True, gc=False, tag="resolve_excuse"):
    """Choose the card that changes rows because the Excuse was turned up."""

    card: Annotated[str, public("card of the other row that takes the Excuse's place")]


AdamanCommand = ControlCard | ResolveExcuse
