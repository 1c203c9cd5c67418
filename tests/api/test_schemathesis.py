"""The OpenAPI document and the service agree: schemathesis, in process, all checks, nothing excluded."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from services.people import MAX_NAME, checked_name
from services.errors import InvalidField
from tests.api.houses import house


def _is_name(text: str) -> bool:
    try:
        return len(checked_name(text)) <= MAX_NAME
    except InvalidField:
        return False


schemathesis.openapi.format("player-name", st.text(min_size=1, max_size=MAX_NAME).filter(_is_name))


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with house(tmp_path_factory.mktemp("house"), stream_seconds=0.05, heartbeat=0.05) as home:
        home.create()
        yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", home.client.application)


fuzzed = schemathesis.pytest.from_fixture("schema")


@fuzzed.parametrize()
@settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_does_what_the_document_says(case: schemathesis.Case) -> None:
    case.call_and_validate()
