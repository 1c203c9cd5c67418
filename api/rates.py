"""How many requests a client's address may send, counted for each endpoint."""

import threading
import time
from typing import Any

from flask import request
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

from api.problems import Problem
from api.settings import Settings

KEPT = 100_000  # counters, before those that have run out are dropped


class Rates:
    """Counted in this process, or in Redis with `rate_storage`; here too while Redis is out of reach."""

    def __init__(self, settings: Settings) -> None:
        self._general = parse(settings.rate)
        self._creation = parse(settings.creation_rate)
        self._here = FixedWindowRateLimiter(ProcessStorage())
        self._shared = None
        if settings.rate_storage:
            self._shared = FixedWindowRateLimiter(
                storage_from_string(settings.rate_storage, wrap_exceptions=True)
            )

    def demand(self, endpoint: str, *, creating: bool) -> None:
        """Count this request. Raises Problem when it is one too many."""
        limit = self._creation if creating else self._general
        if not self._hit(limit, request.remote_addr or "unknown", endpoint):
            wait = str(limit.get_expiry())
            raise Problem(
                "rate-limited", f"The limit is {limit} for each address.", headers={"Retry-After": wait}
            )

    def _hit(self, limit: RateLimitItem, address: str, endpoint: str) -> bool:
        if self._shared:
            try:
                return self._shared.hit(limit, address, endpoint)
            except StorageError:  # Redis is disposable (P15)
                pass
        return self._here.hit(limit, address, endpoint)


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
