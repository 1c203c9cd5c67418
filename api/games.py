"""Games: what there is to play, with options, rules and printed content."""

from typing import Any

import msgspec
from flask import Response

from api import answers, shapes
from api.documents import Answers, documented, feature
from domain.game import FieldSpec, Game, describe
from domain.registry import GAMES, rule_sets
from services.parsing import game_named

blueprint = feature("games", "What there is to play")


@blueprint.get("/games")
@documented({200: Answers(shapes.GameList)})
def list_games() -> Response:
    """The games there are."""
    return answers.json({"games": [_summary(game) for game in GAMES.values()]})


@blueprint.get("/games/<game>")
@documented({200: Answers(shapes.GameRules)}, problems=(404,))
def show_game(game: str) -> Response:
    """A game: its options, commands, events and state as typed fields, its rule sets and printed content."""
    return answers.json(_in_full(game_named(game)))


def _summary(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "numbered_deals": game.numbered_deals,
    }


def _in_full(game: Game) -> dict[str, Any]:
    described = describe(game)
    return _summary(game) | {
        "rule_sets": [{"version": one.rules_version, "content": one.content} for one in rule_sets(game.name)],
        "options": [_field(spec) for spec in described.options],
        "commands": {name: [_field(spec) for spec in specs] for name, specs in described.commands.items()},
        "events": {name: [_field(spec) for spec in specs] for name, specs in described.events.items()},
        "state": [_field(spec) for spec in described.state],
        "catalogue": game.catalogue,
    }


def _field(spec: FieldSpec) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": spec.name,
        "description": spec.description,
        "schema": msgspec.json.schema(spec.type),
        "required": spec.required,
        "seen_by": spec.seen_by,
    }
    if spec.unit:
        told["unit"] = spec.unit
    if not spec.required:
        told["default"] = spec.default
    return told
