"""What players type, as commands: `control savage with ace of leaves`, for any game from its description."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, get_args, get_origin

from domain.game import FieldSpec, Game, describe
from services.codec import InvalidJson, parse

CONNECTING = {"with", "and", "the", "for", "using", "to"}
LONGEST_NAME = 4  # words of a value's name

Body = dict[str, Any]


def typed_command(game: Game, legal: Sequence[Body], line: str) -> Body | None:
    """The command a line stands for, legal or not; None where it names no command of the game."""
    if line.startswith("{"):
        return _json(line)
    words = re.split(r"[\s,;]+", line.strip().lower())
    commands = describe(game).commands
    kind = next((name for name in commands if words[0].replace("-", "_") in (name, name.split("_")[0])), None)
    if kind is None:
        return None
    body = {"type": kind, **_filled(commands[kind], _values(words[1:], set(_texts(legal))))}
    return next((command for command in legal if _alike(command) == _alike(body)), body)


def usage(game: Game) -> list[str]:
    """How each command is typed: `control TARGET PAYMENT …`."""
    return [
        " ".join([name.replace("_", "-"), *(_placeholder(field) for field in fields)])
        for name, fields in describe(game).commands.items()
    ]


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


def _values(words: Sequence[str], known: set[str]) -> list[str]:
    """Words as values: the longest known names first, then single words."""
    values: list[str] = []
    place = 0
    while place < len(words):
        for length in range(min(LONGEST_NAME, len(words) - place), 0, -1):
            name = "-".join(words[place : place + length])
            if name in known or (length == 1 and name and name not in CONNECTING):
                values.append(name)
                place += length
                break
        else:
            place += 1
    return values


def _filled(fields: Sequence[FieldSpec], values: list[str]) -> Body:
    """Values to fields in order; a list takes all that are left."""
    body: Body = {}
    for field in fields:
        kind = _bare(field)
        if get_origin(kind) is tuple:
            body[field.name], values = values, []
        elif values:
            text, *values = values
            body[field.name] = int(text) if kind is int and text.isdigit() else text
    return body


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
