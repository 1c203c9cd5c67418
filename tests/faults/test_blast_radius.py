"""How much one can delay others (P21). The bounds are those of docs/limits.md, on a machine that is busy besides."""

import os
import signal
import socket
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from domain.match import MatchRewound
from services.looking import Caller
from tests.faults.chaos import rounds
from tests.faults.epilogue import epilogue, with_key_of
from tests.faults.load import over_http, playing
from tests.house import House, another_process, entry, hear
from tests.running import serving

BYSTANDER_SECONDS = 1.0  # the 99th percentile of somebody else's command (docs/limits.md)
EVENTS = rounds(2_000, 10_000)

OTHER_PROCESS = """
import threading
from itertools import count
from ledgertop.wiring import build
from services.looking import Caller
from services.wishes import CreateMatch, Order, Sit
service = build(config)
say("ready")
while True:
    opened = service.opening.create(CreateMatch("adaman", deal=1, sit=Sit("other")), Order())
    caller = Caller(opened.seat.token)
    while legal := service.looking.legal(opened.id, caller)["commands"]:
        service.matches.act(opened.id, opened.seat.token, legal[0], Order())
"""


def p99(seconds: list[float]) -> float:
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * 0.99))]


def bystander(house: House, seconds: float) -> list[float]:
    """How long each command of somebody takes who has nothing to do with it all."""
    took, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        opened = house.open("bystander", deal=1)
        while (legal := house.legal(opened)) and time.monotonic() < until:
            began = time.monotonic()
            house.act(opened, legal[0])
            took.append(time.monotonic() - began)
    return took


def test_P21_another_writing_process_that_is_stopped(house: House) -> None:
    """Stopped anywhere, mostly not with the lock in its hands; with it, see test_locked.py."""
    with another_process(house, OTHER_PROCESS) as process:
        assert hear(process) == "ready"
        took: list[float] = []
        for _ in range(rounds(2, 20)):
            time.sleep(0.3)
            os.kill(process.pid, signal.SIGSTOP)
            if not _holds_the_lock(house):
                took += bystander(house, 0.5)
            os.kill(process.pid, signal.SIGCONT)
    assert p99(took or [0.0]) < BYSTANDER_SECONDS
    epilogue(house.config)


def _holds_the_lock(house: House) -> bool:
    from services.errors import OutcomeUnknown, StoreUnavailable

    try:
        house.open("probe", deal=1)
    except (StoreUnavailable, OutcomeUnknown):
        return True
    return False


def test_P21_a_match_of_very_many_events(house: House) -> None:
    """It is loaded anew again and again, as after a restart, by several at once."""
    opened = house.open(deal=1)
    store, last = house.service.store, opened.version
    for first in range(last + 1, last + EVENTS, 500):
        store.append(
            [
                entry(opened.id, version, MatchRewound(to_version=last), command=f"c{version}")
                for version in range(first, min(first + 500, last + EVENTS + 1))
            ]
        )
    loaded = []
    stop = threading.Event()

    def load() -> None:
        from services.ledger import Ledger

        while not stop.is_set():
            loaded.append(Ledger(store).history(opened.id).match.version)

    thread = threading.Thread(target=load)
    thread.start()
    took = bystander(house, rounds(2, 30))
    stop.set()
    thread.join(30)
    assert set(loaded) == {last + EVENTS}
    assert p99(took) < BYSTANDER_SECONDS
    assert house.service.looking.view(opened.id, Caller())["version"] == last + EVENTS


def test_P21_readers_that_take_nothing(tmp_path: Path) -> None:
    """They ask for a long match as a stream and never read on; commands of others go on."""
    with serving(tmp_path) as running:
        match, token = running.open(deal=1)
        running.play_on(match, token)
        host, _, port = running.url.removeprefix("http://").partition(":")
        request = (
            f"GET /api/v1/matches/{match}/events HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n"
        )
        with ExitStack() as stack:
            for _ in range(100):
                slow = stack.enter_context(socket.socket())
                slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
                slow.connect((host, int(port)))
                slow.sendall(request.encode() * 20)
            with playing(over_http(lambda: running), players=2) as played:
                played.wait_for_more(20, within=20)
            assert not played.refused
            assert played.slowest < 3 * BYSTANDER_SECONDS
    epilogue(with_key_of(tmp_path / "data"), played.acknowledged, logs=[running.log], secrets=played.tokens)
