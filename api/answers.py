"""Answers, encoded once and directly: schemas document them, the services made them."""

from typing import Any

from flask import Response, request

from api.documents import JSON, PREFIX
from services.codec import encode
from services.wishes import Answer
from services.wishes import Opened as OpenedMatch

PRIVATE = {"Vary": "Authorization", "Cache-Control": "private, no-cache"}
UNKEPT = {"Vary": "Authorization", "Cache-Control": "no-store"}  # what a 304 must not confirm later


def json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer; its line ends, for whoever reads it in a terminal."""
    return Response(encode(value) + b"\n", status, headers, content_type=JSON)


def private(value: Any) -> Response:
    """What one caller may see; no cache may give it to another."""
    return json(value, headers=PRIVATE)


def done(answer: Answer) -> Response:
    """What a command led to."""
    return json(answer, headers={"ETag": f'"{answer.version}"', "Cache-Control": "no-store"})


def opened(match: OpenedMatch) -> Response:
    """A match created, forked or joined; holds a token, so that nothing may store it."""
    body: dict[str, Any] = {"id": match.id, "version": match.version, "position": match.position}
    if match.seat:
        body["seat"] = match.seat
    if match.commitment:
        body["commitment"] = match.commitment
    return json(body, 201, {"Location": f"{PREFIX}/matches/{match.id}", "Cache-Control": "no-store"})


def versioned(version: int) -> dict[str, str]:
    return {"ETag": f'"{version}"', **PRIVATE}


def unchanged(version: int) -> Response | None:
    """304 if the caller knows this version already."""
    if request.if_none_match.contains_weak(str(version)):
        return Response(status=304, headers=versioned(version))
    return None
