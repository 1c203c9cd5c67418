"""Group commit: who arrives together is stored together, and nobody pays for another's fault."""

import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from eventsourcing.persistence import DataError, OperationalError, StoredEvent
from eventsourcing.sqlite import SQLiteConnection

from services.errors import OutcomeUnknown, StoreUnavailable
from services.store import groups
from services.store.eventsourced import SQLiteStore
from services.store.groups import GroupCommit
from services.store.port import StreamMoved
from services.store.recorders import CommitUnknown, SQLiteRecorder
from tests.house import created, entry, eventually, seated


def row(stream: str) -> list[StoredEvent]:
    return [StoredEvent(stream, 1, "topic", b"")]


class Store:
    """Stores groups as told: the first one waits until it is let go, so that others gather behind it."""

    def __init__(self, fault: Callable[[list[str]], BaseException | None] = lambda _: None) -> None:
        self.go = threading.Event()
        self.seen: list[list[str]] = []
        self.kept: list[str] = []
        self._fault = fault

    def insert(self, rows: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        streams = [str(member[0].originator_id) for member in rows]
        self.seen.append(streams)
        if len(self.seen) == 1:
            assert self.go.wait(10)
        if fault := self._fault(streams):
            raise fault
        positions: list[list[int] | None] = []
        for stream in streams:
            if stream.startswith("moved"):
                positions.append(None)
            else:
                self.kept.append(stream)
                positions.append([len(self.kept)])
        return positions


def append_all(store: Store, streams: list[str]) -> dict[str, object]:
    """What each append came to: the first leads, the others arrive while it is being committed."""
    commit = GroupCommit(store.insert)

    def append(stream: str) -> object:
        try:
            return commit.append(row(stream))
        except (StreamMoved, OperationalError, DataError) as fault:
            return type(fault)

    with ThreadPoolExecutor(len(streams)) as pool:
        leader = pool.submit(append, streams[0])
        eventually(lambda: store.seen)
        others = [pool.submit(append, stream) for stream in streams[1:]]
        eventually(lambda: len(commit._waiting) == len(streams) - 1)
        store.go.set()
        return dict(zip(streams, [future.result(10) for future in (leader, *others)], strict=True))


def test_appends_that_arrive_during_a_commit_are_stored_by_the_next() -> None:
    store = Store()
    answers = append_all(store, ["a", "b", "c", "d"])
    assert [len(group) for group in store.seen] == [1, 3]
    assert sorted(store.kept) == ["a", "b", "c", "d"]
    assert sorted(position for (position,) in answers.values()) == [1, 2, 3, 4]  # type: ignore[misc, has-type]


def test_a_member_that_moved_fails_alone() -> None:
    store = Store()
    answers = append_all(store, ["a", "b", "moved", "d"])
    assert answers["moved"] is StreamMoved
    assert sorted(store.kept) == ["a", "b", "d"]


def test_a_member_the_database_can_not_take_fails_alone() -> None:
    store = Store(lambda streams: DataError() if "bad" in streams else None)
    answers = append_all(store, ["a", "b", "bad", "d"])
    assert answers["bad"] is DataError
    assert sorted(store.kept) == ["a", "b", "d"]


def test_P5_a_database_out_of_reach_is_told_to_every_member_and_not_asked_again() -> None:
    store = Store(lambda streams: OperationalError() if len(streams) > 1 else None)
    answers = append_all(store, ["a", "b", "c"])
    assert answers["b"] is answers["c"] is OperationalError
    assert [len(group) for group in store.seen] == [1, 2]


def test_P21_a_member_waits_a_bounded_time_and_is_not_stored_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(groups, "WAIT_SECONDS", 0.05)
    store = Store()
    commit = GroupCommit(store.insert)
    leader = threading.Thread(target=commit.append, args=(row("a"),))
    leader.start()
    eventually(lambda: store.seen)
    with pytest.raises(OperationalError):
        commit.append(row("late"))
    store.go.set()
    leader.join(10)
    assert commit.append(row("next")) == [2]
    assert store.kept == ["a", "next"]


def test_P5_whoever_stops_waiting_while_it_is_committed_does_not_know_the_outcome(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(groups, "WAIT_SECONDS", 0.2)
    first, second = threading.Event(), threading.Event()
    stored: list[int] = []

    def insert(members: Sequence[Sequence[StoredEvent]]) -> list[list[int] | None]:
        stored.append(len(members))
        assert (first if len(stored) == 1 else second).wait(10)
        return [[1] for _ in members]

    commit = GroupCommit(insert)

    def append(stream: str) -> object:
        try:
            return commit.append(row(stream))
        except OperationalError as fault:
            return type(fault)

    with ThreadPoolExecutor(3) as pool:
        leader = pool.submit(append, "a")
        eventually(lambda: stored)
        behind = pool.submit(append, "b")  # it will lead the next group
        eventually(lambda: len(commit._waiting) == 1)
        patient = pool.submit(append, "c")
        eventually(lambda: len(commit._waiting) == 2)
        first.set()
        assert patient.result(10) is CommitUnknown
        second.set()
        assert (leader.result(10), behind.result(10)) == ([1], [1])
    assert stored == [1, 2]


@pytest.mark.parametrize(
    ("code", "known"),
    [
        (sqlite3.SQLITE_BUSY, True),
        (sqlite3.SQLITE_FULL, True),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, True),
        (sqlite3.SQLITE_IOERR, False),
        (sqlite3.SQLITE_IOERR_FSYNC, False),
        (sqlite3.SQLITE_CORRUPT, False),
    ],
)
def test_P5_what_sqlite_says_of_a_failed_commit_tells_whether_nothing_was_done(
    code: int, known: bool
) -> None:
    class Failing:
        datastore = None
        events_table_name = "stored_events"
        _sqlite_conn = None

        def get_connection(self, **_: object) -> "Failing":
            return self

        cursor = get_connection
        __enter__ = get_connection

        def __exit__(self, *_: object) -> None: ...

        def execute(self, *_: object) -> None:
            error = sqlite3.OperationalError("it failed")
            error.sqlite_errorcode = code
            raise error

    failing = Failing()
    failing.datastore = failing  # type: ignore[assignment]
    with pytest.raises(OperationalError) as raised:
        SQLiteRecorder.insert_events(failing, row("a"))  # type: ignore[arg-type]
    assert (type(raised.value) is OperationalError) is known


@pytest.mark.parametrize("code", [sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_FULL])
def test_P5_the_same_of_a_commit_of_more_rows_than_fit_in_a_statement(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: SQLiteConnection) -> None:
        error = sqlite3.OperationalError("it failed")
        error.sqlite_errorcode = code
        raise error

    store = SQLiteStore(tmp_path / "ledger.sqlite3")
    try:
        monkeypatch.setattr("services.store.recorders.ROWS_IN_ONE_STATEMENT", 1)
        entries = [entry("m_long", 1, created()), entry("m_long", 2, seated())]
        assert store.append(entries) == 2
        with pytest.raises(StreamMoved):
            store.append(entries)
        monkeypatch.setattr(SQLiteConnection, "commit", fail)
        expected = StoreUnavailable if code == sqlite3.SQLITE_FULL else OutcomeUnknown
        with pytest.raises(expected):
            store.append([entry("m_other", 1, created()), entry("m_other", 2, seated())])
    finally:
        store.close()
