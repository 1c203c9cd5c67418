"""Rates per client address, counted by `limits`, the engine of Flask-Limiter.

Flask-Limiter itself looks through routes and blueprints at each request, which took a fifth of a command's time
(docs/decisions/0008); this service has two rates.
"""

from flask import Flask, request
from limits import parse
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

from api.problems import Problem
from api.settings import Settings


class Rates:
    """Counts requests by endpoint and address; in memory while the storage can't be reached (P15)."""

    def __init__(self, settings: Settings, creating: frozenset[str], exempt: frozenset[str]) -> None:
        self._own = FixedWindowRateLimiter(MemoryStorage())
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
            raise Problem("rate-limited", f"At most {rate} from one address.")


def limit_rates(app: Flask, settings: Settings, *, creating: frozenset[str], exempt: frozenset[str]) -> None:
    """Refuse what comes too fast, before anything else is looked at."""
    app.before_request(Rates(settings, creating, exempt).check)
