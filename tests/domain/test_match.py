"""The match as one stream: seats, start, rewinds, undo, ends."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from domain import looking_back
from domain import match as kernel
from domain.adaman import ADAMAN
from domain.adaman.commands import ControlCard
from domain.chance import SealedChance, deal_seed
from domain.game import Event, IllegalCommand, Outcome
from domain.match import (
    CannotRewind,
    Match,
    MatchCreated,
    MatchEnded,
    MatchForked,
    MatchRewound,
    MatchStarted,
    Origin,
    RuleSet,
    SeatTaken,
    SeedRevealed,
)
from tests.domain.adaman.table import table as lay

SEED = bytes(range(32))


def created(deal: int | None = None, seats: int = 1, **changes: Any) -> MatchCreated:
    event = MatchCreated(
        game="adaman",
        rules=RuleSet("1", ADAMAN.content),
        options={},
        seats=seats,
        deal=deal,
        commitment=None if deal else "c0",
        spectators=True,
        idle_limit=60,
    )
    return msgspec.structs.replace(event, **changes)


def taken(seat: int = 0, entropy: str | None = None) -> SeatTaken:
    return SeatTaken(seat=seat, player=f"p{seat}", kind="person", token="t", entropy=entropy)


class Step(Struct, frozen=True):
    version: int
    command: str
    by: str
    event: Event


class Table:
    """A match that is played on: its stream with who asked for what, and its states."""

    def __init__(self, deal: int | None = None, **changes: Any) -> None:
        self.seed = deal_seed("adaman", deal) if deal else SEED
        self.steps: list[Step] = []
        self.states: list[Match] = []
        self.add("create", "seat:0", created(deal, **changes))

    @property
    def now(self) -> Match:
        return self.states[-1]

    @property
    def chance(self) -> SealedChance:
        return kernel.chance_of(self.now, self.seed)

    def recall(self, version: int) -> Match:
        return self.states[version - 1]

    def add(self, command: str, by: str, *events: Event) -> None:
        self.steps += [
            Step(len(self.steps) + offset, command, by, event) for offset, event in enumerate(events, start=1)
        ]
        kernel.extend(self.states, "m", events, ADAMAN)

    def sit(self, seat: int = 0, entropy: str | None = None) -> None:
        self.add("sit", f"seat:{seat}", *kernel.sit(self.now, taken(seat, entropy)))
        self.add("sit", f"seat:{seat}", *kernel.start(self.now, ADAMAN, self.chance))

    def play(self, command: object, name: str) -> None:
        self.add(name, "seat:0", *kernel.act(self.now, ADAMAN, command, 0, self.chance))

    def play_random(self, plays: int, seed: int = 1) -> None:
        rng = Random(seed)
        for _ in range(plays):
            legal = ADAMAN.rules.legal(self.now.state, 0)
            if legal:
                self.play(legal[rng.randrange(len(legal))], f"c{len(self.steps)}")

    def rewind(self, version: int, name: str = "rewind", *, undo: bool = False) -> None:
        to = self.recall(version)
        self.add(name, "seat:0", *kernel.rewind(ADAMAN, to, self.chance, undo=undo))

    def undo_target(self) -> Match:
        return looking_back.undo_target(self.now, ADAMAN, self.steps, 0, self.recall)


def running(plays: int = 0, deal: int | None = None) -> Table:
    table = Table(deal)
    table.sit()
    table.play_random(plays)
    return table


def until_the_deck_is_out() -> Table:
    """A match in which nothing more is turned up, and a legal command of it."""
    for seed in range(200):
        table = running(deal=7)
        while ADAMAN.rules.legal(table.now.state, 0):
            if not table.now.state.deck:
                return table
            table.play_random(1, seed)
    raise AssertionError("no match came so far")


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(IllegalCommand) as refusal:
        call()
    return refusal.value.rule


# --- seats and start ---------------------------------------------------------------------------------------


def test_a_match_is_open_until_its_seats_are_taken_and_then_starts() -> None:
    table = Table()
    assert (table.now.status, table.now.version) == ("open", 1)
    assert kernel.start(table.now, ADAMAN, table.chance) == ()
    assert kernel.to_act(table.now, ADAMAN) == ()
    table.sit()
    assert table.now.status == "running"
    assert isinstance(table.steps[2].event, MatchStarted)
    assert kernel.to_act(table.now, ADAMAN) == (0,)
    assert kernel.start(table.now, ADAMAN, table.chance) == ()


def test_a_match_waits_for_every_seat() -> None:
    table = Table(seats=2)
    table.sit(1)
    table.sit(0)
    assert [match.status for match in table.states[:4]] == ["open", "open", "open", "running"]
    assert [seat.number for seat in table.now.seats] == [1, 0]
    seat = table.now.seat(1)
    assert seat is not None
    assert seat.player == "p1"


@pytest.mark.parametrize("seat", [-1, 1, 5])
def test_a_seat_that_is_not_there_cannot_be_taken(seat: int) -> None:
    assert refused(lambda: kernel.sit(Table().now, taken(seat))) == "seat-not-free"


def test_a_seat_is_taken_once() -> None:
    table = Table(seats=2)
    table.sit(0)
    assert refused(lambda: kernel.sit(table.now, taken(0))) == "seat-not-free"
    assert refused(lambda: kernel.sit(running().now, taken(0))) == "seat-not-free"


def test_entropy_is_bounded_and_not_for_numbered_deals() -> None:
    assert refused(lambda: kernel.sit(Table(7).now, taken(0, "ab"))) == "entropy-on-a-deal"
    assert refused(lambda: kernel.sit(Table().now, taken(0, "ab" * 65))) == "entropy-too-long"
    assert kernel.sit(Table().now, taken(0, "ab" * 64))


def test_P10_a_seats_entropy_changes_the_shuffle() -> None:
    def shuffled(entropy: str | None) -> object:
        table = Table()
        table.sit(0, entropy)
        return table.steps[3].event

    assert shuffled("ab") != shuffled(None) != shuffled("cd")
    assert shuffled("ab") == shuffled("ab")


@pytest.mark.parametrize(("deal", "rule"), [(0, "deal-out-of-range"), (2**31 + 1, "deal-out-of-range")])
def test_deal_numbers_have_a_range(deal: int, rule: str) -> None:
    assert refused(lambda: kernel.check_deal(ADAMAN, deal)) == rule
    for good in (1, 2**31):
        kernel.check_deal(ADAMAN, good)
    without = msgspec.structs.replace(ADAMAN, numbered_deals=False)
    assert refused(lambda: kernel.check_deal(without, 1)) == "deal-not-offered"


def test_a_numbered_deal_is_the_same_for_everybody() -> None:
    assert running(deal=7).now.state == running(deal=7).now.state
    assert running(deal=7).now.state != running(deal=8).now.state


# --- replay ------------------------------------------------------------------------------------------------


def test_P6_replaying_the_stream_gives_every_state_again() -> None:
    table = running(5)
    table.rewind(6)
    table.play_random(3, seed=2)
    assert kernel.replay("m", [step.event for step in table.steps], ADAMAN) == table.states
    assert [state.version for state in table.states] == list(range(1, len(table.steps) + 1))


# --- rewinding ---------------------------------------------------------------------------------------------


def test_P7_a_rewind_to_any_version_takes_up_exactly_its_state_and_the_match_can_go_on() -> None:
    length = len(running(6).steps)
    for version in range(3, length + 1):
        table = running(6)
        before = list(table.states)
        table.add("rewind", "seat:0", MatchRewound(to_version=version))
        assert table.now.state == before[version - 1].state
        assert table.states[:-1] == before
        table.add("rewind", "system:rules", *ADAMAN.rules.advance(table.now.state, table.chance))
        over = ADAMAN.rules.outcome(table.now.state) is not None
        assert bool(kernel.to_act(table.now, ADAMAN)) is not over


def test_a_rewind_finishes_what_the_command_still_owed() -> None:
    table = running(1)
    middle = next(step.version for step in table.steps if step.event.type_name() == "card_controlled")
    settled = table.now.state
    table.rewind(middle)
    assert table.now.state == settled
    assert kernel.to_act(table.now, ADAMAN) == (0,)


def test_P10_a_rewind_to_before_the_shuffle_draws_anew_and_to_after_it_keeps_the_order() -> None:
    table = running(2)
    first = table.steps[3].event
    assert first.type_name() == "deck_shuffled"
    table.rewind(4)
    assert table.recall(4).state.deck == first.order  # type: ignore[attr-defined]
    assert table.now.state == table.recall(5).state
    assert table.now.draws == 1
    table.rewind(3)
    again = next(step.event for step in reversed(table.steps) if step.event.type_name() == "deck_shuffled")
    assert again.draw == 1  # type: ignore[attr-defined]
    assert again.order != first.order  # type: ignore[attr-defined]
    assert table.now.draws == 2
    table.rewind(3)
    assert table.now.draws == 3


def test_P10_a_rewind_alone_leaves_the_number_of_the_next_draw_where_it_is() -> None:
    table = running(1)
    for version in (1, 2, 3):
        table.add("rewind", "seat:0", MatchRewound(to_version=version))
        assert (table.recall(version).draws, table.now.draws) == (0, 1)
        assert kernel.chance_of(table.now, SEED).next_draw == 1
    shuffled = table.steps[3].event
    table.add("rewind", "seat:0", *kernel.rewind(ADAMAN, table.recall(3), kernel.chance_of(table.now, SEED)))
    assert table.now.draws == 2
    assert kernel.evolve(table.now, shuffled, ADAMAN, table.recall).draws == 2


def test_a_rewind_marks_the_match_and_an_undo_does_not() -> None:
    table = until_the_deck_is_out()
    assert table.now.ranked
    version = table.now.version
    table.rewind(version, undo=True)
    assert (table.now.rewound, table.now.ranked) == (False, True)
    table.rewind(version)
    assert (table.now.rewound, table.now.ranked) == (True, False)
    table.rewind(version, undo=True)
    assert table.now.rewound


def test_a_fork_marks_its_origin_and_a_fork_is_never_ranked() -> None:
    table = running(1)
    table.add("fork", "seat:0", MatchForked(fork="n", at_version=5))
    assert not table.now.ranked
    assert not Table(origin=Origin("m", 5)).now.ranked


# --- the line that counts ----------------------------------------------------------------------------------


def test_the_line_leaves_out_rewound_branches_and_life_cycle_events() -> None:
    table = running(3, deal=1)
    game_steps = [step.version for step in table.steps if step.version > 3]
    assert [step.version for step in looking_back.line(table.steps, table.now.version)] == game_steps
    back = table.steps[6].version
    table.rewind(back, "first rewind")
    table.play_random(1, seed=9)
    rewound_at = len(game_steps) + 4
    line = [step.version for step in looking_back.line(table.steps, table.now.version)]
    assert line == [*range(4, back + 1), *range(rewound_at + 1, table.now.version + 1)]
    state = ADAMAN.rules.initial(ADAMAN.options(), 1)
    for step in looking_back.line(table.steps, table.now.version):
        state = ADAMAN.rules.evolve(state, step.event)
    assert state == table.now.state


def test_the_line_follows_rewinds_of_rewinds() -> None:
    table = running(2, deal=1)
    full = table.now.version
    table.rewind(5, "away")
    table.rewind(full, "back again")
    assert [step.version for step in looking_back.line(table.steps, table.now.version)] == list(
        range(4, full + 1)
    )


# --- P16: undo ---------------------------------------------------------------------------------------------


def test_P16_what_turned_nothing_up_can_be_undone() -> None:
    table = until_the_deck_is_out()
    before = table.now
    table.play(ADAMAN.rules.legal(before.state, 0)[0], "quiet")
    if not kernel.to_act(table.now, ADAMAN):
        pytest.fail("the chosen play must not end the match")
    assert table.undo_target() == before
    table.rewind(before.version, "undo", undo=True)
    assert table.now.state == before.state
    assert not table.now.rewound


def test_P16_a_command_that_dealt_cards_cannot_be_undone() -> None:
    table = running(1)
    assert table.steps[-1].event.REVEALS
    assert refused(table.undo_target) == "undo-reveals"


def test_P16_the_set_up_cannot_be_undone() -> None:
    table = running()
    assert refused(table.undo_target) in ("undo-reveals", "nothing-to-undo")
    assert refused(Table().undo_target) == "nothing-to-undo"


def test_P16_another_seats_or_the_systems_action_cannot_be_undone() -> None:
    table = until_the_deck_is_out()
    events = kernel.act(table.now, ADAMAN, ADAMAN.rules.legal(table.now.state, 0)[0], 0, table.chance)
    table.add("theirs", "seat:1", *events)
    assert refused(table.undo_target) == "undo-others"
    other = until_the_deck_is_out()
    other.add("timer", "system:clock", *events)
    assert refused(other.undo_target) == "nothing-to-undo"


def test_P16_nothing_is_undone_across_a_change_of_the_seats_to_act(monkeypatch: pytest.MonkeyPatch) -> None:
    table = until_the_deck_is_out()
    table.play(ADAMAN.rules.legal(table.now.state, 0)[0], "quiet")
    now = table.now.state
    monkeypatch.setattr("domain.adaman.rules.to_act", lambda state: (1,) if state == now else (0,))
    with pytest.raises(CannotRewind) as refusal:
        table.undo_target()
    assert refusal.value.rule == "undo-turn"


def test_P16_a_card_turned_up_anywhere_in_a_command_forbids_its_undo() -> None:
    """The last event, the Excuse discarded for want of a choice (AD-9), turns nothing up by itself."""
    table = running()
    every_resource = "pact mountain forest battle ace-of-knots"
    state = lay(capital="author savage sea end cave", resources=every_resource, deck="excuse")
    table.states[-1] = msgspec.structs.replace(table.now, state=state)
    table.play(ControlCard("author", tuple(every_resource.split())), "excuse")
    last = [step.event for step in table.steps if step.command == "excuse"]
    assert [event.type_name() for event in last] == ["card_controlled", "cards_dealt", "excuse_discarded"]
    assert not last[-1].REVEALS
    assert refused(table.undo_target) == "undo-reveals"


def test_P16_quiet_actions_are_undone_one_after_the_other_whatever_stands_between() -> None:
    table = running()
    state = lay(capital="author savage bard ace-of-moons", resources="pact battle origin mountain")
    table.states[-1] = msgspec.structs.replace(table.now, state=state)
    versions = []
    for command in (ControlCard("author", ("pact",)), ControlCard("savage", ("origin", "battle"))):
        versions.append(table.now)
        table.play(command, command.target)
        table.add("fork", "seat:0", MatchForked(fork="n", at_version=5))
    for before in reversed(versions):
        target = table.undo_target()
        assert target.state == before.state
        # a fork between two actions changes no table, so the version before the action is as good
        table.rewind(target.version, "undo", undo=True)
        assert table.now.state == before.state


def test_P16_an_undone_action_is_not_undone_twice() -> None:
    table = until_the_deck_is_out()
    before = table.now
    table.play(ADAMAN.rules.legal(before.state, 0)[0], "quiet")
    table.rewind(before.version, "undo", undo=True)
    assert refused(table.undo_target) == "undo-reveals"  # what is left is the play before, which dealt cards


# --- the end -----------------------------------------------------------------------------------------------


def test_a_sealed_match_reveals_its_seed_at_the_end_and_a_numbered_deal_has_nothing_to_reveal() -> None:
    sealed, numbered = running(60), running(60, deal=7)
    ended, revealed = kernel.close(sealed.now, ADAMAN, SEED)
    assert isinstance(ended, MatchEnded)
    assert ended.outcome == ADAMAN.rules.outcome(sealed.now.state)
    assert revealed == SeedRevealed(seed=SEED.hex())
    assert [type(event) for event in kernel.close(numbered.now, ADAMAN, SEED)] == [MatchEnded]
    sealed.add("end", "system:rules", ended, revealed)
    assert (sealed.now.status, sealed.now.outcome) == ("ended", ended.outcome)
    assert kernel.close(sealed.now, ADAMAN, SEED) == ()
    assert kernel.to_act(sealed.now, ADAMAN) == ()


def test_a_match_that_goes_on_is_not_closed_unless_forced() -> None:
    table = running(1)
    assert kernel.close(table.now, ADAMAN, SEED) == ()
    forced = ADAMAN.rules.forfeit(table.now.state, 0, "resigned")
    assert kernel.close(table.now, ADAMAN, SEED, forced)[0] == MatchEnded(outcome=forced)
    assert isinstance(forced, Outcome)


def test_an_illegal_command_leads_to_no_event() -> None:
    table = running()
    assert refused(lambda: table.play(ControlCard("dragon", ()), "c")) == "unknown-card"
    assert table.now.version == len(table.steps) == 5
