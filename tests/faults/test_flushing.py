"""Each acknowledged command was flushed to disk: flushes are counted, by the kernel or by the database (P1)."""

import os
import re
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.house import House, another_process, eventually, go, hear, open_house, raw_connection

COMMANDS = 20

APPENDING = f"""
from ledgertop.wiring import open_store
from tests.house import created, entry
store = open_store(config)
store.append([entry("m_first", 1, created())])
await_go()
for number in range({COMMANDS}):
    store.append([entry(f"m_{{number}}", 1, created())])
    say("acknowledged")
say("done")
"""


@pytest.fixture
def strace() -> str:
    found = shutil.which("strace")
    if not found:
        if "strace" in os.environ.get("LEDGERTOP_REQUIRE", ""):
            pytest.fail("strace is not installed")
        pytest.skip("strace is not installed; apt-get install strace")
    return found


def test_P1_sqlite_flushes_before_each_acknowledgement(
    sqlite_house: House, tmp_path: Path, strace: str
) -> None:
    """Between two lines that acknowledge there is a flush of the log's own file."""
    trace = tmp_path / "trace"
    with another_process(sqlite_house, APPENDING) as process:
        assert hear(process) == "ready"
        watcher = subprocess.Popen(
            [
                strace,
                "-f",
                "-y",
                "-qq",
                "-e",
                "trace=fsync,fdatasync,write",
                "-o",
                str(trace),
                "-p",
                str(process.pid),
            ],
            stderr=subprocess.PIPE,
        )
        while f"TracerPid:\t{watcher.pid}" not in Path(f"/proc/{process.pid}/status").read_text():
            if watcher.poll() is not None:
                pytest.skip("this machine does not let processes be traced")
        go(process)
        while hear(process) != "done":
            pass
        watcher.terminate()
        watcher.communicate()
    calls = re.findall(
        r"(fdatasync|fsync)\(\d+<[^>]*ledger\.sqlite3-wal>|write\(1<[^>]*>, \"(ack)", trace.read_text()
    )
    told = "".join("A" if acknowledged else "F" for _, acknowledged in calls)
    assert told.count("A") == COMMANDS
    assert re.fullmatch(r"(F+A)+F*", told), told


def test_P1_postgres_flushes_its_log_for_each_commit(postgres_url: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        house = open_house(stack, tmp_path, postgres_url)
        _count_flushes(house)


def _count_flushes(house: House) -> None:
    with raw_connection(house) as run:
        version = int(run("SHOW server_version_num")[0][0])
        flushes = (
            "SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal'"
            if version >= 180_000
            else "SELECT wal_sync FROM pg_stat_wal"
        )
        with another_process(house, APPENDING) as process:
            assert hear(process) == "ready"
            before = run(flushes)[0][0]
            go(process)
            while hear(process) != "done":
                pass
        eventually(lambda: run(flushes)[0][0] - before >= COMMANDS)  # backends report when they end or idle
