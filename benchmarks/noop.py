"""The yardstick: a no-op flask-smorest POST behind the same server with the same settings."""

import sys

from flask import Flask
from flask.views import MethodView
from flask_smorest import Api, Blueprint
from marshmallow import Schema, fields

from ledgertop.server import Server


class Move(Schema):
    type = fields.String(required=True)
    target = fields.String(required=True)
    payment = fields.List(fields.String(), required=True)


class Moved(Schema):
    version = fields.Integer(required=True)


def create_app() -> Flask:
    app = Flask(__name__)
    app.config.update(API_TITLE="no-op", API_VERSION="1", OPENAPI_VERSION="3.1.0")
    blueprint = Blueprint("noop", __name__)

    @blueprint.route("/noop")
    class NoOp(MethodView):
        @blueprint.arguments(Move)
        @blueprint.response(200, Moved)
        def post(self, move: dict[str, object]) -> dict[str, int]:
            return {"version": len(move)}

    Api(app).register_blueprint(blueprint)
    return app


class NoOpServer(Server):
    """The service's server with another application."""

    def load_config(self) -> None:
        super().load_config()
        self.cfg.set("post_worker_init", lambda _worker: None)

    def load(self) -> Flask:
        return create_app()


if __name__ == "__main__":
    NoOpServer(None, int(sys.argv[1])).run()  # type: ignore[arg-type]
