"""What goes wrong: a store that fails before, after or without saying, tables that do, a queue that loses."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from redis.exceptions import ConnectionError as RedisGone

from services.errors import OutcomeUnknown, StoreUnavailable
from services.store.port import Entry, EventStore, StreamMoved
from services.store.sql import Database

REFUSED, LOST, COMMITTED, DENIED, AWAY, MOVED = "refused", "lost", "committed", "denied", "away", "moved"
IN_DOUBT = frozenset({LOST, COMMITTED, DENIED, MOVED})  # after a conflict that can't be looked into, too


class Weather:
    """Chooses from the seed what fails; `met` tells what did in the call that goes on."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.rate = 0.0
        self.away = 0  # how many of the next calls find the store gone
        self.met: list[str] = []

    def clear(self) -> None:
        self.rate, self.away = 0.0, 0

    def strikes(self) -> bool:
        return self.rate > 0 and self._rng.random() < self.rate

    def choose(self, *kinds: str) -> str | None:
        """The fault of this call, or None."""
        if self.away:
            self.away -= 1
            kind: str | None = AWAY
        else:
            kind = self._rng.choice(kinds) if self.strikes() else None
            if kind and self._rng.random() < 0.3:
                self.away = self._rng.randrange(1, 5)
        if kind:
            self.met.append(kind)
        return kind

    def pick(self, below: int) -> int:
        return self._rng.randrange(below)


class FaultyStore:
    """An event store that refuses before, loses the reply after, or says conflict of what it has stored."""

    def __init__(
        self,
        store: EventStore,
        weather: Weather,
        stored: Callable[[Sequence[Entry], int], None],
        meanwhile: Callable[[], None],
    ) -> None:
        self._store = store
        self._weather = weather
        self._stored = stored
        self._meanwhile = meanwhile

    def append(self, entries: Sequence[Entry]) -> int:
        self._meanwhile()  # it is decided, and not stored yet
        fault = self._weather.choose(REFUSED, LOST, COMMITTED, DENIED)
        if fault in (REFUSED, AWAY):
            raise StoreUnavailable
        if fault == LOST:
            raise OutcomeUnknown(entries[-1].stream, entries[-1].command)
        try:
            position = self._store.append(entries)
        except StreamMoved:
            self._weather.met.append(MOVED)
            raise
        self._stored(entries, position)
        if fault == COMMITTED:
            raise OutcomeUnknown(entries[-1].stream, entries[-1].command)
        if fault == DENIED:
            raise StreamMoved
        return position

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name not in ("read", "read_all", "scan", "position", "head"):
            return found

        def reading(*arguments: Any, **named: Any) -> Any:
            if self._weather.choose(REFUSED):
                raise StoreUnavailable
            return found(*arguments, **named)

        return reading


class FaultyTables:
    """Tables whose transactions fail at the start, at any statement, or after they were committed."""

    def __init__(self, database: Database, weather: Weather) -> None:
        self._database = database
        self._weather = weather

    @contextmanager
    def reading(self) -> Iterator[Any]:
        if self._weather.choose(REFUSED):
            raise StoreUnavailable
        with self._database.reading() as sql:
            yield sql

    @contextmanager
    def writing(self) -> Iterator[Any]:
        fault = self._weather.choose("refused", "torn", "unsaid")
        if fault in (REFUSED, AWAY):
            raise StoreUnavailable
        with self._database.writing() as sql:
            yield _Torn(sql, self._weather.pick(6)) if fault == "torn" else sql
        if fault == "unsaid":
            raise StoreUnavailable

    def close(self) -> None:
        self._database.close()


class _Torn:
    """A transaction that ends in the middle."""

    def __init__(self, sql: Any, after: int) -> None:
        self._sql = sql
        self._left = after

    def __getattr__(self, name: str) -> Any:
        if self._left == 0:
            raise StoreUnavailable
        self._left -= 1
        return getattr(self._sql, name)


class LossyQueue:
    """Hints that get lost, doubled and out of order; at times the queue can't be reached, or is emptied."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.hints: list[str] = []
        self.reachable = True
        self.swallows = False

    def put(self, effect_id: str) -> None:
        if not self.reachable:
            raise RedisGone("the queue is away")
        copies = 0 if self.swallows else self._rng.choice((0, 1, 1, 1, 2, 3))
        for _ in range(copies):
            self.hints.insert(self._rng.randrange(len(self.hints) + 1), effect_id)

    def nudge(self, effect_id: str) -> None:
        """What a service calls: it never fails."""
        if self.reachable:
            self.put(effect_id)

    def take(self) -> str | None:
        return self.hints.pop() if self.hints else None
