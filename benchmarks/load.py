"""A light load generator: one thread, many keep-alive connections, one request in flight on each."""

import selectors
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field


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


@dataclass
class _Connection:
    sock: socket.socket
    requests: Iterator[bytes]
    received: bytearray = field(default_factory=bytearray)
    sent_at: float = 0.0

    def send_next(self) -> bool:
        following = next(self.requests, None)
        if following is None:
            return False
        self.sent_at = time.perf_counter()
        self.sock.sendall(following)
        return True

    def answer(self) -> tuple[int, bytes] | None:
        """The status and body of a complete answer, or None while more is to come."""
        end = self.received.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(self.received[:end]).lower()
        length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        if len(self.received) < end + 4 + length:
            return None
        body = bytes(self.received[end + 4 : end + 4 + length])
        del self.received[: end + 4 + length]
        return int(head.split(b" ")[1]), body


def run(port: int, queues: list[list[bytes]], bodies: list[bytes] | None = None) -> Result:
    """Send each queue of requests over a connection of its own, all at once. `bodies` collects the answers."""
    selector = selectors.DefaultSelector()
    statuses: dict[int, int] = {}
    latencies: list[float] = []
    open_connections = 0
    for queue in queues:
        sock = socket.create_connection(("127.0.0.1", port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = _Connection(sock, iter(queue))
        selector.register(sock, selectors.EVENT_READ, connection)
    started = time.perf_counter()
    for key in list(selector.get_map().values()):
        open_connections += key.data.send_next()
    while open_connections:
        for key, _ in selector.select():
            connection = key.data
            data = connection.sock.recv(65536)
            if not data:
                raise ConnectionError("the server closed a connection under load")
            connection.received += data
            if (answer := connection.answer()) is None:
                continue
            latencies.append(time.perf_counter() - connection.sent_at)
            statuses[answer[0]] = statuses.get(answer[0], 0) + 1
            if bodies is not None:
                bodies.append(answer[1])
            if not connection.send_next():
                selector.unregister(connection.sock)
                connection.sock.close()
                open_connections -= 1
    return Result(time.perf_counter() - started, statuses, latencies)
