"""Plain SQL tables beside the log: sealed seeds, names, read models. One dialect for SQLite and PostgreSQL.

Statements are written with `?` for parameters and in the subset both databases read alike
(`INSERT … ON CONFLICT … DO UPDATE`, `RETURNING`, BIGINT, TEXT).
"""

import fcntl
import queue
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import psycopg
from psycopg.rows import dict_row
from psycopg_pool import PoolTimeout

from services.errors import StoreUnavailable
from services.patience import remaining
from services.store.postgres import Pool

WAIT_SECONDS = 2  # for a lock
IDLE_SECONDS = 10  # after which PostgreSQL ends a transaction whose owner says nothing

Row = dict[str, Any]


class Transaction(Protocol):
    """One open transaction."""

    def run(self, statement: str, *parameters: Any) -> int:
        """Execute; returns the number of rows changed."""

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute once for each row of parameters."""

    def rows(self, statement: str, *parameters: Any) -> list[Row]:
        """All rows of a query."""

    def row(self, statement: str, *parameters: Any) -> Row | None:
        """The first row of a query."""


class Database(Protocol):
    """Where transactions are had."""

    def reading(self) -> "Any":
        """Context manager: a transaction that changes nothing."""

    def writing(self) -> "Any":
        """Context manager: a transaction that is committed at the end, or rolled back if an exception leaves it."""

    def close(self) -> None: ...


class _Cursor:
    def __init__(self, cursor: Any, mark: str) -> None:
        self._cursor = cursor
        self._mark = mark

    def run(self, statement: str, *parameters: Any) -> int:
        self._cursor.execute(statement.replace("?", self._mark), parameters)
        return int(self._cursor.rowcount)

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            self._cursor.executemany(statement.replace("?", self._mark), rows)

    def rows(self, statement: str, *parameters: Any) -> list[Row]:
        self._cursor.execute(statement.replace("?", self._mark), parameters)
        return [dict(row) for row in self._cursor.fetchall()]

    def row(self, statement: str, *parameters: Any) -> Row | None:
        self._cursor.execute(statement.replace("?", self._mark), parameters)
        found = self._cursor.fetchone()
        return None if found is None else dict(found)


class SQLiteDatabase:
    """A SQLite file. `durable=False` trades the last commits after a power loss for speed: read models only."""

    def __init__(self, path: Path, *, durable: bool) -> None:
        self._path = path
        self._synchronous = "FULL" if durable else "NORMAL"
        self._idle: queue.LifoQueue[sqlite3.Connection] = queue.LifoQueue()

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        with self._connection() as connection, self._transaction(connection, "BEGIN", "ROLLBACK") as cursor:
            yield cursor

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        with (
            self._connection() as connection,
            self._transaction(connection, "BEGIN IMMEDIATE", "COMMIT") as cursor,
        ):
            yield cursor

    def close(self) -> None:
        while not self._idle.empty():
            self._idle.get_nowait().close()

    @contextmanager
    def _transaction(self, connection: sqlite3.Connection, first: str, last: str) -> Iterator[Transaction]:
        try:
            with waiting_briefly(connection):
                connection.execute(first)
            try:
                yield _Cursor(connection.cursor(), "?")
                connection.execute(last)
            except BaseException:
                if connection.in_transaction:  # some faults, as a full disk, have ended it already
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.OperationalError as error:
            raise StoreUnavailable from error

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._idle.get_nowait()
        except queue.Empty:
            connection = self._connect()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self._idle.put(connection)

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                self._path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"PRAGMA synchronous={self._synchronous}")
        except sqlite3.OperationalError as error:
            raise StoreUnavailable from error
        return connection


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Wait until nobody else holds this file. SQLite does not wait by itself where a journal's mode changes."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def waiting_briefly(connection: sqlite3.Connection) -> Iterator[None]:
    """Wait for other writers no longer than the caller's budget; where it is hardly used, as long as ever."""
    left = remaining(WAIT_SECONDS)
    if left > 0.9 * WAIT_SECONDS:  # a call less for nearly every transaction
        yield
        return
    connection.execute(f"PRAGMA busy_timeout = {round(1_000 * left)}")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA busy_timeout = {1_000 * WAIT_SECONDS}")


class PostgresDatabase:
    """A PostgreSQL database. `durable=False` trades the last commits after a crash for speed: read models only.

    Without durability a commit still is all or nothing, and none is kept that followed one of the log that is lost.
    """

    def __init__(self, url: str, *, durable: bool) -> None:
        options = f"-c lock_timeout={WAIT_SECONDS}s -c idle_in_transaction_session_timeout={IDLE_SECONDS}s"
        if not durable:
            options += " -c synchronous_commit=off"
        self._pool = Pool(
            url, min_size=0, max_size=8, open=True, kwargs={"row_factory": dict_row, "options": options}
        )

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        with self.writing() as transaction:
            yield transaction

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        try:
            with self._pool.connection() as connection, connection.cursor() as cursor:
                yield _Cursor(cursor, "%s")
        except (psycopg.OperationalError, PoolTimeout) as error:
            raise StoreUnavailable from error

    def close(self) -> None:
        self._pool.close()
