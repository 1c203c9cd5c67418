"""The event store over the `eventsourcing` library's persistence modules, on SQLite and on PostgreSQL.

The library does the storing: one table, unique on (stream, version), positions in commit order. Ours are the
mapper (one JSON codec, a closed registry of topics), the additions to the recorders, and `wait`, which the library
offers for neither database without holes.
"""

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from eventsourcing.persistence import EventStore as LibraryEventStore
from eventsourcing.persistence import JSONTranscoder, Mapper, PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresFactory
from eventsourcing.sqlite import SQLiteConnection, SQLiteConnectionPool
from eventsourcing.utils import Environment
from psycopg.sql import SQL, Identifier

from services.codec import Unreadable, decode_recorded, encode_recorded, topic_of
from services.errors import OutcomeUnknown, StoreUnavailable
from services.patience import patience, remaining
from services.store.groups import GroupCommit
from services.store.port import Damaged, Entry, Found, Stored
from services.store.postgres import CONNECT_SECONDS, Connection, Pool
from services.store.recorders import (
    LOCK_SECONDS,
    CommitUnknown,
    LogRow,
    PostgresRecorder,
    RecordingPostgresFactory,
    RecordingSQLiteFactory,
    SQLiteRecorder,
)

MAX_CONNECTIONS = 10
POLL_SECONDS = 0.02  # how often a waiter looks for another process's append on SQLite
CLOSE_SECONDS = 0.2  # how soon a listener on PostgreSQL notices that it shall stop
WAKE_SECONDS = (
    1.0  # how late a waiter is at most when a wake-up got lost (the library's subscription: trap 2)
)


class RecordedMapper(Mapper[str]):
    """Envelopes to rows and back. A row whose place differs from what its bytes say is refused."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        entry: Entry = domain_event
        return StoredEvent(entry.stream, entry.version, topic_of(entry), encode_recorded(entry))

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        return _read(
            str(stored_event.originator_id),
            stored_event.originator_version,
            stored_event.topic,
            stored_event.state,
        )


def _read(stream: str, version: int, topic: str, state: bytes) -> Entry:
    """The entry in a row. Raises Unreadable."""
    entry = decode_recorded(topic, state)
    if entry.version != version or entry.stream != stream:
        raise Unreadable(f"{stream} {version} holds another event")
    return entry


class _SQLitePool(SQLiteConnectionPool):
    """The library's, without its wait of 5 s for a connection."""

    def get_connection(
        self, timeout: float | None = None, *, is_writer: bool | None = None
    ) -> SQLiteConnection:
        return super().get_connection(
            remaining(LOCK_SECONDS) if timeout is None else timeout, is_writer=is_writer
        )


class _Store(ABC):
    """What both databases share."""

    def __init__(self, recorder: SQLiteRecorder | PostgresRecorder) -> None:
        self._recorder = recorder
        self._groups = GroupCommit(recorder.insert_groups)
        self._events = LibraryEventStore[str](RecordedMapper(JSONTranscoder()), recorder)
        self._bell = threading.Condition()
        self._head = 0
        self._closed = threading.Event()
        self._watcher: threading.Thread | None = None

    def append(self, entries: Sequence[Entry]) -> int:
        rows = [self._events.mapper.to_stored_event(entry) for entry in entries]  # type: ignore[arg-type]
        with _translated():
            try:
                position = self._groups.append(rows)[-1]
            except CommitUnknown as error:
                raise OutcomeUnknown(entries[-1].stream, entries[-1].command) from error
        self._ring(position)
        return position

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        with _translated():
            return list(self._events.get(stream, gt=after, limit=limit))  # type: ignore[arg-type]

    def read_all(self, after: int, limit: int) -> list[Stored]:
        return [
            Stored(position, _read(stream, version, topic, state))
            for position, stream, version, topic, state in self._rows(after, limit)
        ]

    def scan(self, after: int, limit: int) -> list[Found]:
        found: list[Found] = []
        for position, stream, version, topic, state in self._rows(after, limit):
            try:
                found.append(Stored(position, _read(stream, version, topic, state)))
            except Unreadable as error:
                found.append(Damaged(position, stream, version, type(error).__name__))
        return found

    def _rows(self, after: int, limit: int) -> list[LogRow]:
        with _translated():
            return self._recorder.select_log(after, limit)

    def head(self) -> int:
        with _translated():
            return self._recorder.max_notification_id() or 0

    def wait(self, after: int, timeout: float) -> int:
        self._watch()
        with self._bell:
            self._bell.wait_for(lambda: self._head > after or self._closed.is_set(), timeout)
            return self._head

    def group_sizes(self) -> Mapping[int, int]:
        return dict(self._groups.sizes)

    def close(self) -> None:
        self._closed.set()
        with self._bell:
            self._bell.notify_all()
        if self._watcher:
            self._watcher.join(timeout=2 * WAKE_SECONDS)

    def _ring(self, position: int) -> None:
        with self._bell:
            if position > self._head:
                self._head = position
                self._bell.notify_all()

    def _watch(self) -> None:
        with self._bell:
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._follow, name="store-watch", daemon=True)
                self._watcher.start()

    def _follow(self) -> None:
        """Ring for other processes' appends. A fault of the database costs latency, never an event."""
        while not self._closed.is_set():
            try:
                with self._changes() as changed:
                    heard = 0
                    while not self._closed.is_set():
                        self._ring(heard or self.head())
                        heard = changed()
            except (StoreUnavailable, PersistenceError, psycopg.Error, sqlite3.Error):
                self._closed.wait(WAKE_SECONDS)

    @abstractmethod
    def _changes(self) -> AbstractContextManager[Callable[[], int]]:
        """A function that returns when the log may have grown, or after WAKE_SECONDS: a position it has reached, or 0
        where that is not said.
        """


class SQLiteStore(_Store):
    """The event store in one SQLite file (WAL, synchronous=FULL)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        factory = RecordingSQLiteFactory(
            Environment(
                env={
                    "SQLITE_DBNAME": str(path),
                    "ORIGINATOR_ID_TYPE": "text",
                }
            )
        )
        factory.datastore.pool.close()
        factory.datastore.pool = _SQLitePool(db_name=str(path), lock_timeout=LOCK_SECONDS)
        with _translated():
            recorder = factory.application_recorder()
        assert isinstance(recorder, SQLiteRecorder)
        super().__init__(recorder)
        self._factory = factory
        with factory.datastore.transaction(commit=False) as cursor:
            self._demand(cursor, "journal_mode", "wal")
            self._demand(cursor, "synchronous", "2")

    @staticmethod
    def _demand(cursor: Any, pragma: str, value: str) -> None:
        cursor.execute(f"PRAGMA {pragma}")
        found = str(cursor.fetchone()[0])
        if found != value:
            raise RuntimeError(
                f"SQLite runs with {pragma}={found}; acknowledged events need {pragma}={value} (P1)"
            )

    def position(self, stream: str, version: int) -> int:
        with _translated(), self._factory.datastore.transaction(commit=False) as cursor:
            cursor.execute(
                "SELECT rowid FROM stored_events WHERE originator_id=? AND originator_version=?",
                (stream, version),
            )
            row = cursor.fetchone()
        if row is None:
            raise KeyError((stream, version))
        return int(row[0])

    def close(self) -> None:
        super().close()
        self._factory.close()

    @contextmanager
    def _changes(self) -> Iterator[Callable[[], int]]:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            seen = self._data_version(connection)

            def changed() -> int:
                nonlocal seen
                for _ in range(round(WAKE_SECONDS / POLL_SECONDS)):
                    version = self._data_version(connection)
                    if version != seen or self._closed.wait(POLL_SECONDS):
                        seen = version
                        break
                return 0

            yield changed
        finally:
            connection.close()

    @staticmethod
    def _data_version(connection: sqlite3.Connection) -> int:
        version: int = connection.execute("PRAGMA data_version").fetchone()[0]
        return version


class PostgresStore(_Store):
    """The event store in a PostgreSQL database. `migrate=True` creates the tables; do that in one process only."""

    def __init__(self, url: str, *, migrate: bool = False) -> None:
        self._url = url
        parts = psycopg.conninfo.conninfo_to_dict(url)
        factory = RecordingPostgresFactory(
            Environment(
                env={
                    "POSTGRES_DBNAME": str(parts["dbname"]),
                    "POSTGRES_HOST": str(parts.get("host", "")),
                    "POSTGRES_PORT": str(parts.get("port", 5432)),
                    "POSTGRES_USER": str(parts.get("user", "")),
                    "POSTGRES_PASSWORD": str(parts.get("password", "")),
                    # Whoever is stopped in the midst of an append lets go.
                    "POSTGRES_IDLE_IN_TRANSACTION_SESSION_TIMEOUT": str(LOCK_SECONDS),
                    "POSTGRES_ENABLE_DB_FUNCTIONS": "n",  # it loses events for readers (trap 2)
                    "ORIGINATOR_ID_TYPE": "text",
                    "CREATE_TABLE": "y" if migrate else "n",
                }
            )
        )
        kwargs = factory.datastore.pool.kwargs  # the library takes five parts of an address, and none of TLS
        assert isinstance(kwargs, dict)
        kwargs.update({name: value for name, value in parts.items() if name not in kwargs})
        factory.datastore.pool = Pool(  # type: ignore[assignment]  # rows are dicts, as `kwargs` say
            kwargs=kwargs,
            min_size=1,
            max_size=MAX_CONNECTIONS,
            open=False,
            configure=factory.datastore.after_connect_func(),
        )
        try:
            with _translated():
                recorder = factory.application_recorder()
                assert isinstance(recorder, PostgresRecorder)
                self._demand_durability(factory)
        except BaseException:
            factory.close()  # its pool has threads, which would close it from within
            raise
        super().__init__(recorder)
        self._factory = factory

    @staticmethod
    def _demand_durability(factory: PostgresFactory) -> None:
        with factory.datastore.cursor() as cursor:
            for setting in ("fsync", "synchronous_commit"):
                cursor.execute(SQL("SHOW {}").format(Identifier(setting)))
                found = next(iter((cursor.fetchone() or {}).values()))
                if found == "off":
                    raise RuntimeError(
                        f"PostgreSQL runs with {setting}=off; acknowledged events need it on (P1)"
                    )

    def position(self, stream: str, version: int) -> int:
        with _translated(), self._factory.datastore.cursor() as cursor:
            cursor.execute(
                "SELECT notification_id FROM stored_events WHERE originator_id=%s AND originator_version=%s",
                (stream, version),
            )
            row = cursor.fetchone()
        if row is None:
            raise KeyError((stream, version))
        return int(row["notification_id"])

    def close(self) -> None:
        super().close()
        self._factory.close()

    @contextmanager
    def _changes(self) -> Iterator[Callable[[], int]]:
        with Connection.connect(self._url, autocommit=True, connect_timeout=CONNECT_SECONDS) as connection:
            with patience(CONNECT_SECONDS):
                connection.execute("LISTEN stored_events")

            def changed() -> int:
                for _ in range(round(WAKE_SECONDS / CLOSE_SECONDS)):
                    told = [*connection.notifies(timeout=CLOSE_SECONDS, stop_after=1)]
                    if told or self._closed.is_set():
                        return max((_position(one.payload) for one in told), default=0)
                return 0

            yield changed


def _position(payload: str) -> int:
    """What a notification tells; 0 if that is no position."""
    return int(payload) if payload.isascii() and payload.isdecimal() else 0


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except PersistenceError as error:
        raise StoreUnavailable from error
