"""Fresh identifiers: from the operating system's randomness, never from content."""

import os
import threading

STOCK = 8_192  # bytes


class _Randomness:
    """The operating system's random bytes, fetched in stock.

    Each fetch gives the interpreter away to another thread; one for every event's id and salt made the threads of a
    busy server change places several times a command (docs/decisions/0009).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stock = b""
        self._used = 0

    def take(self, size: int) -> bytes:
        with self._lock:
            if len(self._stock) - self._used < size:
                self._stock, self._used = os.urandom(STOCK), 0
            taken = self._stock[self._used : self._used + size]
            self._used += size
            return taken


_randomness = _Randomness()


def _forget() -> None:
    """A child process must not hand out what its parent has in stock."""
    global _randomness
    _randomness = _Randomness()


os.register_at_fork(after_in_child=_forget)


def new_event_id() -> str:
    return _randomness.take(16).hex()


def new_command_id() -> str:
    return "c_" + _randomness.take(16).hex()


def new_salt() -> str:
    """16 bytes, hex."""
    return _randomness.take(16).hex()


def new_request_id() -> str:
    """What the log lines of one request have in common."""
    return _randomness.take(8).hex()
