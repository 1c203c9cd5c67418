"""The audit of matches of several seats: consent, the system's commands, clocks, forks, and any tampering."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import domain.match as kernel
from domain.clocks import ClockChosen, ClockSet, FischerClock, MoveClock
from domain.game import Event, IllegalCommand
from domain.match import (
    Match,
    MatchForked,
    MatchRewound,
    RewindAgreed,
    RewindProposed,
    RewindRefused,
    SeatTaken,
)
from ledgertop.config import load
from ledgertop.wiring import build
from services.audit import verify
from services.codec import digest, plain
from services.errors import MatchOver, ProposalNotFound, ProposalOver
from services.record import Record, match_digest
from services.service import Service
from services.store.port import Entry
from services.wishes import Sit
from tests.house import FakeClock
from tests.services.matches import service_in
from tests.services.rounds import Round, play_together
from tests.services.test_audit import FREE_FACTS, changed, events_unlike, faults, renumbered, with_entry

replace = msgspec.structs.replace
SHORT = {"turn_limit": 4}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with service_in(tmp_path) as opened:
        yield opened


def consented(service: Service, seats: int = 3) -> Round:
    """A match that ended, with a proposal refused, one taken back, one lapsed, and two carried out."""
    table = play_together(service, seats, options={"turn_limit": 7})
    end = table.play_until("turn_ended")
    table.settle()
    table.refuse(1, table.propose(0, end))
    table.refuse(0, table.propose(0, end - 2))
    table.play(2)
    table.propose(seats - 1, end - 3)
    table.play(2)
    table.rewind(end)
    table.play(3)
    number = table.propose(1, end - 4)
    table.agree(0, number)
    for seat in range(2, seats):
        table.agree(seat, number)
    return table.play()


def samples(record: Record, of_each: int) -> list[int]:
    """Places of events: so many of each type, from all over the record."""
    places: dict[type[Event], list[int]] = {}
    for place, entry in enumerate(record.entries):
        places.setdefault(type(entry.event), []).append(place)
    rng = Random(1)
    return sorted(p for found in places.values() for p in rng.sample(found, min(of_each, len(found))))


def few_of_each(found: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """At most three changes of each field: a deck has hundreds."""
    seen: Counter[str] = Counter()
    for field, event in found:
        seen[field] += 1
        if seen[field] <= 3:
            yield field, event


def place_of(record: Record, kind: type[Event], nth: int = 0) -> int:
    return [place for place, entry in enumerate(record.entries) if isinstance(entry.event, kind)][nth]


# --- what is right -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_P9_a_match_rewound_by_consent_has_no_fault(service: Service, seats: int) -> None:
    table = consented(service, seats)
    report = verify(table.record())
    assert report.ok, report.findings
    assert report.complete
    assert report.status == "ended"
    assert table.told().count("rewound") == 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_P10_a_running_match_has_no_fault_and_its_draws_are_pending(service: Service, seats: int) -> None:
    for seed in range(6):
        table = play_together(service, seats, seed, options=SHORT)
        while table.now.status == "running":
            report = verify(table.record())
            assert report.ok, report.findings
            assert report.draws_pending > 0
            table.play(6, settle=bool(seed % 2))
            table.settle()


def test_a_seat_that_gives_up_out_of_turn_is_no_fault(service: Service) -> None:
    for seat in range(3):
        table = play_together(service, 3, options=SHORT).play(9)
        table.resign(seat)
        table.play()
        report = verify(table.record())
        assert report.ok, report.findings


@pytest.mark.parametrize("clock", [MoveClock(60), FischerClock(100, 5)])
def test_P14_what_the_system_does_for_seats_whose_time_is_up_is_no_fault(tmp_path: Path, clock: Any) -> None:
    time = FakeClock()
    service = build(load(tmp_path, {}), migrate=True, clock=time)
    table = play_together(service, 3, options={"turn_limit": 9}, clock=clock)
    rng = Random(1)
    while table.now.status == "running":
        time.go(rng.choice((1, 1, 1, 200)))
        if kernel.time_is_up(table.now, time.now()):
            service.timekeeping.expire(table.match, actor="timekeeper", version=table.now.clock_version)
            table.settle()
        else:
            table.play(1)
        if rng.random() < 0.1 and table.now.status == "running":
            table.rewind(rng.randrange(1, table.version))
    record = table.record()
    report = verify(record)
    service.close()
    assert report.ok, report.findings
    assert any(entry.by == "system:timekeeper" for entry in record.entries)
    for place in samples(record, 4):
        if isinstance(record.entries[place].event, ClockSet | ClockChosen):
            for _, event in events_unlike(record.entries[place].event):
                assert not verify(changed(record, place, event)).ok, (place + 1, event)


def test_P9_forks_of_a_match_of_several_seats_are_checked_against_it(service: Service) -> None:
    table = consented(service)
    for version in range(1, table.version, 25):
        fork = table.fork(version, 1).sit(2, 0).play()
        report = verify(fork.record())
        assert report.ok, (version, report.findings)
        assert report.complete
        second = fork.fork(fork.version - 1, None, Sit("eve", seat=2))
        assert verify(second.record()).ok


def test_a_rewind_to_every_version_gives_its_state_or_what_is_finished_from_it(service: Service) -> None:
    table = play_together(service, 2).play(25)
    states = [table.history.at(version) for version in range(1, table.version + 1)]
    for target in states:
        number = table.propose(0, target.version)
        answer = table.agree(1, number)
        mark = table.history.at(number + 2)
        assert mark.state == target.state
        game = table.history.game
        if kernel.to_act(target, game):
            assert (table.now.state, answer.version) == (target.state, mark.version)
        else:
            assert kernel.to_act(table.now, game)
            assert [event["type"] for event in answer.events[2:]]
    report = verify(table.record())
    assert report.ok, report.findings


def test_P6_a_match_without_a_proposal_has_the_digest_it_always_had(service: Service) -> None:
    table = play_together(service, 2).play(4)
    before = table.now
    left_out = {name: value for name, value in plain(before).items() if name not in Match.LATER}
    assert match_digest(before) == digest(left_out)
    table.propose(0, 5)
    assert match_digest(table.now) != match_digest(replace(table.now, proposal=None))


# --- any order of words ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_P9_random_matches_with_words_rewinds_and_forks_pass_the_audit(service: Service, seed: int) -> None:
    rng = Random(seed)
    seats = rng.choice((2, 3, 4))
    table = play_together(service, seats, seed, options={"turn_limit": rng.randrange(1, 8)})
    rounds = [table]
    for _ in range(120):
        table = rng.choice(rounds)
        _anything(table, rng)
        if table.now.status == "ended" and len(rounds) < 4 and rng.random() < 0.3:
            fork = table.fork(rng.randrange(1, table.version + 1), rng.choice((None, *range(seats))))
            fork.sit(*(seat for seat in rng.sample(range(seats), seats) if seat not in fork.tokens))
            rounds.append(fork)
    for table in rounds:
        report = verify(table.record())
        assert report.ok, report.findings
        table.settle()
        table.play()
        report = verify(table.record())
        assert report.ok, report.findings
        assert table.now.status == "ended"
        assert report.complete


def _anything(table: Round, rng: Random) -> None:
    """One thing somebody might do, allowed or not."""
    seat = rng.choice(list(table.tokens))
    proposal = table.now.proposal
    number = proposal.version if proposal else rng.randrange(1, table.version + 1)
    acts: list[Callable[[], Any]] = [
        lambda: table.play(rng.randrange(1, 6), settle=rng.random() < 0.8),
        table.settle,
        lambda: table.propose(seat, rng.randrange(1, table.version + 1)),
        lambda: table.agree(seat, number),
        lambda: table.agree(seat, number),
        lambda: table.agree(seat, number),
        lambda: table.refuse(seat, number),
        lambda: table.resign(seat),
    ]
    with suppress(IllegalCommand, MatchOver, ProposalOver, ProposalNotFound):
        rng.choices(acts, weights=(12, 3, 5, 6, 6, 6, 2, 0.2))[0]()


# --- what was changed --------------------------------------------------------------------------------------


def test_P9_any_change_of_any_event_is_reported(service: Service) -> None:
    tried = set()
    table = consented(service)
    for record in (table.record(), table.fork(30, 1).sit(0, 2).play().record()):
        assert verify(record).ok
        for place in samples(record, 2):
            for field, event in few_of_each(events_unlike(record.entries[place].event)):
                if (type(event), field) in FREE_FACTS:
                    continue
                tried.add((type(event), field))
                wrong = changed(record, place, event)
                if field == "options":
                    wrong = replace(wrong, state=record.state)
                report = verify(wrong)
                if field == "origin" and record.origin is None and report.ok:
                    assert not report.complete
                    continue
                assert not report.ok, (place + 1, field, record.entries[place].event, event)
    assert {(RewindProposed, "seat"), (RewindProposed, "to_version"), (RewindAgreed, "proposal")} <= tried
    assert {(RewindRefused, "seat"), (RewindRefused, "proposal"), (MatchRewound, "to_version")} <= tried


def test_P9_a_deleted_swapped_or_repeated_event_is_reported(service: Service) -> None:
    record = consented(service).record()
    for place in samples(record, 3):
        before, one, after = record.entries[:place], record.entries[place], record.entries[place + 1 :]
        again = replace(one, id="0" * 32)
        assert not verify(renumbered(record, [*before, *after])).ok, place + 1
        assert not verify(renumbered(record, [*before, one, again, *after])).ok, place + 1
        if after and one.event != after[0].event:
            assert not verify(renumbered(record, [*before, after[0], one, *after[1:]])).ok, place + 1


@pytest.mark.parametrize("actor", ["seat:0", "seat:1", "seat:3", "system:timekeeper", "system:caretaker"])
def test_P12_another_actor_for_a_whole_command_is_reported(service: Service, actor: str) -> None:
    record = consented(service).record()
    for command in {record.entries[place].command for place in samples(record, 1)}:
        entries = tuple(replace(e, by=actor) if e.command == command else e for e in record.entries)
        assert verify(replace(record, entries=entries, state=None)).ok == (entries == record.entries)


def test_P4_another_body_of_any_command_but_sitting_down_is_reported(service: Service) -> None:
    record = consented(service).record()
    sitting = {e.command for e in record.entries if isinstance(e.event, SeatTaken)}
    for command in {record.entries[place].command for place in samples(record, 2)} - sitting:
        entries = tuple(replace(e, digest="0" * 64) if e.command == command else e for e in record.entries)
        assert "command" in faults(verify(replace(record, entries=entries, state=None)))


# --- forged consent ----------------------------------------------------------------------------------------


class Forger:
    """Writes further entries to a match's record that are sound in all but what is forged."""

    def __init__(self, table: Round) -> None:
        self.record = replace(table.record(), state=None)
        self.table = table

    def add(self, by: str, body: dict[str, Any], *events: Event) -> "Forger":
        last = self.record.entries[-1]
        new: list[Entry] = [
            replace(
                last,
                version=last.version + offset,
                id=f"{last.version + offset:032x}",
                by=by,
                command=f"c_{last.version}",
                digest=digest(body),
                event=event,
            )
            for offset, event in enumerate(events, 1)
        ]
        self.record = replace(self.record, entries=(*self.record.entries, *new))
        return self

    def propose(self, seat: int, to: int, by: str | None = None) -> "Forger":
        body = {"do": "rewind", "body": {"to_version": to}}
        return self.add(by or f"seat:{seat}", body, RewindProposed(seat=seat, to_version=to))

    def agree(self, seat: int, number: int, *more: Event, by: str | None = None) -> "Forger":
        body = {"do": "consent", "body": {"proposal": number, "agree": True}}
        return self.add(by or f"seat:{seat}", body, RewindAgreed(seat=seat, proposal=number), *more)

    def refuse(self, seat: int, number: int, by: str | None = None) -> "Forger":
        body = {"do": "consent", "body": {"proposal": number, "agree": False}}
        return self.add(by or f"seat:{seat}", body, RewindRefused(seat=seat, proposal=number))

    @property
    def ok(self) -> bool:
        return verify(self.record).ok

    @property
    def faults(self) -> list[str]:
        return faults(verify(self.record))


def proposed(service: Service, seats: int = 3) -> tuple[Round, int, int]:
    """A running match with an open proposal by seat 0: its number and where it leads, a decision of a seat."""
    table = play_together(service, seats).play(8)
    to = next(v for v in range(table.version - 2, 0, -1) if table.view(at=v)["to_act"])
    return table, table.propose(0, to), to


def test_what_the_forger_writes_honestly_passes(service: Service) -> None:
    table, number, to = proposed(service)
    assert Forger(table).ok
    assert Forger(table).agree(1, number).agree(2, number, MatchRewound(to_version=to)).ok
    assert Forger(table).agree(1, number).refuse(2, number).propose(2, to).ok
    assert Forger(table).refuse(0, number).ok


def test_a_rewind_without_full_consent_is_reported(service: Service) -> None:
    table, number, to = proposed(service)
    rewound = MatchRewound(to_version=to)
    assert "rewind" in Forger(table).agree(1, number, rewound).faults
    assert "rewind" in Forger(table).agree(1, number).agree(1, number, rewound).faults
    assert "rewind" in Forger(table).agree(1, number).agree(0, number, rewound).faults
    for by in ("seat:0", "seat:1", "system:timekeeper"):
        bare = Forger(table).add(by, {"do": "rewind", "body": {"to_version": to}}, rewound)
        assert "rewind" in bare.faults


def test_full_consent_that_leads_nowhere_or_elsewhere_is_reported(service: Service) -> None:
    table, number, to = proposed(service)
    agreed = Forger(table).agree(1, number)
    assert agreed.ok
    assert "rewind" in Forger(table).agree(1, number).agree(2, number).faults
    for wrong in (MatchRewound(to_version=to - 1), MatchRewound(to_version=to, undo=True)):
        assert "rewind" in Forger(table).agree(1, number).agree(2, number, wrong).faults


def test_a_word_by_somebody_else_is_reported(service: Service) -> None:
    table, number, to = proposed(service)
    for by in ("seat:2", "seat:0", "seat:3", "system:timekeeper", "system:service"):
        assert "seat" in Forger(table).agree(1, number, by=by).faults
        assert "seat" in Forger(table).refuse(1, number, by=by).faults
        assert "seat" in Forger(table).refuse(0, number).propose(1, to, by=by).faults


def test_a_word_on_no_open_proposal_is_reported(service: Service) -> None:
    table, number, to = proposed(service)
    for other in (number - 1, number + 1, to):
        assert "rewind" in Forger(table).agree(1, other).faults
        assert "rewind" in Forger(table).refuse(1, other).faults
    assert "rewind" in Forger(table).refuse(1, number).agree(2, number).faults
    assert "rewind" in Forger(table).propose(1, to).faults  # while another one is open
    table.play(1)
    assert "rewind" in Forger(table).agree(1, number).faults
    assert "rewind" in Forger(table).refuse(1, number).faults
    assert "rewind" in Forger(table).propose(1, table.version).faults  # to where the match is
    assert "rewind" in Forger(table).propose(1, table.version + 5).faults


def test_words_after_the_end_are_reported(service: Service) -> None:
    table = consented(service)
    assert {"end", "rewind"} <= set(Forger(table).propose(0, 9).faults)


def test_an_agreement_left_out_of_a_record_is_reported(service: Service) -> None:
    table = consented(service)
    record = table.record()
    for nth in range(table.told().count("rewind_agreed")):
        place = place_of(record, RewindAgreed, nth)
        left = [*record.entries[:place], *record.entries[place + 1 :]]
        assert "rewind" in faults(verify(renumbered(record, left)))


def test_a_system_command_that_was_not_due_is_reported(service: Service) -> None:
    table = play_together(service, 2)
    table.play_until("turn_ended")
    waiting = Forger(table)
    table.settle()
    settled = table.record().entries[len(waiting.record.entries) :]
    body = {"do": "due", "version": len(waiting.record.entries)}
    events = [entry.event for entry in settled]
    assert waiting.add("system:timekeeper", body, *events).ok
    twice = Forger(table).add("system:timekeeper", body, *events)
    assert not twice.ok
    seats = replace(table.record(), state=None)
    place = len(waiting.record.entries) - len(events)
    for by in ("seat:0", "seat:1"):
        wrong = tuple(replace(e, by=by) if p >= place else e for p, e in enumerate(seats.entries))
        assert not verify(replace(seats, entries=wrong)).ok


def test_a_running_match_of_several_seats_that_says_it_was_forked_is_reported(service: Service) -> None:
    table = play_together(service, 2).play(4)
    forged = Forger(table).add("seat:0", {"do": "fork"}, MatchForked(fork="m_x", at_version=4))
    assert "seat" in forged.faults


def test_P9_a_fork_of_several_seats_unlike_its_origin_is_reported(service: Service) -> None:
    table = play_together(service, 3, options=SHORT).play()
    record = table.fork(20, 2).sit(0, 1).play().record()
    assert record.origin is not None
    other = play_together(service, 3, 9, options=SHORT).play().record()
    assert not verify(replace(record, origin=other)).ok
    assert not verify(replace(record, origin=replace(other, match=record.origin.match))).ok
    first = record.entries[0]
    assert not verify(with_entry(record, 0, replace(first, by="seat:1"))).ok
