"""Whatever becomes of Redis changes no outcome and costs seconds (P14, P15).

Elsewhere: absent, flushed, killed and started again, in `tests/workers/test_worker.py` and `test_embedded.py`;
hanging, in `test_hanging.py`.
"""

import contextlib
import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis

from services.errors import ServiceError
from services.wishes import Order
from tests.faults.chaos import rounds
from tests.faults.epilogue import Acknowledged, epilogue
from tests.house import HOUR, House, eventually, running
from tests.workers.test_worker import SEAL, drain, ends, leave
from workers.embedded import EmbeddedValkey
from workers.jobs import Hints, connect
from workers.run import run_worker
from workers.sweeper import Sweeper

AWAY_SECONDS = rounds(2, 600)


@contextlib.contextmanager
def working(house: House, url: str, workers: int = 1) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        stack.enter_context(running(house.read_side.run))
        for _ in range(workers):
            stack.enter_context(running(lambda stop: run_worker(house.service, url, stop, SEAL)))
        yield


def out_of_memory(server: EmbeddedValkey, client: Redis) -> Callable[[], object]:
    client.config_set("maxmemory-policy", "noeviction")
    client.config_set("maxmemory", "1")
    return lambda: client.config_set("maxmemory", "0")


def stopped(server: EmbeddedValkey, client: Redis) -> Callable[[], object]:
    pid = client.info("server")["process_id"]
    os.kill(pid, signal.SIGSTOP)
    return lambda: os.kill(pid, signal.SIGCONT)


def flushed(server: EmbeddedValkey, client: Redis) -> Callable[[], object]:
    client.flushall()
    return client.flushall


def gone_and_back_without_its_data(server: EmbeddedValkey, client: Redis) -> Callable[[], object]:
    os.kill(client.info("server")["process_id"], signal.SIGKILL)

    def back() -> None:
        shutil.rmtree(server._folder / "appendonlydir", ignore_errors=True)
        eventually(server.tend, within=5)

    return back


@pytest.mark.parametrize("fault", [out_of_memory, stopped, flushed, gone_and_back_without_its_data])
def test_P14_P15_what_is_due_is_done_once_and_in_time(
    sqlite_house: House,
    tmp_path: Path,
    fault: Callable[[EmbeddedValkey, Redis], Callable[[], object]],
) -> None:
    house, matches = sqlite_house, []
    server = EmbeddedValkey.start(tmp_path / "valkey")
    client = connect(server.url, timeout=5)
    try:
        with working(house, server.url):
            matches.append(leave(house))
            eventually(lambda: house.status(matches[-1]) == "ended", within=6)
            heal = fault(server, client)
            try:
                matches.append(leave(house))
                eventually(lambda: house.status(matches[-1]) == "ended", within=6)
                time.sleep(AWAY_SECONDS - 2)
                matches.append(leave(house))
                eventually(lambda: house.status(matches[-1]) == "ended", within=6)
            finally:
                heal()
            matches.append(leave(house))
            eventually(lambda: house.status(matches[-1]) == "ended", within=6)
            again = connect(server.url, timeout=5)
            Hints(connection=again, seal=SEAL).put("abandon-m_a-1")
            eventually(
                lambda: again.llen(Hints(connection=again).key) == 0, within=10
            )  # a worker works again
            again.close()
        assert [len(ends(house, match)) for match in matches] == [1] * 4
    finally:
        client.close()
        server.stop()
    epilogue(house.config)


def test_P14_hints_duplicated_and_in_any_order_to_two_workers_and_two_sweepers(
    house: House, valkey: str
) -> None:
    """Each effect happens once, and the queue's order is nobody's order."""
    chance = random.Random(3)
    matches = [leave(house) for _ in range(rounds(6, 60))]
    house.catch_up()
    due = [effect.id for effect in house.service.effects.due(1_000)]
    client = connect(valkey, timeout=5)
    for _ in range(3):
        chance.shuffle(due)
        for effect in due:  # not unique: as often as it is put there
            Hints(connection=client).enqueue_call("perform_effect", args=(effect, SEAL.of(effect)))
    sweepers = [Sweeper(house.service.effects, connect(valkey, timeout=5), SEAL) for _ in range(2)]
    threads = [threading.Thread(target=drain, args=(house, valkey)) for _ in range(2)]
    threads += [threading.Thread(target=sweeper.sweep) for sweeper in sweepers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    client.close()
    assert [len(ends(house, match)) for match in matches] == [1] * len(matches)
    epilogue(house.config)


def test_P14_a_timer_against_an_action_at_the_deadline(house: House) -> None:
    """Exactly one of them happens, and who acted is told the truth."""
    acknowledged = []
    for number in range(rounds(8, 200)):
        opened = house.open(f"p{number}", deal=1)
        house.catch_up()
        house.clock.go(HOUR)
        effect, command = f"abandon-{opened.id}-{opened.version}", house.legal(opened)[0]
        start, told = threading.Barrier(3), {}

        def act() -> None:
            start.wait()  # noqa: B023
            try:
                order = Order(f"k{number}", opened.version)  # noqa: B023
                told["acted"] = house.act(opened, command, order).version  # noqa: B023
            except ServiceError as error:
                told["refused"] = type(error).__name__  # noqa: B023

        def expire() -> None:
            start.wait()  # noqa: B023
            told["expired"] = house.service.effects.perform(effect)  # noqa: B023

        threads = [threading.Thread(target=act), threading.Thread(target=expire)]
        for thread in threads:
            thread.start()
        start.wait()
        for thread in threads:
            thread.join(20)
        assert ("acted" in told) is not told["expired"], told
        assert (house.status(opened.id) == "ended") is told["expired"]
        if "acted" in told:
            acknowledged.append(Acknowledged(opened.id, f"k{number}", told["acted"]))
        else:
            assert told["refused"] in ("VersionConflict", "MatchOver")
    epilogue(house.config, acknowledged)
