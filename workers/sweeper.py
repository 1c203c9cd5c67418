"""The sweeper: makes sure that what is due gets done, whatever becomes of Redis (P15).

It looks at the table of due effects. Where Redis can be reached it puts hints into the queue, for any worker
to take; where it can't, or where a hint led to nothing, it performs the effect itself. Performing one twice
changes nothing.
"""

import logging
import threading
import time

from redis import Redis
from redis.exceptions import RedisError

from services.effects import Effect, Effects
from workers.jobs import Hints, Seal

log = logging.getLogger("ledgertop.sweeper")

SWEEP_SECONDS = 1.0
GRACE_SECONDS = 2.0  # how long a hint may take before the sweeper does it itself: 4 s in all, P14 allows 5
BATCH = 1_000
PAUSES = (1.0, 2.0, 5.0, 15.0, 60.0)  # seconds before an effect that failed is tried again


class Sweeper:
    def __init__(self, effects: Effects, connection: Redis, seal: Seal) -> None:
        self._effects = effects
        self._hints = Hints(connection=connection, seal=seal)
        self._hinted: dict[str, float] = {}  # effect -> when it was first put into the queue
        self._failures: dict[str, tuple[int, float]] = {}  # effect -> how often it failed, when to try again
        self._reachable = True

    def run(self, stop: threading.Event) -> None:
        """Sweep until `stop` is set. No fault ends it."""
        while not stop.is_set():
            began = time.monotonic()
            try:
                self.sweep(stop)
            except Exception as error:  # noqa: BLE001 - the store is away; it is asked again
                log.warning("the sweep failed (%s)", type(error).__name__)
            stop.wait(max(0.0, SWEEP_SECONDS - (time.monotonic() - began)))

    def sweep(self, stop: threading.Event | None = None) -> None:
        """Look once at everything that is due, in deadline order."""
        due = self._effects.due(BATCH + len(self._failures))  # failing ones don't keep others out
        known = {effect.id for effect in due}
        self._hinted = {name: since for name, since in self._hinted.items() if name in known}
        self._failures = {name: failure for name, failure in self._failures.items() if name in known}
        reachable = True
        for effect in due:
            if stop is not None and stop.is_set():
                return
            reachable = reachable and self._hint(effect)
            if not reachable or time.monotonic() - self._hinted[effect.id] > GRACE_SECONDS:
                self._perform(effect)
        if due and reachable != self._reachable:
            self._reachable = reachable
            log.warning(
                "the queue is back" if reachable else "the queue is out of reach; effects are done here"
            )

    def _hint(self, effect: Effect) -> bool:
        """Whether the queue took the hint, now or before."""
        if effect.id in self._hinted:
            return True
        try:
            self._hints.put(effect.id)
        except RedisError:
            return False
        self._hinted[effect.id] = time.monotonic()
        return True

    def _perform(self, effect: Effect) -> None:
        failed, again = self._failures.get(effect.id, (0, 0.0))
        if time.monotonic() < again:
            return
        try:
            self._effects.perform(effect.id)
        except Exception as error:  # noqa: BLE001 - one match's fault must not keep the others waiting
            self._failures[effect.id] = (failed + 1, time.monotonic() + PAUSES[min(failed, len(PAUSES) - 1)])
            log.warning("effect %s failed (%s)", effect.id, type(error).__name__)
        else:
            self._failures.pop(effect.id, None)
