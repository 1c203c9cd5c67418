"""A TCP proxy before PostgreSQL that cuts a connection at an append: before it arrives, or its reply (trap 1)."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

import psycopg

Cut = Literal["the append", "its reply"]

PREPARED = re.compile(
    rb"(_pg3_\d+\0)[^\0]*ledgertop_append"
)  # what the client calls the statement that appends


class CuttingProxy:
    """Cuts the next append as told by `cut`. While `away` it takes no connection, cuts those it has and passes nothing
    on: whoever feels one connection end may already be asking over the next.
    """

    def __init__(self, url: str) -> None:
        self._server = psycopg.conninfo.conninfo_to_dict(url)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._closed = False
        self.cut: Cut | None = None
        self.away_after = False  # whether nothing is to be reached after the next cut
        self.away = False
        self.cuts = 0
        port = self._listening.getsockname()[1]
        changes = {"host": "127.0.0.1", "port": port, "sslmode": "disable", "gssencmode": "disable"}
        self.url = psycopg.conninfo.make_conninfo(url, **changes)
        threading.Thread(target=self._accept, name="proxy", daemon=True).start()

    def close(self) -> None:
        self._closed = True
        self._listening.close()
        self._drop_all()

    def _drop_all(self) -> None:
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._sockets.clear()

    def _accept(self) -> None:
        while not self._closed:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            if self.away:
                client.close()
                continue
            server = self._connect()
            self._sockets += [client, server]
            if self.away:  # meanwhile
                self._drop_all()
                continue
            link = _Link(self, client, server)
            for work in (link.send, link.reply):
                threading.Thread(target=work, name="proxy-link", daemon=True).start()

    def _connect(self) -> socket.socket:
        host, port = str(self._server.get("host", "")), int(self._server.get("port", 5432))
        if not host.startswith("/"):
            return socket.create_connection((host or "127.0.0.1", port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def has_cut(self) -> None:
        self.cuts += 1
        self.cut = None
        if self.away_after:
            self.away = True
            self._drop_all()

    def come_back(self) -> None:
        self.away = self.away_after = False


class _Link:
    """One connection through the proxy."""

    def __init__(self, proxy: CuttingProxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._append: bytes | None = None
        self._withhold = threading.Event()

    def send(self) -> None:
        """What the client says. It prepares the statement that appends once, and then names it."""
        with suppress(OSError):
            while (data := self._client.recv(65_536)) and not self._proxy.away:
                appends = self._append is not None and self._append in data
                if prepared := PREPARED.search(data):
                    self._append = b"\0" + prepared[1]
                if appends and self._proxy.cut == "the append":
                    self._cut()
                    return
                if appends and self._proxy.cut:
                    self._withhold.set()
                self._server.sendall(data)
        self._end()

    def reply(self) -> None:
        with suppress(OSError):
            while (data := self._server.recv(65_536)) and not self._proxy.away:
                if self._withhold.is_set():  # it is committed: this is what tells of it
                    self._cut()
                    return
                self._client.sendall(data)
        self._end()

    def _cut(self) -> None:
        self._proxy.has_cut()  # first: whoever feels the cut may look at once whether it was ours
        self._end()

    def _end(self) -> None:
        for one in (self._client, self._server):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


@contextmanager
def cutting_proxy(url: str) -> Iterator[CuttingProxy]:
    proxy = CuttingProxy(url)
    try:
        yield proxy
    finally:
        proxy.close()
