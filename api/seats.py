"""Sitting down."""

import msgspec
from flask import Response

from api import answers, shapes
from api.documents import IDEMPOTENCY_KEY, LOCATION, Answers, documented, feature
from api.problems import Problem
from api.requests import loaded, order, service
from domain.game import IllegalCommand
from services.wishes import Sit

blueprint = feature("seats", "Sitting down")
_TAKE_SEAT = shapes.TakeSeat()


@blueprint.post("/matches/<match:match>/seats")
@documented(
    {201: Answers(shapes.Opened, headers=LOCATION)},
    body=shapes.TakeSeat,
    headers=(IDEMPOTENCY_KEY,),
    problems=(404, 409, 503),
)
def take_seat(match: str) -> Response:
    """Take a seat; the answer has its token, once. A match starts when its seats are taken."""
    wish = msgspec.convert(loaded(_TAKE_SEAT), Sit)
    try:
        return answers.opened(service().opening.take_seat(match, wish, order()))
    except IllegalCommand as error:
        raise Problem("seat-refused", error.reason, rule=error.rule) from None
