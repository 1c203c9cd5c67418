"""P14, P15: what is due gets done, once, whatever becomes of Redis. Trap 6: nothing else gets done at all."""

import json
import logging
import pickle
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from rq import Queue
from rq.serializers import JSONSerializer, PickleSerializer

from ledgertop.config import Config
from ledgertop.wiring import build, queue_seal
from services.effects import Effect
from services.errors import StoreUnavailable
from services.wishes import Order
from tests.house import HOUR, House, eventually, running, token_of
from tests.services.rounds import Round, play_together
from workers.jobs import EFFECT_ID, PERFORM, QUEUE, Hint, Hints, Seal, connect
from workers.nudge import Nudger
from workers.run import run_worker
from workers.sweeper import GRACE_SECONDS, Sweeper
from workers.worker import HintWorker

SEAL = Seal(b"s" * 32)
NOWHERE = "unix:///nonexistent/valkey.sock"


def leave(house: House) -> str:
    """A match nobody touches until it is due to be abandoned."""
    opened = house.open(deal=1)
    house.clock.go(HOUR)
    return opened.id


def ends(house: House, match: str) -> list[Any]:
    return [found for found in house.service.store.read(match) if found.event.type_name() == "ended"]


def work(house: House, url: str) -> Any:
    """Worker and projections beside the test."""

    def both(stop: threading.Event) -> None:
        projecting = threading.Thread(target=house.read_side.run, args=(stop,))
        projecting.start()
        run_worker(house.service, url, stop, SEAL)
        projecting.join()

    return running(both)


def drain(house: House, url: str) -> None:
    """Let an RQ worker do all jobs that are in the queue."""
    connection = connect(url, timeout=5)
    stop = threading.Event()
    worker = HintWorker(connection, house.service.effects.perform, SEAL)
    thread = threading.Thread(target=worker.serve, args=(stop,))
    thread.start()
    eventually(lambda: connection.llen(Hints(connection=connection).key) == 0)
    eventually(lambda: connection.llen(Hints(connection=connection).intermediate_queue_key) == 0)
    stop.set()
    thread.join()
    connection.close()


# --- what is due -------------------------------------------------------------------------------------------


def test_P14_a_match_left_alone_is_abandoned_once(house: House, valkey: str) -> None:
    match = leave(house)
    with work(house, valkey):
        eventually(lambda: house.status(match) == "ended", within=5)
    (end,) = ends(house, match)
    assert (end.by, end.event.outcome.result) == ("system:caretaker", "abandoned")


def test_P14_the_queue_carries_it_when_redis_is_there(sqlite_house: House, valkey: str) -> None:
    match = leave(sqlite_house)
    sqlite_house.catch_up()
    connection = connect(valkey, timeout=5)
    sweeper = Sweeper(sqlite_house.service.effects, connection, SEAL)
    sweeper.sweep()
    assert sqlite_house.status(match) == "running", "the sweeper only hints"
    drain(sqlite_house, valkey)
    assert len(ends(sqlite_house, match)) == 1
    assert not Hint.exists(f"abandon-{match}-5", connection), "nothing is left that could block the id"
    connection.close()


def test_P14_nothing_happens_early(sqlite_house: House, valkey: str) -> None:
    opened = sqlite_house.open(deal=1)
    sqlite_house.clock.go(HOUR - 1)
    sqlite_house.catch_up()
    connection = connect(valkey, timeout=5)
    Sweeper(sqlite_house.service.effects, connection, SEAL).sweep()
    assert connection.llen(Hints(connection=connection).key) == 0
    Hints(connection=connection, seal=SEAL).put(f"abandon-{opened.id}-{opened.version}")
    drain(sqlite_house, valkey)
    assert sqlite_house.status(opened.id) == "running"
    connection.close()


def test_P14_an_action_before_the_deadline_wins(sqlite_house: House, valkey: str) -> None:
    house = sqlite_house
    opened = house.open(deal=1)
    house.clock.go(HOUR)
    house.catch_up()
    house.act(opened, house.legal(opened)[0])  # the table does not know it yet
    assert house.service.effects.perform(f"abandon-{opened.id}-{opened.version}") is False
    assert house.status(opened.id) == "running"


def test_P15_two_sweepers_and_a_worker_at_once_end_a_match_once(house: House, valkey: str) -> None:
    matches = [leave(house) for _ in range(5)]
    house.catch_up()
    connections = [connect(url, timeout=5) for url in (valkey, valkey, NOWHERE)]
    sweepers = [Sweeper(house.service.effects, connection, SEAL) for connection in connections]
    threads = [threading.Thread(target=sweeper.sweep) for sweeper in sweepers for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    drain(house, valkey)
    assert [len(ends(house, match)) for match in matches] == [1] * 5
    for connection in connections:
        connection.close()


def test_P15_the_same_hint_twice_is_one_job(valkey: str) -> None:
    connection = connect(valkey, timeout=5)
    queue = Hints(connection=connection, seal=SEAL)
    for _ in range(3):
        queue.put("abandon-m_a-5")
    assert queue.get_job_ids() == ["abandon-m_a-5"]
    connection.close()


# --- Redis away --------------------------------------------------------------------------------------------


def test_P15_without_redis_the_sweeper_does_it_itself(house: House) -> None:
    match = leave(house)
    with work(house, NOWHERE):
        eventually(lambda: house.status(match) == "ended", within=5)
    assert len(ends(house, match)) == 1


def test_P15_jobs_that_were_flushed_are_made_up_for(sqlite_house: House, valkey: str) -> None:
    match = leave(sqlite_house)
    sqlite_house.catch_up()
    connection = connect(valkey, timeout=5)
    sweeper = Sweeper(sqlite_house.service.effects, connection, SEAL)
    sweeper.sweep()
    connection.flushall()
    time.sleep(GRACE_SECONDS + 0.1)
    sweeper.sweep()
    assert len(ends(sqlite_house, match)) == 1
    connection.close()


def test_P15_a_flush_and_a_restart_of_redis_change_no_outcome(sqlite_house: House, tmp_path: Path) -> None:
    from workers.embedded import EmbeddedValkey

    house = sqlite_house
    server = EmbeddedValkey.start(tmp_path / "valkey")
    try:
        with work(house, server.url):
            first = leave(house)
            eventually(lambda: house.status(first) == "ended", within=5)
            connection = connect(server.url, timeout=5)
            before = connection.smembers("rq:workers")
            connection.close()
            server.stop()
            second = leave(house)
            eventually(lambda: house.status(second) == "ended", within=5)
            server = EmbeddedValkey.start(tmp_path / "valkey")
            connection = connect(server.url, timeout=5)
            eventually(lambda: connection.smembers("rq:workers") - before, within=15)
            connection.flushall()
            connection.close()
            third = leave(house)
            eventually(lambda: house.status(third) == "ended", within=5)
        assert [len(ends(house, match)) for match in (first, second, third)] == [1, 1, 1]
    finally:
        server.stop()


def test_P15_a_queue_that_nobody_works_costs_seconds_only(sqlite_house: House, valkey: str) -> None:
    match = leave(sqlite_house)
    sqlite_house.catch_up()
    connection = connect(valkey, timeout=5)
    with running(Sweeper(sqlite_house.service.effects, connection, SEAL).run):
        eventually(lambda: sqlite_house.status(match) == "ended", within=5)
    connection.close()


def test_P21_an_effect_that_fails_does_not_keep_others_waiting(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = leave(sqlite_house), leave(sqlite_house)
    sqlite_house.catch_up()
    abandon = sqlite_house.service.timekeeping.abandon
    tried: list[str] = []

    def fail_on_bad(match: str, **rest: Any) -> None:
        tried.append(match)
        if match == bad:
            raise StoreUnavailable
        abandon(match, **rest)

    monkeypatch.setattr(sqlite_house.service.timekeeping, "abandon", fail_on_bad)
    sweeper = Sweeper(sqlite_house.service.effects, connect(NOWHERE, timeout=1), SEAL)
    sweeper.sweep()
    sweeper.sweep()
    assert sqlite_house.status(good) == "ended"
    assert tried.count(bad) == 1, "it is tried again later, not at once"


def test_a_worker_stops_within_a_second(sqlite_house: House, valkey: str) -> None:
    for url in (valkey, NOWHERE):
        stop = threading.Event()
        thread = threading.Thread(target=run_worker, args=(sqlite_house.service, url, stop, SEAL))
        thread.start()
        time.sleep(0.3)
        began = time.monotonic()
        stop.set()
        thread.join()
        assert time.monotonic() - began < 1.2


# --- forged jobs (trap 6) ----------------------------------------------------------------------------------


def forge(url: str, func: str, args: tuple[Any, ...], **settings: Any) -> None:
    connection = connect(url, timeout=5)
    queue = Queue(QUEUE, connection=connection, serializer=settings.pop("serializer", JSONSerializer))
    queue.enqueue_call(func, args=args, **settings)
    connection.close()


class Evil:
    """Unpickling it runs a command."""

    def __init__(self, proof: Path) -> None:
        self.proof = proof

    def __reduce__(self) -> Any:
        return __import__("os").system, (f"touch {self.proof}",)


def test_P25_a_job_that_names_another_function_is_refused(
    sqlite_house: House, valkey: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    proof = tmp_path / "proof"
    forge(valkey, "os.system", (f"touch {proof}",))
    forge(valkey, "workers.run.run_worker", ("abandon-m_a-1",))
    forge(valkey, "perform_effect", (f"touch {proof}",))
    forge(valkey, "perform_effect", ("abandon-m_a-1", "more"))
    with caplog.at_level(logging.WARNING, "ledgertop.worker"):
        drain(sqlite_house, valkey)
    assert not proof.exists()
    assert caplog.text.count("a forged job was refused") == 4
    assert "touch" not in caplog.text, "what was in it is not logged"


def test_P25_a_forged_hint_at_a_real_effect_is_refused_and_logged(
    sqlite_house: House, valkey: str, caplog: pytest.LogCaptureFixture
) -> None:
    match = leave(sqlite_house)
    sqlite_house.catch_up()
    (effect,) = sqlite_house.service.effects.due(10)
    for forged in (
        (effect.id,),
        (effect.id, ""),
        (effect.id, Seal(b"x" * 32).of(effect.id)),
        (effect.id, "ä"),
    ):
        forge(valkey, PERFORM, forged)
    forge(valkey, PERFORM, (effect.id, SEAL.of(f"abandon-{match}-1")))
    with caplog.at_level(logging.WARNING, "ledgertop.worker"):
        drain(sqlite_house, valkey)
    assert sqlite_house.status(match) == "running"
    assert caplog.text.count("a forged job was refused") == 5
    assert effect.id not in caplog.text
    forge(valkey, PERFORM, (effect.id, SEAL.of(effect.id)))
    drain(sqlite_house, valkey)
    assert sqlite_house.status(match) == "ended"


def test_every_process_of_a_service_has_the_same_seal_and_no_other_service_has_it(tmp_path: Path) -> None:
    def seal(key: bytes) -> str:
        return queue_seal(Config(tmp_path, None, None, HOUR, key)).of("abandon-m_a-1")

    assert seal(b"k" * 32) == seal(b"k" * 32) != seal(b"l" * 32)


def test_P25_pickled_jobs_are_refused_and_never_unpickled(
    sqlite_house: House, valkey: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    proof = tmp_path / "proof"
    forge(valkey, "perform_effect", (Evil(proof),), serializer=PickleSerializer)
    connection = connect(valkey, timeout=5)
    (job_id,) = Hints(connection=connection).get_job_ids()
    for field in ("meta", "result", "exc_info"):
        connection.hset(f"rq:job:{job_id}", field, pickle.dumps(Evil(proof)))
    drain(sqlite_house, valkey)
    assert not proof.exists()
    assert "its data are not JSON" in caplog.text
    assert not connection.exists(f"rq:job:{job_id}")
    connection.close()


def test_P25_callbacks_webhooks_retries_and_dependencies_are_not_honoured(
    sqlite_house: House, valkey: str, tmp_path: Path
) -> None:
    match = leave(sqlite_house)
    sqlite_house.catch_up()
    proof = tmp_path / "proof.py"
    proof.write_text("raise SystemExit")
    connection = connect(valkey, timeout=5)
    effect = sqlite_house.read_side.due_effects.due(2**62, 1)[0]
    Hints(connection=connection, seal=SEAL).put(effect.id)
    for kind in ("success", "failure", "stopped"):
        connection.hset(f"rq:job:{effect.id}", f"{kind}_callback_name", "os.abort")
    connection.hset(
        f"rq:job:{effect.id}",
        mapping={
            "webhooks": json.dumps([{"url": "http://127.0.0.1:9/", "job_status": "finished"}]),
            "retries_left": 5,
            "repeats_left": 5,
            "repeat_intervals": json.dumps([0]),
            "dependency_ids": json.dumps(["other"]),
        },
    )
    drain(sqlite_house, valkey)  # os.abort would end this process
    assert len(ends(sqlite_house, match)) == 1
    assert Hints(connection=connection).get_job_ids() == []
    connection.close()


@pytest.mark.parametrize("command", ["shutdown", "stop-job", "kill-horse"])
def test_P25_commands_sent_through_redis_are_not_honoured(
    sqlite_house: House, valkey: str, command: str
) -> None:
    connection = connect(valkey, timeout=5)
    with work(sqlite_house, valkey):
        eventually(lambda: connection.scard("rq:workers") == 1)
        (name,) = connection.smembers("rq:workers")
        channel = f"rq:pubsub:{name.decode().removeprefix('rq:worker:')}"
        assert connection.publish(channel, json.dumps({"command": command, "job_id": "x"})) == 0
    connection.close()


def test_what_lies_in_the_queue_does_not_end_the_worker(house: House, valkey: str) -> None:
    connection = connect(valkey, timeout=5)
    key = Hints(connection=connection).key
    connection.hset("rq:job:garbage", mapping={"data": b"\x80\x04", "timeout": "soon", "status": "none"})
    connection.rpush(key, "garbage", "missing", b"\xff\xfe")
    match = leave(house)
    with work(house, valkey):
        eventually(lambda: house.status(match) == "ended", within=8)
    connection.delete(key)
    connection.set(key, "no list")
    match = leave(house)
    with work(house, valkey):
        eventually(lambda: house.status(match) == "ended", within=8)
    connection.close()


def test_P23_a_job_tells_nothing_but_an_effects_id(sqlite_house: House, valkey: str) -> None:
    opened = sqlite_house.open("Zaphod Quux")
    sqlite_house.clock.go(HOUR)
    sqlite_house.catch_up()
    connection = connect(valkey, timeout=5)
    Sweeper(sqlite_house.service.effects, connection, SEAL).sweep()
    stored = b"".join(
        b"".join(part for pair in connection.hgetall(key).items() for part in pair)
        for key in connection.scan_iter("rq:job:*")
    )
    effect_id = f"abandon-{opened.id}-{opened.version}"
    assert connection.hget(f"rq:job:{effect_id}", "description") == effect_id.encode()
    seed = sqlite_house.service.seeds.of(sqlite_house.service.ledger.history(opened.id).match)
    for secret in (token_of(opened), seed.hex(), "Zaphod"):
        assert secret.encode() not in stored
    connection.close()


def test_every_effects_id_may_be_a_jobs_id(sqlite_house: House) -> None:
    sqlite_house.open(deal=1)
    sqlite_house.open()
    sqlite_house.service.opening.fork(
        (opened := sqlite_house.open(deal=1)).id, 5, token_of(opened), None, Order()
    )
    sqlite_house.catch_up()
    effects: list[Effect] = sqlite_house.read_side.due_effects.due(2**62, 10)
    assert effects
    assert all(EFFECT_ID.fullmatch(effect.id) for effect in effects)


# --- what is due at once -----------------------------------------------------------------------------------


def turn_over(house: House) -> Round:
    """A match of Adellos whose turn has ended, with nobody there to go on."""
    table = play_together(house.service)
    table.play_until("turn_ended")
    return table


def test_P14_a_turn_goes_on_by_the_queue_before_the_table_knows(sqlite_house: House, valkey: str) -> None:
    table = turn_over(sqlite_house)
    connection = connect(valkey, timeout=5)
    Hints(connection=connection, seal=SEAL).put(f"due-{table.match}-{table.version}")
    drain(sqlite_house, valkey)
    assert table.view()["due"] is None
    assert table.told().count("counters_ticked") == 1
    connection.close()


def test_P15_a_match_waits_for_a_dead_worker_and_goes_on_when_it_is_back(house: House, valkey: str) -> None:
    table = turn_over(house)
    house.catch_up()
    time.sleep(0.2)
    assert (table.view()["due"], table.view()["to_act"]) == ("tick_time_counters", [])
    with work(house, valkey):
        eventually(lambda: table.view()["due"] is None, within=5)
    assert table.told().count("counters_ticked") == 1


def test_P15_without_redis_a_turn_goes_on_too(house: House) -> None:
    table = turn_over(house)
    with work(house, NOWHERE):
        eventually(lambda: table.view()["due"] is None, within=5)
    assert table.told().count("counters_ticked") == 1


def test_a_command_that_leaves_something_due_hints_at_it_at_once(tmp_path: Path, valkey: str) -> None:
    config = Config(tmp_path, None, None, HOUR, b"k" * 32)
    service = build(config, migrate=True, nudge=Nudger(valkey, SEAL))
    try:
        table = play_together(service)
        table.play_until("turn_ended")
        connection = connect(valkey, timeout=5)
        queue = Hints(connection=connection)
        eventually(lambda: queue.get_job_ids() == [f"due-{table.match}-{table.version}"])
        connection.close()
    finally:
        service.close()


def test_P15_no_command_waits_for_redis_to_take_a_hint(tmp_path: Path) -> None:
    with socket.socket() as hanging:  # takes connections and never answers
        hanging.bind(("127.0.0.1", 0))
        hanging.listen()
        nudger = Nudger(f"redis://127.0.0.1:{hanging.getsockname()[1]}/0", SEAL)
        began = time.monotonic()
        for number in range(3_000):
            nudger(f"due-m_a-{number}")
        assert time.monotonic() - began < 0.5
