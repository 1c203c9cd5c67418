"""Rewinding: an earlier version is taken up again, and nothing is forgotten."""

from flask import Response

from api import answers, shapes
from api.documents import ETAG, IDEMPOTENCY_KEY, IF_MATCH, TOKEN_NEEDED, Answers, documented, feature
from api.requests import loaded, order, service, token_needed

blueprint = feature("rewinds", "Rewinding")
_REWIND = shapes.Rewind()


@blueprint.post("/matches/<match:match>/rewinds")
@documented(
    {200: Answers(shapes.Done, headers=ETAG)},
    body=shapes.Rewind,
    headers=(IDEMPOTENCY_KEY, IF_MATCH),
    problems=(401, 403, 404, 409, 412, 503),
    security=TOKEN_NEEDED,
)
def rewind(match: str) -> Response:
    """Take up the state of an earlier version. Later draws are fresh, and the match is unranked."""
    token = token_needed()
    wish = loaded(_REWIND)
    asked = order(wish.get("expected_version"))
    return answers.done(service().matches.rewind(match, token, wish["to_version"], asked))
