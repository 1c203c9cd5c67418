"""A canary: after all kinds of use, no secret is in anything an operator reads (P23)."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from ledgertop.wiring import build
from tests.faults.epilogue import demand_no_secret, hidden, with_key_of
from tests.running import serving

CANARY = "ca9a4c" * 11  # the server's key: 33 bytes in hex
KEY = "canary-idempotency-key"


def test_P23_no_secret_in_logs_metrics_health_doctor_or_queue(tmp_path: Path) -> None:
    environment = {
        "LEDGERTOP_SERVER_KEY": CANARY,
        "LEDGERTOP_ACCESS_LOG": "1",
        "LEDGERTOP_IDLE_SECONDS": "1",
    }
    with serving(tmp_path, **environment) as running:
        match, token = running.open(sit={"name": "Canary Jones"})
        command = {**running.legal(match, token)[0]}
        path = f"/matches/{match}"
        running.call("POST", f"{path}/commands", command, token, Idempotency_Key=KEY)
        running.call("POST", f"{path}/commands", {"type": "nonsense", "token": token}, token)
        running.call("GET", f"{path}?at={token}", token=token)
        running.call("GET", f"{path}/legal-commands", token="lt_seat_" + 43 * "C")
        running.call("POST", f"{path}/rewinds", {"to_version": 1}, token)
        running.call("POST", f"{path}/forks", {"at_version": 5, "sit": {"name": "Canary Smith"}}, token)
        running.call("GET", f"{path}/{token}")
        running.call("GET", "/players/Canary%20Jones")
        texts = {
            name: running.call_plain(name).body for name in ("/metrics", "/health/live", "/health/ready")
        }
        doctor = subprocess.run(
            [sys.executable, "-m", "ledgertop", "--data", str(tmp_path / "data"), "doctor", "--json"],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        texts["doctor"] = doctor.stdout + doctor.stderr
        assert json.loads(doctor.stdout)["checks"]
        for queue in (tmp_path / "data" / "valkey").rglob("*"):
            if queue.is_file():
                texts[queue.name] = queue.read_bytes().decode("latin-1")
    texts["log"] = running.log.read_text()
    assert "/metrics" in texts["log"]
    config = with_key_of(tmp_path / "data")
    with closing(build(config)) as service:
        matches = {found.entry.stream for found in service.store.read_all(0, 10_000)}
        secrets = [CANARY, KEY, token, "Canary Jones", "Canary Smith", *hidden(service, matches)]
    for text in texts.values():
        demand_no_secret(text, secrets)
