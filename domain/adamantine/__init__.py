"""Adamantine, a duel of two players: champions by day, each other's dungeons by night."""

from domain.adamantine.box import Box
from domain.adamantine.commands import COMMANDS, BringDeck
from domain.adamantine.content.house_pack import HOUSE
from domain.adamantine.decks import deck_faults, pairings
from domain.adamantine.events import EVENTS
from domain.adamantine.narrator import Narrator
from domain.adamantine.options import AdamantineOptions
from domain.adamantine.pack import Pack
from domain.adamantine.rules import Rules
from domain.adamantine.state import AdamantineState
from domain.adamantine.view import View, catalogue
from domain.game import Bringing, Game, Tally


def adamantine(pack: Pack) -> Game:
    """Adamantine played with a pack's cards."""
    box = Box(pack)
    rules = Rules(box)
    return Game(
        name="adamantine",
        title="Adamantine",
        summary="Two players: slay the other's champion, or search the other's dungeon until nothing is left of it.",
        rules_version="1",
        content=box.content,
        min_seats=2,
        max_seats=2,
        numbered_deals=False,
        options=AdamantineOptions,
        commands=COMMANDS,
        events=EVENTS,
        state=AdamantineState,
        rules=rules,
        view=View(box),
        catalogue=catalogue(pack),
        shared=rules,
        tally=Tally(
            side="deck",
            ends=("champion_slain", "no_cards_at_night"),
            from_start=True,
            in_turn=lambda options: pairings(box, options),
        ),
        narrator=Narrator(box),
        bringing=Bringing(
            what="deck",
            options={"bring_decks": True},
            command=BringDeck,
            field="cards",
            faults=lambda deck: deck_faults(box, deck),
        ),
    )


ADAMANTINE = adamantine(HOUSE)
