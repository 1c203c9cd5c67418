"""The database itself: restarted under load, restored from an older backup, damaged on disk.

Elsewhere: a LISTEN connection that is killed, in `tests/contract/test_store.py`; hanging, in `test_hanging.py`.
"""

import random
import sqlite3
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from services.audit import verify
from services.codec import Unreadable
from services.errors import StoreUnavailable
from services.looking import Caller
from services.patience import patience
from services.record import stored
from tests.faults.chaos import rounds
from tests.faults.conftest import PostgresServer
from tests.faults.epilogue import epilogue
from tests.faults.load import LONGEST, in_process, playing
from tests.house import House, dump_all, eventually, open_house, token_of


def test_P22_postgres_crashes_and_comes_back_under_load(own_postgres: PostgresServer, tmp_path: Path) -> None:
    with ExitStack() as stack:
        house = open_house(stack, tmp_path, own_postgres.url)
        with playing(in_process(house)) as played:
            for _ in range(rounds(1, 10)):
                played.wait_for_more(20)
                own_postgres.crash()
                time.sleep(rounds(3, 60))
                own_postgres.start()
                played.wait_for_more(20, within=8)  # however long it was away
        assert played.refused
        assert played.slowest < LONGEST
        epilogue(house.config, played.acknowledged)


def test_P22_while_postgres_is_away_matches_are_shown_as_they_were_last_known(
    own_postgres: PostgresServer, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        house = open_house(stack, tmp_path, own_postgres.url)
        other = open_house(stack, tmp_path, own_postgres.url)
        opened, unknown = house.open(deal=7), other.open("ben")
        house.play(opened, 3)
        me = Caller(token_of(opened))

        def seen() -> list[dict[str, Any]]:
            with patience():
                looking = house.service.looking
                views = [looking.view(opened.id, who) for who in (me, Caller())]
                return [
                    *views,
                    looking.view(opened.id, me, at=2),
                    looking.events(opened.id, me),
                    looking.legal(opened.id, me),
                ]

        before = seen()
        own_postgres.crash()
        began = time.monotonic()
        away = seen()
        assert time.monotonic() - began < LONGEST
        for view in before[:3]:
            view["seats"][0]["name"] = None  # names are no part of the match
        assert away == before
        for refused in (
            lambda: house.service.looking.view(unknown.id, Caller()),  # not known here
            lambda: house.service.looking.view(
                opened.id, Caller("lt_seat_" + 43 * "x")
            ),  # may be known elsewhere
            lambda: house.service.looking.view(opened.id, me, at=before[0]["version"] + 1),
            lambda: house.act(opened, house.legal(opened)[0]),
        ):
            with patience(), pytest.raises(StoreUnavailable):
                refused()
        own_postgres.start()

        def named() -> bool:
            return bool(seen()[0]["seats"][0]["name"] == "ann")

        eventually(named, within=8)
        house.play(opened, 1)
        assert seen()[0]["version"] > before[0]["version"]


def _copied(house: House, folder: Path) -> None:
    """A backup as an operator makes it, of log and tables; read models need none."""
    folder.mkdir()
    for name in ("tables.sqlite3", "ledger.sqlite3"):
        with (
            closing(sqlite3.connect(house.config.data / name)) as source,
            closing(sqlite3.connect(folder / name)) as copy,
        ):
            source.backup(copy)


def test_P27_an_older_backup_is_restored_under_newer_read_models(tmp_path: Path) -> None:
    """What was acknowledged until the backup is there; views that were ahead are built anew."""
    data = tmp_path / "data"
    data.mkdir()
    with ExitStack() as stack:
        house = open_house(stack, data, None)
        with playing(in_process(house)) as before:
            before.wait_for_more(30)
        _copied(house, tmp_path / "backup")
        with playing(in_process(house)) as after:
            after.wait_for_more(30)
        house.catch_up()
    for name in ("tables.sqlite3", "ledger.sqlite3"):
        for end in ("", "-wal", "-shm"):
            (data / f"{name}{end}").unlink(missing_ok=True)
        (tmp_path / "backup" / name).rename(data / name)
    with ExitStack() as stack:
        house = open_house(stack, data, None)
        house.catch_up()
        assert len(dump_all(house)["lobby_v1"]) == len({one.match for one in before.acknowledged})
        with playing(in_process(house)) as again:
            again.wait_for_more(20)
        epilogue(house.config, [*before.acknowledged, *again.acknowledged])


@pytest.mark.parametrize("seed", range(rounds(2, 100)))
def test_P9_P18_a_flipped_bit_is_found_and_touches_its_match_only(tmp_path: Path, seed: int) -> None:
    """One bit of what happened in play, in the file and past the database's own guards.

    What stands around a fact (its salt, id and time) only a checkpoint somebody holds can vouch for.
    """
    chance = random.Random(seed)
    with ExitStack() as stack:
        house = open_house(stack, tmp_path, None)
        bad, good = house.open("ann", deal=1), house.open("bob", deal=2)
        house.play(bad)
        house.play(good)
        with house.service.store._factory.datastore.transaction(commit=False) as cursor:  # type: ignore[attr-defined]
            version = chance.randrange(bad.version + 1, len(house.service.store.read(bad.id)) + 1)
            cursor.execute(
                "SELECT state FROM stored_events WHERE originator_id=? AND originator_version=?",
                (bad.id, version),
            )
            state = bytes(cursor.fetchone()[0])
    path = tmp_path / "ledger.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = bytearray(path.read_bytes())
    place = whole.find(state)
    assert place > 0
    fact = state.index(b'"event":')
    whole[place + chance.randrange(fact, len(state))] ^= 1 << chance.randrange(8)
    path.write_bytes(whole)
    with ExitStack() as stack:
        house = open_house(stack, tmp_path, None)
        try:
            report = verify(stored(house.service.store, bad.id))
            assert not report.ok
        except Unreadable:
            pass  # found even sooner
        assert verify(stored(house.service.store, good.id)).ok
        house.catch_up()
        assert house.service.progress.lag() == dict.fromkeys(house.service.progress.lag(), 0)
        with playing(in_process(house), players=1) as played:
            played.wait_for_more(10)
