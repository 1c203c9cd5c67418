"""Adellos, a board game of nobles, hired units and hidden event cards for two to four players."""

from domain.adellos.box import Box
from domain.adellos.commands import COMMANDS, SYSTEM_COMMANDS
from domain.adellos.content.house_pack import HOUSE
from domain.adellos.events import EVENTS
from domain.adellos.options import AdellosOptions
from domain.adellos.pack import Pack
from domain.adellos.rules import Rules
from domain.adellos.state import AdellosState
from domain.adellos.view import View, catalogue
from domain.game import Game, Tally


def adellos(pack: Pack) -> Game:
    """Adellos played with a pack's components."""
    box = Box(pack)
    rules, view = Rules(box), View(box)
    return Game(
        name="adellos",
        title="Adellos",
        summary="Two to four players: defeat the other nobles, or hold the tower.",
        rules_version="1",
        content=box.content,
        min_seats=2,
        max_seats=4,
        numbered_deals=False,
        options=AdellosOptions,
        commands=COMMANDS,
        events=EVENTS,
        state=AdellosState,
        rules=rules,
        view=view,
        catalogue=catalogue(pack),
        shared=rules,
        system_commands=SYSTEM_COMMANDS,
        narrator=view.narrator,
        asks=True,
        tally=Tally(side="faction", ends=("last_noble", "bonus_field")),
    )


ADELLOS = adellos(HOUSE)
