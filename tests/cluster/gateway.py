"""What a load balancer does: each request goes to the next of several HTTP processes, over a real connection.

It is a WSGI application, so werkzeug's test client speaks to it as to the service itself.
"""

import http.client
import itertools
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from werkzeug.datastructures import EnvironHeaders

SECONDS = 20.0
OF_THE_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "host"}


class Gateway:
    """`asked` counts the requests each process got."""

    def __init__(self, urls: Sequence[str]) -> None:
        self.asked = dict.fromkeys(urls, 0)
        self._turns = itertools.cycle(urls)
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with self._lock:
            url = next(self._turns)
            self.asked[url] += 1
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=SECONDS)
        headers = {name: value for name, value in EnvironHeaders(environ) if _passed_on(name)}
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        connection.request(environ["REQUEST_METHOD"], environ["REQUEST_URI"], body or None, headers)
        answer = connection.getresponse()
        told = [(name, value) for name, value in answer.getheaders() if _passed_on(name)]
        start_response(f"{answer.status} {answer.reason}", told)
        if (answer.getheader("Content-Type") or "").startswith("text/event-stream"):
            return _Messages(connection, answer)
        with closing(connection):
            return [answer.read()]


def _passed_on(name: str) -> bool:
    return name.lower() not in OF_THE_CONNECTION


class _Messages:
    """The body of an event stream, message by message; its connection is closed with it or at its end."""

    def __init__(self, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        lines: list[bytes] = []
        for line in self._answer:
            lines.append(line)
            if line == b"\n":
                yield b"".join(lines)
                lines.clear()
        self.close()

    def close(self) -> None:
        self._answer.close()
        self._connection.close()
