"""Rewinds by consent and forks with open seats, from the services down to either database."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from domain.game import IllegalCommand
from domain.match import CannotRewind, MatchRewound, RewindAgreed, RewindProposed, RewindRefused, SeatRefused
from services.audit import verify
from services.errors import (
    BadToken,
    IdempotencyKeyReuse,
    MatchNotStarted,
    MatchOver,
    ProposalNotFound,
    ProposalOver,
    ServiceError,
    VersionConflict,
    VersionNotFound,
)
from services.wishes import CreateMatch, Order, Sit
from tests.house import House, token_of
from tests.services.rounds import Round, play_together, tokens_of


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each call gives, or the error it ends with; all begin together."""
    ready = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        ready.wait()
        try:
            results[place] = call()
        except (ServiceError, IllegalCommand) as error:
            results[place] = error

    threads = [threading.Thread(target=run, args=one) for one in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def sound(table: Round) -> None:
    """One gapless history without a fault."""
    entries = table.service.store.read(table.match)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    report = verify(table.record())
    assert report.ok, report.findings


# --- consent -----------------------------------------------------------------------------------------------


def test_a_rewind_is_proposed_agreed_to_and_carried_out(house: House) -> None:
    table = play_together(house.service, 3).play(6)
    played, target = table.version, table.version - 4
    before = table.view(0, at=target)
    number = table.propose(1, target)
    assert number == played + 1
    assert table.view()["proposal"] == {"version": number, "seat": 1, "to_version": target, "agreed": []}
    assert table.view()["state"] == table.view(at=played)["state"]
    first = table.agree(0, number)
    assert [event["type"] for event in first.events] == ["rewind_agreed"]
    assert table.view()["proposal"]["agreed"] == [0]
    last = table.agree(2, number)
    assert [event["type"] for event in last.events][:2] == ["rewind_agreed", "rewound"]
    after = table.view(0)
    assert (after["state"], after["to_act"]) == (before["state"], before["to_act"])
    assert (after["proposal"], after["rewound"], after["ranked"]) == (None, True, False)
    assert table.view(at=number)["proposal"]["seat"] == 1
    assert table.play(3).version > last.version
    sound(table)


def test_a_refusal_and_a_withdrawal_leave_everything_as_it_is(house: House) -> None:
    table = play_together(house.service, 3).play(4)
    state = table.view()["state"]
    for seat in (0, 1):  # another's, and its own
        number = table.propose(1, 6)
        answer = table.refuse(seat, number)
        assert [event["type"] for event in answer.events] == ["rewind_refused"]
        assert (table.view()["state"], table.view()["proposal"]) == (state, None)
        with pytest.raises(ProposalOver):
            table.agree(2, number)
    assert not table.view()["rewound"]
    sound(table)


def test_a_proposal_lapses_when_play_goes_on_and_cannot_be_answered_then(house: House) -> None:
    table = play_together(house.service, 2).play(4)
    number = table.propose(0, 5)
    table.play(1)
    assert table.view()["proposal"] is None
    for agree in (True, False):
        with pytest.raises(ProposalOver):
            table.answer(1, number, agree)
    with pytest.raises(ProposalNotFound):
        table.agree(1, number - 1)
    with pytest.raises(ProposalNotFound):
        table.agree(1, 10_000)
    assert table.propose(1, number)
    sound(table)


def test_what_cannot_be_proposed_or_agreed_to(house: House) -> None:
    table = play_together(house.service, 3).play(4)
    with pytest.raises(CannotRewind, match="rewind-to-now"):
        table.propose(0, table.version)
    with pytest.raises(VersionNotFound):
        table.propose(0, 10_000)
    number = table.propose(0, 5)
    for seat in (0, 1):
        with pytest.raises(CannotRewind, match="proposal-open"):
            table.propose(seat, 6)
    with pytest.raises(CannotRewind, match="own-proposal"):
        table.agree(0, number)
    table.agree(1, number)
    with pytest.raises(CannotRewind, match="agreed-already"):
        table.agree(1, number)
    with pytest.raises(BadToken):
        house.service.matches.consent(table.match, "lt_seat_none", number, True, Order())


def test_only_a_running_match_is_rewound(house: House) -> None:
    matches = house.service.matches
    made = house.service.opening.create(CreateMatch("adellos", sit=Sit("ann")), Order())
    with pytest.raises(MatchNotStarted):
        matches.rewind(made.id, token_of(made), 1, Order())
    with pytest.raises(MatchNotStarted):
        matches.consent(made.id, token_of(made), 1, True, Order())
    table = play_together(house.service, 2).play(4)
    number = table.propose(0, 5)
    table.resign(1)
    for late in (lambda: table.propose(0, 5), lambda: table.agree(1, number)):
        with pytest.raises(MatchOver):
            late()


def test_a_single_seat_rewinds_at_once_and_has_no_proposals(house: House) -> None:
    opened = house.open(deal=1)
    house.play(opened, 1)
    answer = house.service.matches.rewind(opened.id, token_of(opened), opened.version, Order())
    assert answer.events[0]["type"] == "rewound"
    with pytest.raises(ProposalNotFound):
        house.service.matches.consent(opened.id, token_of(opened), answer.version, True, Order())


def test_P4_a_repeated_proposal_or_answer_takes_effect_once_and_answers_the_same(house: House) -> None:
    table = play_together(house.service, 3).play(4)
    matches, tokens = house.service.matches, table.tokens
    asked = matches.rewind(table.match, tokens[0], 6, Order("ask"))
    first, last = table.agree(1, asked.version, Order("a1")), table.agree(2, asked.version, Order("a2"))
    table.play(1)
    head = house.service.store.head()
    assert matches.rewind(table.match, tokens[0], 6, Order("ask")) == asked
    assert table.agree(1, asked.version, Order("a1")) == first
    assert table.agree(2, asked.version, Order("a2")) == last
    assert house.service.store.head() == head
    for seat, agree, key in ((1, False, "a1"), (2, True, "a1"), (1, True, "ask")):
        with pytest.raises(IdempotencyKeyReuse):
            table.answer(seat, asked.version, agree, Order(key))


def test_P4_a_refused_answer_is_not_remembered(house: House) -> None:
    table = play_together(house.service, 2).play(4)
    number = table.propose(0, 6)
    with pytest.raises(VersionConflict):
        table.agree(1, number, Order("a", number - 1))
    assert table.agree(1, number, Order("a", number)).version > number


def test_a_rewind_to_the_end_of_a_turn_goes_on_with_the_next_one(house: House) -> None:
    table = play_together(house.service, 2, seed=3)
    end = table.play_until("turn_ended")
    assert table.view()["to_act"] == []
    number = table.propose(0, end - 1)  # while the system is awaited
    table.settle()
    with pytest.raises(ProposalOver):
        table.agree(1, number)
    table.play(2).rewind(end)
    assert table.told()[-1] != "turn_ended"
    assert "counters_ticked" in table.told()[-4:]
    assert len(table.view()["to_act"]) == 1
    assert not house.service.effects.settle(table.match)
    table.play(4)
    sound(table)


# --- at once -----------------------------------------------------------------------------------------------


def test_P3_seats_that_agree_at_once_carry_it_out_once(house: House) -> None:
    for _ in range(4):
        table = play_together(house.service, 4).play(4)
        number = table.propose(0, 8)
        answers = at_once(*(partial(table.agree, seat, number) for seat in (1, 2, 3)))
        assert not [answer for answer in answers if isinstance(answer, Exception)]
        told = table.told()
        assert (told.count("rewind_agreed"), told.count("rewound")) == (3, 1)
        sound(table)


def test_P3_agreeing_while_play_goes_on_leads_to_the_one_or_the_other(house: House) -> None:
    for round_ in range(6):
        table = play_together(house.service, 2, seed=round_).play(4)
        number = table.propose(0, 6)
        mover = table.view()["to_act"][0]
        command = table.choose(mover)
        agreed, moved = at_once(
            partial(table.agree, 1, number), partial(table.act, mover, command, Order(None, number))
        )
        if isinstance(agreed, Exception):
            assert isinstance(agreed, ProposalOver)
            assert not isinstance(moved, Exception)
            assert "rewound" not in table.told()
        else:
            assert isinstance(moved, VersionConflict)
            assert table.told().count("rewound") == 1
        sound(table)


def test_P3_of_agreeing_and_refusing_at_once_the_first_counts(house: House) -> None:
    for _ in range(4):
        table = play_together(house.service, 2).play(4)
        number = table.propose(0, 6)
        agreed, refused = at_once(partial(table.agree, 1, number), partial(table.refuse, 0, number))
        assert isinstance(agreed, ProposalOver) != isinstance(refused, ProposalOver)
        events = [entry.event for entry in house.service.store.read(table.match)[number - 1 :]]
        assert isinstance(events[0], RewindProposed)
        assert isinstance(events[1], RewindRefused | RewindAgreed)
        assert any(isinstance(event, MatchRewound) for event in events) == isinstance(refused, ProposalOver)
        sound(table)


def test_P3_of_proposals_made_at_once_one_stands(house: House) -> None:
    table = play_together(house.service, 3).play(4)
    results = at_once(*(partial(table.propose, seat, 6) for seat in range(3)))
    assert sorted(type(one).__name__ for one in results) == ["CannotRewind", "CannotRewind", "int"]
    assert table.told().count("rewind_proposed") == 1


# --- forks with open seats ---------------------------------------------------------------------------------


def ended(house: House, seats: int = 3) -> Round:
    table = play_together(house.service, seats, options={"turn_limit": 4}).play()
    assert table.now.status == "ended"
    return table


def test_a_fork_keeps_the_makers_seat_waits_for_the_others_and_goes_on_from_there(house: House) -> None:
    table = ended(house)
    version = next(v for v in range(table.version - 8, 0, -1) if table.view(at=v)["to_act"])
    fork = table.fork(version, 1)
    view = fork.view()
    assert (view["status"], list(fork.tokens)) == ("open", [1])
    assert [seat["kind"] for seat in view["seats"]] == ["open", "person", "open"]
    assert view["seats"][1]["player"] == table.view()["seats"][1]["player"]
    assert view["origin"] == {"match": table.match, "version": version}
    with pytest.raises(SeatRefused, match="seat-not-free"):
        fork.join(Sit("bob", seat=1))
    assert fork.join(Sit("bob")).seat.number == 0  # the first free one
    fork.sit(2)
    assert (fork.view()["status"], fork.view()["ranked"]) == ("running", False)
    for seat in range(3):  # hands and deck are as they were
        assert fork.view(seat)["state"] == table.view(seat, at=version)["state"]
    assert fork.now.state.deck == table.history.at(version).state.deck
    fork.play()
    assert fork.now.status == "ended"
    sound(fork)


def test_a_fork_from_the_end_of_a_turn_starts_with_the_next_one(house: House) -> None:
    table = ended(house, 2)
    end = next(entry.version for entry in table.history.entries if entry.event.type_name() == "turn_ended")
    fork = table.fork(end, 0)
    assert not house.service.effects.settle(fork.match)  # nothing is due before it starts
    fork.sit(1)
    assert "counters_ticked" in fork.told()[-4:]
    assert len(fork.view()["to_act"]) == 1
    fork.play()
    sound(fork)


def test_a_forks_maker_may_take_another_seat_or_none(house: House) -> None:
    table = ended(house, 2)
    assert list(table.fork(9, 1, Sit("ann", seat=0)).tokens) == [0]
    assert list(table.fork(9, 1, Sit("ann")).tokens) == [1]
    assert list(table.fork(9, None, Sit("eve")).tokens) == [0]
    assert list(table.fork(9, None, Sit("eve", seat=1)).tokens) == [1]
    nobody = table.fork(9)
    assert (nobody.tokens, nobody.view()["status"]) == ({}, "open")
    with pytest.raises(SeatRefused, match="seat-not-free"):
        table.fork(9, None, Sit("eve", seat=2))
    nobody.sit(1, 0).play()
    sound(nobody)


def test_a_running_match_of_several_seats_is_not_forked(house: House) -> None:
    table = play_together(house.service, 2).play(4)
    for seat in (0, None):
        with pytest.raises(IllegalCommand, match="fork-running"):
            table.fork(5, seat)


def test_P4_a_forks_key_answers_only_the_caller_who_used_it(house: House) -> None:
    table = ended(house, 2)
    sit = Sit("ann", seat=0)
    first = house.service.opening.fork(table.match, 9, table.tokens[1], sit, Order("k"))
    assert house.service.opening.fork(table.match, 9, table.tokens[1], sit, Order("k")) == first
    for token in (table.tokens[0], None):
        with pytest.raises(IdempotencyKeyReuse):
            house.service.opening.fork(table.match, 9, token, sit, Order("k"))
    assert tokens_of(first)
