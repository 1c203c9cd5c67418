"""Reading a request: who asks, under which id, on which version, and a strict body (trap 12)."""

import re
from typing import Any

from flask import current_app, request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.routing import BaseConverter

from api.problems import Problem
from services.codec import InvalidJson, parse
from services.errors import BadToken, InvalidField
from services.looking import Caller
from services.service import Service
from services.wishes import SYSTEM, Order

MAX_VERSION = 2**31 - 1
TOKEN = re.compile(r"[Bb]earer (lt_seat_[A-Za-z0-9_-]{43})")
KEY_PATTERN = "^[!-~]{1,128}$"
IF_MATCH_PATTERN = r'^(\*|"[1-9][0-9]{0,8}")$'
LAST_EVENT_PATTERN = "^(0|[1-9][0-9]{0,8})?$"
_KEY = re.compile(KEY_PATTERN.removesuffix("$"))
_IF_MATCH = re.compile(IF_MATCH_PATTERN.removesuffix("$"))
_LAST_EVENT = re.compile(LAST_EVENT_PATTERN.removesuffix("$"))
_FRACTION = re.compile(rb"[0-9][.eE]")


class MatchId(BaseConverter):
    """A match's id in a path. What can't be one is not found, without a look at the store."""

    regex = "m_[a-z2-7]{24}"


class CommandId(BaseConverter):
    """A command's id in a path, as its events have it."""

    regex = "c_[0-9a-f]{32}"


def service() -> Service:
    found: Service = current_app.extensions["ledgertop"]
    return found


def token_given() -> str | None:
    """The seat's token the caller sent; None for a spectator. Raises BadToken for what is none."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    found = TOKEN.fullmatch(header)
    if found is None:
        raise BadToken
    return found[1]


def token_needed() -> str:
    token = token_given()
    if token is None:
        raise Problem("token-missing", "Send the seat's token as `Authorization: Bearer …`.")
    return token


def order(expected: int | None = None) -> Order:
    """The command's id from Idempotency-Key, and the version it was decided on from If-Match or the body."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not _KEY.fullmatch(key):
        raise InvalidField("Idempotency-Key", "A key is 1 to 128 printable ASCII characters without spaces.")
    if key is not None and key.startswith(SYSTEM):
        raise InvalidField("Idempotency-Key", f"Keys that begin with {SYSTEM!r} are the service's own.")
    condition = request.headers.get("If-Match")
    if condition is not None:
        if not _IF_MATCH.fullmatch(condition):
            raise InvalidField("If-Match", 'A version is named as one entity tag, such as "7".')
        if condition != "*":
            version = int(condition.strip('"'))
            if expected not in (None, version):
                raise InvalidField("expected_version", "It differs from the version in If-Match.")
            expected = version
    return Order(key, expected)


def last_event_id() -> int | None:
    """Where a stream is to be resumed. An empty one is what a browser has before its first event."""
    header = request.headers.get("Last-Event-ID")
    if not header:
        return None
    if not _LAST_EVENT.fullmatch(header):
        raise InvalidField("Last-Event-ID", "The id of an event is its version.")
    return int(header)


def caller(audit: bool = False) -> Caller:
    return Caller(token_given(), audit)


def json_object(*, required: bool = True) -> dict[str, Any]:
    """The body: one JSON object in UTF-8."""
    if not required and not request.content_length and not request.get_data():
        return {}
    if request.content_type != "application/json":
        _demand_json()
    data = request.get_data(cache=False)
    if request.content_length is None and len(data) == request.max_content_length and _goes_on():
        raise RequestEntityTooLarge
    value = parse(data)
    if _FRACTION.search(data):
        value = _whole(value)
    if b"\\u0000" in data and _has_nul(value):
        raise InvalidJson("text may not have the character NUL")
    if not isinstance(value, dict):
        raise InvalidField("", "The body must be a JSON object.")
    return value


def _goes_on() -> bool:
    """Whether a body in chunks, of which werkzeug gives no more than the limit, is longer than that."""
    try:
        return bool(request.environ["wsgi.input"].read(1))
    except OSError:
        raise ClientDisconnected from None


def _demand_json() -> None:
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("The body must be application/json.")
    if request.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise UnsupportedMediaType("The body must be in UTF-8.")


def loaded(schema: Schema, *, required: bool = True) -> dict[str, Any]:
    """The body as `schema` loads it. Raises Problem naming each field that is wrong."""
    return _load(schema, json_object(required=required))


def queried(schema: Schema) -> dict[str, Any]:
    """The query string as `schema` loads it; the first value of a name counts."""
    return _load(schema, request.args.to_dict())


def expected_version(body: dict[str, Any]) -> int | None:
    """Takes `expected_version` out of a command's body."""
    if "expected_version" not in body:
        return None
    version = body.pop("expected_version")
    if type(version) is not int or not 1 <= version <= MAX_VERSION:
        raise InvalidField("expected_version", f"A version is a whole number from 1 to {MAX_VERSION}.")
    return version


def _load(schema: Schema, value: dict[str, Any]) -> dict[str, Any]:
    try:
        found: dict[str, Any] = schema.load(value)
    except ValidationError as error:
        wrong = sorted(_flat(error.normalized_messages()))  # type: ignore[no-untyped-call]
        field, reason = wrong[0]
        raise Problem(
            "invalid-field",
            f"{field}: {reason}" if field else reason,
            field=field,
            errors=[{"field": name, "reason": text} for name, text in wrong],
        ) from None
    return found


def _flat(messages: Any, path: str = "") -> list[tuple[str, str]]:
    if isinstance(messages, dict):
        found = []
        for name, below in messages.items():
            deeper = path if name == "_schema" else f"{path}.{name}" if path else str(name)
            found += _flat(below, deeper)
        return found
    if isinstance(messages, list):
        return [(path, str(message)) for message in messages]
    return [(path, str(messages))]


def _whole(value: Any) -> Any:
    """`value` with 7.0 as 7: one number in JSON. 2.9 stays and is refused where an integer is asked."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _whole(item) for name, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any("\0" in name or _has_nul(item) for name, item in value.items())
    return isinstance(value, list) and any(_has_nul(item) for item in value)
