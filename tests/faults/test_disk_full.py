"""A full disk: 503, nothing half done, reads go on, and no restart is needed when there is room again (P22)."""

import resource
import sqlite3
from pathlib import Path

import pytest

from services.errors import StoreUnavailable
from services.looking import Caller
from services.store.eventsourced import SQLiteStore
from services.store.sql import SQLiteDatabase
from tests.faults.epilogue import epilogue, with_key_of
from tests.faults.load import in_process, over_http, playing
from tests.house import House, eventually, raw_connection
from tests.running import Running, serving


def test_P22_a_full_sqlite_database_refuses_commands_and_answers_reads(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLITE_FULL, as a full disk gives it too, before the first page is written and in the midst of it."""
    house = sqlite_house
    opened = house.open(deal=1)
    before = house.service.looking.view(opened.id, Caller())
    assert isinstance(house.service.store, SQLiteStore)
    writers: list[sqlite3.Connection] = [
        one._sqlite_conn for one in house.service.store._factory.datastore.pool._pool
    ]
    (tables,) = [house.service.people._database]
    assert isinstance(tables, SQLiteDatabase)
    writers += list(tables._idle.queue)
    room = [connection.execute("PRAGMA page_count").fetchone()[0] for connection in writers]
    for connection, pages in zip(writers, room, strict=True):
        connection.execute(f"PRAGMA max_page_count = {pages}")
    refused = 0
    for number in range(200):
        try:
            house.open(f"somebody new {number}", deal=1)
        except StoreUnavailable:
            refused += 1
            if refused == 3:
                break
    assert refused == 3
    assert house.service.looking.view(opened.id, Caller()) == before
    for connection in writers:
        connection.execute("PRAGMA max_page_count = 1000000")
    with playing(in_process(house)) as played:
        played.wait_for_more()
    epilogue(house.config, played.acknowledged)


def test_P22_postgres_with_a_full_disk_refuses_commands_and_answers_reads(
    postgres_url: str, tmp_path: Path
) -> None:
    """The error that PostgreSQL gives then (53100), raised where the row would be written."""
    from contextlib import ExitStack

    from tests.house import open_house

    with ExitStack() as stack:
        house = open_house(stack, tmp_path, postgres_url)
        opened = house.open(deal=1)
        with raw_connection(house) as run:
            run(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN "
                "RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END$$"
            )
            run(
                "CREATE TRIGGER full_disk BEFORE INSERT ON stored_events FOR EACH ROW EXECUTE FUNCTION full_disk()"
            )
            for _ in range(3):
                with pytest.raises(StoreUnavailable):
                    house.act(opened, house.legal(opened)[0])
            run("DROP TRIGGER full_disk ON stored_events")
        with playing(in_process(house)) as played:
            played.wait_for_more()
        epilogue(house.config, played.acknowledged)


def _room(running: Running, size: int) -> None:
    """Let no file of any process grow beyond a size, whatever is asked; logs neither."""
    for pid in running.children().values():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_P22_the_whole_service_on_a_full_disk_goes_on_when_there_is_room(tmp_path: Path) -> None:
    """No file of API, projector and worker can grow: not the databases, not the log."""
    with serving(tmp_path) as running:
        match, token = running.open()
        children = running.children()
        with playing(over_http(lambda: running)) as played:
            played.wait_for_more()
            _room(running, 64)
            for _ in range(5):
                answer = running.call("POST", f"/matches/{match}/commands", {"type": "resign"}, token)
                assert (answer.status, answer.headers.get("Retry-After")) == (503, "1"), answer
                assert running.call("GET", f"/matches/{match}").body["status"] == "running"
                assert running.call("GET", "/matches/m_" + 24 * "a").status == 404
            _room(running, resource.RLIM_INFINITY)
            played.wait_for_more(within=10)
        assert played.refused
        assert running.call("POST", f"/matches/{match}/commands", {"type": "resign"}, token).status == 200
        position = running.call("POST", "/matches", {"game": "adaman", "deal": 1}).body["position"]
        eventually(
            lambda: running.call("GET", f"/matches?after_position={position}").status == 200, within=15
        )
        assert running.children() == children, "no process was started anew"
    epilogue(
        with_key_of(tmp_path / "data"),
        played.acknowledged,
        logs=[running.log],
        secrets=[token, *played.tokens],
    )
