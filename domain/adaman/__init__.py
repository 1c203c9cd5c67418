"""Adaman, the solitaire game of conspiracy for the Decktet."""

from domain.adaman import rules, view
from domain.adaman.commands import ControlCard, ResolveExcuse
from domain.adaman.content.decktet import CATALOGUE, CONTENT
from domain.adaman.events import EVENTS
from domain.adaman.options import AdamanOptions
from domain.adaman.state import AdamanState
from domain.game import Game

ADAMAN = Game(
    name="adaman",
    title="Adaman",
    summary="Solitaire: control every personality of the kingdom before the palace is full of them.",
    rules_version="1",
    content=CONTENT,
    min_seats=1,
    max_seats=1,
    numbered_deals=True,
    options=AdamanOptions,
    commands=(ControlCard, ResolveExcuse),
    events=EVENTS,
    state=AdamanState,
    rules=rules,
    view=view,
    catalogue=CATALOGUE,
)
