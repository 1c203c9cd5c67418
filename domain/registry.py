"""The games there are. A fourth game is its folder and one line here.

A match ends under the rules it began with (P8). So a changed rule or pack is another rule set: `GAMES` names the
newest of each game, under which matches are created, and `FORMER_RULES` those that stored matches are pinned to.
Likewise an event's shape never changes: a new one has a new topic, and `FORMER_SHAPES` says how the old one reads now.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from domain.adaman import ADAMAN
from domain.adamantine import ADAMANTINE
from domain.adellos import ADELLOS
from domain.game import Event, Game
from domain.match import LIFECYCLE, RuleSet

GAMES: dict[str, Game] = {game.name: game for game in (ADAMAN, ADELLOS, ADAMANTINE)}
FORMER_RULES: dict[str, tuple[Game, ...]] = {}  # newest first


class FormerShape(NamedTuple):
    """How an event used to be stored, and the event of today that says the same."""

    kind: type[Event]
    today: Callable[[Any], Event]  # may lead to a former shape again, one version newer


FORMER_SHAPES: dict[str, FormerShape] = {}  # by topic


def rule_sets(name: str) -> tuple[Game, ...]:
    """The rule sets of a game, newest first; empty for an unknown game."""
    newest = (GAMES[name],) if name in GAMES else ()
    return (*newest, *FORMER_RULES.get(name, ()))


def every_rule_set() -> Iterator[Game]:
    """The rule sets of all games, of each game the newest first."""
    for name in {**GAMES, **FORMER_RULES}:
        yield from rule_sets(name)


def pinned(name: str, rules: RuleSet) -> Game | None:
    """The game under the rules a match is pinned to, or None if they are not known here."""
    for game in rule_sets(name):
        if (game.rules_version, game.content) == (rules.version, rules.content):
            return game
    return None


def topics() -> dict[str, type[Event]]:
    """Every topic that may be read from a store as it is, and the type it stands for.

    Besides these only the topics of `FORMER_SHAPES` are ever resolved.
    """
    found: dict[str, type[Event]] = {}
    for kind in (*LIFECYCLE, *(kind for game in every_rule_set() for kind in game.events)):
        if found.setdefault(kind.TOPIC, kind) is not kind or kind.TOPIC in FORMER_SHAPES:
            raise ValueError(f"topic {kind.TOPIC} stands for two shapes")
    return found
