"""How far the projections are, as any process can see it."""

import threading
import time
from collections.abc import Sequence
from typing import Any

from projections.projection import Projection, key, marks
from services.errors import StoreUnavailable
from services.store.port import EventStore
from services.store.sql import Database

POLL_SECONDS = 0.005


class ProgressView:
    """Answers `services.read_models.Progress`."""

    def __init__(self, store: EventStore, database: Database, projections: Sequence[Projection]) -> None:
        self._store = store
        self._database = database
        self._names = {key(projection): projection.name for projection in projections}
        self._reached = 0
        self._asked = 0.0
        self._asking = threading.Lock()

    def wait(self, position: int, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        while True:
            if self._has_reached(position):
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(POLL_SECONDS)

    def lag(self) -> dict[str, int]:
        head = self._store.head()
        return {name: max(0, head - position) for name, position in sorted(self._positions().items())}

    def quarantined(self) -> list[dict[str, Any]]:
        with self._database.reading() as sql:
            rows = sql.rows(
                "SELECT q.projection, q.stream, q.position, q.error FROM projection_quarantine q "  # noqa: S608
                "JOIN projection_positions p ON p.projection = q.projection AND p.generation = q.generation "
                f"WHERE p.live = 1 AND q.projection IN ({marks(self._keys)}) "
                "ORDER BY q.projection, q.position, q.stream",
                *self._keys,
            )
        return [
            {
                "projection": self._names[row["projection"]],
                "match": row["stream"],
                "position": row["position"],
                "error": row["error"],
            }
            for row in rows
        ]

    def health(self) -> dict[str, Any]:
        """Lag and number of quarantined matches of each projection, by name."""
        quarantined = self.quarantined()
        return {
            name: {"lag": lag, "quarantined": sum(row["projection"] == name for row in quarantined)}
            for name, lag in self.lag().items()
        }

    @property
    def _keys(self) -> tuple[str, ...]:
        return tuple(self._names)

    def _has_reached(self, position: int) -> bool:
        """Ask the database at most once each POLL_SECONDS, however many are waiting."""
        if self._reached < position:
            with self._asking:
                if self._reached < position and time.monotonic() - self._asked >= POLL_SECONDS:
                    try:
                        self._reached = min(self._positions().values())
                    except StoreUnavailable:  # a waiter is told False in time, which says the same
                        return False
                    finally:
                        self._asked = time.monotonic()
        return self._reached >= position

    def _positions(self) -> dict[str, int]:
        with self._database.reading() as sql:
            rows = sql.rows(
                "SELECT projection, position FROM projection_positions "  # noqa: S608
                f"WHERE live = 1 AND projection IN ({marks(self._keys)})",
                *self._keys,
            )
        return dict.fromkeys(self._names.values(), 0) | {
            self._names[row["projection"]]: row["position"] for row in rows
        }
