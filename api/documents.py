"""The OpenAPI document: what a route says about itself, and how problems are documented (trap 15)."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import flask_smorest
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_instance
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Blueprint, Flask
from marshmallow import Schema

from api.problems import CATALOGUE, CONTENT_TYPE, STATUSES, ProblemDetails
from api.requests import IF_MATCH_PATTERN, KEY_PATTERN, LAST_EVENT_PATTERN, CommandId, MatchId
from api.typed_fields import NoDeal, OneOf

Route = TypeVar("Route", bound=Callable[..., Any])
Shape = Schema | type[Schema] | dict[str, Any]

PREFIX = "/api/v1"
JSON = "application/json"
TOKEN_OPTIONAL: list[dict[str, list[str]]] = [{}, {"seat": []}]
TOKEN_NEEDED: list[dict[str, list[str]]] = [{"seat": []}]

IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": (
        "Id of this command, best a random UUID: sent again, the first answer comes again and nothing is "
        "done twice. It is looked at before If-Match."
    ),
    "schema": {"type": "string", "pattern": KEY_PATTERN},
}
IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "description": 'The version the command was decided on, such as `"7"`; 412 if the match moved on.',
    "schema": {"type": "string", "pattern": IF_MATCH_PATTERN},
}
IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "description": 'The version known already, such as `"7"`; 304 if it is still the one.',
    "schema": {"type": "string"},
}
LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "Version of the last event received; counts before `after`.",
    "schema": {"type": "string", "pattern": LAST_EVENT_PATTERN},
}
ETAG = {"ETag": {"description": "the version, quoted", "schema": {"type": "string"}}}
LOCATION = {"Location": {"description": "path of the match", "schema": {"type": "string"}}}


def feature(name: str, description: str, prefix: str = PREFIX) -> Blueprint:
    """The routes of one feature."""
    made: Blueprint = flask_smorest.Blueprint(name, "api", url_prefix=prefix or None, description=description)
    return made


class Answers:
    """One successful answer of an operation, for its documentation."""

    def __init__(
        self,
        shape: Shape | None,
        media: str = JSON,
        headers: Mapping[str, Any] | None = None,
        text: str = "Success",
    ) -> None:
        self.shape = shape
        self.media = media
        self.headers = headers
        self.text = text

    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = {"description": self.text, "content_type": self.media}
        if self.shape is not None:
            found["schema"] = (
                self.shape if isinstance(self.shape, dict) else resolve_schema_instance(self.shape)
            )
        if self.headers:
            found["headers"] = dict(self.headers)
        return found


def documented(
    answers: Mapping[int, Answers | list[Answers]],
    *,
    body: Shape | None = None,
    body_required: bool = True,
    query: Shape | None = None,
    headers: tuple[dict[str, Any], ...] = (),
    problems: tuple[int, ...] = (),
    security: list[dict[str, list[str]]] | None = None,
) -> Callable[[Route], Route]:
    """Says what an operation takes and answers. It only documents: nothing is put around the route."""
    parameters: list[Any] = list(headers)
    if body is not None:
        parameters.append({"in": "json", "required": body_required, "schema": body})
        problems = (400, 413, 415, 422, *problems)
    if query is not None:
        parameters.append({"in": "query", "schema": query})
        problems = (422, *problems)
    responses: dict[int, Any] = {
        status: [f"Problem{status}"] for status in sorted({405, 429, 500, *problems})
    }
    for status, given in answers.items():
        responses[status] = [one.document() for one in (given if isinstance(given, list) else [given])]

    def decorator(route: Route) -> Route:
        route._apidoc = {  # type: ignore[attr-defined]  # where flask-smorest looks for it
            "arguments": {"parameters": parameters},
            "response": {"responses": responses},
            "manual_doc": {"security": security} if security is not None else {},
        }
        return route

    return decorator


class Converter(OpenAPIConverter):
    """Documents OneOf, and a field that can only be null."""

    def field2property(self, field: Any) -> dict[str, Any]:
        document: dict[str, Any] = super().field2property(field)
        return document | {"type": "null"} if isinstance(field, NoDeal) else document

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        if not isinstance(schema, OneOf):
            document: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
            return document
        resolve = self.resolve_nested_schema
        shapes = [resolve(one) for one in schema.type_schemas.values()]  # type: ignore[no-untyped-call]
        return {"anyOf" if schema.overlapping else "oneOf": shapes}


class Plugin(MarshmallowPlugin):
    Converter = Converter


class Api(flask_smorest.Api):  # type: ignore[misc]  # flask-smorest has no types
    """flask-smorest with RFC 9457 problems documented; `api.application` answers them."""

    def __init__(self, app: Flask) -> None:
        super().__init__(
            app,
            spec_kwargs={
                "title": "Ledgertop",
                "version": "1",
                "openapi_version": "3.1.0",
                "marshmallow_plugin": Plugin(),
                "info": {
                    "description": "Matches of Decktet games in which nothing is ever overwritten. "
                    "Reading needs no token; a seat's token is given once, when somebody sits down.",
                    "license": {"name": "see the repository"},
                },
            },
        )
        self.register_converter(MatchId, lambda _: {"type": "string", "pattern": f"^{MatchId.regex}$"})
        self.register_converter(CommandId, lambda _: {"type": "string", "pattern": f"^{CommandId.regex}$"})
        self.spec.components.security_scheme(
            "seat", {"type": "http", "scheme": "bearer", "description": "the token of a seat, `lt_seat_…`"}
        )

    def _register_responses(self) -> None:
        for status in STATUSES:
            slugs = ", ".join(f"`{kind.slug}`" for kind in CATALOGUE.values() if kind.status == status)
            self._problem(f"Problem{status}", f"A problem of type {slugs}", lazy=True)
        self._problem("DEFAULT_ERROR", "Any other problem", lazy=False)

    def _problem(self, name: str, description: str, *, lazy: bool) -> None:
        content = {CONTENT_TYPE: {"schema": ProblemDetails}}
        self.spec.components.response(name, {"description": description, "content": content}, lazy=lazy)

    def _register_error_handlers(self) -> None:
        """Left to the application, which answers every error in one way."""
