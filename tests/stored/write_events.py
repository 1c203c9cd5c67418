"""Adds a line for each event that has none yet to the golden file of events.

    python -m tests.stored.write_events

The file holds one stored event of every topic ever written, each exactly as it lies in people's databases. A line is
never changed and never taken away: it must be readable for ever (P8, P26). A new event or shape gets a new line.

A line is taken from a stored match where one has such an event, else from a match played at random, else it is made up.
"""

import typing
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from msgspec import Struct

from domain.registry import every_rule_set, topics
from services.codec import decode_recorded, encode_recorded
from services.record import Record, parse
from services.store.port import Entry
from tests.house import START, entry
from tests.stored.plays import play

FOLDER = Path(__file__).parent
FILE = FOLDER / "events.ndjson"
MATCHES = 40  # played at random for each rule set

HEAD, MIDDLE = b'{"topic":"', b'","entry":'


def lines() -> dict[str, bytes]:
    """The stored bytes of each topic in the file."""
    found = {}
    for line in FILE.read_bytes().splitlines() if FILE.exists() else ():
        assert line.startswith(HEAD)
        assert line.endswith(b"}")
        topic, _, data = line[len(HEAD) : -1].partition(MIDDLE)
        assert topic.decode() not in found, f"{topic.decode()} has two lines"
        found[topic.decode()] = data
    return found


def stored_entries() -> Iterator[Entry]:
    for file in sorted(FOLDER.glob("*/*.ndjson")):
        record: Record | None = parse(file.read_bytes())
        while record is not None:
            yield from record.entries
            record = record.origin


def played_entries() -> Iterator[Entry]:
    for game in every_rule_set():
        for seed in range(MATCHES):
            for event, match in play(game, seed):
                yield entry(match.id, match.version, event, command="c_0", at=START + match.version)


def made_up_entries() -> Iterator[Entry]:
    for _, kind in sorted(topics().items()):
        yield entry("m_0", 1, example(kind), command="c_0")


def example(annotation: Any) -> Any:
    """A value of a type, with something in every part of it."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        kinds = typing.get_type_hints(annotation)
        return annotation(**{name: example(kinds[name]) for name in annotation.__struct_fields__})
    if origin is Literal:
        return arguments[0]
    if origin in (Union, UnionType):
        return example(next(one for one in arguments if one is not NoneType))
    if origin is tuple:
        return tuple(example(one) for one in arguments if one is not Ellipsis)
    if origin is dict:
        return {example(arguments[0]): example(arguments[1])}
    if origin in (typing.Annotated, list):
        return example(arguments[0]) if origin is not list else [example(arguments[0])]
    simple: dict[Any, Any] = {int: 1, str: "x", bool: True, bytes: b"x", float: 0.5, Any: "x"}
    return simple[annotation]


def main() -> None:
    missing = set(topics()) - set(lines())
    with FILE.open("ab") as file:
        for source in (stored_entries, played_entries, made_up_entries):
            for one in source() if missing else ():
                topic = one.event.TOPIC
                if topic in missing:
                    missing.remove(topic)
                    data = encode_recorded(one)
                    assert encode_recorded(decode_recorded(topic, data)) == data
                    file.write(HEAD + topic.encode() + MIDDLE + data + b"}\n")
                    print(f"{topic}, from {source.__name__}")  # noqa: T201
                if not missing:
                    break


if __name__ == "__main__":
    main()
