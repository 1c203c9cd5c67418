"""The audit: what is right passes, and any change of a fact is reported."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.game import IllegalCommand, Outcome
from domain.match import MatchCreated, MatchEnded, MatchForked, MatchRewound, SeatTaken, SeedRevealed
from services.audit import Report, verify
from services.effects import CARETAKER
from services.errors import MatchOver
from services.ledger import Ledger
from services.record import Record, match_digest, parse, stored, write
from services.service import Service
from services.store.port import Entry
from services.wishes import CreateMatch, Order, Sit
from tests.services.matches import Player, service_in, sit_down

replace = msgspec.structs.replace


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with service_in(tmp_path) as opened:
        yield opened


def undoing(service: Service) -> Player:
    """A match in which somebody took a play back."""
    for deal in range(1, 2_000):
        player = sit_down(service, deal, deal=deal)
        while player.legal():
            player.play(1)
            try:
                service.matches.undo(player.match, player.token, Order())
            except (IllegalCommand, MatchOver):  # most plays turn something up
                continue
            return player
    raise AssertionError("no deal with a play that can be undone")


def detoured(service: Service) -> Player:
    """A sealed match with entropy, a rewind to before the shuffle and one to the middle of a command."""
    while True:
        player = sit_down(service, 3, entropy="c0ffee", options={"excuse": True})
        if not all(player.play(1).legal() and player.rewind(to).play(1).legal() for to in (3, 4)):
            continue
        return player


def faults(report: Report) -> list[str]:
    return [fault.what for fault in report.findings]


# --- what is right -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"excuse": True, "pawns": True},
        {"courts": True, "final_deal": True},
        {"extra_personalities": ["consul"]},
    ],
)
def test_P9_played_matches_have_no_fault(service: Service, options: dict[str, Any]) -> None:
    for seed in range(12):
        numbered = sit_down(service, seed, deal=seed + 1, options=options).play().record()
        sealed = sit_down(service, seed, options=options, entropy="ab" * seed or None).play().record()
        for record in (numbered, sealed):
            report = verify(record)
            assert report.ok, report.findings
            assert report.complete
            assert report.draws_checked == 1
            assert report.digest == record.state
            assert report.outcome is not None
            assert verify(parse(b"".join(write(record)))) == report


def test_P10_every_draw_of_a_rewound_match_is_drawn_again(service: Service) -> None:
    report = verify(detoured(service).play().record())
    assert report.ok, report.findings
    assert report.draws_checked == 2


def test_P10_draws_of_a_running_sealed_match_are_pending(service: Service) -> None:
    report = verify(detoured(service).record())
    assert report.ok, report.findings
    assert not report.complete
    assert (report.draws_checked, report.draws_pending) == (0, 2)
    assert "can't be checked" in report.pending[0]


def test_P10_a_running_numbered_deal_is_checked_completely(service: Service) -> None:
    report = verify(sit_down(service, deal=7).play(2).record())
    assert (report.ok, report.complete, report.draws_checked) == (True, True, 1)


def test_P16_an_undo_is_checked_by_its_rules(service: Service) -> None:
    record = undoing(service).record()
    assert verify(record).ok
    at = next(p for p, e in enumerate(record.entries) if isinstance(e.event, MatchRewound))
    for version in range(1, at):
        wrong = changed(record, at, MatchRewound(to_version=version, undo=True))
        assert verify(wrong).ok == (version == record.entries[at].event.to_version)  # type: ignore[attr-defined]


def test_P16_a_rewind_that_reveals_may_not_pass_as_an_undo(service: Service) -> None:
    player = sit_down(service, deal=7).play(1)
    record = player.rewind(5).record()
    entry = record.entries[-1]
    wrong = changed(record, len(record.entries) - 1, MatchRewound(to_version=5, undo=True))
    assert isinstance(entry.event, MatchRewound)
    assert "rewind" in faults(verify(wrong))


def test_P10_resigned_and_abandoned_matches_are_checked(service: Service) -> None:
    resigned = sit_down(service).play(1).resign()
    left = sit_down(service).play(1)
    service.timekeeping.abandon(left.match, actor=CARETAKER, version=left.version)
    never = service.opening.create(CreateMatch("adaman"), Order())
    service.timekeeping.abandon(never.id, actor=CARETAKER, version=never.version)
    for match in (resigned.match, left.match, never.id):
        report = verify(stored(service.store, match))
        assert report.ok, report.findings
        assert report.complete
        assert report.status == "ended"


def test_a_seat_taken_later_starts_the_match(service: Service) -> None:
    made = service.opening.create(CreateMatch("adaman"), Order())
    player = Player(service, service.opening.take_seat(made.id, Sit("bea", entropy="00"), Order()))
    report = verify(player.play().record())
    assert report.ok, report.findings
    assert report.draws_checked == 1


def test_P9_forks_are_checked_against_their_origins(service: Service) -> None:
    player = detoured(service)
    fork = player.fork(player.version)
    second = fork.play(1).rewind(1).fork(fork.version).play()
    before_the_end = verify(second.record())
    assert before_the_end.ok, before_the_end.findings
    assert not before_the_end.complete  # the origins still run, so their draws are pending
    fork.play()
    player.play()
    report = verify(second.record())
    assert report.ok
    assert report.complete
    assert report.origin is not None
    assert report.origin.origin is not None
    assert report.origin.origin.match == player.match


def test_P9_a_fork_without_its_origin_is_never_silently_right(service: Service) -> None:
    player = detoured(service).play()
    record = replace(player.fork(5).play().record(), origin=None)
    report = verify(record)
    assert report.ok
    assert not report.complete
    assert report.draws_pending == 1


# --- what was changed --------------------------------------------------------------------------------------


def changed(record: Record, place: int, event: Any) -> Record:
    """A record with another event at a place, and an end that does not know the state."""
    entry: Entry = replace(record.entries[place], event=event)
    return with_entry(record, place, entry)


def with_entry(record: Record, place: int, entry: Entry) -> Record:
    entries = (*record.entries[:place], entry, *record.entries[place + 1 :])
    return replace(record, entries=entries, state=None)


def variants(value: Any) -> Iterator[Any]:
    """Values unlike `value` of about its shape, one change each."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case str():
            yield value + "0"
            yield "author" if value != "author" else "savage"
            yield from (row for row in ("capital", "palace", "resources") if row != value)
            if value == "person":
                yield "bot"
            if value:
                yield ("1" if value[0] == "0" else "0") + value[1:]
        case list() | tuple():
            for place, item in enumerate(value):
                for other in variants(item):
                    yield [*value[:place], other, *value[place + 1 :]]
            if value:
                yield value[:-1]
                yield [*value, value[0]]
                if list(reversed(value)) != list(value):
                    yield list(reversed(value))
        case dict():
            for key, item in value.items():
                for other in variants(item):
                    yield {**value, key: other}
        case None:
            yield from (1, "0", "author", {"match": "m_x", "version": 1}, {"result": "won"})


def events_unlike(event: Any) -> Iterator[tuple[str, Any]]:
    """Events that differ in one place and can be stored, with the name of the field."""
    builtin = msgspec.to_builtins(event)
    for field, value in builtin.items():
        for other in variants(value):
            try:
                made = msgspec.convert({**builtin, field: other}, type(event))
            except msgspec.ValidationError:
                continue  # the codec refuses to read it
            if made != event:
                yield field, made


# What no rule looks at; the state claimed at the end of a record holds them.
FREE_FACTS = {
    (MatchCreated, "idle_limit"),
    (MatchCreated, "spectators"),
    (SeatTaken, "player"),
    (SeatTaken, "kind"),
    (SeatTaken, "token"),
}


def subjects(service: Service) -> list[Record]:
    sealed = detoured(service).play()
    return [
        sit_down(service, deal=7, options={"excuse": True, "final_deal": True}).play().record(),
        sealed.record(),
        sealed.fork(9).play().record(),
        sit_down(service, 5).play(1).resign().record(),
        undoing(service).play().record(),
    ]


def test_P9_any_change_of_any_event_is_reported(service: Service) -> None:
    tried = 0
    for record in subjects(service):
        assert verify(record).ok
        for place, entry in enumerate(record.entries):
            for field, event in events_unlike(entry.event):
                if (type(event), field) not in FREE_FACTS:
                    tried += 1
                    wrong = changed(record, place, event)
                    if field == "options":  # one that made no difference to a lost match is only in the state
                        wrong = replace(wrong, state=record.state)
                    report = verify(wrong)
                    if field == "origin" and record.origin is None and report.ok:
                        assert not report.complete  # whether it is a fork can't be told without the origin
                        continue
                    assert not report.ok, (place + 1, field, entry.event, event)
    assert tried > 3_000


def test_P9_facts_no_rule_knows_are_held_by_the_claimed_state(service: Service) -> None:
    for record in subjects(service):
        tried = set()
        for place, entry in enumerate(record.entries):
            for field, event in events_unlike(entry.event):
                if (type(event), field) in FREE_FACTS:
                    tried.add((type(event), field))
                    report = verify(replace(changed(record, place, event), state=record.state))
                    assert "state" in faults(report)
        assert tried == FREE_FACTS


@pytest.mark.parametrize("field", ["stream", "version", "by", "rules", "cause"])
def test_P12_any_change_of_an_envelope_is_reported(service: Service, field: str) -> None:
    for record in subjects(service):
        for place, entry in enumerate(record.entries):
            for other in variants(getattr(entry, field)):
                if not isinstance(other, dict) and isinstance(other, int) == (field == "version"):
                    report = verify(with_entry(record, place, replace(entry, **{field: other})))
                    assert not report.ok, (place + 1, field, other)


@pytest.mark.parametrize("actor", ["seat:1", "seat:00", "system:caretaker", "system:lobby", "player", ""])
def test_P12_another_actor_for_a_whole_command_is_reported(service: Service, actor: str) -> None:
    record = detoured(service).play().record()
    for command in {entry.command for entry in record.entries}:
        entries = tuple(replace(e, by=actor) if e.command == command else e for e in record.entries)
        assert not verify(replace(record, entries=entries, state=None)).ok


@pytest.mark.parametrize("field", ["command", "digest", "at"])
def test_P9_events_of_one_command_share_an_envelope(service: Service, field: str) -> None:
    record = detoured(service).play().record()
    for place, entry in enumerate(record.entries):
        others = [e for e in record.entries if e.command == entry.command and e is not entry]
        for other in variants(getattr(entry, field)):
            if others and type(other) is type(getattr(entry, field)):
                report = verify(with_entry(record, place, replace(entry, **{field: other})))
                assert not report.ok, (place + 1, field)


def test_P4_another_body_of_a_play_is_reported(service: Service) -> None:
    record = undoing(service).play().record()
    first = record.entries[0].command
    for command in {entry.command for entry in record.entries} - {first}:
        entries = tuple(replace(e, digest="0" * 64) if e.command == command else e for e in record.entries)
        assert "command" in faults(verify(replace(record, entries=entries, state=None)))


def test_P4_a_command_id_used_twice_is_reported(service: Service) -> None:
    record = sit_down(service, deal=7).play(2).record()
    reused, last = record.entries[5].command, record.entries[-1].command
    assert reused != last
    entries = tuple(
        replace(e, command=record.entries[0].command) if e.command == last else e for e in record.entries
    )
    assert "command" in faults(verify(replace(record, entries=entries, state=None)))


def test_P24_time_that_runs_backwards_is_reported(service: Service) -> None:
    record = sit_down(service, deal=7).play().record()
    for place in range(1, len(record.entries)):
        earlier = replace(record.entries[place], at=record.entries[place - 1].at - 1)
        assert "time" in faults(verify(with_entry(record, place, earlier)))


def renumbered(record: Record, entries: list[Entry]) -> Record:
    numbered = tuple(replace(entry, version=version) for version, entry in enumerate(entries, 1))
    return replace(record, entries=numbered, state=None)


def test_P9_a_deleted_event_is_reported(service: Service) -> None:
    for record in subjects(service):
        for place in range(len(record.entries)):
            left = [*record.entries[:place], *record.entries[place + 1 :]]
            assert not verify(renumbered(record, left)).ok, place + 1
            assert not verify(replace(record, entries=tuple(left))).ok


def test_P9_swapped_events_are_reported(service: Service) -> None:
    for record in subjects(service):
        for place in range(len(record.entries) - 1):
            swapped = list(record.entries)
            swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
            assert not verify(renumbered(record, swapped)).ok, place + 1


def test_P9_a_repeated_event_is_reported(service: Service) -> None:
    for record in subjects(service):
        for place, entry in enumerate(record.entries):
            again = [*record.entries[: place + 1], replace(entry, id="0" * 32), *record.entries[place + 1 :]]
            assert not verify(renumbered(record, again)).ok, place + 1


def test_P9_removed_last_events_are_reported_by_the_claimed_state(service: Service) -> None:
    record = sit_down(service).play().record()
    for left in range(1, len(record.entries)):
        assert not verify(replace(record, entries=record.entries[:left])).ok


# --- chance ------------------------------------------------------------------------------------------------


def test_P10_a_shuffle_chosen_by_the_operator_is_reported(service: Service) -> None:
    """The deck is stacked and everything that follows is consistent with it: only the seed tells."""
    honest = sit_down(service).record()
    stacked = sit_down(service).play().record()
    fresh = iter(stacked.entries)
    created = next(fresh).event
    assert isinstance(created, MatchCreated)
    assert isinstance(honest.entries[0].event, MatchCreated)
    other = replace(created, commitment=honest.entries[0].event.commitment)
    report = verify(changed(stacked, 0, other))
    assert faults(report) == ["commitment"]

    deal = replace(created, commitment=None, deal=7)
    entries = [e for e in changed(stacked, 0, deal).entries if not isinstance(e.event, SeedRevealed)]
    report = verify(replace(stacked, entries=tuple(entries), state=None))
    assert faults(report) == ["draw"]
    assert report.findings[0].version == 4


def test_P10_a_seed_withheld_after_the_end_is_reported(service: Service) -> None:
    record = sit_down(service).play().record()
    assert isinstance(record.entries[-1].event, SeedRevealed)
    report = verify(replace(record, entries=record.entries[:-1], state=None))
    assert not report.ok
    assert not report.complete
    assert report.draws_pending == 1


def test_an_outcome_is_decided_again(service: Service) -> None:
    record = sit_down(service, deal=7).play().record()
    ended = record.entries[-1].event
    assert isinstance(ended, MatchEnded)
    better = replace(ended, outcome=replace(ended.outcome, result="won"))
    finding = verify(changed(record, len(record.entries) - 1, better)).findings[0]
    assert finding.version == len(record.entries)
    assert finding.expected["data"]["outcome"]["result"] == ended.outcome.result
    assert finding.actual["data"]["outcome"]["result"] == "won"


def test_P9_a_fork_unlike_its_origin_is_reported(service: Service) -> None:
    player = detoured(service).play()
    record = player.fork(5).play().record()
    assert record.origin is not None
    assert verify(record).ok
    other = sit_down(service).play().record()
    assert not verify(replace(record, origin=replace(other, match=record.origin.match))).ok
    assert not verify(replace(record, origin=other)).ok


def test_P9_a_fork_with_other_options_than_its_origin_is_reported(service: Service) -> None:
    player = detoured(service).play()
    record = player.fork(5).record()
    created = record.entries[0].event
    assert isinstance(created, MatchCreated)
    for field, other in {
        "options": {**created.options, "final_deal": True},
        "spectators": False,
        "idle_limit": 1,
    }.items():
        assert "fork" in faults(verify(changed(record, 0, replace(created, **{field: other}))))


def test_P9_a_running_match_that_was_forked_must_say_so(service: Service) -> None:
    player = detoured(service)
    forked_at = player.version
    record = player.fork(forked_at).record()
    origin = record.origin
    assert origin is not None
    mark = origin.entries[-1].event
    assert isinstance(mark, MatchForked)
    assert verify(record).ok
    silent = replace(origin, entries=origin.entries[:-1], state=None)
    assert "fork" in faults(verify(replace(record, origin=silent)))
    for other in (replace(mark, at_version=forked_at - 1), replace(mark, fork="m_x")):
        elsewhere = changed(origin, len(origin.entries) - 1, other)
        assert "fork" in faults(verify(replace(record, origin=elsewhere)))


@pytest.mark.parametrize(
    "event",
    [
        MatchRewound(to_version=5),
        MatchForked(fork="m_x", at_version=5),
        SeatTaken(seat=0, player="p_x", kind="person", token="0" * 64),
        MatchEnded(outcome=Outcome("won", 66)),
        SeedRevealed(seed="0" * 64),
    ],
)
def test_P9_nothing_may_follow_the_end(service: Service, event: Any) -> None:
    for record in (sit_down(service, deal=7).play().record(), sit_down(service).play().record()):
        last = record.entries[-1]
        added = replace(last, version=last.version + 1, id="0" * 32, command="c_late", event=event)
        report = verify(replace(record, entries=(*record.entries, added), state=None))
        assert "end" in faults(report)


def test_P6_the_state_digest_is_the_same_from_store_record_and_memory(service: Service) -> None:
    player = detoured(service).play()
    digests = {
        match_digest(player.history().match),
        match_digest(Ledger(service.store).history(player.match).match),
        verify(player.record()).digest,
        verify(stored(service.store, player.match)).digest,
    }
    assert len(digests) == 1
