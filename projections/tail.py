"""The one reader of the log: what one projection has just read, another at the same place gets again."""

from collections.abc import Sequence

from services.store.port import EventStore, Found


class Tail:
    def __init__(self, store: EventStore, limit: int) -> None:
        self._store = store
        self._limit = limit
        self._after = -1
        self._batch: Sequence[Found] = ()

    def is_full(self, batch: Sequence[Found]) -> bool:
        """Whether more may follow at once."""
        return len(batch) == self._limit

    def after(self, position: int) -> Sequence[Found]:
        """The next entries above `position`, at most a batch; empty at the head."""
        if not self._batch or position != self._after:
            self._batch = self._store.scan(position, self._limit)
            self._after = position
        return self._batch
