"""A child process ends when its parent does, however the parent dies."""

import os
import signal
import threading

VARIABLE = "LEDGERTOP_LIFELINE"

_held: int | None = None


def hold() -> None:
    """Follow the parent named by the environment: a pipe that closes with it. Nothing to do without one."""
    global _held
    descriptor = os.environ.pop(VARIABLE, None)
    if descriptor is not None:
        _held = int(descriptor)
        hold_after_fork()


def hold_after_fork() -> None:
    """Follow the same parent in a forked child: threads stay behind in a fork."""
    if _held is not None:
        threading.Thread(target=_wait, args=(_held,), name="lifeline", daemon=True).start()


def _wait(descriptor: int) -> None:
    while os.read(descriptor, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
