"""Rates per client address, counted by `limits`, the engine of Flask-Limiter.

Flask-Limiter itself looks through routes and blueprints at each request, a fifth of a command's time
(docs/decisions/0008); this service has two rates.
"""

import threading
import time
from typing import Any

from flask import Flask, request
from limits import parse
from limits.errors import StorageError
from limits.storage import Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

from api.problems import Problem
from api.settings import Settings

KEPT = 100_000  # counters, before those that have run out are dropped


class Rates:
    """Counts requests by endpoint and address; in memory while the storage can't be reached (P15)."""

    def __init__(self, settings: Settings, creating: frozenset[str], exempt: frozenset[str]) -> None:
        self._own = FixedWindowRateLimiter(ProcessStorage())
        self._shared: FixedWindowRateLimiter | None = None
        if settings.rate_storage:
            storage = storage_from_string(settings.rate_storage, wrap_exceptions=True)
            assert isinstance(storage, Storage)
            self._shared = FixedWindowRateLimiter(storage)
        self._every = parse(settings.rate)
        self._creating = parse(settings.creation_rate)
        self._creations = creating
        self._exempt = exempt

    def check(self) -> None:
        """Refuse the request if its address sent too many. Raises Problem."""
        blueprint = request.blueprint
        if blueprint in self._exempt:
            return
        rate = self._every
        if blueprint in self._creations and request.method == "POST":
            rate = self._creating
        key = (blueprint or "", request.remote_addr or "unknown")
        try:
            fine = (self._shared or self._own).hit(rate, *key)
        except StorageError:
            fine = self._own.hit(rate, *key)
        if not fine:
            wait = str(rate.get_expiry())
            raise Problem("rate-limited", f"At most {rate} from one address.", headers={"Retry-After": wait})


def limit_rates(app: Flask, settings: Settings, *, creating: frozenset[str], exempt: frozenset[str]) -> None:
    """Refuse what comes too fast, before anything else is looked at."""
    app.before_request(Rates(settings, creating, exempt).check)


class ProcessStorage(Storage):
    """Fixed windows by key: a count and when it runs out. The library's own starts threads for each."""

    STORAGE_SCHEME = ["process"]  # noqa: RUF012 - as the library has it

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)
        self._windows: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    @property
    def base_exceptions(self) -> tuple[type[Exception], ...]:
        return (KeyError,)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        now = time.monotonic()
        with self._lock:
            count, until = self._windows.get(key, (0, 0.0))
            if until <= now:
                count, until = 0, now + expiry
                if len(self._windows) >= KEPT:
                    self._windows = {name: kept for name, kept in self._windows.items() if kept[1] > now}
            self._windows[key] = (count + amount, until)
        return count + amount

    def get(self, key: str) -> int:
        count, until = self._windows.get(key, (0, 0.0))
        return count if until > time.monotonic() else 0

    def get_expiry(self, key: str) -> float:
        return time.time() + max(0.0, self._windows.get(key, (0, 0.0))[1] - time.monotonic())

    def check(self) -> bool:
        return True

    def reset(self) -> int:
        count = len(self._windows)
        self._windows = {}
        return count

    def clear(self, key: str) -> None:
        self._windows.pop(key, None)
