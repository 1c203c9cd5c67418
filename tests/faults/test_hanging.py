"""Connections that hang instead of closing: nothing comes through, and nobody says so (P21, P22)."""

import contextlib
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from services.errors import OutcomeUnknown, StoreUnavailable
from services.wishes import CreateMatch, Opened, Order, Sit
from tests.faults.chaos import rounds
from tests.faults.epilogue import epilogue, with_key_of
from tests.faults.load import LONGEST, in_process, over_http, playing
from tests.faults.proxy import Proxy, to_unix
from tests.house import House, eventually, open_house, running
from tests.running import serving
from tests.workers.test_worker import SEAL, ends, leave
from workers.nudge import Nudger
from workers.run import run_worker

Wire = tuple[Proxy, str]


def test_P21_P22_a_database_that_hangs_costs_each_command_less_than_3_s_and_no_restart(
    proxied_postgres: Wire, tmp_path: Path
) -> None:
    proxy, url = proxied_postgres
    with ExitStack() as stack:
        house = open_house(stack, tmp_path, url)
        shared = house.open(deal=1)
        others = [house.open(f"p{number}", deal=1) for number in range(8)]
        took: list[float] = []
        outcomes: list[str] = []

        def act(opened: Opened) -> None:
            began = time.monotonic()
            try:
                house.act(opened, command, Order())
                outcomes.append("done")
            except (StoreUnavailable, OutcomeUnknown):
                outcomes.append("unavailable")
            took.append(time.monotonic() - began)

        command = house.legal(shared)[0]
        proxy.hang()
        for _ in range(rounds(1, 10)):
            threads = [
                threading.Thread(target=act, args=(one,)) for one in [*others, shared, shared, shared, shared]
            ]
            for thread in threads:
                thread.start()
            began = time.monotonic()
            with pytest.raises((StoreUnavailable, OutcomeUnknown)):
                house.service.opening.create(CreateMatch("adaman", deal=1, sit=Sit("zoe")), Order())
            took.append(time.monotonic() - began)
            for thread in threads:
                thread.join(10)
        assert set(outcomes) == {"unavailable"}
        assert max(took) < LONGEST
        proxy.flow()
        began = time.monotonic()
        eventually(lambda: _accepted(house), within=5)
        assert time.monotonic() - began < 5
        with playing(in_process(house)) as played:
            played.wait_for_more(10)
        epilogue(house.config, played.acknowledged)


def _accepted(house: House) -> bool:
    try:
        house.open(deal=1)
    except (StoreUnavailable, OutcomeUnknown):
        return False
    return True


def test_P22_a_listener_that_hangs_costs_about_a_second(proxied_postgres: Wire, tmp_path: Path) -> None:
    proxy, url = proxied_postgres
    with ExitStack() as stack:
        house = open_house(stack, tmp_path, url)
        direct = open_house(stack, tmp_path / "direct", str(house.config.database_url))
        head = direct.open(deal=1).position
        assert house.service.store.wait(head - 1, 5) >= head
        proxy.hang()
        time.sleep(rounds(2, 10))
        proxy.flow()
        position = direct.open(deal=1).position
        assert house.service.store.wait(head, 5) > head
        assert position > head


def test_P5_a_commit_whose_reply_is_lost_is_answered_or_told_by_the_same_id(
    proxied_postgres: Wire, tmp_path: Path
) -> None:
    """Trap 1."""
    proxy, url = proxied_postgres
    with ExitStack() as stack:
        house = open_house(stack, tmp_path, url)
        opened = house.open(deal=1)
        for number in range(rounds(2, 20)):
            legal = house.legal(opened)
            if not legal:
                opened = house.open(deal=1)
                legal = house.legal(opened)
            before = len(house.service.store.read(opened.id))
            order = Order(f"move-{number}")
            proxy.lose_reply_to(b"adaman.")  # topics are sent in an append only
            try:
                answer = house.act(opened, legal[0], order)
            except (StoreUnavailable, OutcomeUnknown):
                answer = eventually(lambda: _again(house, opened, legal[0], order), within=5)  # noqa: B023
            assert proxy.lost.wait(2)
            assert house.act(opened, legal[0], order) == answer
            written = house.service.ledger.history(opened.id).entries[before:]
            assert len({entry.command for entry in written}) == 1
        epilogue(house.config)


def _again(house: House, opened: Opened, command: dict[str, Any], order: Order) -> object:
    with contextlib.suppress(StoreUnavailable, OutcomeUnknown):
        return house.act(opened, command, order)
    return None


def test_P15_a_redis_that_hangs_costs_seconds_and_no_outcome(
    sqlite_house: House, valkey: str, tmp_path: Path
) -> None:
    house = sqlite_house
    with contextlib.closing(Proxy(to_unix(valkey.removeprefix("unix://")))) as proxy:
        url = f"redis://127.0.0.1:{proxy.port}/0"

        def both(stop: threading.Event) -> None:
            projecting = threading.Thread(target=house.read_side.run, args=(stop,))
            projecting.start()
            run_worker(house.service, url, stop, SEAL)
            projecting.join()

        with running(both):
            first = leave(house)
            eventually(lambda: house.status(first) == "ended", within=5)
            proxy.hang()
            second = leave(house)
            eventually(lambda: house.status(second) == "ended", within=5)
            nudger = Nudger(url, SEAL)
            began = time.monotonic()
            for number in range(3_000):
                nudger(f"due-m_a-{number}")
            assert time.monotonic() - began < 0.5
            proxy.flow()
            third = leave(house)
            eventually(lambda: house.status(third) == "ended", within=5)
        assert [len(ends(house, match)) for match in (first, second, third)] == [1, 1, 1]
    epilogue(house.config)


def test_P22_the_whole_service_over_a_database_that_hangs(proxied_postgres: Wire, tmp_path: Path) -> None:
    """API, projector and worker at once, and no process is started anew."""
    proxy, url = proxied_postgres
    with serving(tmp_path, LEDGERTOP_DATABASE_URL=url) as running_service:
        match, token = running_service.open(deal=1)
        children = running_service.children()
        with playing(over_http(lambda: running_service)) as played:
            played.wait_for_more()
            proxy.hang()
            time.sleep(rounds(4, 30))
            began = time.monotonic()
            answer = running_service.call("POST", f"/matches/{match}/commands", {"type": "resign"}, token)
            assert time.monotonic() - began < LONGEST
            assert (answer.status, answer.headers.get("Retry-After")) == (503, "1"), answer
            assert running_service.call_plain("/health/live").status == 200
            assert "ledgertop_store_reachable 0.0" in running_service.call_plain("/metrics").body
            proxy.flow()
            played.wait_for_more(within=8)
        assert played.refused
        assert played.slowest < LONGEST + 1  # the client's own time, on a machine that is busy
        position = running_service.call("POST", "/matches", {"game": "adaman", "deal": 1}).body["position"]
        eventually(
            lambda: running_service.call("GET", f"/matches?after_position={position}").status == 200,
            within=15,
        )
        assert running_service.children() == children
    config = with_key_of(tmp_path / "data", url)
    epilogue(config, played.acknowledged, logs=[running_service.log], secrets=played.tokens)
