"""Hints put into the queue at once, by whoever made something due, beside the command that did.

They spare a wait for the sweeper and nothing else: one that gets lost, or finds Redis away or hanging, is made up
for by the sweeper (P15). No command ever waits for them.
"""

import logging
import queue
import threading

from redis.exceptions import RedisError

from workers.jobs import Hints, Seal, connect

log = logging.getLogger("ledgertop.nudge")

KEPT = 1_000  # hints that wait for Redis; more are dropped
TIMEOUT = 1.0  # seconds one may take


class Nudger:
    """Call it with the id of an effect. Its thread starts with the first one."""

    def __init__(self, queue_url: str, seal: Seal) -> None:
        self._url = queue_url
        self._seal = seal
        self._waiting: queue.Queue[str] = queue.Queue(KEPT)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def __call__(self, effect_id: str) -> None:
        if self._thread is None:
            self._start()
        try:
            self._waiting.put_nowait(effect_id)
        except queue.Full:
            log.debug("a hint was dropped; the sweeper finds what it was about")

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="nudge", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        connection = connect(self._url, timeout=TIMEOUT)
        hints = Hints(connection=connection, seal=self._seal)
        away = False
        while True:
            effect_id = self._waiting.get()
            try:
                hints.put(effect_id)
                away = False
            except RedisError as error:
                if not away:
                    log.warning(
                        "hints can't be queued (%s); the sweeper makes up for them", type(error).__name__
                    )
                away = True
