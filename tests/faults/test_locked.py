"""Somebody else holds the lock and stays: commands are refused in time, reads go on (P21, P22)."""

import os
import signal
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

from services.errors import StoreUnavailable
from services.looking import Caller
from tests.faults.chaos import rounds
from tests.faults.epilogue import epilogue, with_key_of
from tests.faults.load import LONGEST, in_process, over_http, playing
from tests.house import House, another_process, eventually, hear
from tests.running import serving

SECONDS = rounds(3, 10)

HOLDER = """
import os, signal
from ledgertop.wiring import open_store
from services.errors import OutcomeUnknown, StoreUnavailable
from tests.house import before_commits, created, entry
store = open_store(config)
def stay():
    say("holding")
    os.kill(os.getpid(), signal.SIGSTOP)
before_commits(store, stay)
try:
    store.append([entry("m_held", 1, created())])
    say("stored")
except (StoreUnavailable, OutcomeUnknown):
    say("refused")
"""


def test_P21_P22_sqlite_locked_by_another_process(sqlite_house: House) -> None:
    """Both files at once, so that a command meets two locks, one after the other."""
    house = sqlite_house
    opened = house.open(deal=1)
    files = [house.config.data / name for name in ("ledger.sqlite3", "tables.sqlite3")]
    with (
        closing(sqlite3.connect(files[0], isolation_level=None)) as log,
        closing(sqlite3.connect(files[1], isolation_level=None)) as tables,
        playing(in_process(house)) as played,
    ):
        played.wait_for_more()
        log.execute("BEGIN IMMEDIATE")
        tables.execute("BEGIN IMMEDIATE")
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            began = time.monotonic()
            assert house.service.looking.view(opened.id, Caller())["status"] == "running"
            assert time.monotonic() - began < 1
            time.sleep(0.1)
        tables.execute("ROLLBACK")
        time.sleep(1)
        log.execute("ROLLBACK")
        played.wait_for_more(within=5)
    assert played.refused
    assert played.slowest < LONGEST
    epilogue(house.config, played.acknowledged)


def test_P21_a_command_that_waits_at_every_lock_is_answered_in_3_s(sqlite_house: House) -> None:
    """Another command on the same match is being decided; then the store is locked for an instant longer."""
    house = sqlite_house
    opened = house.open(deal=1)
    history = house.service.ledger.history(opened.id)
    command = house.legal(opened)[0]
    took = []
    with closing(sqlite3.connect(house.config.data / "ledger.sqlite3", isolation_level=None)) as log:
        log.execute("BEGIN IMMEDIATE")
        history.deciding.acquire()
        threading.Timer(1.8, history.deciding.release).start()
        began = time.monotonic()
        try:
            house.act(opened, command)
        except StoreUnavailable:
            took.append(time.monotonic() - began)
        log.execute("ROLLBACK")
    assert took
    assert 2 < took[0] < LONGEST
    house.act(opened, command)


def test_P21_P22_a_lock_holder_that_is_stopped(house: House) -> None:
    """PostgreSQL ends its transaction; SQLite can't, so commands are refused until it goes on or is killed."""
    with another_process(house, HOLDER) as process:
        assert hear(process) == "holding"
        try:
            with playing(in_process(house)) as played:
                if house.config.database_url:
                    played.wait_for_more(within=6)
                else:
                    eventually(lambda: played.refused, within=6)
                    os.kill(process.pid, signal.SIGCONT)
                    assert hear(process) == "stored"
                    played.wait_for_more(within=6)
        finally:
            os.kill(process.pid, signal.SIGCONT)
        if house.config.database_url:
            assert hear(process) == "refused"
    assert played.slowest < LONGEST
    stored = house.service.store.read("m_held")
    assert len(stored) == (0 if house.config.database_url else 1)
    epilogue(house.config, played.acknowledged, damaged=frozenset({"m_held"}))


def test_P21_P22_the_whole_service_with_its_sqlite_file_locked(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        match, token = running.open()
        with (
            closing(sqlite3.connect(tmp_path / "data" / "ledger.sqlite3", isolation_level=None)) as log,
            playing(over_http(lambda: running)) as played,
        ):
            played.wait_for_more()
            log.execute("BEGIN IMMEDIATE")
            until = time.monotonic() + SECONDS
            while time.monotonic() < until:
                began = time.monotonic()
                answer = running.call("POST", f"/matches/{match}/commands", {"type": "resign"}, token)
                assert (answer.status, answer.headers.get("Retry-After")) == (503, "1"), answer
                assert time.monotonic() - began < LONGEST
                assert running.call("GET", f"/matches/{match}").body["status"] == "running"
            log.execute("ROLLBACK")
            played.wait_for_more(within=6)
    epilogue(
        with_key_of(tmp_path / "data"),
        played.acknowledged,
        logs=[running.log],
        secrets=[token, *played.tokens],
    )
