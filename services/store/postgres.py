"""Connections to PostgreSQL that never wait longer than their caller may (P21).

A server, or a network between, that hangs without closing would hold a thread for ever, and with it every command
that waits for that thread. So the client itself gives up: it closes the connection, and the pool makes another.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import psycopg
from eventsourcing.postgres import ConnectionPool as LibraryPool
from psycopg.errors import _WaitTimeout  # what `wait` raises; there is no public name

from services.errors import StoreUnavailable
from services.patience import patience, remaining

CONNECT_SECONDS = 2  # to connect, or to get a connection
MIGRATION = 0x1ED6E7  # the advisory lock of whoever creates tables
AGAIN_SECONDS = 1.0  # how long the pool itself tries to connect again; then the next caller asks it to


class Connection(psycopg.Connection[Any]):
    """Closes itself when the server doesn't answer within what is left of the caller's budget."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, remaining())
        except _WaitTimeout:
            self.pgconn.finish()  # what it was doing is unknown: nobody may use it again
            raise psycopg.OperationalError("the database did not answer in time") from None


class Pool(LibraryPool[Connection]):
    """A pool that neither lets anybody wait beyond their budget, nor itself waits long after the server is back."""

    def __init__(self, conninfo: str = "", *, kwargs: dict[str, Any], **settings: Any) -> None:
        super().__init__(
            conninfo,
            connection_class=Connection,
            kwargs={**kwargs, "connect_timeout": CONNECT_SECONDS},
            timeout=CONNECT_SECONDS,
            reconnect_timeout=AGAIN_SECONDS,
            **settings,
        )

    def _connect(self, timeout: float | None = None) -> Connection:
        with patience(CONNECT_SECONDS):  # also for what is said to a new connection first
            return super()._connect(timeout)

    def getconn(self, timeout: float | None = None) -> Connection:
        """A connection whose end has not come. The pool's own `check` waits a second where two in turn are dead."""
        until = monotonic() + (remaining(CONNECT_SECONDS) if timeout is None else timeout)
        while True:
            connection = super().getconn(until - monotonic())
            if _is_open(connection):
                return connection
            self.putconn(connection)


def _is_open(connection: Connection) -> bool:
    """Whether the server has not hung up meanwhile, as all do when a database is started anew: of what is asked over
    such a connection nobody could tell whether it was done.
    """
    try:
        for _ in range(2):  # the server's last words are read first, then the end
            connection.pgconn.consume_input()
    except psycopg.OperationalError:
        return False
    return True


@contextmanager
def migrating_alone(url: str) -> Iterator[None]:
    """Let one process at a time create tables: of two that do so at once PostgreSQL lets one fail (trap 3)."""
    try:
        connection = Connection.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS)
        with connection:
            connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATION,))
            yield  # it is let go with the connection
    except psycopg.OperationalError as error:
        raise StoreUnavailable from error
