"""Standing orders of a seat: answers given beforehand."""

import msgspec
from flask import Response

from api import answers, shapes
from api.documents import TOKEN_NEEDED, Answers, documented, feature
from api.requests import loaded, service, token_needed
from services.standing_orders import StandingOrders

blueprint = feature("standing orders", "Answers given beforehand; nobody else sees them")
_ORDERS = shapes.StandingOrdersShape()


@blueprint.get("/matches/<match:match>/standing-orders")
@documented({200: Answers(shapes.StandingOrdersShape)}, problems=(401, 404, 503), security=TOKEN_NEEDED)
def standing_orders(match: str) -> Response:
    """The standing orders of the caller's own seat."""
    return answers.private(service().ordering.of(match, token_needed()))


@blueprint.put("/matches/<match:match>/standing-orders")
@documented(
    {200: Answers(shapes.StandingOrdersShape)},
    body=shapes.StandingOrdersShape,
    problems=(401, 404, 409, 503),
    security=TOKEN_NEEDED,
)
def give_standing_orders(match: str) -> Response:
    """Replace the standing orders of the caller's own seat; they count at once."""
    token = token_needed()
    orders = msgspec.convert(loaded(_ORDERS), StandingOrders)
    return answers.private(service().ordering.give(match, token, orders))
