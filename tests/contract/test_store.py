"""What the port to the event store promises, held on both databases."""

import json
import math
import sqlite3
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from domain.match import MatchStarted
from ledgertop.wiring import open_store, open_tables
from services.codec import Unreadable, encode_recorded
from services.errors import OutcomeUnknown, StoreUnavailable
from services.ledger import Ledger
from services.patience import patience
from services.store.eventsourced import PostgresStore, SQLiteStore
from services.store.port import Damaged, EventStore, StreamMoved
from services.store.recorders import WRITERS_TURN
from tests.house import (
    House,
    another_process,
    before_commits,
    created,
    entry,
    eventually,
    go,
    hear,
    insert_raw,
    raw_connection,
    seated,
)


@pytest.fixture
def store(house: House) -> EventStore:
    return house.service.store


def test_what_is_appended_is_read_back_equal(store: EventStore) -> None:
    entries = [entry("m_a", 1, created()), entry("m_a", 2, seated()), entry("m_a", 3, MatchStarted())]
    last = store.append(entries)
    assert store.read("m_a") == entries
    assert store.read("m_a", after=2) == entries[2:]
    assert store.read("m_b") == []
    assert store.head() == last
    assert store.position("m_a", 3) == last
    with pytest.raises(KeyError):
        store.position("m_a", 4)


def test_the_log_is_read_in_pages_in_the_order_of_positions(store: EventStore) -> None:
    for number in range(7):
        store.append([entry(f"m_{number}", 1, created())])
    seen, after = [], 0
    while page := store.read_all(after, 3):
        seen += page
        after = page[-1].position
    assert [found.entry.stream for found in seen] == [f"m_{number}" for number in range(7)]
    assert [found.position for found in seen] == sorted({found.position for found in seen})
    assert after == store.head()


def test_an_empty_log_has_head_0(store: EventStore) -> None:
    assert store.head() == 0
    assert store.read_all(0, 10) == []


def test_P3_a_version_is_taken_once(store: EventStore) -> None:
    store.append([entry("m_a", 1, created())])
    with pytest.raises(StreamMoved):
        store.append([entry("m_a", 1, created(deal=2))])
    assert len(store.read("m_a")) == 1


def test_P2_entries_of_several_streams_are_stored_all_or_none(store: EventStore) -> None:
    store.append([entry("m_a", 1, created()), entry("m_b", 1, created())])
    with pytest.raises(StreamMoved):
        store.append([entry("m_a", 2, seated()), entry("m_c", 1, created()), entry("m_b", 1, created())])
    assert [len(store.read(stream)) for stream in ("m_a", "m_b", "m_c")] == [1, 1, 0]


def test_P2_an_append_of_megabytes_is_stored_whole_or_not_at_all(house: House) -> None:
    """As the fork of a long match is one; in a pipeline PostgreSQL's client hangs in a statement of that size."""
    store, bulky = house.service.store, created(options={"text": "x" * 1_000})
    store.append([entry("m_taken", 1, created())])
    entries = [entry(f"m_{number}", 1, bulky) for number in range(3_000)]
    with patience(20):
        with pytest.raises(StreamMoved):
            store.append([*entries, entry("m_taken", 1, created())])
        assert store.head() == store.position("m_taken", 1)
        last = store.append(entries)
    found = store.read_all(last - len(entries), len(entries))
    assert [one.entry for one in found] == entries
    assert [one.position for one in found] == list(range(last - len(entries) + 1, last + 1))


def test_P3_a_gap_is_refused_on_loading(house: House) -> None:
    opened = house.open()
    insert_raw(house, entry(opened.id, opened.version + 2, MatchStarted()))
    with pytest.raises(Unreadable, match="jumps"):
        Ledger(house.service.store).history(opened.id)


def test_P25_a_topic_outside_the_registry_is_refused_and_never_imported(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lurking.py").write_text(
        "from pathlib import Path\nPath(__file__).with_name('ran').touch()\nclass Bite: ...\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    insert_raw(house, entry("m_a", 1, created()), topic="lurking:Bite")
    for read in (lambda: house.service.store.read("m_a"), lambda: house.service.store.read_all(0, 10)):
        with pytest.raises(Unreadable, match="unknown topic"):
            read()
    assert "lurking" not in sys.modules
    assert not (tmp_path / "ran").exists()


def test_P18_a_scan_shows_what_cannot_be_read_in_its_place(house: House) -> None:
    store = house.service.store
    store.append([entry("m_a", 1, created())])
    insert_raw(house, entry("m_b", 1, created()), data=b'{"cut off')
    insert_raw(house, entry("m_c", 1, created()), topic="match.created.99")
    store.append([entry("m_d", 1, created())])
    found = store.scan(0, 10)
    assert [type(one) is Damaged for one in found] == [False, True, True, False]
    assert [one.stream for one in found if isinstance(one, Damaged)] == ["m_b", "m_c"]


def test_a_row_in_another_rows_place_is_refused(house: House) -> None:
    row = entry("m_a", 1, created())
    insert_raw(house, entry("m_b", 1, created()), data=encode_recorded(row))
    with pytest.raises(Unreadable, match="holds another event"):
        house.service.store.read("m_b")


@pytest.mark.parametrize(
    "options",
    [{"pair": (1, 2)}, {1: "one"}, {"deep": {"x": math.nan}}, {"set": {1}}],
    ids=["tuple", "int key", "NaN", "set"],
)
def test_what_would_not_read_back_equal_is_never_stored(store: EventStore, options: dict[Any, Any]) -> None:
    with pytest.raises(Unreadable, match="does not survive storing"):
        store.append([entry("m_a", 1, created()), entry("m_a", 2, created(options=options))])
    assert store.read("m_a") == []


def test_a_dict_that_looks_like_a_transcoded_object_stays_a_dict(store: EventStore) -> None:
    trap = {"payload": {"_type_": "uuid_hex", "_data_": "00" * 16}}
    store.append([entry("m_a", 1, created(options=trap))])
    (read,) = store.read("m_a")
    assert read.event == created(options=trap)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE stored_events SET topic = 'x'",
        "DELETE FROM stored_events",
        "DELETE FROM stored_events WHERE originator_version = 2",
    ],
)
def test_P9_the_database_refuses_to_change_what_is_stored(house: House, statement: str) -> None:
    entries = [entry("m_a", 1, created()), entry("m_a", 2, seated())]
    house.service.store.append(entries)
    with raw_connection(house) as run, pytest.raises(Exception, match="stored events are never changed"):
        run(statement)
    assert house.service.store.read("m_a") == entries


def test_P1_acknowledged_events_are_durable(house: House) -> None:
    store = house.service.store
    if isinstance(store, SQLiteStore):
        with store._factory.datastore.transaction(commit=False) as cursor:
            for pragma, value in (("synchronous", 2), ("journal_mode", "wal")):
                cursor.execute(f"PRAGMA {pragma}")
                assert cursor.fetchone()[0] == value
    else:
        with raw_connection(house) as run:
            assert run("SHOW fsync") == [("on",)]
            assert run("SHOW synchronous_commit") == [("on",)]


def test_P1_a_database_that_may_lose_commits_is_refused(postgres_url: str, tmp_path: Path) -> None:
    PostgresStore(postgres_url, migrate=True).close()
    database = Identifier(str(psycopg.conninfo.conninfo_to_dict(postgres_url)["dbname"]))
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(SQL("ALTER DATABASE {} SET synchronous_commit = off").format(database))
        with pytest.raises(RuntimeError, match="synchronous_commit"):
            PostgresStore(postgres_url)
        connection.execute(SQL("ALTER DATABASE {} RESET synchronous_commit").format(database))
    with closing(sqlite3.connect(tmp_path / "relaxed.sqlite3")) as connection:
        connection.execute("PRAGMA synchronous = NORMAL")
        with pytest.raises(RuntimeError, match="synchronous"):
            SQLiteStore._demand(connection.cursor(), "synchronous", "2")


def test_P1_only_read_models_may_lose_their_last_commits(house: House) -> None:
    """They are read from the log again; seeds and names are not to be had anywhere else."""
    setting = "SHOW synchronous_commit" if house.config.database_url else "PRAGMA synchronous"
    with closing(open_tables(house.config)) as tables, tables.writing() as sql:
        (durable,) = sql.row(setting).values()
    with house.views.writing() as sql:
        (lazy,) = sql.row(setting).values()
    assert (durable, lazy) in (("on", "off"), (2, 1))


def test_every_part_of_the_address_counts_above_all_what_it_says_of_tls(postgres_url: str) -> None:
    url = psycopg.conninfo.make_conninfo(postgres_url, sslmode="allow", application_name="ours")
    store = PostgresStore(url, migrate=True)
    try:
        with store._factory.datastore.get_connection() as connection:
            used = connection.info.get_parameters()
            assert (used["sslmode"], used["application_name"]) == ("allow", "ours")
    finally:
        store.close()


def test_the_switch_that_loses_events_for_readers_stays_off(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSTGRES_ENABLE_DB_FUNCTIONS", "y")
    store = PostgresStore(postgres_url, migrate=True)
    try:
        assert store._factory.datastore.enable_db_functions is False
    finally:
        store.close()


def test_positions_follow_the_order_of_commits_also_behind_a_slow_writer(house: House) -> None:
    """A reader who follows the log passes over nothing (trap 2)."""
    slow_store = open_store(house.config)
    inserted, commit = threading.Event(), threading.Event()

    def slowly() -> None:
        inserted.set()
        assert commit.wait(10)

    before_commits(slow_store, slowly)
    followed: list[str] = []
    done = threading.Event()

    def follow() -> None:
        after = 0
        while len(followed) < 3 and not done.is_set():
            for found in house.service.store.read_all(after, 10):
                followed.append(found.entry.stream)
                after = found.position

    house.service.store.append([entry("m_first", 1, created())])
    slow = threading.Thread(target=slow_store.append, args=([entry("m_slow", 1, created())],))
    fast = threading.Thread(target=house.service.store.append, args=([entry("m_fast", 1, created())],))
    reader = threading.Thread(target=follow)
    reader.start()
    slow.start()
    assert inserted.wait(10)
    fast.start()
    fast.join(0.3)  # it either waits for the slow writer, or has committed before it
    commit.set()
    for thread in (slow, fast):
        thread.join(10)
    reader.join(2)
    done.set()
    slow_store.close()
    assert followed == ["m_first", "m_slow", "m_fast"]


def test_a_waiter_is_woken_by_an_append_of_its_own_process(store: EventStore) -> None:
    head = store.append([entry("m_a", 1, created())])
    assert store.wait(0, 5) == head
    appending = threading.Timer(0.1, store.append, args=([entry("m_b", 1, created())],))
    appending.start()
    began = time.monotonic()
    assert store.wait(head, 5) > head
    assert time.monotonic() - began < 1
    appending.join()


def test_a_waiter_is_woken_by_another_process(house: House) -> None:
    store, other = house.service.store, open_store(house.config)
    head = store.append([entry("m_a", 1, created())])
    assert store.wait(head, 0.3) == head
    other.append([entry("m_b", 1, created())])
    began = time.monotonic()
    assert store.wait(head, 5) > head
    assert time.monotonic() - began < 0.5
    other.close()


def test_a_lost_wake_up_costs_about_a_second(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SQLiteStore, "_data_version", staticmethod(lambda connection: 1))
    store = house.service.store
    assert store.wait(0, 0.3) == 0
    insert_raw(house, entry("m_a", 1, created()))  # rings for nobody
    began = time.monotonic()
    assert store.wait(0, 5) > 0
    assert time.monotonic() - began < 1.5


def test_a_killed_listener_costs_about_a_second(postgres_url: str) -> None:
    listening, other = PostgresStore(postgres_url, migrate=True), PostgresStore(postgres_url)
    listening.wait(0, 0.3)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        killed = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE query LIKE 'LISTEN%' AND datname = current_database()"
        ).fetchall()
    assert killed
    other.append([entry("m_a", 1, created())])
    began = time.monotonic()
    assert listening.wait(0, 5) > 0
    assert time.monotonic() - began < 2.5
    listening.close()
    other.close()


@pytest.mark.parametrize("told", ["NOTIFY stored_events", "NOTIFY stored_events, 'nonsense ²'"])
def test_a_waiter_that_is_told_no_position_looks_for_it(
    postgres_url: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a process of an older version tells none."""
    monkeypatch.setattr("services.store.eventsourced.WAKE_SECONDS", 60)
    store, row = PostgresStore(postgres_url, migrate=True), entry("m_a", 1, created())
    with closing(store), psycopg.connect(postgres_url, autocommit=True) as other:
        assert store.wait(0, 0.3) == 0
        other.execute(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (%s, %s, %s, %s)",
            (row.stream, row.version, row.event.TOPIC, encode_recorded(row)),
        )
        other.execute(told)  # type: ignore[call-overload]
        assert store.wait(0, 10) == 1
        other.execute("NOTIFY stored_events, '7'")
        assert store.wait(1, 10) == 7
        monkeypatch.undo()  # closing takes as long


def test_P3_of_two_processes_that_append_at_once_exactly_one_wins(house: House) -> None:
    script = """
from ledgertop.wiring import open_store, open_tables
from services.store.port import StreamMoved
from tests.house import created, entry
store = open_store(config)
await_go()
won = []
for number in range(40):
    try:
        store.append([entry(f"m_{number}", 1, created(), command=arguments[0])])
        won.append(number)
    except StreamMoved:
        pass
say(json.dumps(won))
store.close()
"""
    with another_process(house, script, "a") as first, another_process(house, script, "b") as second:
        assert (hear(first), hear(second)) == ("ready", "ready")
        go(first)
        go(second)
        won = {"a": json.loads(hear(first)), "b": json.loads(hear(second))}
    assert sorted(won["a"] + won["b"]) == list(range(40))
    for name, numbers in won.items():
        for number in numbers:
            assert [one.command for one in house.service.store.read(f"m_{number}")] == [name]


def test_P21_an_append_waits_a_bounded_time_for_another_writer(house: House) -> None:
    store = house.service.store
    with raw_connection(house) as run:
        run("BEGIN" if house.config.database_url else "BEGIN IMMEDIATE")
        if house.config.database_url:
            run("LOCK TABLE stored_events IN EXCLUSIVE MODE")
        began = time.monotonic()
        with pytest.raises(StoreUnavailable):
            store.append([entry("m_a", 1, created())])
        assert time.monotonic() - began < 3.5
        run("ROLLBACK")
    store.append([entry("m_a", 1, created())])
    assert len(store.read("m_a")) == 1


def test_P5_an_append_that_is_ended_from_outside_has_an_unknown_outcome(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.store.recorders.LOCK_SECONDS", 30)
    store = PostgresStore(postgres_url, migrate=True)
    refused: list[type[BaseException]] = []

    def append() -> None:
        try:
            store.append([entry("m_a", 1, created())])
        except (OutcomeUnknown, StoreUnavailable) as error:
            refused.append(type(error))

    with closing(store), psycopg.connect(postgres_url, autocommit=True) as other:
        store.append([entry("m_b", 1, created())])
        other.execute("SELECT pg_advisory_lock(%s)", (WRITERS_TURN,))
        thread = threading.Thread(target=append)
        thread.start()
        ended = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE query LIKE 'SELECT %ledgertop_append%' AND wait_event_type = 'Lock'"
        )
        eventually(lambda: other.execute(ended).fetchall(), within=10)
        thread.join(10)
        other.execute("SELECT pg_advisory_unlock_all()")
        assert refused == [OutcomeUnknown]
        assert store.read("m_a") == []


def test_a_connection_that_ended_while_nobody_used_it_is_not_used(postgres_url: str) -> None:
    """As all do when the database starts anew: no command would know what became of it."""
    store = PostgresStore(postgres_url, migrate=True)
    with closing(store), psycopg.connect(postgres_url, autocommit=True) as other:
        barrier = threading.Barrier(4)

        def read() -> None:
            with store._factory.datastore.get_connection():
                barrier.wait(5)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(5)
        store.append([entry("m_a", 1, created())])
        assert other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = current_database()"
        ).fetchall()
        began = time.monotonic()
        store.append([entry("m_a", 2, seated())])
        assert time.monotonic() - began < 3  # the pool's own check pauses for 1, 2, 4 s
        assert [one.version for one in store.read("m_a")] == [1, 2]


def test_P21_an_append_whose_turn_does_not_come_in_time_is_not_done_later(house: House) -> None:
    """However little time its caller had, and however many there are."""
    if house.config.database_url:
        lock, let_go = f"SELECT pg_advisory_lock({WRITERS_TURN})", "SELECT pg_advisory_unlock_all()"
    else:
        lock, let_go = "BEGIN IMMEDIATE", "ROLLBACK"
    with raw_connection(house) as run:
        run(lock)
        for number in range(4):
            with patience(0.3), pytest.raises(StoreUnavailable):
                house.service.store.append([entry(f"m_{number}", 1, created())])
        run(let_go)
    last = house.service.store.append([entry("m_done", 1, created())])
    assert [one.entry.stream for one in house.service.store.read_all(0, 10)] == ["m_done"]
    assert house.service.store.head() == last


def test_an_append_does_not_wait_while_the_table_is_analysed(postgres_url: str) -> None:
    """Nor for a vacuum: PostgreSQL does both by itself, and each keeps a lock on the table meanwhile."""
    store = PostgresStore(postgres_url, migrate=True)
    with closing(store), psycopg.connect(postgres_url) as other:
        other.execute("ANALYZE stored_events")
        store.append([entry("m_a", 1, created())])
        other.rollback()


def test_P2_P3_appends_of_many_threads_are_each_stored_whole_or_told_that_the_stream_moved(
    house: House,
) -> None:
    """Also where several are committed together."""
    store, outcomes = house.service.store, []
    start = threading.Barrier(8)

    def append(name: str) -> None:
        start.wait()
        for number in range(25):
            try:
                store.append([entry(f"m_{number}", version, created(), command=name) for version in (1, 2)])
                outcomes.append((number, name))
            except StreamMoved:
                pass

    threads = [threading.Thread(target=append, args=(str(name),)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(number for number, _ in outcomes) == list(range(25))
    for number, name in outcomes:
        assert [(one.version, one.command) for one in store.read(f"m_{number}")] == [(1, name), (2, name)]
    assert len(store.read_all(0, 1_000)) == 50
