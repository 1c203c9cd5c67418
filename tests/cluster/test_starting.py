"""`make cluster` as its users start it: two addresses, a PostgreSQL of its own, and nothing left when it is stopped."""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from ledgertop.config import Config
from ledgertop.wiring import build
from tests.cluster.running import STOP_SECONDS, clustered
from tests.running import alive

KINDS = ("http", "worker", "projector")


def test_two_of_each_are_started_and_all_end_with_it(tmp_path: Path) -> None:
    with clustered(tmp_path, None) as cluster:
        assert [len(cluster.processes(kind)) for kind in KINDS] == [2, 2, 2]
        match, token = cluster.ends[0].open(deal=7)
        cluster.ends[1].play_on(match, token)
        assert cluster.ends[0].call("GET", f"/matches/{match}").body["status"] == "ended"
        (worker, _) = cluster.processes("worker")
        url = environment_of(worker)["LEDGERTOP_DATABASE_URL"]
        psycopg.connect(url).close()
        pids = cluster.every_process()
        cluster.process.send_signal(signal.SIGINT)
        assert cluster.process.wait(STOP_SECONDS) == 0
        assert not any(alive(pid) for pid in pids)
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(url)


def test_trap_3_processes_that_create_the_tables_at_once_all_find_them(
    tmp_path: Path, database_url: str | None
) -> None:
    config = Config(tmp_path, database_url, None, 3_600, b"k" * 32)
    together = threading.Barrier(8)

    def begin(_: int) -> None:
        together.wait(10)
        build(config, migrate=True).close()

    with ThreadPoolExecutor(together.parties) as pool:
        list(pool.map(begin, range(together.parties)))


def environment_of(pid: int) -> dict[str, str]:
    whole = Path(f"/proc/{pid}/environ").read_text()
    return dict(line.split("=", 1) for line in whole.split("\0") if "=" in line)
