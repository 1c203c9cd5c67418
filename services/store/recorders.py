"""The library's recorders, with what an append-only store needs besides: triggers that refuse to change what is
stored, a bounded wait for other writers, and several appends in one transaction.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from time import monotonic
from typing import Any

import psycopg
from eventsourcing.persistence import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    StoredEvent,
)
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresFactory
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteFactory
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier, Literal

from services.patience import remaining
from services.store.sql import WAIT_SECONDS, waiting_briefly

LOCK_SECONDS = WAIT_SECONDS  # how long an append waits for another writer at most
ROWS_IN_ONE_STATEMENT = 4_000  # SQLite takes 32,766 values
WRITERS_TURN = 0x1ED6E8  # the advisory lock of whoever appends, in PostgreSQL
ANSWER_SECONDS = 0.1  # what is left of a caller's time for the server to say that a wait was too long


# What SQLite says when a statement, or the commit of one, was certainly not carried out.
NOT_DONE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)


LogRow = tuple[int, str, int, str, bytes]  # position, stream, version, topic, state


class CommitUnknown(OperationalError):
    """The database failed in a commit: whether it was carried out can't be told from here (P5)."""


Reading = Callable[..., Any]


def _read_again(read: Any) -> Reading:
    """A read that is repeated at once where its connection had died, as after a restart of the database, and only as
    long as there is time. The library tries each ten times with pauses, so that one takes 2 s at least (trap 3).
    """

    @wraps(read)
    def reading(*args: Any, **kwargs: Any) -> Any:
        since = monotonic()
        while True:
            try:
                return read(*args, **kwargs)
            except (InterfaceError, OperationalError):
                if remaining(LOCK_SECONDS) < LOCK_SECONDS / 2 or monotonic() - since > LOCK_SECONDS / 2:
                    raise

    return reading


class SQLiteRecorder(SQLiteApplicationRecorder):
    """Adds triggers that refuse to change or delete what is stored (trap 10), and stores rows in one statement."""

    def construct_create_table_statements(self) -> list[str]:
        return [
            *super().construct_create_table_statements(),
            *(
                f"CREATE TRIGGER IF NOT EXISTS {self.events_table_name}_no_{action.lower()} "
                f"BEFORE {action} ON {self.events_table_name} "
                "BEGIN SELECT RAISE(ABORT, 'stored events are never changed'); END"
                for action in ("UPDATE", "DELETE")
            ),
        ]

    def select_log(self, after: int, limit: int) -> list[LogRow]:
        """At most `limit` rows of the log with positions above `after`, in order."""
        with self.datastore.transaction(commit=False) as cursor:
            cursor.execute(
                "SELECT rowid, originator_id, originator_version, topic, state "  # noqa: S608 - a name of ours
                f"FROM {self.events_table_name} WHERE rowid > ? ORDER BY rowid LIMIT ?",
                (after, limit),
            )
            rows: list[LogRow] = cursor.fetchall()
        return rows

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        """Store rows, all or nothing; their positions.

        One statement outside a transaction is one: it begins, writes, flushes and commits in a single call. Each
        call gives the interpreter away and has to wait for it again, so that one call a row made an append under
        load several times slower (docs/decisions/0009).
        """
        if len(stored_events) > ROWS_IN_ONE_STATEMENT:
            (positions,) = self._insert_by_rows([stored_events])
            if positions is None:
                raise IntegrityError
            return positions
        marks = ",".join(["(?,?,?,?)"] * len(stored_events))
        statement = f"INSERT INTO {self.events_table_name} VALUES {marks}"  # noqa: S608 - a name of ours
        values = [
            value
            for row in stored_events
            for value in (row.originator_id, row.originator_version, row.topic, row.state)
        ]
        with self.datastore.get_connection(commit=True) as connection, connection.cursor() as cursor:
            try:
                with waiting_briefly(connection._sqlite_conn):
                    cursor.execute(statement, values)
            except sqlite3.IntegrityError as error:
                raise IntegrityError(error) from error
            except sqlite3.Error as error:
                raise _fault(error) from error
            last = int(cursor.lastrowid or 0)
        return range(last - len(stored_events) + 1, last + 1)

    def insert_groups(self, groups: Sequence[Sequence[StoredEvent]]) -> Sequence[Sequence[int] | None]:
        """Store groups in one transaction: the positions of each, or None where a version was taken."""
        if (together := _all_at_once(self, groups)) is not None:
            return together
        return self._insert_by_rows(groups)

    def _insert_by_rows(self, groups: Sequence[Sequence[StoredEvent]]) -> list[Sequence[int] | None]:
        positions: list[Sequence[int] | None] = []
        try:
            with (
                self.datastore.get_connection(commit=True) as connection,
                waiting_briefly(connection._sqlite_conn),
                connection.transaction(commit=True) as cursor,
            ):
                for rows in groups:
                    cursor.execute("SAVEPOINT member")
                    try:
                        positions.append(self._insert_events(cursor, rows))
                    except sqlite3.IntegrityError:
                        cursor.execute("ROLLBACK TO member")
                        positions.append(None)
                    cursor.execute("RELEASE member")
        except DatabaseError as error:
            if len(positions) < len(groups):
                raise
            raise _fault(error.__cause__) from error
        return positions


def _fault(error: BaseException | None) -> OperationalError:
    """What a failed commit of SQLite means: nothing was done, or nobody knows."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF in NOT_DONE:
        return OperationalError(error)
    return CommitUnknown(error)


class PostgresRecorder(PostgresApplicationRecorder):
    """Adds the same triggers, and a function in the database that appends: writers take turns, and a turn is one
    statement. It waits for its turn a bounded time, writes, tells listeners which position the log has reached, and
    commits (docs/decisions/0064).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        table = Identifier(self.datastore.schema, self.events_table_name)
        append = Identifier(self.datastore.schema, "ledgertop_append")
        self._append = SQL("SELECT {}(%b, %b, %b, %b, %b)").format(append)
        self._select_log = SQL(
            "SELECT notification_id, originator_id, originator_version, topic, state FROM {} "
            "WHERE notification_id > %s ORDER BY notification_id LIMIT %s"
        ).format(table)
        self.sql_create_statements += [
            SQL(
                "CREATE OR REPLACE FUNCTION ledgertop_refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
                "$$BEGIN RAISE EXCEPTION 'stored events are never changed'; END$$"
            ).format(),
            SQL(
                "CREATE OR REPLACE TRIGGER {} BEFORE UPDATE OR DELETE OR TRUNCATE ON {} "
                "FOR EACH STATEMENT EXECUTE FUNCTION ledgertop_refuse_change()"
            ).format(Identifier(f"{self.events_table_name}_no_change"), table),
            SQL(
                "CREATE OR REPLACE FUNCTION {append}(streams text[], versions bigint[], topics text[], states bytea[], "
                "wait integer) RETURNS bigint[] LANGUAGE plpgsql AS "
                "$$DECLARE positions bigint[]; BEGIN"
                " PERFORM set_config('lock_timeout', wait::text, true);"
                " PERFORM pg_advisory_xact_lock({turn});"
                " WITH stored AS (INSERT INTO {table} (originator_id, originator_version, topic, state)"
                " SELECT * FROM unnest(streams, versions, topics, states) RETURNING notification_id)"
                " SELECT array_agg(notification_id ORDER BY notification_id) INTO positions FROM stored;"
                " PERFORM pg_notify({channel}, positions[cardinality(positions)]::text);"
                " RETURN positions; "
                "END$$"
            ).format(
                append=append,
                turn=Literal(WRITERS_TURN),
                channel=Literal(self.channel_name),
                table=table,
            ),
        ]

    select_events = _read_again(PostgresApplicationRecorder.select_events.__wrapped__)
    max_notification_id = _read_again(PostgresApplicationRecorder.max_notification_id.__wrapped__)

    @_read_again
    def select_log(self, after: int, limit: int) -> list[LogRow]:
        """At most `limit` rows of the log with positions above `after`, in order."""
        with (
            self.datastore.get_connection() as connection,
            connection.cursor(binary=True, row_factory=tuple_row) as cursor,
        ):
            cursor.execute(self._select_log, (after, limit), prepare=True)
            return cursor.fetchall()

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        """Store rows, all or nothing; their positions. The statement commits by itself: no other has to follow."""
        with (
            _honestly() as sent,
            self.datastore.get_connection() as connection,
            connection.cursor(row_factory=tuple_row) as cursor,
        ):
            sent.set()
            return self._store_rows(cursor, stored_events)

    def insert_groups(self, groups: Sequence[Sequence[StoredEvent]]) -> Sequence[Sequence[int] | None]:
        """Store groups in one transaction: the positions of each, or None where a version was taken."""
        if (together := _all_at_once(self, groups)) is not None:
            return together
        return self._insert_by_rows(groups)

    def _insert_by_rows(self, groups: Sequence[Sequence[StoredEvent]]) -> list[Sequence[int] | None]:
        positions: list[Sequence[int] | None] = []
        with (
            _honestly() as sent,
            self.datastore.get_connection() as connection,
            connection.transaction(),
        ):
            for rows in groups:
                try:
                    with connection.transaction(), connection.cursor(row_factory=tuple_row) as cursor:
                        positions.append(self._store_rows(cursor, rows))
                except psycopg.errors.UniqueViolation:
                    positions.append(None)
            sent.set()
        return positions

    def _store_rows(self, cursor: psycopg.Cursor[tuple[list[int]]], rows: Sequence[StoredEvent]) -> list[int]:
        given = (
            [row.originator_id for row in rows],
            [row.originator_version for row in rows],
            [row.topic for row in rows],
            [row.state for row in rows],
            max(1, round(1_000 * (remaining(LOCK_SECONDS) - ANSWER_SECONDS))),  # 0 would be: for ever
        )
        cursor.execute(self._append, given, prepare=True)
        ((positions,),) = cursor.fetchall()
        return positions


@contextmanager
def _honestly() -> Iterator[threading.Event]:
    """What a failed append means. Once what commits has been sent, it is known only where the server says that this
    statement failed: a connection that is lost, and a server that ends it or itself, also with the last word that
    the disk is full, leave the outcome unknown (trap 1).
    """
    sent = threading.Event()
    try:
        yield sent
    except (OperationalError, InterfaceError) as error:
        said = error.__cause__.diag if isinstance(error.__cause__, psycopg.Error) else None
        if sent.is_set() and (said is None or said.severity_nonlocalized != "ERROR"):
            raise CommitUnknown(error) from error
        raise


def _all_at_once(
    recorder: "SQLiteRecorder | PostgresRecorder", groups: Sequence[Sequence[StoredEvent]]
) -> Sequence[Sequence[int] | None] | None:
    """The positions of all groups stored by one statement; None if that fails because one of several moved."""
    try:
        positions = recorder.insert_events([row for rows in groups for row in rows])
    except IntegrityError:
        return [None] if len(groups) == 1 else None
    assert positions is not None
    return [[positions[index] for index in span] for span in _spans(groups)]


def _spans(groups: Sequence[Sequence[StoredEvent]]) -> Iterator[range]:
    first = 0
    for rows in groups:
        yield range(first, first + len(rows))
        first += len(rows)


class RecordingSQLiteFactory(SQLiteFactory):
    application_recorder_class = SQLiteRecorder  # the library reads it from the class, not from the instance


class RecordingPostgresFactory(PostgresFactory):
    application_recorder_class = PostgresRecorder
