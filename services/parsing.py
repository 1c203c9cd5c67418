"""Typed values from what callers send: names of games, options, commands."""

import re
from typing import Any, TypeVar, Union

import msgspec

from domain.game import Game
from domain.registry import GAMES
from services.errors import InvalidField, UnknownGame

Value = TypeVar("Value")

_NAMES_FIELD = re.compile("Object (?:contains unknown|missing required) field `(.*)`", re.DOTALL)


def game_named(name: str) -> Game:
    """The registered game. Raises UnknownGame."""
    game = GAMES.get(name)
    if game is None:
        raise UnknownGame(name)
    return game


def parsed(kind: type[Value], value: Any, field: str) -> Value:
    """`value` as a typed value. Raises InvalidField with the path of what is wrong."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        path = path.rstrip("`")
        if named := _NAMES_FIELD.fullmatch(reason):
            path += f".{named[1]}"
        raise InvalidField((field + path).strip("."), reason) from None


def parsed_command(game: Game, body: dict[str, Any]) -> Any:
    """A game's command from its JSON. Raises InvalidField."""
    return parsed(Union[game.commands], body, "")  # type: ignore[arg-type]  # noqa: UP007


def checked_seats(game: Game, seats: int | None) -> int:
    """The number of seats asked for, or the fewest there may be. Raises InvalidField."""
    if seats is None:
        return game.min_seats
    if not game.min_seats <= seats <= game.max_seats:
        raise InvalidField("seats", f"{game.title} is for {game.min_seats} to {game.max_seats} players.")
    return seats


def checked_entropy(text: str) -> None:
    try:
        bytes.fromhex(text)
    except ValueError:
        raise InvalidField("sit.entropy", "Entropy is bytes in hex.") from None
