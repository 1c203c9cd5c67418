"""Creating a match."""

import msgspec
from flask import Response

from api import answers, shapes
from api.documents import IDEMPOTENCY_KEY, LOCATION, Answers, documented, feature
from api.requests import loaded, order, service
from services.wishes import CreateMatch

blueprint = feature("matches", "Creating matches")
_NEW_MATCH = shapes.NewMatch()


@blueprint.post("/matches")
@documented(
    {201: Answers(shapes.Opened, headers=LOCATION)},
    body=shapes.NewMatch,
    headers=(IDEMPOTENCY_KEY,),
    problems=(409, 503),
)
def create_match() -> Response:
    """Create a match; with `sit` the creator takes seat 0 and gets its token."""
    wish = msgspec.convert(loaded(_NEW_MATCH), CreateMatch)
    return answers.opened(service().opening.create(wish, order()))
