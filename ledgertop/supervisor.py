"""Keeps the processes of `ledgertop serve` running: starts them, restarts what dies, stops all within seconds."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ledgertop import lifeline

STOP_SECONDS = 2.5
CALM_SECONDS = 30.0  # a process that ran so long starts again at once when it dies
MAX_PAUSE = 10.0
LOOK_SECONDS = 0.1


@dataclass
class Child:
    """One supervised process: `python -m ledgertop ARGUMENTS`."""

    name: str
    arguments: Sequence[str]
    descriptors: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    resume_at: float = 0.0


@dataclass
class Supervisor:
    children: list[Child]
    environment: Mapping[str, str]
    report: Callable[[str], None]
    stopping: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._read_end, self._write_end = os.pipe()

    def start(self) -> None:
        for child in self.children:
            self._start(child)

    def watch(self, besides: Callable[[], object] = lambda: None) -> None:
        """Restart what dies, until `stopping` is set; `besides` is what else has to be looked after."""
        while not self.stopping.wait(LOOK_SECONDS):
            besides()
            for child in self.children:
                self._look_after(child)

    def stop(self) -> None:
        """End all processes: politely, after STOP_SECONDS by force. Returns when all have ended."""
        self.stopping.set()
        running = [child.process for child in self.children if child.process and child.process.poll() is None]
        for process in running:
            process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        for process in running:
            try:
                process.wait(timeout=max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        os.close(self._write_end)
        os.close(self._read_end)

    def _start(self, child: Child) -> None:
        child.started = time.monotonic()
        child.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", "ledgertop", *child.arguments],
            pass_fds=(*child.descriptors, self._read_end),
            env={**self.environment, lifeline.VARIABLE: str(self._read_end)},
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C reaches the supervisor only
        )

    def _look_after(self, child: Child) -> None:
        now = time.monotonic()
        if child.process is None:
            if now >= child.resume_at:
                self._start(child)
            return
        code = child.process.poll()
        if code is None:
            return
        child.failures = 0 if now - child.started > CALM_SECONDS else child.failures + 1
        pause = min(MAX_PAUSE, 0.1 * 2**child.failures)
        self.report(f"{child.name} ended with status {code}; starting it again in {pause:.1f} s")
        child.process = None
        child.resume_at = now + pause
