"""What players type, as commands: `control savage with ace of leaves`, for any game from its description."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Annotated, Any, get_args, get_origin

from domain.game import Command, FieldSpec, Game, describe, fields_of
from services.codec import InvalidJson, parse
from services.errors import InvalidField

CONNECTING = {"with", "and", "the", "for", "using", "to", "on", "at", "from", "of"}
LONGEST_NAME = 4  # words of a value's name
READINGS = 1_000  # of a line in which several things have a name

Body = dict[str, Any]
Names = Mapping[str, Any]  # what is typed, and the value it stands for; a tuple of what it can stand for


def typed_command(
    game: Game, legal: Sequence[Body], line: str, names: Names
) -> tuple[Body, list[Any]] | None:
    """The command a line stands for, legal or not, and the values that are left over for what it asks next.

    None where the line names no command of the game. `names` are what the game calls its values besides what
    they are; where a line can stand for several commands, a legal one is meant.
    """
    if line.startswith("{"):
        body = _json(line)
        return None if body is None else (body, [])
    words = re.split(r"[\s,;]+", line.strip().lower())
    known = {**names, **{text: text for text in _texts(legal)}}
    meant: list[tuple[int, Body, list[Any]]] = []
    for command in game.commands:
        kind, fields = command.type_name(), fields_of(command)
        rest = _rest(command, words)
        for values in _readings(_values(rest, known), len(fields)) if rest is not None else ():
            body, left = _filled(fields, values)
            body = {"type": kind, **body}
            same = next(
                (one for one in legal if _alike(one) == _alike({**_left_out(one, fields), **body})), None
            )
            doubt = 2 * bool(left) + (same is None) + 4 * (len(body) <= _needed(fields))
            meant.append((doubt, same or body, left))
    if not meant:
        return None
    _, body, left = min(meant, key=lambda one: one[0])
    _check_known(describe(game).commands[body["type"]], body)
    return body, left


def _rest(command: type[Command], words: Sequence[str]) -> Sequence[str] | None:
    """The words after what a command is called, or None where the line doesn't begin so."""
    names = [command.type_name(), *command.ALSO]
    found = [rest for name in names if (rest := _after(name.split("_"), words)) is not None]
    return min(found, key=len) if found else None


def _readings(values: Sequence[Any], fields: int) -> Iterator[list[Any]]:
    """The values with one thing for each name that several have, as far as there are fields for them."""
    here, later = values[:fields], list(values[fields:])
    choices = [value if isinstance(value, tuple) else (value,) for value in here]
    for reading in islice(product(*choices), READINGS):
        yield [*reading, *later]


def _needed(fields: Sequence[FieldSpec]) -> int:
    return sum(field.required for field in fields)


def _left_out(command: Mapping[str, Any], fields: Sequence[FieldSpec]) -> Body:
    """What of a command needn't be said: its type, and the fields that have their defaults."""
    return {
        name: value
        for name, value in command.items()
        if name == "type"
        or any(one.name == name and not one.required and one.default == value for one in fields)
    }


def _check_known(fields: Sequence[FieldSpec], body: Body) -> None:
    """Refuse a word that should name something and doesn't."""
    for field in fields:
        value = body.get(field.name)
        if _bare(field) in (int, bool) and isinstance(value, str):
            raise InvalidField("", f"Nothing is called {value!r} here.")


def _after(name: Sequence[str], words: Sequence[str]) -> Sequence[str] | None:
    """The words after a command's name, typed whole (`end-turn`, `end turn`) or by its first word."""
    if words[0].replace("-", "_") == "_".join(name):
        return words[1:]
    if list(words[: len(name)]) == list(name):
        return words[len(name) :]
    return words[1:] if words[0] == name[0] else None


def usage(game: Game) -> list[str]:
    """How each command is typed: `control TARGET PAYMENT …`."""
    return [
        " ".join([_called(command), *(_placeholder(field) for field in fields_of(command))])
        for command in game.commands
    ]


def _called(command: type[Command]) -> str:
    """The shortest of a command's names that is not only the beginning of it."""
    return min([command.type_name(), *command.ALSO], key=len).replace("_", "-")


def plainest(legal: Sequence[Body]) -> list[Body]:
    """Legal commands without those that only add to another: minimal payments, in games that have such."""
    kept: list[Body] = []
    smaller: dict[str, list[frozenset[str]]] = {}
    for command in sorted(legal, key=lambda one: sum(len(v) for v in one.values() if isinstance(v, list))):
        lists = frozenset(
            f"{name}={item}" for name, v in command.items() if isinstance(v, list) for item in v
        )
        rest = repr({name: value for name, value in command.items() if not isinstance(value, list)})
        if any(other < lists for other in smaller.setdefault(rest, [])):
            continue
        smaller[rest].append(lists)
        kept.append(command)
    return [command for command in legal if command in kept]


def _json(line: str) -> Body | None:
    try:
        body = parse(line.encode())
    except InvalidJson:
        return None
    return body if isinstance(body, dict) else None


def _values(words: Sequence[str], known: Names) -> list[Any]:
    """Words as values: the longest known names first, then single words."""
    values: list[Any] = []
    place = 0
    while place < len(words):
        for length in range(min(LONGEST_NAME, len(words) - place), 0, -1):
            name = "-".join(words[place : place + length])
            if length == 1 and (not name or name in CONNECTING):
                continue
            if name in known or length == 1:
                values.append(known.get(name, name))
                place += length
                break
        else:
            place += 1
    return values


def _filled(fields: Sequence[FieldSpec], values: list[Any]) -> tuple[Body, list[Any]]:
    """Values to fields, each the first that fits; a list takes all that are left. And what is left over."""
    body: Body = {}
    for field in fields:
        kind = _bare(field)
        if get_origin(kind) is tuple:
            body[field.name], values = values, []
        elif values:
            place = next((place for place, value in enumerate(values) if _fits(kind, value)), 0)
            value = values[place]
            body[field.name] = int(value) if kind is int and _number(value) else value
            values = values[:place] + values[place + 1 :]
    return body, values


def _fits(kind: Any, value: Any) -> bool:
    if kind is int:
        return type(value) is int or _number(value)
    return isinstance(value, bool if kind is bool else str)


def _number(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value) is not None


def _placeholder(field: FieldSpec) -> str:
    several = " …" if get_origin(_bare(field)) is tuple else ""
    return field.name.replace("_", "-").upper() + several


def _bare(field: FieldSpec) -> Any:
    return get_args(field.type)[0] if get_origin(field.type) is Annotated else field.type


def _alike(command: Mapping[str, Any]) -> Body:
    """A command without the order of its lists."""
    return {name: sorted(map(str, v)) if isinstance(v, list) else v for name, v in command.items()}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _texts(one)
