"""Rewinding by consent, and what is finished where a rewind or a fork leads to, in the kernel."""

from random import Random

import msgspec
import pytest

from domain import consent
from domain import match as kernel
from domain.adellos import ADELLOS
from domain.adellos.options import AdellosOptions
from domain.chance import SealedChance
from domain.game import SPECTATOR, Event, Outcome, at_seat
from domain.match import (
    Match,
    MatchCreated,
    MatchEnded,
    MatchForked,
    MatchRewound,
    MatchStarted,
    Proposal,
    RewindAgreed,
    RewindProposed,
    RewindRefused,
    RuleSet,
    SeatTaken,
)
from tests.domain.test_match import refused

SEED = bytes(range(32))


class Table:
    """A match of Adellos, its states and the events that made them."""

    def __init__(self, seats: int = 3, seed: int = 1) -> None:
        self.rng = Random(seed)
        self.events: list[Event] = []
        self.states: list[Match] = []
        self.add(
            MatchCreated(
                game="adellos",
                rules=RuleSet("1", ADELLOS.content),
                options=msgspec.to_builtins(AdellosOptions(turn_limit=50)),
                seats=seats,
                deal=None,
                commitment="c0",
                spectators=True,
                idle_limit=60,
            )
        )
        for seat in range(seats):
            self.add(SeatTaken(seat=seat, player=f"p{seat}", kind="bot" if seat else "person", token="t"))
        self.add(*kernel.start(self.now, ADELLOS, self.chance))

    @property
    def now(self) -> Match:
        return self.states[-1]

    @property
    def chance(self) -> SealedChance:
        return kernel.chance_of(self.now, SEED)

    def add(self, *events: Event) -> None:
        self.events += events
        kernel.extend(self.states, "m", events, ADELLOS)

    def tick(self) -> None:
        due = kernel.due(self.now, ADELLOS)
        if due is not None:
            self.add(*kernel.act_by_system(self.now, ADELLOS, due, self.chance))

    def play(self, times: int = 1) -> "Table":
        for _ in range(times):
            self.tick()
            (seat,) = kernel.to_act(self.now, ADELLOS)
            command = self.rng.choice(ADELLOS.rules.legal(self.now.state, seat))
            self.add(*kernel.act(self.now, ADELLOS, command, seat, self.chance))
        return self

    def play_until(self, kind: str) -> int:
        while self.events[-1].type_name() != kind:
            self.play()
        return self.now.version

    def propose(self, seat: int, to: int) -> int:
        self.add(*consent.propose(self.now, seat, self.states[to - 1]))
        return self.now.version

    def agree(self, seat: int, number: int) -> tuple[Event, ...]:
        proposal = consent.open_proposal(self.now, number)
        to = self.states[proposal.to_version - 1]
        events = consent.agree(self.now, ADELLOS, seat, number, to, self.chance)
        self.add(*events)
        return events

    def refuse(self, seat: int, number: int) -> None:
        self.add(*consent.refuse(self.now, seat, number))


# --- proposing and answering -------------------------------------------------------------------------------


def test_the_last_of_the_other_seats_to_agree_carries_a_proposal_out() -> None:
    table = Table().play(6)
    before = table.states[7]
    number = table.propose(1, 8)
    assert table.now.proposal == Proposal(number, 1, 8)
    assert table.now.state == table.states[number - 2].state
    assert table.agree(2, number) == (RewindAgreed(seat=2, proposal=number),)
    assert table.now.proposal == Proposal(number, 1, 8, (2,))
    agreed, rewound, *_ = table.agree(0, number)
    assert (agreed, rewound) == (RewindAgreed(seat=0, proposal=number), MatchRewound(to_version=8))
    assert table.now.state == before.state
    assert table.now.proposal is None
    assert (table.now.rewound, table.now.ranked) == (True, False)


def test_two_seats_need_one_word() -> None:
    table = Table(seats=2).play(4)
    number = table.propose(0, 6)
    assert isinstance(table.agree(1, number)[1], MatchRewound)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_any_seat_ends_a_proposal_by_refusing_also_its_own(seat: int) -> None:
    table = Table().play(4)
    number = table.propose(1, 6)
    table.agree(2, number)
    before = table.now.state
    table.refuse(seat, number)
    assert (table.now.proposal, table.now.state, table.now.ranked) == (None, before, True)
    assert refused(lambda: consent.refuse(table.now, 0, number)) == "proposal-over"
    assert table.propose(0, 6) == table.now.version


def test_a_proposal_lapses_when_play_goes_on() -> None:
    table = Table().play(4)
    number = table.propose(1, 6)
    table.play()
    assert table.now.proposal is None
    assert refused(lambda: table.agree(0, number)) == "proposal-over"
    assert refused(lambda: table.refuse(0, number)) == "proposal-over"


def test_a_proposal_lapses_when_the_system_goes_on() -> None:
    table = Table()
    table.play_until("turn_ended")
    table.propose(1, 6)
    table.tick()
    assert table.now.proposal is None


def test_a_proposal_ends_with_an_undo_and_with_the_match() -> None:
    for event in (
        MatchRewound(to_version=7, undo=True),
        MatchRewound(to_version=7),
        MatchEnded(outcome=Outcome("abandoned")),
    ):
        table = Table().play(4)
        table.propose(1, 6)
        table.add(event)
        assert table.now.proposal is None


def test_the_mark_of_a_fork_leaves_a_proposal_open() -> None:
    table = Table().play(4)
    number = table.propose(1, 6)
    table.add(MatchForked(fork="n", at_version=5))
    assert table.now.proposal == Proposal(number, 1, 6)


def test_only_one_proposal_is_open_at_a_time_whoever_made_it() -> None:
    table = Table().play(4)
    table.propose(1, 6)
    for seat in (0, 1, 2):
        assert refused(lambda seat=seat: table.propose(seat, 7)) == "proposal-open"  # type: ignore[misc]


def test_a_seat_agrees_once_and_not_to_its_own_proposal() -> None:
    table = Table().play(4)
    number = table.propose(1, 6)
    table.agree(2, number)
    assert refused(lambda: table.agree(2, number)) == "agreed-already"
    assert refused(lambda: table.agree(1, number)) == "own-proposal"
    assert refused(lambda: table.agree(0, number - 1)) == "proposal-over"


def test_a_rewind_to_where_the_match_is_can_t_be_proposed() -> None:
    table = Table().play(2)
    assert refused(lambda: table.propose(0, table.now.version)) == "rewind-to-now"


def test_seats_that_have_left_the_match_have_a_word_too() -> None:
    table = Table().play(8)
    events, outcome = kernel.resign(table.now, ADELLOS, 2, table.chance)
    assert outcome is None
    table.add(*events)
    number = table.propose(0, 6)
    assert len(table.agree(1, number)) == 1
    assert isinstance(table.agree(2, number)[1], MatchRewound)
    assert table.now.state.players[2].alive


def test_P11_what_is_proposed_and_answered_is_the_same_for_everybody() -> None:
    for event in (
        RewindProposed(seat=0, to_version=3),
        RewindAgreed(seat=1, proposal=9),
        RewindRefused(seat=1, proposal=9),
    ):
        whole = msgspec.to_builtins(event)
        assert all(kernel.redact(event, viewer, ADELLOS) == whole for viewer in (SPECTATOR, at_seat(0)))


# --- what is finished there --------------------------------------------------------------------------------


def test_a_rewind_to_the_end_of_a_turn_does_what_the_system_had_to_do() -> None:
    table = Table(seats=2)
    end = table.play_until("turn_ended")
    table.tick()
    ticked = table.now.state
    table.play(3)
    events = kernel.rewind(ADELLOS, table.states[end - 1], table.chance)
    assert [event.type_name() for event in events[:3]] == ["rewound", "counters_ticked", "turn_started"]
    table.add(*events)
    assert table.now.state == ticked
    assert kernel.due(table.now, ADELLOS) is None


def test_a_match_that_starts_at_the_end_of_a_turn_does_what_the_system_had_to_do() -> None:
    table = Table(seats=2)
    end = table.play_until("turn_ended")
    open_there = msgspec.structs.replace(table.now, status="open", version=end)
    events = kernel.start(open_there, ADELLOS, table.chance)
    assert isinstance(events[0], MatchStarted)
    assert events[1].type_name() == "counters_ticked"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_wherever_a_rewind_leads_a_seat_can_go_on(seats: int) -> None:
    length = Table(seats).play(60).now.version
    for version in range(1, length + 1):
        table = Table(seats).play(60)
        drawn = table.now.draws
        table.add(*kernel.rewind(ADELLOS, table.states[version - 1], table.chance))
        mark = table.states[length]
        assert mark.state == table.states[version - 1].state
        assert kernel.to_act(table.now, ADELLOS)
        assert kernel.due(table.now, ADELLOS) is None
        if kernel.to_act(table.states[version - 1], ADELLOS) and version > seats + 1:
            assert table.now.version == mark.version  # a decision was awaited there, so nothing was owed
        assert table.now.draws >= drawn
        table.play()
