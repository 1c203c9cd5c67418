"""Forking: a new match from any version of another."""

import msgspec
from flask import Response

from api import answers, shapes
from api.documents import IDEMPOTENCY_KEY, LOCATION, TOKEN_OPTIONAL, Answers, documented, feature
from api.problems import Problem
from api.requests import loaded, order, service, token_given
from domain.match import SeatRefused
from services.wishes import Sit

blueprint = feature("forks", "Forking")
_NEW_FORK = shapes.NewFork()


@blueprint.post("/matches/<match:match>/forks")
@documented(
    {201: Answers(shapes.Opened, headers=LOCATION)},
    body=shapes.NewFork,
    headers=(IDEMPOTENCY_KEY,),
    problems=(401, 403, 404, 409, 503),
    security=TOKEN_OPTIONAL,
)
def fork(match: str) -> Response:
    """Start a new match from a version of this one, with a seed of its own.

    A running match can be forked in solitaire only and by its own seat; it is unranked from then on. Of several
    seats the maker takes one, with the token of a seat the same one again; the others are open.
    """
    token = token_given()
    wish = loaded(_NEW_FORK)
    sit = msgspec.convert(wish.get("sit"), Sit | None)
    try:
        return answers.opened(service().opening.fork(match, wish["at_version"], token, sit, order()))
    except SeatRefused as error:
        raise Problem("seat-refused", error.reason, rule=error.rule) from None
