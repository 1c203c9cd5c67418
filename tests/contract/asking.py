"""Requests as plain JSON, so that a service in this process, one in another, and one over HTTP can be asked alike."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import msgspec

from domain.game import IllegalCommand
from services.errors import CommandNotFound, ServiceError, VersionConflict
from services.looking import Caller
from services.service import Service
from services.wishes import CreateMatch, Order, Sit
from tests.house import House, another_process
from tests.running import Running


class Asked(Protocol):
    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer: `{"ok": …}`, or `{"error": name, …}`."""


def ask(service: Service, request: dict[str, Any]) -> dict[str, Any]:
    """Have the service carry a request out."""
    order = Order(request.get("key"), request.get("expected"))
    match, token = request.get("match", ""), request.get("token", "")
    try:
        match request["do"]:
            case "create":
                wish = CreateMatch("adaman", deal=request["deal"], sit=Sit(request["name"]))
                answer: Any = service.opening.create(wish, order)
            case "fork":
                answer = service.opening.fork(match, request["version"], token, None, order)
            case "act":
                answer = service.matches.act(match, token, request["body"], order)
            case "rewind":
                answer = service.matches.rewind(match, token, request["version"], order)
            case "told":
                answer = service.matches.carried_out(match, token, request["command"])
            case "legal":
                answer = service.looking.legal(match, Caller(token))
            case "view":
                answer = service.looking.view(match, Caller())
    except VersionConflict as conflict:
        return {"error": "VersionConflict", "expected": conflict.expected, "actual": conflict.actual}
    except IllegalCommand as refusal:
        return {"error": "IllegalCommand", "rule": refusal.rule}
    except CommandNotFound:
        return {"error": "NotFound"}
    except ServiceError as error:
        return {"error": type(error).__name__}
    return {"ok": msgspec.to_builtins(answer)}


def ask_over_http(end: Running, request: dict[str, Any]) -> dict[str, Any]:
    """Have an HTTP process carry a request out. An error has the name of its problem type."""
    place = f"/matches/{request.get('match')}"
    stale = {"expected_version": request["expected"]} if request.get("expected") is not None else {}
    method, body = "POST", None
    match request["do"]:
        case "create":
            path = "/matches"
            body = {"game": "adaman", "deal": request["deal"], "sit": {"name": request["name"]}}
        case "fork":
            path, body = f"{place}/forks", {"at_version": request["version"]}
        case "act":
            path, body = f"{place}/commands", request["body"] | stale
        case "rewind":
            path, body = f"{place}/rewinds", {"to_version": request["version"]} | stale
        case "told":
            method, path = "GET", f"{place}/commands/{request['command']}"
        case "legal":
            method, path = "GET", f"{place}/legal-commands"
        case "view":
            method, path = "GET", place
    key = {"Idempotency_Key": request["key"]} if "key" in request else {}
    answer = end.call(method, path, body, request.get("token"), **key)
    if answer.status in (200, 201):
        return {"ok": answer.body}
    slug = answer.body["type"].removeprefix("/problems/")
    known = {name: answer.body[name] for name in ("rule", "expected", "actual") if name in answer.body}
    return {"error": slug.title().replace("-", "")} | known


def serve(service: Service) -> None:
    """Answer requests, a line each, until there are no more."""
    for line in sys.stdin:
        sys.stdout.write(json.dumps(ask(service, json.loads(line))) + "\n")
        sys.stdout.flush()


@contextmanager
def elsewhere(house: House) -> Iterator[Asked]:
    """Another process with the service on the same database."""
    script = (
        "from ledgertop.wiring import build\nfrom tests.contract.asking import serve\nserve(build(config))\n"
    )
    with another_process(house, script) as process:
        yield lambda request: _asked(process, request)


def _asked(process: subprocess.Popen[str], request: dict[str, Any]) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer
