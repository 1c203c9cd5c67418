"""Every way the HTTP surface says no: one catalogue of problem types (RFC 9457). See docs/problems.md."""

from collections.abc import Mapping
from typing import Any

from flask import Response, request, url_for
from marshmallow import Schema, fields
from msgspec import Struct
from werkzeug.exceptions import HTTPException

from domain.game import IllegalCommand
from services import errors
from services.codec import InvalidJson, encode

CONTENT_TYPE = "application/problem+json"
RETRY_SECONDS = "1"


class ProblemType(Struct, frozen=True):
    slug: str
    status: int
    title: str
    headers: dict[str, str] = {}

    @property
    def uri(self) -> str:
        return f"/problems/{self.slug}"


def _catalogue(*types: ProblemType) -> Mapping[str, ProblemType]:
    return {kind.slug: kind for kind in types}


_BEARER = {"WWW-Authenticate": 'Bearer realm="ledgertop"'}
_RETRY = {"Retry-After": RETRY_SECONDS}

CATALOGUE = _catalogue(
    ProblemType("bad-request", 400, "The request can't be understood"),
    ProblemType("invalid-json", 400, "The body is not strict JSON"),
    ProblemType("bad-token", 401, "The token opens nothing here", _BEARER),
    ProblemType("token-missing", 401, "A seat's token is needed", _BEARER),
    ProblemType("forbidden", 403, "The caller may not do this"),
    ProblemType("not-your-turn", 403, "It is not this seat's decision"),
    ProblemType("not-found", 404, "There is nothing here"),
    ProblemType("method-not-allowed", 405, "The method is not offered here"),
    ProblemType("not-acceptable", 406, "None of the accepted media types is offered"),
    ProblemType("match-full", 409, "The match has as many events as a match may have"),
    ProblemType("match-not-started", 409, "A seat of the match is still open"),
    ProblemType("match-over", 409, "The match has ended"),
    ProblemType("match-not-over", 409, "The match has not ended"),
    ProblemType("proposal-over", 409, "The proposal is no longer open"),
    ProblemType("seat-refused", 409, "The match doesn't give this seat"),
    ProblemType("time-is-up", 409, "The time for this decision is up"),
    ProblemType("version-conflict", 409, "The match moved on"),
    ProblemType("stale-if-match", 412, "The match moved on since the version in If-Match"),
    ProblemType("body-too-large", 413, "The body is too large"),
    ProblemType("uri-too-long", 414, "The address is too long"),
    ProblemType("unsupported-media-type", 415, "The body must be application/json"),
    ProblemType("idempotency-key-reuse", 422, "The idempotency key was used for another request"),
    ProblemType("illegal-command", 422, "The rules refuse the command"),
    ProblemType("invalid-field", 422, "A field is unknown or has a wrong value"),
    ProblemType("rate-limited", 429, "Too many requests"),
    ProblemType("headers-too-large", 431, "The request's headers are too large"),
    ProblemType("internal-error", 500, "Something went wrong here"),
    ProblemType("outcome-unknown", 503, "Whether it took effect is not known", _RETRY),
    ProblemType("read-models-behind", 503, "The read models have not caught up", _RETRY),
    ProblemType("store-unavailable", 503, "The store can't be reached", _RETRY),
    ProblemType("too-many-streams", 503, "Too many streams are open", {"Retry-After": "5"}),
)
STATUSES = sorted({kind.status for kind in CATALOGUE.values()})

_OF_STATUS = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    413: "body-too-large",
    415: "unsupported-media-type",
}

_OF_ERROR: dict[type[Exception], str] = {
    errors.BadToken: "bad-token",
    errors.CommandNotFound: "not-found",
    errors.Forbidden: "forbidden",
    errors.IdempotencyKeyReuse: "idempotency-key-reuse",
    errors.InvalidField: "invalid-field",
    errors.MatchNotFound: "not-found",
    errors.MatchNotStarted: "match-not-started",
    errors.MatchFull: "match-full",
    errors.MatchOver: "match-over",
    errors.NotYourTurn: "not-your-turn",
    errors.OutcomeUnknown: "outcome-unknown",
    errors.PlayerNotFound: "not-found",
    errors.ProposalNotFound: "not-found",
    errors.ProposalOver: "proposal-over",
    errors.StoreUnavailable: "store-unavailable",
    errors.TimeIsUp: "time-is-up",
    errors.UnknownGame: "not-found",
    errors.VersionConflict: "version-conflict",
    errors.VersionNotFound: "not-found",
    InvalidJson: "invalid-json",
}


class Problem(Exception):
    """A refusal that the HTTP surface itself decides. `more` are further members of the problem."""

    def __init__(self, slug: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.kind = CATALOGUE[slug]
        self.headers = headers
        self.more = more


class FieldError(Schema):
    field = fields.String(required=True, metadata={"description": "path of the field, dotted"})
    reason = fields.String(required=True)


class ProblemDetails(Schema):
    """RFC 9457."""

    type = fields.String(required=True, metadata={"enum": [kind.uri for kind in CATALOGUE.values()]})
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    rule = fields.String(metadata={"description": "the rule that refuses a command: a stable id"})
    field = fields.String(metadata={"description": "the first field that is wrong, dotted"})
    errors = fields.List(fields.Nested(FieldError), metadata={"description": "all fields that are wrong"})
    expected = fields.Integer(metadata={"description": "the version the command was decided on"})
    actual = fields.Integer(metadata={"description": "the version the match is at"})
    command = fields.String(metadata={"description": "the id the command's events have, if it took effect"})
    status_url = fields.String(
        metadata={"description": "where a seat is told whether its command took effect"}
    )


def answer(kind: ProblemType, detail: str, headers: Mapping[str, str] | None = None, **more: Any) -> Response:
    """A problem as a response."""
    body = {"type": kind.uri, "title": kind.title, "status": kind.status, "detail": detail} | more
    return Response(
        encode(body) + b"\n", kind.status, kind.headers | dict(headers or {}), content_type=CONTENT_TYPE
    )


def of_problem(problem: Problem) -> Response:
    return answer(problem.kind, str(problem), problem.headers, **problem.more)


def of_illegal_command(error: IllegalCommand) -> Response:
    return answer(CATALOGUE["illegal-command"], error.reason, rule=error.rule)


def of_service_error(error: Exception) -> Response:
    """What a service refused. A stale version is 412 where it came by If-Match, else 409."""
    slug = _OF_ERROR[type(error)]
    more: dict[str, Any] = {}
    if isinstance(error, errors.InvalidField):
        more = {"field": error.field, "errors": [{"field": error.field, "reason": error.reason}]}
    if isinstance(error, errors.VersionConflict):
        more = {"expected": error.expected, "actual": error.actual}
        if request.headers.get("If-Match", "*") != "*":
            slug = "stale-if-match"
    if isinstance(error, errors.OutcomeUnknown):
        more = _where_told(error)
    return answer(CATALOGUE[slug], str(error), **more)


def _where_told(error: errors.OutcomeUnknown) -> dict[str, Any]:
    """Where a seat is told what became of its command. Openings give a token, which only the same key gets again."""
    if "Authorization" not in request.headers or (request.view_args or {}).get("match") != error.match:
        return {}
    where = url_for("commands.told", match=error.match, command=error.command)
    return {"command": error.command, "status_url": where}


def of_http_error(error: HTTPException) -> Response:
    """What the framework refused, with the headers that belong to it (`Allow`, trap 15)."""
    kind = CATALOGUE[_OF_STATUS.get(error.code or 500, "internal-error")]
    headers = {name: value for name, value in error.get_headers(request.environ) if name != "Content-Type"}
    if kind.slug == "not-found":
        detail = "There is nothing at this address."
    elif kind.slug == "internal-error":
        detail = "The request could not be answered."
    else:
        detail = error.description or kind.title
    return answer(kind, detail, headers)


def of_fault() -> Response:
    """An error of our own: nothing about it leaves the service (P23)."""
    return answer(CATALOGUE["internal-error"], "The request could not be answered.")


def unread(slug: str = "bad-request") -> Response:
    """The answer to a request that the server could not read."""
    return answer(CATALOGUE[slug], "The request could not be read.")


def refused_unread(slug: str) -> bytes:
    """The same as a whole HTTP answer, after which the connection is closed."""
    response = unread(slug)
    response.headers["Connection"] = "close"
    response.headers["X-Content-Type-Options"] = "nosniff"
    head = "".join(f"{name}: {value}\r\n" for name, value in response.headers)
    return f"HTTP/1.1 {response.status}\r\n{head}\r\n".encode("latin-1") + response.get_data()
