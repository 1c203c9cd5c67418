"""What happens by itself in a match of several seats: the tick between turns, deadlines, standing orders."""

import threading
from contextlib import suppress
from typing import Any

import pytest

from domain.clocks import FischerClock, MoveClock
from domain.game import IllegalCommand
from services.audit import verify
from services.errors import MatchFull, NothingDue, StoreUnavailable, TimeIsUp
from services.looking import Caller
from services.standing_orders import StandingOrders
from services.wishes import CreateMatch, Order, Sit
from tests.house import House, dump_all
from tests.services.rounds import Round, play_together


def until_turn_ends(house: House, seats: int = 2, **wish: Any) -> Round:
    table = play_together(house.service, seats, **wish)
    table.play_until("turn_ended" if "clock" not in wish else "clock_set")
    while table.view()["due"] is None:
        table.play(1, settle=False)
    return table


def until_combat(house: House, **wish: Any) -> tuple[Round, int]:
    """A match where somebody is asked in a combat; the seat."""
    for seed in range(1, 50):
        table = play_together(house.service, seed=seed, **wish)
        for _ in range(400):
            view = table.view()
            if view["status"] == "ended":
                break
            if view["state"]["combat"] and view["to_act"]:
                return table, view["to_act"][0]
            table.settle()
            table.play(1)
    raise AssertionError("nobody ever fought")


def deadline(house: House, table: Round) -> str:
    """The id of the effect of the running clock."""
    house.catch_up()
    known = house.read_side.due_effects.due(2**62, 100)
    (effect,) = [one for one in known if (one.kind, one.match) == ("deadline", table.match)]
    return effect.id


# --- Time Counters -----------------------------------------------------------------------------------------


def test_the_match_waits_visibly_until_the_system_ticks(house: House) -> None:
    table = until_turn_ends(house)
    view = table.view()
    assert (view["status"], view["to_act"], view["due"]) == ("running", [], "tick_time_counters")
    assert view["state"]["pending"] == {"decision": "tick_time_counters", "seat": None, "deadline": None}
    for seat in table.tokens:
        assert house.service.looking.legal(table.match, _caller(table, seat))["commands"] == []
    before = table.version
    assert house.service.effects.settle(table.match)
    ticked, started = table.history.entries[before : before + 2]
    assert [ticked.event.type_name(), started.event.type_name()] == ["counters_ticked", "turn_started"]
    assert ticked.by == "system:timekeeper"
    assert table.view()["due"] is None


def test_P14_ticking_twice_is_impossible(house: House) -> None:
    table = until_turn_ends(house)
    ended = table.version
    ticks: list[bool] = []
    threads = [
        threading.Thread(target=lambda: ticks.append(house.service.effects.settle(table.match)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.told()[ended:].count("counters_ticked") == 1
    with pytest.raises(NothingDue):
        house.service.timekeeping.settle(table.match, actor="timekeeper")
    assert not house.service.effects.perform(f"due-{table.match}-{ended}")
    assert table.told()[ended:].count("counters_ticked") == 1


def test_P12_what_was_to_be_done_at_one_turns_end_is_not_done_at_another(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between looking and acting others may rewind the match and end the turn once more."""
    table = until_turn_ends(house)
    ended, carrier = table.version, house.service.timekeeping._carrier
    perform = carrier.perform

    def late(*asked: Any) -> Any:
        patch.undo()
        table.rewind(ended - 1)
        while table.view()["due"] is None:
            table.play(1, settle=False)
        return perform(*asked)

    with monkeypatch.context() as patch:
        patch.setattr(carrier, "perform", late)
        assert not house.service.effects.settle(table.match)
    assert table.told()[ended:].count("counters_ticked") == 0
    assert house.service.effects.settle(table.match)
    report = verify(table.record())
    assert report.ok, report.findings


def test_no_seat_can_tick(house: House) -> None:
    table = until_turn_ends(house)
    for seat in table.tokens:
        with pytest.raises(Exception, match="tick_time_counters"):
            table.act(seat, {"type": "tick_time_counters"})


def test_P15_the_table_knows_the_tick_that_is_due(house: House) -> None:
    table = until_turn_ends(house)
    house.catch_up()
    (effect,) = house.service.effects.due(10)
    assert (effect.kind, effect.match, effect.version) == ("due", table.match, table.version)
    assert house.service.effects.perform(effect.id)
    house.catch_up()
    assert house.service.effects.due(10) == []


def test_a_proposal_leaves_the_tick_due(house: House) -> None:
    table = until_turn_ends(house)
    ended = table.version
    table.propose(0, 3)
    house.catch_up()
    (effect,) = house.service.effects.due(10)
    assert effect.id == f"due-{table.match}-{ended}"
    assert house.service.effects.perform(effect.id)


def test_a_rewind_leaves_no_tick_behind(house: House) -> None:
    table = until_turn_ends(house)
    house.catch_up()
    table.rewind(table.version - 1)
    house.catch_up()
    assert house.service.effects.due(10) == []
    table.rewind(table.version - 4)  # to where the turn had ended
    assert table.view()["due"] is None
    assert verify(table.record()).ok


# --- clocks ------------------------------------------------------------------------------------------------


def test_a_decision_has_its_deadline(house: House) -> None:
    table = play_together(house.service, clock=MoveClock(30))
    view = table.view()
    now = house.clock.time
    assert view["clock"]["awaited"] == view["to_act"]
    assert view["clock"]["deadline"] == now + 30_000_000
    assert view["state"]["pending"]["deadline"] == now + 30_000_000


def test_P14_at_the_deadline_what_stands_for_it_happens_once(house: House) -> None:
    table = play_together(house.service, clock=MoveClock(30))
    seat = table.view()["to_act"][0]
    effect = deadline(house, table)
    house.clock.go(30)
    assert house.service.effects.due(10) == [], "a command received in time may still be on its way"
    house.clock.go(0.5)
    before = table.version
    assert house.service.effects.perform(effect)
    after = table.version
    house.service.effects.perform(effect)
    assert table.version == after, "doing it again changes nothing"
    done = table.history.entries[before:]
    assert {entry.by for entry in done} == {"system:timekeeper"}
    assert table.view()["to_act"] != [seat]
    assert verify(table.record()).ok


def test_P14_a_command_in_time_wins(house: House) -> None:
    table = play_together(house.service, clock=MoveClock(30))
    seat = table.view()["to_act"][0]
    effect = deadline(house, table)
    house.clock.go(29.9)
    table.act(seat, table.choose(seat))
    house.clock.go(1)
    assert not house.service.effects.perform(effect)


def test_P14_a_clock_that_was_set_anew_is_not_run_out_by_the_effect_of_the_old_one(house: House) -> None:
    """The new one has an effect of its own, which leaves commands the time that are still on their way."""
    table = play_together(house.service, clock=MoveClock(30))
    old = int(deadline(house, table).rpartition("-")[2])
    seat = table.view()["to_act"][0]
    table.act(seat, table.choose(seat))
    before = table.version
    house.clock.go(30.1)
    with pytest.raises(NothingDue):
        house.service.timekeeping.expire(table.match, actor="timekeeper", version=old)
    assert table.version == before


def test_a_command_after_the_deadline_is_refused(house: House) -> None:
    table = play_together(house.service, clock=MoveClock(30))
    seat, before = table.view()["to_act"][0], table.version
    house.clock.go(30)
    with pytest.raises(TimeIsUp):
        table.act(seat, table.choose(seat))
    assert table.version == before


def test_a_turns_deadline_ends_it_with_points_left(house: House) -> None:
    table = play_together(house.service, clock=MoveClock(30))
    while table.view()["state"]["phase"] != "turn":
        table.play(1)
    house.clock.go(31)
    assert house.service.effects.perform(deadline(house, table))
    assert table.view()["due"] == "tick_time_counters"
    table.settle()
    assert table.view()["clock"]["deadline"] == house.clock.time + 30_000_000


def test_a_combats_deadline_passes(house: House) -> None:
    table, seat = until_combat(house, clock=MoveClock(30))
    house.clock.go(31)
    assert house.service.effects.perform(deadline(house, table))
    assert table.told().count("passed")
    assert table.view()["to_act"] != [seat] or not table.view()["state"]["combat"]
    assert verify(table.record()).ok


def test_P14_a_deadline_is_over_with_the_match(house: House) -> None:
    """The table may not know of the end yet; there is nothing to store, and nothing is asked of the store."""
    table = play_together(house.service, clock=MoveClock(30))
    effect = deadline(house, table)
    table.resign(table.view()["to_act"][0])
    head = house.service.store.head()
    house.clock.go(31)
    assert house.service.effects.perform(effect) is False
    assert house.service.store.head() == head


def test_a_match_goes_on_by_deadlines_alone_and_passes_the_audit(house: House) -> None:
    """Nobody ever decides anything: the service plays it, and the log says so."""
    table = play_together(house.service, seats=3, clock=FischerClock(20, 1), options={"turn_limit": 12})
    for _ in range(200):
        if table.view()["status"] == "ended":
            break
        if not house.service.effects.settle(table.match):
            house.clock.go(21)
            house.service.effects.perform(deadline(house, table))
    assert table.view()["outcome"]["reason"] == "turn_limit"
    report = verify(table.record())
    assert report.ok, report.findings
    house.catch_up()
    incremental = dump_all(house)
    list(house.read_side.rebuild("due_effects"))
    assert dump_all(house) == incremental


def test_a_clock_is_for_several_seats(house: House) -> None:
    with pytest.raises(IllegalCommand, match="clock-not-offered"):
        house.service.opening.create(CreateMatch("adaman", sit=Sit("ann"), clock=MoveClock(5)), Order())


def limited(monkeypatch: pytest.MonkeyPatch, events: int) -> None:
    monkeypatch.setattr("services.carrying.MAX_EVENTS", events)


def test_P20_a_command_is_carried_out_up_to_the_events_a_match_may_have(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = play_together(house.service, seed=3).play(12)
    (seat, *_), before = table.view()["to_act"], table.version
    command = table.choose(seat)
    for limit in range(before, before + 100):
        limited(monkeypatch, limit)
        with suppress(MatchFull):
            table.act(seat, command, Order("again"))
            break
        assert table.version == before
    assert table.version == limit, "at the limit, and not one earlier"
    limited(monkeypatch, table.version)
    with pytest.raises(MatchFull):
        table.propose(seat, before)
    table.resign(seat)
    assert table.now.status == "ended", "what ends the match may lead beyond"
    assert verify(table.record()).ok


def test_P20_a_match_with_all_its_events_ends_when_a_deadline_has_passed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = play_together(house.service, seed=3, clock=MoveClock(30)).play(12)
    limited(monkeypatch, table.version)
    effect = deadline(house, table)
    assert not house.service.effects.perform(effect), "not before its time"
    house.clock.go(31)
    assert house.service.effects.perform(effect)
    outcome = table.now.outcome
    assert outcome is not None
    assert outcome.reason == "abandoned"
    assert verify(table.record()).ok


# --- standing orders ---------------------------------------------------------------------------------------


def test_always_pass_answers_in_combats_and_nowhere_else(house: House) -> None:
    table, _ = until_combat(house)
    before = table.version
    for other in table.tokens:
        house.service.ordering.give(table.match, table.tokens[other], StandingOrders(always_pass=True))
    assert table.view()["state"]["combat"] is None, "both passed, what waited is answered too"
    passes = [entry for entry in table.history.entries[before:] if entry.event.type_name() == "passed"]
    assert {entry.by for entry in passes} == {f"seat:{seat}" for seat in table.tokens}
    table.play(60)
    assert verify(table.record()).ok


def test_P5_a_command_is_answered_although_the_orders_that_follow_it_can_not_be_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seat = until_combat(house)
    other = next(one for one in table.tokens if one != seat)
    house.service.ordering.give(table.match, table.tokens[other], StandingOrders(always_pass=True))

    def gone(*_: Any) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(house.service.ordering.book, "of", gone)
        answer = table.act(seat, {"type": "pass"}, Order("pass"))
    assert answer.version == table.version, "it is stored, and the order waits"
    assert table.view()["to_act"] == [other]
    assert table.act(seat, {"type": "pass"}, Order("pass")) == answer
    assert table.view()["to_act"] != [other] or not table.view()["state"]["combat"], "it is followed now"


def test_P11_a_standing_order_is_not_in_the_log(house: House) -> None:
    one, asked = until_combat(house)
    other = 1 - asked
    version = one.version
    house.service.ordering.give(one.match, one.tokens[asked], StandingOrders(always_pass=True))
    house.service.ordering.give(one.match, one.tokens[other], StandingOrders(always_pass=False))
    for entry in one.history.entries[version:]:
        assert entry.event.type_name() in ("passed", "combat_settled", "unit_defeated", "combat_ended"), (
            entry.event
        )
        assert entry.command.startswith("c_"), "its id is one like any other"
    assert one.version > version
    assert house.service.ordering.of(one.match, one.tokens[other]) == StandingOrders()


def _caller(table: Round, seat: int) -> Caller:
    return Caller(table.tokens[seat])
