"""Processes of the running service that are killed, stopped politely, or lose their parent, always under load.

The worker has no work-horse that could be killed: it performs effects in its own process (`SimpleWorker`), so that
killing it and killing the horse are one fault.
"""

import os
import signal
import time
from pathlib import Path

from tests.faults.chaos import rounds
from tests.faults.epilogue import Acknowledged, epilogue, with_key_of
from tests.faults.load import over_http, playing
from tests.house import eventually
from tests.running import alive, serving


def test_P1_P22_every_process_killed_in_turn_under_load(tmp_path: Path) -> None:
    with serving(tmp_path, LEDGERTOP_IDLE_SECONDS="2") as running:
        left, _ = running.open(deal=1)
        with playing(over_http(lambda: running, abandoning=True), players=2) as played:
            for _ in range(rounds(1, 20)):
                for name in ("answering", "http", "worker", "projector"):
                    played.wait_for_more(within=30)
                    pid = running.children()[name]
                    os.kill(pid, signal.SIGKILL)
                    eventually(lambda: running.children().get(name) not in (None, pid), 30)  # noqa: B023
            played.wait_for_more(within=30)
        ended = eventually(
            lambda: (
                running.call("GET", f"/matches/{left}").body["status"] == "ended"
                and running.call("GET", f"/matches/{left}/events").body["events"]
            ),
            within=20,
        )
        assert [event["by"] for event in ended if event["type"] == "ended"] == ["system:caretaker"]
    epilogue(with_key_of(tmp_path / "data"), played.acknowledged, logs=[running.log], secrets=played.tokens)


def test_P1_their_parent_alone_killed_and_the_service_started_again(tmp_path: Path) -> None:
    """Children follow their parent; what is started on the same data goes on from what was acknowledged."""
    acknowledged: list[Acknowledged] = []
    secrets: list[str] = []
    for _ in range(rounds(1, 10)):
        with serving(tmp_path) as running:
            with playing(over_http(lambda: running), players=2) as played:
                played.wait_for_more()
                children = running.children()
                running.process.kill()
                running.process.wait()
                eventually(lambda: not any(alive(pid) for pid in children.values()), 10)  # noqa: B023
            acknowledged += played.acknowledged
            secrets += played.tokens
            log = running.log
        # Players' keys repeat in each round; the same key gives the same match and the same answers again (P4).
    epilogue(with_key_of(tmp_path / "data"), acknowledged, logs=[log], secrets=secrets)


def test_P22_sigterm_under_load(tmp_path: Path) -> None:
    acknowledged: list[Acknowledged] = []
    secrets: list[str] = []
    for _ in range(rounds(2, 20)):
        with serving(tmp_path) as running, playing(over_http(lambda: running), players=3) as played:
            played.wait_for_more()
            began = time.monotonic()
            running.process.send_signal(signal.SIGTERM)
            assert running.process.wait(10) == 0
            assert time.monotonic() - began < 4
        acknowledged += played.acknowledged
        secrets += played.tokens
        assert "Traceback" not in running.log.read_text()
    epilogue(with_key_of(tmp_path / "data"), acknowledged, logs=[running.log], secrets=secrets)
