"""The compose file, as far as it can be checked without a container engine."""

import os
import shutil
import subprocess

import pytest
import yaml

pytestmark = pytest.mark.compose

SECRETS = {"POSTGRES_PASSWORD": "secret", "LEDGERTOP_SERVER_KEY": "00" * 32}


@pytest.fixture(scope="module")
def compose() -> str:
    found = shutil.which("docker-compose")
    if found is None:
        if "docker-compose" in os.environ.get("LEDGERTOP_REQUIRE", ""):
            pytest.fail("docker-compose is required here and not installed")
        pytest.skip("compose check left out: docker-compose is not installed")
    return found


def _config(compose: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if key not in SECRETS}
    return subprocess.run(
        [compose, "config"], capture_output=True, text=True, env={**kept, **environment}, check=False
    )


def test_compose_has_the_parts_of_production(compose: str) -> None:
    answer = _config(compose, **SECRETS)
    assert answer.returncode == 0, answer.stderr
    services = yaml.safe_load(answer.stdout)["services"]
    assert {"api", "worker", "projector", "postgres", "valkey"} <= set(services)
    for name in ("api", "worker", "projector"):
        environment = services[name]["environment"]
        assert environment["LEDGERTOP_DATABASE_URL"].startswith("postgresql://")
        assert environment["REDIS_URL"].startswith("redis://")


@pytest.mark.parametrize("missing", sorted(SECRETS))
def test_compose_refuses_to_start_without_a_secret(compose: str, missing: str) -> None:
    answer = _config(compose, **{name: value for name, value in SECRETS.items() if name != missing})
    assert answer.returncode != 0
    assert missing in answer.stderr
