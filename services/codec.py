"""The one JSON codec: strict parsing of what comes in, exact round trips of what is stored."""

import json
from functools import cache
from hashlib import sha256
from typing import Any, Generic, NoReturn, TypeVar

import msgspec
from msgspec import Struct

from domain.game import Event
from domain.registry import FORMER_SHAPES, topics

MAX_DEPTH = 16

E = TypeVar("E")


class Recorded(Struct, Generic[E], frozen=True, forbid_unknown_fields=True):
    """One fact in its envelope, as it is stored.

    `at` is microseconds UTC; `by` is `seat:N` or `system:NAME`; `command` is the command's id and `digest` the
    SHA-256 (hex) of its body; `cause` is the id of the event this one follows from, if another stream's; `rules`
    is `game/version`; `salt` is 16 random bytes (hex) that keep the event's leaf in the audit log from being guessed.
    """

    stream: str
    version: int
    id: str
    at: int
    by: str
    command: str
    digest: str
    cause: str | None
    rules: str
    salt: str
    event: E


class Upcast(Recorded[E], Generic[E], frozen=True, forbid_unknown_fields=True):
    """A fact that is stored in a former shape, read as it would be stored today. `was` is what is stored."""

    was: Recorded[Event]


class Unreadable(ValueError):
    """Bytes that are not what they should be: an unknown topic, a changed shape, a row in the wrong place."""


class InvalidJson(ValueError):
    """Text that is not the strict JSON this service takes."""


_encoder = msgspec.json.Encoder()


@cache
def _decoder(topic: str) -> "msgspec.json.Decoder[Recorded[Event]]":
    former = FORMER_SHAPES.get(topic)
    kind = former.kind if former else topics().get(topic)
    if kind is None:
        raise Unreadable(f"unknown topic {topic!r}: written by newer code, or not by this service")
    return msgspec.json.Decoder(Recorded[kind])  # type: ignore[valid-type]


def encode_recorded(recorded: Recorded[Event]) -> bytes:
    """The bytes to store. Refuses what would not read back equal (traps 4 and 5)."""
    topic = topic_of(recorded)
    data = _encoder.encode(recorded.was if isinstance(recorded, Upcast) else recorded)
    if decode_recorded(topic, data) != recorded:
        raise Unreadable(f"{topic} does not survive storing")
    return data


def topic_of(recorded: Recorded[Event]) -> str:
    """The topic a fact is stored under."""
    return (recorded.was if isinstance(recorded, Upcast) else recorded).event.TOPIC


def decode_recorded(topic: str, data: bytes) -> Recorded[Event]:
    """The fact in stored bytes, in its shape of today.

    Raises Unreadable; a topic outside the closed registry is never resolved (P25).
    """
    try:
        recorded = _decoder(topic).decode(data)
    except msgspec.MsgspecError as error:
        raise Unreadable(f"{topic}: {error}") from error
    return _upcast(recorded) if topic in FORMER_SHAPES else recorded


def _upcast(was: Recorded[Event]) -> Recorded[Event]:
    event = was.event
    while former := FORMER_SHAPES.get(event.TOPIC):
        event = former.today(event)
    return Upcast(**(msgspec.structs.asdict(was) | {"event": event}), was=was)


def encode(value: Any) -> bytes:
    """Any JSON-able value as compact JSON."""
    return _encoder.encode(value)


def plain(value: Any) -> Any:
    """`value` as JSON reads it back: lists, dicts with text keys, text, numbers, booleans and None only."""
    return msgspec.json.decode(_encoder.encode(value))


def digest(value: Any) -> str:
    """SHA-256 (hex) of a JSON value in canonical form: sorted keys, no spaces."""
    return sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


def parse(data: bytes) -> Any:
    """Strict JSON: UTF-8, no NaN or infinity, no key twice, no lone surrogate, at most MAX_DEPTH levels (trap 12)."""
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH and _depth(data) > MAX_DEPTH:
        raise InvalidJson(f"JSON may be nested at most {MAX_DEPTH} levels deep")
    try:
        text = data.decode()
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except InvalidJson:
        raise
    except UnicodeError:
        raise InvalidJson("text must be valid UTF-8") from None
    except ValueError as error:
        raise InvalidJson(f"not JSON: {error}") from None
    return value


def _depth(data: bytes) -> int:
    deepest = depth = 0
    in_string = escaped = False
    for byte in data:
        if in_string:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                in_string = False
        elif byte == 0x22:
            in_string = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise InvalidJson("an object may not have the same key twice")
    return value


def _refuse(constant: str) -> NoReturn:
    raise InvalidJson(f"{constant} is not a JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise InvalidJson(f"{text} is out of range")
    return value
