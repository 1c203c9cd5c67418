"""A live stream of a match, read beside the test."""

import http.client
import json
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from tests.running import Running


class Heard:
    """What a stream told so far: each event, and when it came (monotonic seconds)."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self._came: queue.Queue[tuple[dict[str, Any] | None, float]] = queue.Queue()
        self.over = False

    def tell(self, event: dict[str, Any] | None) -> None:
        self._came.put((event, time.monotonic()))

    def until(self, version: int, within: float) -> float:
        """Wait for the event with this version; when it came."""
        deadline = time.monotonic() + within
        while True:
            event, at = self._next(deadline)
            assert event is not None, "the stream ended"
            if event["version"] == version:
                return at

    def until_end(self, within: float) -> None:
        deadline = time.monotonic() + within
        while not self.over:
            self._next(deadline)

    def _next(self, deadline: float) -> tuple[dict[str, Any] | None, float]:
        event, at = self._came.get(timeout=max(0.0, deadline - time.monotonic()))
        if event is None:
            self.over = True
        else:
            self.events.append(event)
        return event, at


@contextmanager
def listening(end: Running, match: str, after: int = 0) -> Iterator[Heard]:
    """A stream of the match's events above `after`."""
    heard = Heard()
    connection = http.client.HTTPConnection(urlsplit(end.url).netloc, timeout=30)
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
    connection.request("GET", f"/api/v1/matches/{match}/events", headers=headers)
    answer = connection.getresponse()
    assert answer.status == 200
    sock = answer.fp.raw._sock  # type: ignore[attr-defined]  # to end a read that waits

    def read() -> None:
        with suppress(OSError, http.client.HTTPException):
            for line in answer:
                if line.startswith(b"data: "):
                    heard.tell(json.loads(line.removeprefix(b"data: ")))
        heard.tell(None)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield heard
    finally:
        with suppress(OSError):
            sock.shutdown(2)
        reader.join(10)
        answer.close()
        connection.close()
    assert not reader.is_alive()
