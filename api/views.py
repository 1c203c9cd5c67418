"""Looking at a match, and at what may be done in it."""

from flask import Response, request

from api import answers, shapes
from api.documents import ETAG, IF_NONE_MATCH, TOKEN_OPTIONAL, Answers, documented, feature
from api.requests import caller, queried, service

blueprint = feature("views", "Looking at matches")
_QUERY = shapes.ViewQuery()


@blueprint.get("/matches/<match:match>")
@documented(
    {200: Answers(shapes.MatchView, headers=ETAG), 304: Answers(None, headers=ETAG, text="Not modified")},
    query=shapes.ViewQuery,
    headers=(IF_NONE_MATCH,),
    problems=(401, 403, 404, 503),
    security=TOKEN_OPTIONAL,
)
def show_match(match: str) -> Response:
    """The match as the caller may see it, now or at any earlier version."""
    query = queried(_QUERY)
    who = caller(query.get("audit", False))
    at = query.get("at")
    looking = service().looking
    if "If-None-Match" in request.headers:
        history, _ = looking.look(match, who, at)
        known = answers.unchanged((history.match if at is None else history.at(at)).version)
        if known:
            return known
    view, whole = looking.shown(match, who, at)
    return answers.json(view, headers=answers.versioned(view["version"]) if whole else answers.UNKEPT)


@blueprint.get("/matches/<match:match>/legal-commands")
@documented(
    {200: Answers(shapes.LegalCommands, headers=ETAG)},
    problems=(401, 403, 404, 503),
    security=TOKEN_OPTIONAL,
)
def list_legal_commands(match: str) -> Response:
    """What the caller may do now; resigning is always possible for a seat and not listed."""
    found = service().looking.legal(match, caller())
    return answers.json(found, headers=answers.versioned(found["version"]))
