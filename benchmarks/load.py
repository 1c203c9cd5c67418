"""A light load generator: one thread, many keep-alive connections, one request in flight on each."""

import heapq
import itertools
import selectors
import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass
class Result:
    """What a load did. `seconds` is wall time, `latencies` are seconds a request, in order of completion."""

    seconds: float
    statuses: dict[int, int]
    latencies: list[float]

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    def percentile(self, share: float) -> float:
        """Milliseconds within which `share` of the requests were answered."""
        ordered = sorted(self.latencies)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def request(method: str, path: str, body: bytes, headers: dict[str, str]) -> bytes:
    """An HTTP/1.1 request as bytes."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


class _Connection:
    """One keep-alive connection and what is still to be sent over it."""

    def __init__(self, port: int, requests: Iterable[bytes], due: Iterator[float]) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.due = 0.0  # when the request that is sent next, or was sent last, is due
        self._requests = iter(requests)
        self._next: bytes | None = None
        self._due = due
        self._received = bytearray()

    def plan(self) -> bool:
        """Take up the next request; False if there is none."""
        self._next = next(self._requests, None)
        self.due = next(self._due)
        return self._next is not None

    def send(self) -> None:
        assert self._next is not None
        self.sock.sendall(self._next)

    def answer(self) -> tuple[int, bytes] | None:
        """The status and body of a complete answer, or None while more is to come."""
        data = self.sock.recv(65536)
        if not data:
            raise ConnectionError("the server closed a connection under load")
        self._received += data
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(self._received[:end]).lower()
        length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        if len(self._received) < end + 4 + length:
            return None
        body = bytes(self._received[end + 4 : end + 4 + length])
        del self._received[: end + 4 + length]
        return int(head.split(b" ")[1]), body


def run(
    port: int, queues: list[list[bytes]], bodies: list[bytes] | None = None, rate: float | None = None
) -> Result:
    """Send each queue of requests over a connection of its own, all at once. `bodies` collects the answers.

    Each request is due when the one before it is answered. With a `rate` (requests a second, all together) requests are
    due one after the other at fixed times, and a latency is the time since then: a server that falls behind is seen.
    """
    selector = selectors.DefaultSelector()
    statuses: dict[int, int] = {}
    latencies: list[float] = []
    waiting: list[tuple[float, int, _Connection]] = []
    started = time.perf_counter()

    def times(place: int) -> Iterator[float]:
        return (
            started + (place + number * len(queues)) / rate if rate else time.perf_counter()
            for number in itertools.count()
        )

    connections = [_Connection(port, queue, times(place)) for place, queue in enumerate(queues)]
    for connection in connections:
        selector.register(connection.sock, selectors.EVENT_READ, connection)

    def go_on(connection: _Connection) -> None:
        if connection.plan():
            heapq.heappush(waiting, (connection.due, id(connection), connection))
        else:
            selector.unregister(connection.sock)
            connection.sock.close()

    for connection in connections:
        go_on(connection)
    while waiting or selector.get_map():
        while waiting and waiting[0][0] <= time.perf_counter():
            heapq.heappop(waiting)[2].send()
        timeout = max(0.0, waiting[0][0] - time.perf_counter()) if waiting else None
        for key, _ in selector.select(timeout):
            connection = key.data
            if (answer := connection.answer()) is None:
                continue
            latencies.append(time.perf_counter() - connection.due)
            statuses[answer[0]] = statuses.get(answer[0], 0) + 1
            if bodies is not None:
                bodies.append(answer[1])
            go_on(connection)
    return Result(time.perf_counter() - started, statuses, latencies)
