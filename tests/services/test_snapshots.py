"""A snapshot is believed only while nothing speaks against it; what it saves is time and room, nothing else."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

import services.snapshots
from domain.registry import GAMES
from services.archive import Afterwards, Archive
from services.command_index import CommandIndex
from services.ledger import History, Ledger
from services.snapshots import Base, Snapshot, Snapshots
from services.store.port import Entry
from services.wishes import Order
from tests.contract.test_snapshots import cold, demand_alike, long_match, whole
from tests.fourth_game.bones import BONES
from tests.fourth_game.bones.parts import BonesState
from tests.house import House, created, entry, open_house, pages_of
from tests.services.matches import Player

EVERY = 8


@pytest.fixture(autouse=True)
def _many_snapshots() -> Iterator[None]:
    with pages_of(EVERY):
        yield


@pytest.fixture
def match(sqlite_house: House) -> str:
    """A match with several snapshots in the table."""
    opened, _, _ = long_match(sqlite_house, "once")
    sqlite_house.service.ledger.archive.afterwards.finish()
    assert len(rows(sqlite_house)) >= 4
    return opened.id


def rows(house: House) -> list[dict[str, Any]]:
    with house.views.reading() as sql:
        return list(sql.rows("SELECT * FROM snapshots ORDER BY version"))


def change(house: House, column: str, value: Any, table: str = "snapshots") -> None:
    with house.views.writing() as sql:
        sql.run(f"UPDATE {table} SET {column} = ?", value)


def newest(house: House, match: str) -> Base:
    base = Snapshots(house.views).newest(match)
    assert base is not None
    return base


def forged(house: House, match: str) -> Base:
    """A snapshot of a state that the match never was in, well-formed in every other way."""
    base = newest(house, match)
    state = msgspec.structs.replace(base.snapshot.match.state, capital=())
    lying = msgspec.structs.replace(base.snapshot.match, state=state, draws=base.snapshot.match.draws + 1)
    return base._replace(snapshot=base.snapshot._replace(match=lying))


def demand_made_anew(house: House, match: str) -> None:
    """What is stored is not believed: the match is right at every version, and its snapshots are again."""
    expected = whole(house, match)
    ledger = cold(house)
    history = ledger.history(match)
    assert history.match == expected.match
    assert [history.at(version) for version in range(1, history.version + 1)] == list(expected.now.states)
    ledger.archive.afterwards.finish()
    house.service.ledger._kept.clear()
    demand_alike(house, match)
    assert newest(house, match).snapshot.match == expected.at(newest(house, match).snapshot.match.version)
    assert ledger.wrong == 0


# --- what is not believed ----------------------------------------------------------------------------------


def test_P6_a_snapshot_of_an_older_shape_is_thrown_away_not_misread(
    sqlite_house: House, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sqlite_house
    written = forged(house, match)
    with monkeypatch.context() as older:
        older.setattr(services.snapshots, "code", lambda: "an older release")
        Snapshots(house.views).keep(written.game, [written.snapshot], written.commands)
        assert Snapshots(house.views).newest(match) == written, "its own code believes it"
    demand_made_anew(house, match)


@pytest.mark.parametrize("column", ["shape", "anchor", "hash", "body"])
def test_a_damaged_snapshot_is_thrown_away(sqlite_house: House, match: str, column: str) -> None:
    house = sqlite_house
    for row in rows(house):
        value = row[column]
        if column == "body":  # one digit, so that it still reads well
            place = value.index(b'"version":') + len(b'"version":')
            other = b"1" if value[place : place + 1] != b"1" else b"2"
            value = value[:place] + other + value[place + 1 :]
        else:
            value = ("0" if value[0] != "0" else "1") + value[1:]
        with house.views.writing() as sql:
            sql.run(f"UPDATE snapshots SET {column} = ? WHERE version = ?", value, row["version"])
    demand_made_anew(house, match)


def test_a_snapshot_at_another_place_is_thrown_away(sqlite_house: House, match: str) -> None:
    house = sqlite_house
    first, second, *_ = rows(house)
    with house.views.writing() as sql:
        sql.run("UPDATE snapshots SET body = ? WHERE version = ?", first["body"], second["version"])
        sql.run("UPDATE snapshots SET hash = ? WHERE version = ?", first["hash"], second["version"])
    expected = whole(house, match)
    ledger = Ledger(house.service.store, Snapshots(house.views))
    for version in range(second["version"], second["version"] + EVERY):
        assert ledger.history(match).at(version) == expected.at(version)


@pytest.mark.parametrize("column", ["commands", "commands_hash"])
def test_P4_a_damaged_index_of_commands_is_thrown_away(sqlite_house: House, match: str, column: str) -> None:
    change(sqlite_house, column, b"" if column == "commands" else "0", "command_indexes")
    demand_made_anew(sqlite_house, match)


@contextmanager
def two_pasts(folder: Path, length: int) -> Iterator[tuple[House, House, str]]:
    """A match as it went on after its log was restored, and as it had gone on before, which snapshots tell of."""
    with ExitStack() as stack:
        for name in ("lost", "now"):
            (folder / name).mkdir()
        lost = open_house(stack, folder / "lost", None)
        now = open_house(stack, folder / "now", None)
        for seed, house, until in ((1, lost, 9 * EVERY), (2, now, length)):
            opened = house.open(deal=1, key="the same")
            player = Player(house.service, opened, seed)
            while player.version < until:
                player.play(1).rewind(opened.version)
            player.play(1)
            house.service.ledger.archive.afterwards.finish()
        yield lost, now, opened.id


@pytest.mark.parametrize("length", [EVERY + 2, 7 * EVERY + 3, 12 * EVERY], ids=["short", "shorter", "longer"])
def test_P3_a_snapshot_of_another_past_is_thrown_away(tmp_path: Path, length: int) -> None:
    """The log is restored from a backup and goes on otherwise; the snapshots are not restored."""
    with two_pasts(tmp_path, length) as (lost, now, match):
        expected = whole(now, match)
        ledger = Ledger(now.service.store, Snapshots(lost.views))
        assert ledger.history(match).match == expected.match
        ledger.archive.afterwards.finish()
        demand_alike(House(now.config, now.clock, now.service, lost.views, now.read_side), match)


def test_P6_no_page_is_folded_from_another_past(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor while what is wrong still lies there."""
    with two_pasts(tmp_path, 12 * EVERY) as (lost, now, match):
        monkeypatch.setattr(Afterwards, "do", lambda *_: False)
        expected = whole(now, match)
        for version in range(11 * EVERY, 0, -1):
            archive = Archive(now.service.store, Snapshots(lost.views))
            assert archive.at(match, expected.game, version) == expected.at(version)


def test_P6_a_snapshot_that_lies_is_found_out(sqlite_house: House, match: str, lies: list[str]) -> None:
    house = sqlite_house
    lie = forged(house, match)
    Snapshots(house.views).keep(lie.game, [lie.snapshot], lie.commands)
    ledger = cold(house)
    ledger.history(match)
    ledger.archive.afterwards.finish()
    assert ledger.wrong == 1
    assert lies == [f"a snapshot of {match} tells something else than its events"]
    lies.clear()
    demand_made_anew(house, match)


def test_P4_an_index_that_lacks_a_command_is_found_out(
    sqlite_house: House, match: str, lies: list[str]
) -> None:
    house = sqlite_house
    base = newest(house, match)
    Snapshots(house.views).keep(base.game, [base.snapshot], CommandIndex())
    ledger = cold(house)
    ledger.history(match)
    ledger.archive.afterwards.finish()
    assert (ledger.wrong, len(lies)) == (1, 1)
    lies.clear()


class Loose(BonesState, frozen=True):
    """A state that JSON does not give back: what was a tuple comes back as a list."""

    thrown: Any = ()


def test_a_state_that_would_not_read_back_equal_has_no_snapshot(sqlite_house: House) -> None:
    game = msgspec.structs.replace(BONES, state=Loose)
    first = entry("m", 1, created(game="bones"))
    sound = History("m", BONES, entries=[first]).match
    table = Snapshots(sqlite_house.views)
    for thrown, kept in (([1], 1), ((1,), 0)):
        loose = msgspec.structs.replace(sound, id=f"m{kept}", state=Loose(12, thrown=thrown))
        table.keep(game, [Snapshot(loose, first.id)], CommandIndex())
        assert len([row for row in rows(sqlite_house) if row["match_id"] == f"m{kept}"]) == kept


# --- where there is no table -------------------------------------------------------------------------------


def test_without_the_table_all_goes_on_only_slower(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sqlite_house
    with house.views.writing() as sql:
        sql.run("DROP TABLE snapshots")
    opened, command, version = long_match(house, "once")
    house.service.ledger.archive.afterwards.finish()
    history = house.service.ledger.history(opened.id)
    assert len(history.now.entries) < 4 * EVERY, "memory is bounded all the same"
    assert house.act(opened, command, Order("once")).version == version
    demand_alike(house, opened.id)


def test_what_is_missing_of_a_table_is_made_again_by_whoever_looks(sqlite_house: House, match: str) -> None:
    house = sqlite_house
    before = rows(house)
    with house.views.writing() as sql:
        sql.run("DELETE FROM snapshots WHERE version < ?", before[-1]["version"])
    ledger = cold(house)
    ledger.history(match).at(before[-1]["version"] - 1)
    ledger.archive.afterwards.finish()
    assert [row["version"] for row in rows(house)] == [row["version"] for row in before]


def test_a_command_does_not_wait_for_snapshots(sqlite_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house = sqlite_house
    gate = threading.Event()
    keep = Snapshots.keep

    def slow(*arguments: Any) -> bool:
        gate.wait(20)
        return keep(*arguments)

    monkeypatch.setattr(Snapshots, "keep", slow)
    opened, _, _ = long_match(house, "once")
    history = house.service.ledger.history(opened.id)
    assert history.now.first == 1, "nothing was put away yet"
    gate.set()
    house.service.ledger.archive.afterwards.finish()
    assert history.now.first > 1


# --- what it is for ----------------------------------------------------------------------------------------


class Counting:
    """A store that counts what is read."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.read_entries = 0

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        found: list[Entry] = self._store.read(stream, after, limit)
        self.read_entries += len(found)
        return found


def test_loading_and_looking_cost_the_same_in_a_long_match(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sqlite_house
    monkeypatch.setattr("services.ledger.CHECK_EACH", 10**9)
    opened, _, version = long_match(house, "once")
    costs = []
    for length in (6 * EVERY, 40 * EVERY):
        while house.service.ledger.history(opened.id).version < length:
            Player(house.service, opened).play(1).rewind(version)
        house.service.ledger.archive.afterwards.finish()
        counting = Counting(house.service.store)
        history = Ledger(counting, Snapshots(house.views)).history(opened.id)  # type: ignore[arg-type]
        loaded = counting.read_entries
        history.at(history.version // 2)
        costs.append((loaded, counting.read_entries - loaded))
        assert len(history.now.states) <= 2 * EVERY
        assert len(house.service.ledger.history(opened.id).now.states) <= 3 * EVERY
    for loaded, looked in costs:
        assert loaded <= 2 * EVERY
        assert looked <= EVERY, "a rewind far back has a snapshot of its own"


def test_readers_meet_a_whole_match_while_it_is_put_away(sqlite_house: House) -> None:
    house = sqlite_house
    opened, _, version = long_match(house, "once")
    history = house.service.ledger.history(opened.id)
    stop = threading.Event()
    wrong: list[Any] = []

    def look() -> None:
        while not stop.is_set():
            entries = history.entries
            top = len(entries)
            for place in (top, top - 1, top - EVERY, top - 2 * EVERY, 1, version):
                match = history.at(place)
                if (match.version, entries[place - 1].version) != (place, place):
                    wrong.append(place)
            if [one.version for one in entries[-3 * EVERY :]] != list(range(top - 3 * EVERY + 1, top + 1)):
                wrong.append("page")

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        player = Player(house.service, opened)
        for _ in range(25):
            player.play(1).rewind(version)
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    assert not wrong
    demand_alike(house, opened.id)


def test_the_service_ends_while_snapshots_wait() -> None:
    """What has begun is finished, for the database is closed next; the rest is left undone."""
    afterwards, begun, done = Afterwards(), threading.Event(), []

    def work() -> None:
        begun.set()
        time.sleep(0.3)
        done.append("first")

    assert afterwards.do(work)
    assert afterwards.do(lambda: done.append("second"))
    begun.wait()
    afterwards.close()
    assert done == ["first"]
    assert not afterwards.do(lambda: None)


def test_too_much_waiting_is_left_undone_and_a_fault_stops_nothing(lies: list[str]) -> None:
    afterwards, gate, done = Afterwards(), threading.Event(), []
    assert afterwards.do(gate.wait)
    while afterwards.do(lambda: done.append(1) if len(done) else done.append(1 // 0)):
        pass
    gate.set()
    assert afterwards.finish() is None
    assert not done
    assert afterwards.do(lambda: done.append(1))
    afterwards.finish()
    assert done == [1]
    assert set(lies) == {"a snapshot could not be made"}
    lies.clear()
    afterwards.close()


def test_P26_what_a_snapshot_depends_on_is_in_its_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules, content, the state's type, the code that folds."""
    game = GAMES["adaman"]
    others = [
        msgspec.structs.replace(game, content="f" * 64),
        msgspec.structs.replace(game, rules_version="2"),
        msgspec.structs.replace(game, state=BonesState),
    ]
    seen = {services.snapshots.fingerprint(one) for one in (game, *others)}
    monkeypatch.setattr(services.snapshots, "code", lambda: "another release")
    assert len({*seen, services.snapshots.fingerprint(game)}) == 5
