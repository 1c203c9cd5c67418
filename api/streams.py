"""Streams: how many may be open, and what they send."""

import threading
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

from api.problems import Problem
from api.settings import Settings
from services.codec import encode
from services.feed import Feed
from services.looking import Caller, Looking

BATCH = 500  # events a piece of an NDJSON stream


class Streams:
    """The streams open in this process. Each takes a thread, and commands need threads too (trap 14)."""

    def __init__(self, limit: int, changed: Callable[[int], Any]) -> None:
        self._limit = limit
        self._changed = changed
        self._open = 0
        self._lock = threading.Lock()

    def opened(self, lines: Iterator[bytes]) -> "Stream":
        """Count `lines` as open until it is closed. Raises Problem when there are too many."""
        with self._lock:
            if self._open >= self._limit:
                raise Problem("too-many-streams", f"At most {self._limit} streams may be open at once.")
            self._count(1)
        return Stream(lines, self.closed)

    def closed(self) -> None:
        with self._lock:
            self._count(-1)

    def _count(self, change: int) -> None:
        self._open += change
        self._changed(self._open)


class Stream:
    """The body of a streamed answer. Unlike a generator it can be closed before it was begun."""

    def __init__(self, lines: Iterator[bytes], on_close: Callable[[], None]) -> None:
        self._lines = lines
        self._on_close: Callable[[], None] | None = on_close

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._lines)
        except StopIteration:
            self.close()
            raise

    def close(self) -> None:
        on_close, self._on_close = self._on_close, None
        if on_close:
            on_close()
            closing = getattr(self._lines, "close", None)
            if closing:
                closing()


def whole_rest(looking: Looking, match: str, who: Caller, after: int, until: int) -> Iterator[bytes]:
    """All events above `after` up to version `until` as NDJSON, and a line that says it is complete (P19)."""
    sent = 0
    while after < until:
        page = looking.events(match, who, after, min(BATCH, until - after))["events"]
        after = page[-1]["version"]
        sent += len(page)
        yield b"".join(encode(event) + b"\n" for event in page)
    yield encode({"end": {"version": until, "events": sent}}) + b"\n"


def live(feed: Feed, match: str, who: Caller, after: int, settings: Settings) -> Iterator[bytes]:
    """Server-sent events: the rest, then what happens. Ends with match, service or its own time."""
    yield b"retry: 1000\n\n"
    until = monotonic() + settings.stream_seconds
    for page in feed.follow(match, who, after, min(settings.heartbeat, settings.stream_seconds)):
        if page:
            yield b"".join(b"id: %d\ndata: %b\n\n" % (event["version"], encode(event)) for event in page)
        else:
            yield b": heartbeat\n\n"
        if monotonic() >= until:
            return
