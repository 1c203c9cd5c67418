"""Plain undo."""

from flask import Response

from api import answers, shapes
from api.documents import ETAG, IDEMPOTENCY_KEY, IF_MATCH, TOKEN_NEEDED, Answers, documented, feature
from api.requests import loaded, order, service, token_needed

blueprint = feature("undo", "Taking the last action back")
_UNDO = shapes.ExpectedVersion()


@blueprint.post("/matches/<match:match>/undo")
@documented(
    {200: Answers(shapes.Done, headers=ETAG)},
    body=shapes.ExpectedVersion,
    body_required=False,
    headers=(IDEMPOTENCY_KEY, IF_MATCH),
    problems=(401, 403, 404, 409, 412, 503),
    security=TOKEN_NEEDED,
)
def undo(match: str) -> Response:
    """Take the last action back where nobody learned anything by it: nothing was turned up."""
    token = token_needed()
    wish = loaded(_UNDO, required=False)
    return answers.done(service().matches.undo(match, token, order(wish.get("expected_version"))))
