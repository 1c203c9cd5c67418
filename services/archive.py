"""The older parts of histories, which are not kept in memory: read, and folded, a page at a time when asked for.

What is read here never changes any more, so it is kept as long as there is room. The work that may wait (storing
snapshots, throwing bad ones away, looking whether they tell the truth) is done by one thread beside the commands.
"""

import logging
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

import domain.match as kernel
from domain.game import Game
from domain.match import Match
from services.codec import Unreadable
from services.errors import StoreUnavailable
from services.snapshots import EVERY, Base, Snapshot, Snapshots, wanted
from services.store.port import Entry, EventStore

log = logging.getLogger("ledgertop.snapshots")

KEPT_PAGES = 128  # of events
KEPT_FOLDED = 48  # pages of matches
WAITING = 64  # pieces of work that wait; more are left undone
CLOSE_SECONDS = 10.0  # longer than any of it takes: the database is closed next

Key = TypeVar("Key")
Value = TypeVar("Value")
Page = tuple[str, int]  # page n of a match holds the versions n * EVERY … (n + 1) * EVERY - 1


class Archive:
    def __init__(self, store: EventStore, snapshots: Snapshots | None) -> None:
        self.afterwards = Afterwards()
        self._store = store
        self._snapshots = snapshots
        self._pages: _Kept[Page, Sequence[Entry]] = _Kept(KEPT_PAGES)
        self._folded: _Kept[Page, Sequence[Match]] = _Kept(KEPT_FOLDED)

    # --- events --------------------------------------------------------------------------------------------

    def entry(self, match: str, version: int) -> Entry:
        """One event of a full page."""
        page = self._page(match, version // EVERY)
        return page[version - page[0].version]

    def entries(self, match: str, first: int, last: int) -> list[Entry]:
        """The events from one version to another, in one go."""
        return self._store.read(match, first - 1, last - first + 1) if first <= last else []

    def _page(self, match: str, page: int) -> Sequence[Entry]:
        found = self._pages.get((match, page))
        if found is None:
            first = max(1, page * EVERY)
            found = self.entries(match, first, (page + 1) * EVERY - 1)
            self._pages.put((match, page), found)
        return found

    # --- matches -------------------------------------------------------------------------------------------

    def at(self, match: str, game: Game, version: int) -> Match:
        """The match at a version of a full page."""
        page = version // EVERY
        found = self._folded.get((match, page)) or self._fold(match, game, page)
        return found[version - found[0].version]

    def _fold(self, match: str, game: Game, page: int) -> Sequence[Match]:
        """The matches of a page, folded from the snapshot it begins with, or from the last one before that."""
        start, known = self._start(match, game, page)
        states: list[Match] = []
        made: list[Snapshot] = []

        def older(version: int) -> Match:
            return self.at(match, game, version)

        for number in range(start, page + 1):
            entries = self._page(match, number)
            if states:
                known = self._known(match, game, number)
            for entry in entries:
                snapshot = known.get(entry.version)
                if snapshot and snapshot.anchor == entry.id:
                    states.append(snapshot.match)
                    continue
                kernel.extend(states, match, (entry.event,), game, older)
                if wanted(entry):
                    made.append(Snapshot(states[-1], entry.id))
            self._folded.put((match, number), states[-len(entries) :])
        if made and self._snapshots:
            snapshots = self._snapshots
            self.afterwards.do(lambda: snapshots.keep(game, made))
        return states[-len(entries) :]

    def _start(self, match: str, game: Game, page: int) -> tuple[int, dict[int, Snapshot]]:
        """The page to begin folding with, and its snapshots."""
        while page:
            known = self._known(match, game, page)
            first = known.get(page * EVERY)
            if first and first.anchor == self._page(match, page)[0].id:
                return page, known
            if first:
                self.discard(match, "a snapshot of another past")
            before = self._before(match, game, page * EVERY - 1)
            page = before.match.version // EVERY if before else 0
        return 0, self._known(match, game, 0)

    def _known(self, match: str, game: Game, page: int) -> dict[int, Snapshot]:
        if self._snapshots is None:
            return {}
        try:
            return self._snapshots.between(match, page * EVERY, (page + 1) * EVERY - 1, game)
        except Unreadable as error:
            self.discard(match, str(error))
            return {}

    def _before(self, match: str, game: Game, version: int) -> Snapshot | None:
        if self._snapshots is None:
            return None
        try:
            return self._snapshots.before(match, version, game)
        except Unreadable as error:
            self.discard(match, str(error))
            return None

    # --- what histories rest on ----------------------------------------------------------------------------

    def newest(self, match: str) -> tuple[Base, list[Entry]] | None:
        """What a history may rest on, and the events from there on; None if it has to begin at the beginning."""
        if self._snapshots is None:
            return None
        try:
            base = self._snapshots.newest(match)
        except Unreadable as error:
            self.discard(match, str(error))
            return None
        if base is None:
            return None
        entries = self._store.read(match, base.snapshot.match.version - 1)
        if not entries or entries[0].id != base.snapshot.anchor:
            self.discard(match, "a snapshot of another past")
            return None
        return base, entries

    def keep(self, base: Base, others: Sequence[Snapshot]) -> bool:
        """Store the snapshot of a base, with others of the same match before it. False if that failed."""
        if self._snapshots is None:
            return True
        return self._snapshots.keep(base.game, [*others, base.snapshot], base.commands)

    def discard(self, match: str, reason: str) -> None:
        """Have the snapshots of a match thrown away."""
        log.info("snapshots of %s are made anew: %s", match, reason)
        if self._snapshots:
            snapshots = self._snapshots
            self.afterwards.do(lambda: snapshots.forget(match))


class Afterwards:
    """A thread for what may wait. Where too much waits, more is left undone; so nobody waits for it."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[Callable[[], object]] = queue.Queue(WAITING)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def do(self, work: Callable[[], object]) -> bool:
        """Have something done, soon. False if it is not going to be."""
        if self._closed.is_set():
            return False
        try:
            self._waiting.put_nowait(work)
        except queue.Full:
            return False
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="snapshots", daemon=True)
                    self._thread.start()
        return True

    def finish(self) -> None:
        """Wait until all is done."""
        self._waiting.join()

    def close(self) -> None:
        """Leave what waits undone; what has begun is finished, for it uses the database."""
        self._closed.set()
        if self._thread:
            with suppress(queue.Full):
                self._waiting.put_nowait(lambda: None)  # it waits for work
            self._thread.join(timeout=CLOSE_SECONDS)

    def _run(self) -> None:
        while True:
            work = self._waiting.get()
            try:
                if self._closed.is_set():
                    return
                work()
            except StoreUnavailable:
                log.warning("the store can't be reached; a snapshot is left out")
            except Exception:
                log.exception("a snapshot could not be made")
            finally:
                self._waiting.task_done()


class _Kept(Generic[Key, Value]):
    """The values used last."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
