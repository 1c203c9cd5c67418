"""Following a match live. What is sent always comes from the store; bells only say when to look (trap 14)."""

import threading
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from services.errors import StoreUnavailable
from services.looking import MAX_PAGE, Caller, Looking, show_entry
from services.store.port import Damaged, EventStore

WAKE_SECONDS = 1.0
LOOK_SECONDS = 0.2  # how long the follower waits before it looks whether it is to end
BATCH = 500


class Feed:
    """Rings for each match that grew. One follower thread a process, started with the first listener."""

    def __init__(self, store: EventStore, looking: Looking) -> None:
        self._store = store
        self._looking = looking
        self._listeners: dict[str, set[threading.Event]] = defaultdict(set)
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._follower: threading.Thread | None = None

    def follow(
        self, match_id: str, caller: Caller, after: int, heartbeat: float
    ) -> Iterator[list[dict[str, Any]]]:
        """The caller's events above `after`, page after page, for ever; an empty page each `heartbeat` seconds.

        Ends after the match's last event has been sent, and when the service closes.
        """
        bell = self._listen(match_id)
        try:
            while not self._closed.is_set():
                bell.clear()
                try:
                    history, look = self._looking.look(match_id, caller, current=True)
                    entries = history.entries  # of one moment: it may grow meanwhile
                    page = [show_entry(entry, look) for entry in entries[after : after + MAX_PAGE]]
                except StoreUnavailable:
                    page = []
                    bell.wait(WAKE_SECONDS)
                else:
                    if page:
                        after = page[-1]["version"]
                    elif entries.now.states[-1].status == "ended":
                        return
                    else:
                        bell.wait(heartbeat)
                        if bell.is_set():
                            continue
                if not self._closed.is_set():
                    yield page
        finally:
            self._leave(match_id, bell)

    def close(self) -> None:
        """End every stream, and the follower before its store is closed. May be called twice, from any thread."""
        self._closed.set()
        with self._lock:
            for bells in self._listeners.values():
                for bell in bells:
                    bell.set()
            follower = self._follower
        if follower:
            follower.join(timeout=2 * WAKE_SECONDS)

    def _listen(self, match_id: str) -> threading.Event:
        bell = threading.Event()
        head = (
            self._store.head() if self._follower is None else 0
        )  # nobody waits for it: the store may be away
        with self._lock:
            self._listeners[match_id].add(bell)
            if self._follower is None:
                self._follower = threading.Thread(target=self._run, args=(head,), name="feed", daemon=True)
                self._follower.start()
        return bell

    def _leave(self, match_id: str, bell: threading.Event) -> None:
        with self._lock:
            self._listeners[match_id].discard(bell)
            if not self._listeners[match_id]:
                del self._listeners[match_id]

    def _run(self, after: int) -> None:
        while not self._closed.is_set():
            try:
                if self._store.wait(after, LOOK_SECONDS) <= after:
                    continue
                for found in self._store.scan(after, BATCH):  # what can't be read must not silence the rest
                    after = found.position
                    self._ring(found.stream if isinstance(found, Damaged) else found.entry.stream)
            except StoreUnavailable:
                self._closed.wait(WAKE_SECONDS)

    def _ring(self, match_id: str) -> None:
        with self._lock:
            for bell in self._listeners.get(match_id, ()):
                bell.set()
