"""The Flask application: every route, every error answered in one way, every request measured and logged."""

import os
import sys
import traceback
from contextlib import suppress
from time import perf_counter
from typing import Any

import structlog
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from api import (
    commands,
    events,
    forks,
    games,
    lobby,
    matches,
    operations,
    page_routes,
    players,
    problems,
    records,
    rewinds,
    seats,
    standing_orders,
    undo,
    views,
)
from api.documents import JSON, PREFIX, Api
from api.metrics import Metrics
from api.rates import limit_rates
from api.requests import CommandId, MatchId
from api.settings import Settings
from api.streams import Streams
from domain.game import IllegalCommand
from services import patience
from services.codec import InvalidJson, encode
from services.errors import ServiceError
from services.identifiers import new_request_id
from services.service import Service

CREATING = frozenset(feature.blueprint.name for feature in (matches, seats, forks))
FEATURES = (
    games,
    lobby,
    matches,
    seats,
    views,
    commands,
    events,
    rewinds,
    undo,
    standing_orders,
    forks,
    records,
    players,
    operations,
)


def create_app(service: Service, settings: Settings | None = None) -> Flask:
    """The HTTP surface of a service."""
    app, _ = _assemble(service, settings or Settings())
    return app


def openapi_document() -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    _, api = _assemble(None, Settings())
    document: dict[str, Any] = api.spec.to_dict()
    return document


def _assemble(service: Service | None, settings: Settings) -> tuple[Flask, Api]:
    app = Flask("api", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body
    app.url_map.converters |= {"match": MatchId, "command": CommandId}
    metrics = Metrics(service)
    app.extensions["ledgertop"] = service
    app.extensions["ledgertop-settings"] = settings
    app.extensions["ledgertop-metrics"] = metrics
    app.extensions["ledgertop-streams"] = Streams(settings.max_streams, metrics.streams)
    _watch(app, metrics, settings)
    _answer_errors(app)
    limit_rates(app, settings, creating=CREATING, exempt=frozenset({operations.blueprint.name}))
    api = Api(app)
    for feature in FEATURES:
        api.register_blueprint(feature.blueprint)
    document = encode(api.spec.to_dict())
    app.add_url_rule(f"{PREFIX}/openapi.json", "openapi", lambda: Response(document, content_type=JSON))
    if settings.page:
        app.register_blueprint(page_routes.blueprint(settings.page))
    return app, api


def _watch(app: Flask, metrics: Metrics, settings: Settings) -> None:
    """Measure each request and write one line about it: no ids, names, tokens, queries or bodies (P23)."""
    log = structlog.wrap_logger(
        structlog.BytesLogger(settings.log or sys.stderr.buffer),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(serializer=lambda line, **_: encode(line)),
        ],
        cache_logger_on_first_use=True,
    )
    app.extensions["ledgertop-log"] = log

    @app.before_request
    def begin() -> None:
        g.began = perf_counter()
        patience.begin()

    @app.after_request
    def end(response: Response) -> Response:
        patience.end()  # what a stream sends later is not hurried
        seconds = perf_counter() - g.began
        rule = request.url_rule
        route = rule.rule if rule else "unmatched"
        metrics.observe(request.method, route, response.status_code, seconds)
        if settings.access_log or response.status_code >= 400:
            with suppress(OSError):  # a log that finds no room on the disk is no reason not to answer
                log.info(
                    "request",
                    request=new_request_id(),
                    method=request.method,
                    route=route,
                    status=response.status_code,
                    ms=round(seconds * 1000, 3),
                    **g.pop("fault", {}),
                )
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


def _answer_errors(app: Flask) -> None:
    """Every error is a problem of the catalogue."""
    app.register_error_handler(problems.Problem, problems.of_problem)
    app.register_error_handler(IllegalCommand, problems.of_illegal_command)
    app.register_error_handler(ServiceError, problems.of_service_error)
    app.register_error_handler(InvalidJson, problems.of_service_error)
    app.register_error_handler(HTTPException, problems.of_http_error)

    @app.errorhandler(Exception)
    def fault(error: Exception) -> Response:
        """An error of our own. Its message may hold anything: only its kind and place are logged (P23)."""
        frames = traceback.extract_tb(error.__traceback__)[-8:]
        places = [f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
        g.fault = {"error": type(error).__name__, "at": places}
        return problems.of_fault()
