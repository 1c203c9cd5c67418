"""The record of a match: a file that can be checked anywhere, for ever."""

from flask import Response, request

from api.documents import TOKEN_OPTIONAL, Answers, documented, feature
from api.problems import Problem
from api.requests import caller, service
from services import record

blueprint = feature("records", "Match records")

NDJSON = "application/x-ndjson"


@blueprint.get("/matches/<match:match>/record")
@documented(
    {200: Answers({"type": "string"}, NDJSON)}, problems=(401, 403, 404, 409, 503), security=TOKEN_OPTIONAL
)
def show_record(match: str) -> Response:
    """The record of an ended match, as `ledgertop verify` reads it; its last line says that it is whole."""
    who = caller()
    ours = service()
    history, _ = ours.looking.look(match, who)
    if history.match.status != "ended":
        raise Problem("match-not-over", "A match has a record when it has ended.")
    lines = record.download(ours.ledger, ours.looking, match, who)
    headers = {
        "Vary": "Authorization",
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f'attachment; filename="{match}.ndjson"',
    }
    return Response(() if request.method == "HEAD" else lines, headers=headers, content_type=NDJSON)
