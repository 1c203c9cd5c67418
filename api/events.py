"""A match's events: as pages, as one NDJSON stream, or live (SSE)."""

from collections.abc import Iterator
from typing import Any

from flask import Response, current_app, request

from api import answers, shapes
from api.documents import JSON, LAST_EVENT_ID, TOKEN_OPTIONAL, Answers, documented, feature
from api.problems import Problem
from api.requests import caller, last_event_id, queried, service
from api.streams import Streams, live, whole_rest
from services.looking import MAX_PAGE

blueprint = feature("events", "What happened")
_QUERY = shapes.EventsQuery()

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
_HEADERS = {"Vary": "Authorization, Accept", "Cache-Control": "private, no-cache"}
_STREAM_HEADERS = {
    "Vary": "Authorization, Accept",
    "Cache-Control": "private, no-store",
    "X-Accel-Buffering": "no",
}
_TEXT: dict[str, Any] = {"type": "string"}


@blueprint.get("/matches/<match:match>/events")
@documented(
    {
        200: [Answers(_TEXT, SSE), Answers(_TEXT, NDJSON), Answers(shapes.EventPage)],
        204: Answers(None, text="The resumed live stream has nothing more: the match has ended"),
    },
    query=shapes.EventsQuery,
    headers=(LAST_EVENT_ID,),
    problems=(401, 403, 404, 406, 503),
    security=TOKEN_OPTIONAL,
)
def list_events(match: str) -> Response:
    """Events after a version, as the caller may see them.

    JSON: a page. NDJSON: all the rest, an event a line, closed by the line `{"end": {"version", "events"}}`;
    without it the answer is cut off. SSE: the rest, then what happens, until the match has ended.
    """
    media = request.accept_mimetypes.best_match([JSON, NDJSON, SSE]) if "Accept" in request.headers else JSON
    query = queried(_QUERY)
    who = caller(query.get("audit", False))
    after = query.get("after", 0)
    resumed = last_event_id()
    if media is None:
        raise Problem("not-acceptable", f"Events come as {JSON}, {NDJSON} or {SSE}.")
    if media == JSON:
        page = service().looking.events(match, who, after, query.get("limit", MAX_PAGE))
        return answers.json(page, headers=_HEADERS)
    after = after if resumed is None else resumed
    history, _ = service().looking.look(match, who)
    match_over = history.match.status == "ended" and after >= history.match.version
    if media == SSE and resumed is not None and match_over:
        return Response(status=204, headers=_STREAM_HEADERS)  # tells a browser not to come back
    lines: Iterator[bytes]
    if media == SSE:
        lines = live(service().feed, match, who, after, current_app.extensions["ledgertop-settings"])
    else:
        lines = whole_rest(service().looking, match, who, after, history.match.version)
    streams: Streams = current_app.extensions["ledgertop-streams"]
    body = () if request.method == "HEAD" else streams.opened(lines)
    return Response(body, headers=_STREAM_HEADERS, content_type=media)
