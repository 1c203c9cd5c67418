"""Health and metrics, for those who run the service."""

from flask import Response, current_app
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from api import answers, shapes
from api.documents import Answers, documented, feature
from api.metrics import Metrics
from api.requests import service

blueprint = feature("operations", "Health and metrics", prefix="")


@blueprint.get("/health/live")
@documented({200: Answers(shapes.Health)})
def live() -> Response:
    """Whether the process answers at all."""
    return answers.json({"status": "live"})


@blueprint.get("/health/ready")
@documented({200: Answers(shapes.Health)}, problems=(503,))
def ready() -> Response:
    """Whether commands can be carried out: the store answers."""
    position = service().store.head()
    return answers.json({"status": "ready", "position": position, "lag": service().progress.lag()})


@blueprint.get("/metrics")
@documented({200: Answers({"type": "string"}, "text/plain")}, problems=(503,))
def metrics() -> Response:
    """Measurements in the text format of Prometheus."""
    measured: Metrics = current_app.extensions["ledgertop-metrics"]
    return Response(measured.text(), content_type=CONTENT_TYPE_PLAIN_0_0_4)
