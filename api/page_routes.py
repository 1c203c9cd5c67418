"""The web page: static files of one folder, under a strict content security policy."""

from pathlib import Path

from flask import Blueprint, Response, send_from_directory

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"


def blueprint(folder: Path) -> Blueprint:
    """`index.html` at `/`, the files of `assets` under `/assets/`."""
    pages = Blueprint("page", __name__)

    @pages.get("/")
    def index() -> Response:
        return _guarded(send_from_directory(folder.absolute(), "index.html"))

    @pages.get("/assets/<path:name>")
    def asset(name: str) -> Response:
        return _guarded(send_from_directory(folder.absolute() / "assets", name))

    return pages


def _guarded(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
