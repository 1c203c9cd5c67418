"""Rewinding: an earlier version is taken up again, and nothing is forgotten. Several seats do it by consent."""

from flask import Response

from api import answers, shapes
from api.documents import ETAG, IDEMPOTENCY_KEY, IF_MATCH, TOKEN_NEEDED, Answers, documented, feature
from api.requests import MAX_VERSION, loaded, order, service, token_needed

blueprint = feature("rewinds", "Rewinding")
_REWIND = shapes.Rewind()
_CONSENT = shapes.Consent()


@blueprint.post("/matches/<match:match>/rewinds")
@documented(
    {200: Answers(shapes.Done, headers=ETAG)},
    body=shapes.Rewind,
    headers=(IDEMPOTENCY_KEY, IF_MATCH),
    problems=(401, 403, 404, 409, 412, 503),
    security=TOKEN_NEEDED,
)
def rewind(match: str) -> Response:
    """Take up the state of an earlier version. Later draws are fresh, and the match is unranked.

    In a match of several seats this is a proposal: it is carried out when all other seats have agreed, and lapses
    when play goes on.
    """
    token = token_needed()
    wish = loaded(_REWIND)
    asked = order(wish.get("expected_version"))
    return answers.done(service().matches.rewind(match, token, wish["to_version"], asked))


@blueprint.post(f"/matches/<match:match>/rewinds/<int(min=1, max={MAX_VERSION}):proposal>/consent")
@documented(
    {200: Answers(shapes.Done, headers=ETAG)},
    body=shapes.Consent,
    headers=(IDEMPOTENCY_KEY, IF_MATCH),
    problems=(401, 403, 404, 409, 412, 503),
    security=TOKEN_NEEDED,
)
def consent(match: str, proposal: int) -> Response:
    """Agree to a proposed rewind, or refuse it; the seat that proposed it takes it back by refusing.

    A proposal is named by the version of its event. The last of the other seats to agree carries it out.
    """
    token = token_needed()
    wish = loaded(_CONSENT)
    asked = order(wish.get("expected_version"))
    return answers.done(service().matches.consent(match, token, proposal, wish["agree"], asked))
