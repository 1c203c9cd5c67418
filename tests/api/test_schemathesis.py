"""The document and the service agree: schemathesis, in process, all phases and checks, nothing excluded.

Its engine is used, not its pytest plugin, which does not work with pytest 9.
"""

import uuid
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, events, from_schema

from projections.lobby import cursor_at
from services.errors import InvalidField
from services.people import MAX_NAME, checked_name
from tests.api.houses import house


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
    """What only earlier answers give: a cursor; and a key is used for one command, as the document says."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    if case.query and "cursor" in case.query:
        case.query["cursor"] = cursor_at(len(case.query["cursor"]))


def _text(response: object) -> str:
    return getattr(response, "text", "")[:500]


def test_the_service_does_what_its_document_says(tmp_path: Path) -> None:
    config = SchemathesisConfig.from_dict(
        {"seed": 7, "generation": {"max-examples": 25, "deterministic": True, "database": "none"}}
    )
    faults: list[str] = []
    passed = 0
    with house(tmp_path, stream_seconds=0.05, heartbeat=0.05) as home:
        home.create()
        schema = schemathesis.openapi.from_wsgi(
            "/api/v1/openapi.json", home.client.application, config=config
        )
        for event in from_schema(schema).execute():
            if isinstance(event, events.ScenarioFinished):
                passed += event.status is Status.SUCCESS
                for case, checks in event.recorder.checks.items():
                    text = _text(event.recorder.find_response(case_id=case))
                    faults += [
                        f"{event.phase.name} {event.label}: {check.name} {check.failure_info.failure}\n"
                        f"  {check.failure_info.code_sample}\n  {text}"
                        for check in checks
                        if check.failure_info
                    ]
            elif isinstance(event, events.NonFatalError | events.FatalError):
                faults.append(f"error {event}")
                faults.append(str(getattr(event, "value", getattr(event, "exception", ""))))
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:30])
    assert passed > 20
