"""The service as `make cluster` runs it, for tests that look from outside."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ledgertop.config import Config
from tests.faults.epilogue import with_key_of
from tests.house import ROOT
from tests.running import Running, alive, children_of

STOP_SECONDS = 6  # PostgreSQL, where it is its own, included


@dataclass
class Cluster:
    process: subprocess.Popen[str]
    ends: tuple[Running, Running]  # each HTTP process, as its users see it
    config: Config  # for a process of the test's own on the same database
    log: Path

    def processes(self, kind: str) -> list[int]:
        """Ids of the processes of a kind: `http`, `worker`, `projector`; HTTP in the order of `ends`."""
        found = {pid: words for pid, words in children_of(self.process.pid).items() if words[:1] == [kind]}
        return sorted(found, key=lambda pid: ([int(word) for word in found[pid] if word.isdigit()], pid))

    def every_process(self) -> list[int]:
        """Ids of all processes there are because of it, the server of PostgreSQL left out."""
        return descendants(self.process.pid)


def descendants(pid: int) -> list[int]:
    return [pid, *(one for child in children_of(pid) for one in descendants(child))]


@contextmanager
def clustered(folder: Path, database_url: str | None, **environment: str) -> Iterator[Cluster]:
    """`make cluster` with its data in `folder`, ended by SIGTERM."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LEDGERTOP_", "REDIS_"))}
    given = {"PYTHONPATH": str(ROOT), "LEDGERTOP_DATABASE_URL": database_url or "", **environment}
    log = folder / "cluster.log"
    with ExitStack() as stack:
        process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "tests.cluster", "--data", str(folder / "data")],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=stack.enter_context(log.open("w")),
                text=True,
                env=kept | given,
            )
        )
        stack.callback(_end, process)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
        assert all("listening on " in line for line in lines), log.read_text()
        one, two = (Running(process, line.split("listening on ")[1].strip(), log) for line in lines)
        yield Cluster(process, (one, two), with_key_of(folder / "data", database_url), log)


def _end(process: subprocess.Popen[str]) -> None:
    """Have it end as SIGTERM does it, and see that nothing is left of it."""
    if process.poll() is None:
        pids = descendants(process.pid)
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=STOP_SECONDS)
        finally:
            left = [pid for pid in pids if alive(pid)]
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        assert not left
