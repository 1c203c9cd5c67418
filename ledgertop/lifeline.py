"""A child process ends when its parent does, however the parent dies."""

import os
import signal
import threading

VARIABLE = "LEDGERTOP_LIFELINE"


def hold() -> None:
    """Follow the parent named by the environment: a pipe that closes with it. Nothing to do without one."""
    descriptor = os.environ.pop(VARIABLE, None)
    if descriptor is not None:
        threading.Thread(target=_wait, args=(int(descriptor),), name="lifeline", daemon=True).start()


def _wait(descriptor: int) -> None:
    while os.read(descriptor, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
