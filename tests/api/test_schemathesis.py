"""The document and the service agree: schemathesis, in process, all phases and checks, nothing excluded.

Its engine is used, not its pytest plugin, which does not work with pytest 9.
"""

import uuid
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from projections.lobby import cursor_at
from services.errors import InvalidField
from services.people import MAX_NAME, checked_name
from tests.api.houses import House, bearer, house

pytestmark = pytest.mark.in_process("schemathesis asks the application itself")


def _is_name(text: str) -> bool:
    try:
        return len(checked_name(text)) <= MAX_NAME
    except InvalidField:
        return False


# What a JSON Schema can't say is in the document as formats of our own.
schemathesis.openapi.format("player-name", st.text(min_size=1, max_size=MAX_NAME).filter(_is_name))
schemathesis.openapi.format("lobby-cursor", st.integers(min_value=0, max_value=10**17).map(cursor_at))


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """What only earlier answers give: a cursor. And a key is used for one command, as the document says."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    if case.query and "cursor" in case.query:
        case.query["cursor"] = cursor_at(len(case.query["cursor"]))


def _text(response: object) -> str:
    return str(getattr(response, "text", ""))[:500]


class Insider:
    """Leads requests to a running match, with the token of its seat."""

    home: House

    def get(self, case: schemathesis.Case, context: schemathesis.AuthContext) -> dict[str, Any]:
        while True:
            match = self.home.create(options={"excuse": True}, sit={"name": "ann"})
            for _ in range(2):
                if commands := self.home.legal(match):
                    self.home.post(match, commands[0])
            if self.home.legal(match):
                return match

    def set(self, case: schemathesis.Case, data: dict[str, Any], context: schemathesis.AuthContext) -> None:
        case.headers = {**(case.headers or {}), **bearer(data)}
        if "match" in (case.path_parameters or {}):
            case.path_parameters["match"] = data["id"]


class Asked(Insider):
    """Leads requests to a match of two seats in which one has proposed a rewind, with the token of the other."""

    def get(self, case: schemathesis.Case, context: schemathesis.AuthContext) -> dict[str, Any]:
        asked = self.home.create(game="adellos", sit={"name": "ann"})
        asks = self.home.post({"id": asked["id"]}, {"name": "bob"}, "/seats").json
        return asked | {"proposal": self.home.post(asks, {"to_version": 4}, "/rewinds").json["version"]}

    def set(self, case: schemathesis.Case, data: dict[str, Any], context: schemathesis.AuthContext) -> None:
        super().set(case, data, context)
        if "proposal" in (case.path_parameters or {}):
            case.path_parameters["proposal"] = data["proposal"]


def _run(
    home: House, examples: int, *, inside: type[Insider] | None = None, paths: str = "", **config: Any
) -> tuple[list[str], set[tuple[str, int]]]:
    """What schemathesis finds wrong, and which operations were answered with which status."""
    settings = SchemathesisConfig.from_dict(
        {"seed": 7, "generation": {"max-examples": examples, "deterministic": True, "database": "none"}}
        | config
    )
    faults: list[str] = []
    answered: set[tuple[str, int]] = set()
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", home.client.application, config=settings)
    if paths:
        schema = schema.include(path_regex=paths)
    if inside:
        provider = type("InsiderHere", (inside,), {"home": home})
        schema.auth(refresh_interval=None)(provider)
    for event in from_schema(schema).execute():
        if isinstance(event, events.NonFatalError | events.FatalError):
            faults.append(str(getattr(event, "value", getattr(event, "exception", event))))
        if not isinstance(event, events.ScenarioFinished):
            continue
        for case_id, interaction in event.recorder.interactions.items():
            if interaction.response:
                label = event.recorder.cases[case_id].value.operation.label
                answered.add((label, interaction.response.status_code))
        for case_id, checks in event.recorder.checks.items():
            text = _text(event.recorder.find_response(case_id=case_id))
            faults += [
                f"{event.phase.name} {event.label}: {check.name} {check.failure_info.failure}\n"
                f"  {check.failure_info.code_sample}\n  {text}"
                for check in checks
                if check.failure_info
            ]
    return faults, answered


# Options have to fit each other and the number of seats, which no schema says: one that doesn't fit is a 422.
CREATING = {
    "include-name": "POST /api/v1/matches",
    "checks": {
        "positive_data_acceptance": {
            "expected-statuses": ["2xx", "3xx", "401", "403", "404", "409", "422", "429", "5xx"]
        }
    },
}


def test_the_service_does_what_its_document_says(tmp_path: Path) -> None:
    with house(tmp_path, stream_seconds=0.05, heartbeat=0.05) as home:
        home.create()
        faults, answered = _run(home, 25, operations=[CREATING])
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:30])
    assert len(answered) > 60


INSIDE = {
    "checks": {
        "positive_data_acceptance": {
            "expected-statuses": ["2xx", "3xx", "401", "403", "404", "409", "412", "422", "429"]
        },
        "ignored_auth": {"enabled": False},
    },
    "phases": {"stateful": {"enabled": False}},
}


def test_inside_a_match_the_service_does_what_its_document_says(tmp_path: Path) -> None:
    """Again with a seat's token, so that events, views and answers to commands are held against the document.

    Whether a command is legal or stale is no matter of schemas, so 412 and 422 are answers to well-formed
    commands too. `ignored_auth` can't repeat in process what has our token; tests of refusals do that.
    """
    with house(tmp_path, stream_seconds=0.05, heartbeat=0.05) as home:
        faults, answered = _run(home, 8, inside=Insider, **INSIDE)
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:30])
    matches = "/api/v1/matches/{match}"
    for operation in (f"GET {matches}", f"GET {matches}/events", f"GET {matches}/legal-commands"):
        assert (operation, 200) in answered
    for operation in (f"POST {matches}/commands", f"POST {matches}/forks"):
        assert {(operation, 200), (operation, 201)} & answered


def test_where_a_rewind_is_proposed_the_service_does_what_its_document_says(tmp_path: Path) -> None:
    with house(tmp_path, stream_seconds=0.05, heartbeat=0.05) as home:
        faults, answered = _run(home, 12, inside=Asked, paths="rewinds|matches/{match}$", **INSIDE)
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:30])
    assert ("POST /api/v1/matches/{match}/rewinds/{proposal}/consent", 200) in answered
    assert ("GET /api/v1/matches/{match}", 200) in answered
