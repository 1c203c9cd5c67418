"""Keeps projections up to date: reads the log behind each one's position and applies it, for ever.

A fault of one projection or of a database costs time, never the runner: it backs off and tries again
(trap 9).
"""

import logging
import threading
import time
from collections.abc import Sequence

from projections.owners import Owners
from projections.projection import (
    BATCH,
    FAULTS,
    Place,
    Projection,
    Superseded,
    advance,
    advance_together,
    key,
    live_place,
)
from projections.rebuild import rebuild
from projections.tail import Tail
from services.errors import StoreUnavailable
from services.patience import patience
from services.store.port import EventStore
from services.store.sql import Database

log = logging.getLogger("ledgertop.projections")

WAKE_SECONDS = 0.5  # how long a lost wake-up delays at most
TURN_SECONDS = 0.1  # between turns: what comes meanwhile is applied together, in one transaction
STEP_SECONDS = 5.0  # how long a step waits for databases in all, should they hang
BACKOFF_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0)


class _Kept:
    """A projection as its runner knows it."""

    def __init__(self, projection: Projection) -> None:
        self.projection = projection
        self.place: Place | None = None
        self.failures = 0
        self.not_before = 0.0

    def failed(self, error: Exception) -> None:
        pause = BACKOFF_SECONDS[min(self.failures, len(BACKOFF_SECONDS) - 1)]
        self.failures += 1
        self.not_before = time.monotonic() + pause
        self.place = None
        log.warning(
            "projection %s failed (%s); next try in %s s", self.projection.name, type(error).__name__, pause
        )


class Runner:
    def __init__(
        self, store: EventStore, database: Database, projections: Sequence[Projection], *, batch: int = BATCH
    ) -> None:
        self._store = store
        self._database = database
        self._kept = [_Kept(projection) for projection in projections]
        self._tail = Tail(store, batch)
        self._owners = Owners(database, [key(projection) for projection in projections])
        self._head = 0
        self._behind = False  # whether the last round had a full batch for any of them

    def run(self, stop: threading.Event) -> None:
        """Follow the log until `stop` is set; ends within WAKE_SECONDS of it."""
        while not stop.is_set():
            turn = time.monotonic()
            try:
                with patience(STEP_SECONDS):
                    self._owners.renew()
                if not self._round():
                    self._head = max(self._head, self._store.wait(self._head, WAKE_SECONDS))
                elif not self._behind:
                    stop.wait(max(0.0, turn + TURN_SECONDS - time.monotonic()))
            except FAULTS as error:
                log.warning("the read side can't work (%s)", type(error).__name__)
                stop.wait(WAKE_SECONDS)
        try:
            with patience(STEP_SECONDS / 5):
                self._owners.release()
        except FAULTS as error:
            log.warning("the read side could not let go of its lease (%s)", type(error).__name__)

    def catch_up(self) -> None:
        """Apply all there is, as the only runner; for commands that need up-to-date views, and tests."""
        while self._advance_together(self._kept) or sum(self._advance(kept) for kept in self._kept):
            pass

    def _round(self) -> bool:
        """One batch for each projection; False if there was nothing to do."""
        self._behind = False
        now = time.monotonic()
        ready = [
            kept
            for kept in self._kept
            if key(kept.projection) in self._owners.mine and now >= kept.not_before
        ]
        if self._advance_together(ready):
            return True
        busy = False
        for kept in ready:
            try:
                busy |= self._advance(kept)
            except Exception as error:  # noqa: BLE001 - one projection's fault never stops the others
                kept.failed(error)
        return busy

    def _advance_together(self, all_kept: Sequence[_Kept]) -> bool:
        """One batch for all in one transaction: one flush instead of one for each. False if each has to be advanced
        by itself: they are not all at one position, or one of them fails, and so it is seen which.
        """
        places = [(kept.projection, kept.place) for kept in all_kept if kept.place]
        if len(places) < len(all_kept) or len({place.position for _, place in places}) != 1:
            return False
        with patience(STEP_SECONDS):
            try:
                batch = self._tail.after(places[0][1].position)
                reached = advance_together(self._database, places, batch) if batch else []
            except Exception:  # noqa: BLE001 - it comes again in the projection's own turn, and is told there
                return False
        if not reached:
            return False
        for kept, place in zip(all_kept, reached, strict=True):
            kept.place = place
            kept.failures = 0
        self._behind = self._tail.is_full(batch)
        self._head = max(self._head, batch[-1].position)
        return True

    def _advance(self, kept: _Kept) -> bool:
        """One batch for one projection, in a transaction of its own."""
        if kept.place is None:
            kept.place = self._place(kept.projection)
        with patience(STEP_SECONDS):
            batch = self._tail.after(kept.place.position)
            if not batch:
                return False
            try:
                kept.place = advance(self._database, kept.projection, kept.place, batch)
            except Superseded:
                kept.place = None
        kept.failures = 0
        self._behind |= self._tail.is_full(batch)
        self._head = max(self._head, batch[-1].position)
        return True

    def _place(self, projection: Projection) -> Place:
        with self._database.reading() as sql:
            place = live_place(sql, projection)
        if place is None:
            raise StoreUnavailable
        if place.position > self._store.head():
            log.warning(
                "projection %s is ahead of the log, which was restored; rebuilding it", projection.name
            )
            for _ in rebuild(self._store, self._database, projection):
                pass
            return self._place(projection)
        return place
