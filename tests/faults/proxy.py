"""A wire between two parts that can be made to hang: connections stay open and nothing comes through any more."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

import psycopg

Upstream = Callable[[], socket.socket]


def to_postgres(url: str) -> Upstream:
    parts = psycopg.conninfo.conninfo_to_dict(url)
    host, port = str(parts.get("host") or "127.0.0.1"), int(parts.get("port") or 5432)
    return to_unix(f"{host}/.s.PGSQL.{port}") if host.startswith("/") else to_tcp(host, port)


def to_tcp(host: str, port: int) -> Upstream:
    return lambda: socket.create_connection((host, port), timeout=10)


def to_unix(path: str) -> Upstream:
    def connect() -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        return connection

    return connect


class Proxy:
    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream
        self._flows = threading.Event()
        self._flows.set()
        self._closed = False
        self._lost: bytes | None = None
        self.lost = threading.Event()
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def hang(self) -> None:
        self._flows.clear()

    def flow(self) -> None:
        self._flows.set()

    def lose_reply_to(self, request: bytes) -> None:
        """Let the next request with these bytes through, and cut its connection before the reply comes back."""
        self.lost.clear()
        self._lost = request

    def close(self) -> None:
        self._closed = True
        self._flows.set()
        self._listener.close()
        for one in self._sockets:
            _shut(one)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        self._flows.wait()
        try:
            server = self._upstream()
        except OSError:
            client.close()
            return
        server.settimeout(None)
        self._sockets += [client, server]
        mute = threading.Event()
        threading.Thread(target=self._carry, args=(client, server, mute, True), daemon=True).start()
        self._carry(server, client, mute, False)

    def _carry(self, source: socket.socket, sink: socket.socket, mute: threading.Event, asking: bool) -> None:
        try:
            while data := source.recv(65_536):
                self._flows.wait()
                if asking and self._lost is not None and self._lost in data:
                    self._lost = None
                    mute.set()
                    sink.sendall(data)
                    continue
                if not asking and mute.is_set():
                    self.lost.set()
                    break
                sink.sendall(data)
        except OSError:
            pass
        finally:
            _shut(source)
            _shut(sink)


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
