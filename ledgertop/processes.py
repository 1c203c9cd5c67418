"""The processes of a whole service on one machine: which there are, what they share, how they begin and end."""

import http.client
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from ledgertop.config import Config
from ledgertop.supervisor import Child, Supervisor

READY_SECONDS = 30.0


def listen(host: str, port: int) -> socket.socket:
    """A socket to serve on; port 0 takes a free one. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=2048)
    listener.set_inheritable(True)
    return listener


def stopped_by_signals() -> threading.Event:
    """An event that SIGTERM and SIGINT set."""
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    return stopping


def answers(host: str, port: int, stopping: threading.Event) -> bool:
    """Wait until the service answers there; False if it does not within READY_SECONDS, or is stopped first."""
    deadline = time.monotonic() + READY_SECONDS
    while not stopping.is_set() and time.monotonic() < deadline:
        connection = http.client.HTTPConnection(_reachable(host), port, timeout=2)
        try:
            connection.request("GET", "/health/ready")
            if connection.getresponse().status == 200:
                return True
        except OSError:
            pass
        finally:
            connection.close()
        stopping.wait(0.05)
    return False


def run_all(
    config: Config,
    listeners: Sequence[socket.socket],
    *,
    copies: int,
    started: Callable[[], object],
    report: Callable[[str], None],
    stopping: threading.Event,
) -> None:
    """Run the whole service until `stopping` is set: an HTTP process for each listener, and so many `copies` of
    worker and projector. Without a configured Redis an embedded Valkey runs beside them. A listener that is given
    several times is shared by as many processes, which tell their metrics together.

    `started` is called beside it all once the processes are started; `report` is told what goes wrong.
    """
    from ledgertop.wiring import build
    from workers.embedded import EmbeddedValkey

    build(config, migrate=True).close()
    valkey = None if config.redis_url else EmbeddedValkey.start(config.data / "valkey")
    environment = {
        **os.environ,
        "LEDGERTOP_DATA": str(config.data.absolute()),
        "LEDGERTOP_DATABASE_URL": config.database_url or "",
        "REDIS_URL": config.redis_url or (valkey.url if valkey else ""),
    }
    measured = ExitStack()
    if len(set(listeners)) < len(listeners) and "PROMETHEUS_MULTIPROC_DIR" not in environment:
        folder = measured.enter_context(tempfile.TemporaryDirectory(prefix="ledgertop-metrics-"))
        environment["PROMETHEUS_MULTIPROC_DIR"] = folder
    supervisor = Supervisor(_children(listeners, copies), environment, report, stopping)

    def tend() -> None:
        try:
            if valkey and valkey.tend():
                report("the embedded Valkey server was gone; starting it again")
        except OSError as error:
            report(f"the embedded Valkey server can't be started: {error.strerror or error}")

    try:
        supervisor.start()
        threading.Thread(target=started, name="announce", daemon=True).start()
        supervisor.watch(tend)
    finally:
        supervisor.stop()
        for listener in listeners:
            listener.close()
        if valkey:
            valkey.stop()
        measured.close()


def _children(listeners: Sequence[socket.socket], copies: int) -> list[Child]:
    served = [(["http", "--fd", str(one.fileno())], (one.fileno(),)) for one in listeners]
    return [
        *(Child(_name("api", n, len(served)), *given) for n, given in enumerate(served, 1)),
        *(Child(_name("projector", n, copies), ["projector"]) for n in range(1, copies + 1)),
        *(Child(_name("worker", n, copies), ["worker"]) for n in range(1, copies + 1)),
    ]


def _name(kind: str, number: int, of: int) -> str:
    return kind if of == 1 else f"{kind} {number}"


def _reachable(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
