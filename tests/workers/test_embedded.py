"""The embedded Valkey server: private, kept, and gone with its owner."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from tests.house import ROOT, eventually
from workers.embedded import CannotStart, EmbeddedValkey, embedded_valkey, socket_of
from workers.jobs import connect


def answers(url: str) -> bool:
    client = connect(url, timeout=1)
    try:
        return bool(client.ping())
    except RedisError:
        return False
    finally:
        client.close()


def test_it_answers_on_a_private_socket_only_and_is_gone_afterwards(tmp_path: Path) -> None:
    with embedded_valkey(tmp_path / "valkey") as url:
        client = connect(url, timeout=5)
        assert client.config_get("port") == {"port": "0"}
        assert client.config_get("appendonly") == {"appendonly": "yes"}
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        client.close()
        socket = socket_of(tmp_path / "valkey")
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    assert not answers(url)


def test_what_was_queued_outlives_a_restart(tmp_path: Path) -> None:
    for expected in (1, 2):
        with embedded_valkey(tmp_path) as url:
            client = connect(url, timeout=5)
            assert client.incr("starts") == expected
            client.close()


def test_a_running_one_is_used_and_left_to_its_owner(tmp_path: Path) -> None:
    with embedded_valkey(tmp_path) as url:
        second = EmbeddedValkey.start(tmp_path)
        assert second.url == url
        second.stop()
        second.stop()
        assert answers(url)
    assert not answers(url)


def test_a_data_folder_with_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    with embedded_valkey(folder) as url:
        assert answers(url)
        assert len(os.fsencode(socket_of(folder))) <= 100
        assert (folder / "appendonlydir").is_dir()
        assert stat.S_IMODE(socket_of(folder).parent.stat().st_mode) == 0o700
    socket_of(folder).parent.rmdir()


def test_a_short_place_that_is_somebody_elses_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    trap = socket_of(folder).parent
    trap.symlink_to(tmp_path)
    try:
        with pytest.raises(CannotStart, match="somebody else"):
            EmbeddedValkey.start(folder)
    finally:
        trap.unlink()


def test_a_server_that_cannot_start_says_where_its_log_is(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").write_text("in the way")
    with pytest.raises(CannotStart, match=r"valkey\.log"):
        EmbeddedValkey.start(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_it_does_not_outlive_its_owner(tmp_path: Path, number: int) -> None:
    script = (
        "import sys, threading; from pathlib import Path; from workers.embedded import EmbeddedValkey\n"
        "print(EmbeddedValkey.start(Path(sys.argv[1])).url, flush=True)\nthreading.Event().wait()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert answers(url)
        began = time.monotonic()
        process.send_signal(number)
        process.wait()
    eventually(lambda: not answers(url), within=5)
    assert time.monotonic() - began < 5


def test_P15_a_killed_one_is_started_again_by_its_owner(tmp_path: Path) -> None:
    server = EmbeddedValkey.start(tmp_path)
    try:
        assert not server.tend()
        client = connect(server.url, timeout=1.0)
        os.kill(client.info("server")["process_id"], signal.SIGKILL)
        client.close()
        eventually(server.tend, within=5)
        eventually(lambda: answers(server.url), within=5)
    finally:
        server.stop()
    assert not answers(server.url)


def test_P15_who_used_anothers_server_takes_over_when_that_one_is_gone(tmp_path: Path) -> None:
    owner, user = EmbeddedValkey.start(tmp_path), EmbeddedValkey.start(tmp_path)
    try:
        assert not user.tend()
        owner.stop()
        eventually(user.tend, within=5)
        eventually(lambda: answers(user.url), within=5)
    finally:
        user.stop()
    assert not answers(user.url)


def test_P15_one_that_lost_its_socket_is_replaced(tmp_path: Path) -> None:
    server = EmbeddedValkey.start(tmp_path)
    try:
        socket_of(tmp_path).unlink()
        eventually(server.tend, within=5)
        eventually(lambda: answers(server.url), within=5)
    finally:
        server.stop()
