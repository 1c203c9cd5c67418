"""P18: a projection is a function of the log. Rebuilt equals incremental, whatever happened on the way."""

import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

import projections
from domain.match import MatchStarted
from ledgertop.wiring import open_store, open_views
from projections import PROJECTIONS
from projections.projection import Place, Superseded, advance, advance_together, key, live_place
from projections.rebuild import rebuild
from projections.runner import TURN_SECONDS, Runner
from services.errors import StoreUnavailable
from services.read_models import LobbyFilter
from services.store.port import Found, Stored
from services.store.sql import Transaction
from services.wishes import Order
from tests.house import (
    House,
    another_process,
    created,
    dump_all,
    entry,
    eventually,
    hear,
    insert_raw,
    running,
    seated,
    token_of,
)


def busy_life(house: House) -> None:
    """Matches of every kind: won or lost, resigned, rewound, forked, abandoned, still running, still open."""
    for number in range(6):
        house.play(house.open(f"player {number % 3}", deal=number % 2 + 1))
    house.resign(house.open("player 0"))
    rewound = house.open("player 1", deal=3)
    house.play(rewound, 2)
    house.service.matches.rewind(rewound.id, token_of(rewound), rewound.version, Order())
    house.resign(rewound)
    forked = house.open("player 2", deal=3, spectators=False)
    house.service.opening.fork(forked.id, forked.version, token_of(forked), None, Order())
    left = house.open("player 0")
    house.service.timekeeping.abandon(left.id, actor="caretaker", version=left.version)


def test_P18_rebuilt_equals_incremental(house: House) -> None:
    with running(house.read_side.run):
        busy_life(house)
        assert house.read_side.progress.wait(house.service.store.head(), 20)
    incremental = dump_all(house)
    assert all(incremental[table] for table in ("lobby_v1", "statistics_players_v1", "due_effects_v2"))
    for projection in PROJECTIONS:
        assert list(house.read_side.rebuild(projection.name))[-1].swapped
    assert dump_all(house) == incremental


@pytest.mark.parametrize("batch", [2, 7])
def test_P18_the_size_of_batches_makes_no_difference(house: House, batch: int) -> None:
    busy_life(house)
    house.catch_up()
    whole = dump_all(house)
    for projection in PROJECTIONS:
        list(rebuild(house.service.store, house.views, projection, batch=batch))
    assert dump_all(house) == whole


@pytest.mark.parametrize("batch", [3, 2_000])
def test_P18_all_rebuilt_in_one_reading_equal_each_rebuilt_alone(
    house: House, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy_life(house)
    damaged = house.open(deal=1)
    insert_raw(house, entry(damaged.id, damaged.version + 3, MatchStarted()))
    house.catch_up()
    each = dump_all(house)
    quarantined = house.read_side.progress.quarantined()
    read: list[Found] = []
    scan = house.service.store.scan
    monkeypatch.setattr(
        house.service.store, "scan", lambda after, limit: read.extend(found := scan(after, limit)) or found
    )
    steps = list(rebuild(house.service.store, house.views, *PROJECTIONS, batch=batch))
    assert steps[-1].swapped
    assert len(read) == house.service.store.head(), "every event is read once"
    assert dump_all(house) == each
    assert house.read_side.progress.quarantined() == quarantined


def test_P18_of_several_rebuilt_at_once_each_is_swapped_or_stays_as_it_was(house: House) -> None:
    busy_life(house)
    house.catch_up()
    before = dump_all(house)
    together = rebuild(house.service.store, house.views, *PROJECTIONS)
    next(together)
    list(house.read_side.rebuild("statistics"))
    house.play(house.open("player 0", deal=1))
    with pytest.raises(Superseded):
        list(together)
    house.catch_up()
    assert house.read_side.progress.lag() == {one.name: 0 for one in PROJECTIONS}
    after = dump_all(house)
    assert after != before
    list(house.read_side.rebuild("due_effects", "lobby", "statistics"))
    assert dump_all(house) == after


def test_P18_a_batch_applied_twice_counts_once(house: House) -> None:
    house.resign(house.open(deal=1))
    batch = house.service.store.scan(0, 100)
    for projection in PROJECTIONS:
        advance(house.views, projection, Place(1, 0), batch)
        before = dump_all(house)
        with pytest.raises(Superseded):
            advance(house.views, projection, Place(1, 0), batch)
        assert dump_all(house) == before
    assert house.read_side.statistics.of(house.player())["games"] == 1


def test_P18_position_and_rows_change_in_one_transaction(house: House) -> None:
    house.open(deal=1)
    house.catch_up()
    before = dump_all(house)
    house.play(house.open(deal=1))

    class Failing:
        def __init__(self, whole: Any) -> None:
            self.whole = whole
            self.name, self.fold = whole.name, whole.fold
            self.creations, self.tables = whole.creations, whole.tables

        def apply(self, sql: Transaction, generation: int, batch: Sequence[Stored]) -> None:
            self.whole.apply(sql, generation, batch)
            raise StoreUnavailable  # everything is written, nothing is committed

    for projection in PROJECTIONS:
        with house.views.reading() as sql:
            place = live_place(sql, projection)
        assert place is not None
        with pytest.raises(StoreUnavailable):
            advance(house.views, Failing(projection), place, house.service.store.scan(place.position, 100))
        with house.views.reading() as sql:
            assert live_place(sql, projection) == place
    assert dump_all(house) == before


def test_P18_two_runners_at_once_never_count_twice(house: House) -> None:
    """Even without a lease: the position is compared and set in the transaction that writes the rows."""
    others = [(open_store(house.config), open_views(house.config)) for _ in range(2)]
    stop = threading.Event()
    faults: list[BaseException] = []

    def run(store: Any, views: Any) -> None:
        runner = Runner(store, views, PROJECTIONS, batch=3)
        while not stop.is_set():
            try:
                runner.catch_up()
            except StoreUnavailable:
                pass
            except BaseException as error:
                faults.append(error)
                raise

    threads = [threading.Thread(target=run, args=other) for other in others]
    for thread in threads:
        thread.start()
    busy_life(house)
    assert house.read_side.progress.wait(house.service.store.head(), 30)
    stop.set()
    for thread in threads:
        thread.join()
    for store, views in others:
        store.close()
        views.close()
    assert not faults
    twice = dump_all(house)
    for projection in PROJECTIONS:
        list(house.read_side.rebuild(projection.name))
    assert dump_all(house) == twice


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda one: one.name)
def test_P18_killed_half_way_nothing_is_lost_or_doubled(house: House, projection: Any) -> None:
    busy_life(house)
    script = f"""
import threading
import projections
from projections.runner import Runner
from ledgertop.wiring import open_store, open_views
whole = {{one.name: one for one in projections.PROJECTIONS}}["{projection.name}"]
class Dying:
    name, fold, creations, tables = whole.name, whole.fold, whole.creations, whole.tables
    batches = 0
    def apply(self, sql, generation, batch):
        whole.apply(sql, generation, batch)
        self.batches += 1
        if self.batches == 4:
            say("half-way")
            threading.Event().wait()
Runner(open_store(config), open_views(config), [Dying()], batch=10).catch_up()
"""
    with another_process(house, script) as process:
        assert hear(process) == "half-way"
        process.kill()
        process.wait()
    with house.views.reading() as sql:
        place = live_place(sql, projection)
    assert place is not None
    assert 0 < place.position < house.service.store.head()
    house.catch_up()
    resumed = dump_all(house)
    for one in PROJECTIONS:
        list(house.read_side.rebuild(one.name))
    assert dump_all(house) == resumed


def test_a_killed_runners_projections_are_taken_over_and_an_idle_second_one_waits(house: House) -> None:
    script = """
import threading
import projections
from ledgertop.wiring import open_store, open_views
read_side = projections.open_read_side(open_store(config), open_views(config))
stop = threading.Event()
threading.Thread(target=read_side.run, args=(stop,), daemon=True).start()
await_go()
"""
    house.open(deal=1)
    with another_process(house, script) as process:
        assert hear(process) == "ready"
        assert house.read_side.progress.wait(house.service.store.head(), 10)
        with running(house.read_side.run):
            process.kill()
            process.wait()
            opened = house.open(deal=1)
            assert house.read_side.progress.wait(opened.position, 8)


def test_a_runner_that_stops_lets_go_at_once(house: House) -> None:
    for _ in range(2):
        with running(house.read_side.run):
            assert house.read_side.progress.wait(house.open(deal=1).position, 1.5)


# --- rebuilding --------------------------------------------------------------------------------------------


def test_P18_a_rebuild_under_load_swaps_without_losing_or_doubling_anything(house: House) -> None:
    busy_life(house)
    with running(house.read_side.run):
        playing = threading.Thread(target=busy_life, args=(house,))
        playing.start()
        progress = [list(rebuild(house.service.store, house.views, one, batch=20)) for one in PROJECTIONS]
        playing.join()
        assert house.read_side.progress.wait(house.service.store.head(), 20)
    assert all(steps[-1].swapped for steps in progress)
    for steps in progress:
        assert [step.position for step in steps] == sorted(step.position for step in steps)
    loaded = dump_all(house)
    for projection in PROJECTIONS:
        list(house.read_side.rebuild(projection.name))
    assert dump_all(house) == loaded


def test_queries_are_answered_from_the_old_generation_until_the_swap(house: House) -> None:
    house.resign(house.open(deal=1))
    house.catch_up()
    rebuilding = rebuild(house.service.store, house.views, PROJECTIONS[2], batch=2)
    next(rebuilding)
    assert house.read_side.statistics.of(house.player())["games"] == 1
    list(rebuilding)
    assert house.read_side.statistics.of(house.player())["games"] == 1
    with house.views.reading() as sql:
        for table in ("projection_positions", "statistics_players_v1"):
            rows = sql.rows(f"SELECT DISTINCT generation FROM {table} ORDER BY generation")
            assert rows[-1]["generation"] == 2
            assert table == "projection_positions" or len(rows) == 1, "the old generation is dropped"


def test_P18_a_rebuild_killed_right_after_its_swap_leaves_a_runner_on_the_new_generation(
    house: House,
) -> None:
    house.open(deal=1)
    runner = house.read_side.runner()
    runner.catch_up()
    rebuilding = rebuild(house.service.store, house.views, PROJECTIONS[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("projections.rebuild._clear_away", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        patch.setattr("projections.rebuild._begin", lambda *_: Place(2, 0))
        with house.views.writing() as sql:
            sql.run("INSERT INTO projection_positions VALUES ('lobby_v1', 2, 0, 0)")
        with pytest.raises(KeyboardInterrupt):
            list(rebuilding)
    house.open(deal=2)
    runner.catch_up()
    assert len(house.read_side.lobby.page(LobbyFilter(), None, 10)[0]) == 2
    assert house.read_side.progress.lag()["lobby"] == 0
    list(house.read_side.rebuild("lobby"))
    with house.views.reading() as sql:
        assert len(sql.rows("SELECT DISTINCT generation FROM lobby_v1")) == 1


def test_of_two_rebuilds_the_later_wins_and_the_earlier_says_so(house: House) -> None:
    house.resign(house.open(deal=1))
    house.catch_up()
    first = rebuild(house.service.store, house.views, PROJECTIONS[1], batch=2)
    next(first)
    assert list(house.read_side.rebuild("lobby"))[-1].swapped
    with pytest.raises(Superseded):
        list(first)
    about_to_swap = rebuild(house.service.store, house.views, PROJECTIONS[1])
    next(about_to_swap)
    list(house.read_side.rebuild("lobby"))
    with pytest.raises(Superseded):
        list(about_to_swap)


def test_a_swap_never_takes_a_view_back_in_time(house: House) -> None:
    house.open(deal=1)
    house.catch_up()
    about_to_swap = rebuild(house.service.store, house.views, PROJECTIONS[1])
    next(about_to_swap)
    house.play(house.open(deal=2))
    house.catch_up()
    live = dump_all(house)
    assert next(about_to_swap).swapped
    assert dump_all(house) == live
    assert house.read_side.progress.lag()["lobby"] == 0


def test_a_rebuild_that_was_cut_off_is_cleared_away_by_the_next(house: House) -> None:
    house.resign(house.open(deal=1))
    house.catch_up()
    expected = dump_all(house)
    next(rebuild(house.service.store, house.views, PROJECTIONS[1], batch=2))
    list(house.read_side.rebuild("lobby"))
    assert dump_all(house) == expected
    with house.views.reading() as sql:
        assert len(sql.rows("SELECT DISTINCT generation FROM lobby_v1")) == 1


def test_P27_views_ahead_of_a_restored_log_are_built_anew(house: House) -> None:
    house.open(deal=1)
    house.catch_up()
    expected = dump_all(house)
    with house.views.writing() as sql:
        sql.run("UPDATE projection_positions SET position = 1000000")
        sql.run("DELETE FROM lobby_v1")
    house.catch_up()
    assert dump_all(house) == expected


# --- what can't be folded ----------------------------------------------------------------------------------


def test_P18_a_poison_event_is_shown_and_other_matches_go_on(house: House) -> None:
    store = house.service.store
    first = house.open(deal=1)
    insert_raw(house, entry(first.id, first.version + 1, MatchStarted()), topic="adaman.from_the_future.9")
    gap = house.open(deal=1)
    insert_raw(house, entry(gap.id, gap.version + 3, MatchStarted()))
    insert_raw(house, entry(first.id, first.version + 2, MatchStarted()))
    good = house.open(deal=1)
    house.resign(good)
    with running(house.read_side.run):
        assert house.read_side.progress.wait(store.head(), 10)
    assert house.read_side.due_effects.find(f"abandon-{good.id}-{good.version}") is None
    assert house.read_side.statistics.of(house.player())["games"] == 1
    rows = house.read_side.progress.quarantined()
    quarantined = {(row["projection"], row["match"], row["error"]) for row in rows}
    assert quarantined == {
        ("due_effects", first.id, "Unreadable"),
        ("due_effects", gap.id, "Unreadable"),
        ("lobby", first.id, "Unreadable"),
        ("lobby", gap.id, "Unreadable"),
        ("statistics", first.id, "Unreadable"),
    }
    assert house.read_side.progress.health()["lobby"] == {"lag": 0, "quarantined": 2}
    before = dump_all(house)
    for projection in PROJECTIONS:
        list(house.read_side.rebuild(projection.name))
    assert dump_all(house) == before
    assert house.read_side.progress.health()["lobby"] == {"lag": 0, "quarantined": 2}


class Odd:
    """A projection that counts events and can be told to fail."""

    name, fold = "odd", 1
    creations = ("CREATE TABLE IF NOT EXISTS odd_v1 (generation INTEGER, stream TEXT, version BIGINT)",)
    tables = ("odd_v1",)

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.poison: str | None = None

    def apply(self, sql: Transaction, generation: int, batch: Sequence[Stored]) -> None:
        if self.fault:
            raise self.fault
        for _, one in batch:
            if one.stream == self.poison:
                raise ValueError("poison")
            sql.run("INSERT INTO odd_v1 VALUES (?, ?, ?)", generation, one.stream, one.version)


def test_a_fold_that_fails_on_one_match_leaves_out_that_match_only(house: House) -> None:
    odd = Odd()
    projections.projection.create_tables(house.views, [odd])
    house.service.store.append([entry(stream, 1, created()) for stream in ("m_a", "m_bad", "m_b")])
    house.service.store.append([entry("m_a", 2, seated()), entry("m_bad", 2, seated())])
    odd.poison = "m_bad"
    Runner(house.service.store, house.views, [odd]).catch_up()
    with house.views.reading() as sql:
        rows = sql.rows("SELECT stream, version FROM odd_v1 ORDER BY stream, version")
        (left,) = sql.rows("SELECT stream, error FROM projection_quarantine")
    assert [(row["stream"], row["version"]) for row in rows] == [("m_a", 1), ("m_a", 2), ("m_b", 1)]
    assert left == {"stream": "m_bad", "error": "ValueError"}


def test_P18_a_match_that_was_set_aside_stays_so_with_all_that_follows_in_it(house: House) -> None:
    """A view that lacks one event of a match and has the next would be neither old nor true."""
    odd = Odd()
    projections.projection.create_tables(house.views, [odd])
    runner = Runner(house.service.store, house.views, [odd])
    house.service.store.append([entry(stream, 1, created()) for stream in ("m_a", "m_bad")])
    odd.poison = "m_bad"
    runner.catch_up()
    odd.poison = None
    house.service.store.append([entry(stream, 2, seated()) for stream in ("m_a", "m_bad")])
    runner.catch_up()
    with house.views.reading() as sql:
        rows = sql.rows("SELECT stream, version FROM odd_v1 ORDER BY stream, version")
    assert [(row["stream"], row["version"]) for row in rows] == [("m_a", 1), ("m_a", 2)]


def test_a_projection_in_trouble_neither_stops_the_others_nor_itself_for_ever(house: House) -> None:
    odd = Odd()
    projections.projection.create_tables(house.views, [odd])
    odd.fault = StoreUnavailable()
    runner = Runner(house.service.store, house.views, [odd, *PROJECTIONS])
    with running(runner.run):
        opened = house.open(deal=1)
        assert house.read_side.progress.wait(opened.position, 5)
        odd.fault = None

        def applied() -> bool:
            with house.views.reading() as sql:
                row = sql.row("SELECT COUNT(*) AS count FROM odd_v1")
            return bool(row and row["count"] == opened.version)

        eventually(applied, within=8)


def positions(house: House) -> dict[str, int]:
    with house.views.reading() as sql:
        rows = sql.rows("SELECT projection, position FROM projection_positions WHERE live = 1")
    return {row["projection"]: row["position"] for row in rows}


def test_P18_projections_at_one_position_are_moved_in_one_transaction_or_not_at_all(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open(deal=1)
    runner = house.read_side.runner()
    runner.catch_up()
    before, places = dump_all(house), positions(house)
    house.open(deal=2)
    batch = house.service.store.scan(places["lobby_v1"], 100)
    stale = Place(1, places["statistics_v1"] - 1)
    live = Place(1, places["lobby_v1"])
    at = list(zip(PROJECTIONS, [live, live, stale], strict=True))
    with pytest.raises(Superseded):  # by the last of them: the others have written all they have to
        advance_together(house.views, at, batch)
    assert (dump_all(house), positions(house)) == (before, places)
    written = 0
    writing = house.views.writing

    def counted() -> Any:
        nonlocal written
        written += 1
        return writing()

    monkeypatch.setattr(house.views, "writing", counted)
    runner.catch_up()
    assert written == 1
    assert set(positions(house).values()) == {house.service.store.head()}
    assert dump_all(house) != before


def test_what_comes_in_quick_succession_is_applied_together(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A runner that took each append by itself would take the processors from those who append."""
    turns: list[int] = []

    def counted(*args: Any) -> list[Place]:
        turns.append(len(args[2]))
        return advance_together(*args)

    monkeypatch.setattr("projections.runner.advance_together", counted)
    with running(house.read_side.run):
        first = house.service.store.append([entry("m_first", 1, created())])
        assert house.read_side.progress.wait(first, 20)
        turns.clear()
        began = time.monotonic()
        for number in range(100):
            last = house.service.store.append([entry(f"m_{number}", 1, created())])
        assert house.read_side.progress.wait(last, 20)
        took = time.monotonic() - began
    assert sum(turns) == 100
    assert len(turns) <= took / TURN_SECONDS + 2


def test_a_runner_does_not_pause_while_one_projection_has_far_to_go(house: House) -> None:
    """As a new one has, beside others that are at the end of the log."""
    for number in range(60):
        house.service.store.append([entry(f"m_{number}", 1, created())])
    pauses: list[float] = []

    class Stop(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            pauses.append(timeout or 0)
            return super().wait(timeout)

    stop = Stop()
    for ahead in (PROJECTIONS[0], PROJECTIONS[-1]):
        for projection in PROJECTIONS:
            list(house.read_side.rebuild(projection.name))
        with house.views.writing() as sql:
            behind = [key(projection) for projection in PROJECTIONS if projection is not ahead]
            for name in behind:
                sql.run("UPDATE projection_positions SET position = 0 WHERE projection = ?", name)
        runner = Runner(house.service.store, house.views, PROJECTIONS, batch=5)
        pauses.clear()
        stop.clear()
        thread = threading.Thread(target=runner.run, args=(stop,))
        thread.start()
        assert house.read_side.progress.wait(house.service.store.head(), 20)
        stop.set()
        thread.join(10)
        assert len(pauses) <= 1


def test_P18_what_one_projection_cannot_fold_is_left_out_of_that_one_only(house: House) -> None:
    odd = Odd()
    projections.projection.create_tables(house.views, [odd])
    runner = Runner(house.service.store, house.views, [*PROJECTIONS, odd])
    runner.catch_up()
    odd.poison = house.open(deal=1).id
    runner.catch_up()
    other = house.open(deal=2)
    runner.catch_up()
    assert len(set(positions(house).values())) == 1
    with house.views.reading() as sql:
        assert {row["stream"] for row in sql.rows("SELECT stream FROM odd_v1")} == {other.id}
        (left,) = sql.rows("SELECT projection, stream FROM projection_quarantine")
    assert left == {"projection": "odd_v1", "stream": odd.poison}
    assert len(house.read_side.lobby.page(LobbyFilter(), None, 10)[0]) == 2


def test_the_runner_outlives_a_store_that_is_away(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sqlite_house
    away = threading.Event()
    away.set()
    scan = house.service.store.scan

    def flaky(after: int, limit: int) -> Any:
        if away.is_set():
            raise StoreUnavailable
        return scan(after, limit)

    monkeypatch.setattr(house.service.store, "scan", flaky)
    with running(house.read_side.run):
        opened = house.open(deal=1)
        assert not house.read_side.progress.wait(opened.position, 0.5)
        assert house.read_side.progress.lag()["lobby"] == opened.position
        away.clear()
        assert house.read_side.progress.wait(opened.position, 5)
