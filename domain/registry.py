"""The games there are. A fourth game is its folder and one line here."""

from domain.adaman import ADAMAN
from domain.adamantine import ADAMANTINE
from domain.adellos import ADELLOS
from domain.game import Event, Game
from domain.match import LIFECYCLE

GAMES: dict[str, Game] = {game.name: game for game in (ADAMAN, ADELLOS, ADAMANTINE)}


def topics() -> dict[str, type[Event]]:
    """Every topic that may be read from a store, and the type it stands for. Nothing else is ever resolved."""
    kinds = [*LIFECYCLE, *(event for game in GAMES.values() for event in game.events)]
    return {kind.TOPIC: kind for kind in kinds}
