"""Adamantine in the kernel: a match by defaults alone, resignation, rewinding to any version, forbidden seats."""

from random import Random
from typing import Any

import msgspec
import pytest

import domain.match as kernel
from domain.adamantine import ADAMANTINE
from domain.adamantine.options import AdamantineOptions
from domain.chance import SealedChance
from domain.game import IllegalCommand, all_public, fields_of
from domain.match import Match, MatchCreated, RuleSet, SeatTaken

SEED = bytes(range(32))


def opened(options: AdamantineOptions) -> list[Match]:
    """The match after each event, until somebody has to decide."""
    created = MatchCreated(
        game="adamantine",
        rules=RuleSet(ADAMANTINE.rules_version, ADAMANTINE.content),
        options=msgspec.json.decode(msgspec.json.encode(options)),
        seats=2,
        deal=None,
        commitment="",
        spectators=True,
        idle_limit=1,
    )
    states = [kernel.begin("m", created, ADAMANTINE)]
    for seat in (0, 1):
        extend(
            states, kernel.sit(states[-1], SeatTaken(seat=seat, player=f"p{seat}", kind="person", token=""))
        )
    extend(states, kernel.start(states[-1], ADAMANTINE, SealedChance(SEED)))
    return states


def extend(states: list[Match], events: tuple[Any, ...]) -> None:
    kernel.extend(states, "m", events, ADAMANTINE)


@pytest.mark.parametrize("bring", [False, True])
def test_the_system_carries_a_match_to_its_end_by_defaults_alone(bring: bool) -> None:
    states = opened(AdamantineOptions(bring_decks=bring))
    while not kernel.close(states[-1], ADAMANTINE, SEED):
        match = states[-1]
        (seat,) = kernel.to_act(match, ADAMANTINE)
        command = kernel.default(match, ADAMANTINE, seat)
        extend(states, kernel.act_by_system(match, ADAMANTINE, command, kernel.chance_of(match, SEED)))
    extend(states, kernel.close(states[-1], ADAMANTINE, SEED))
    assert states[-1].outcome.reason == "no_cards_at_night"
    assert states[-1].outcome.winner != states[-1].state.first  # who starts runs out first


def test_a_match_can_be_rewound_to_any_version_and_goes_on() -> None:
    rng = Random(5)
    states = opened(AdamantineOptions(turn_limit=5))
    while not kernel.close(states[-1], ADAMANTINE, SEED):
        match = states[-1]
        (seat,) = kernel.to_act(match, ADAMANTINE)
        command = rng.choice(ADAMANTINE.rules.legal(match.state, seat))
        extend(states, kernel.act(match, ADAMANTINE, command, seat, kernel.chance_of(match, SEED)))
    last = len(states)
    for version in range(4, last + 1):
        if ADAMANTINE.rules.outcome(states[version - 1].state):
            continue
        again = list(states)
        target = again[version - 1]
        extend(again, kernel.rewind(ADAMANTINE, target, kernel.chance_of(again[-1], SEED)))
        match = again[-1]
        assert kernel.to_act(match, ADAMANTINE) or ADAMANTINE.rules.outcome(match.state)
        if kernel.to_act(target, ADAMANTINE):
            assert match.state == target.state  # where a decision was awaited nothing is added
        assert match.draws >= states[-1].draws


def test_a_resignation_ends_the_match() -> None:
    match = opened(AdamantineOptions())[-1]
    events, outcome = kernel.resign(match, ADAMANTINE, 1, kernel.chance_of(match, SEED))
    assert outcome is None
    states = [match]
    extend(states, events)
    ended = kernel.close(states[-1], ADAMANTINE, SEED)[0].outcome
    assert (ended.winner, ended.reason, ended.scores) == (0, "resigned", (1, 0))
    with pytest.raises(IllegalCommand, match="not-in-the-match"):
        kernel.resign(states[-1], ADAMANTINE, 0, kernel.chance_of(states[-1], SEED))


def test_nobody_decides_for_the_other_seat() -> None:
    match = opened(AdamantineOptions(first_seat=0))[-1]
    command = ADAMANTINE.rules.legal(match.state, 0)[0]
    with pytest.raises(IllegalCommand, match="not-your-decision"):
        kernel.act(match, ADAMANTINE, command, 1, kernel.chance_of(match, SEED))
    assert kernel.due(match, ADAMANTINE) is None


def test_P11_every_field_has_a_policy_and_a_description() -> None:
    waiting: list[Any] = [*ADAMANTINE.events, *ADAMANTINE.commands, ADAMANTINE.options, ADAMANTINE.state]
    checked = set()
    while waiting:
        kind = waiting.pop()
        if kind in checked:
            continue
        checked.add(kind)
        for field in fields_of(kind):
            assert field.seen_by is not None, f"{kind.__name__}.{field.name}"
            assert field.description, f"{kind.__name__}.{field.name}"
            waiting += structs_in(field.type)
    assert len(checked) > len(ADAMANTINE.events) + len(ADAMANTINE.commands) + 5
    assert not all_public(ADAMANTINE.state)


def structs_in(kind: Any) -> list[Any]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return [kind]
    return [struct for part in getattr(kind, "__args__", ()) for struct in structs_in(part)]


def test_P16_events_that_carry_chance_say_that_they_reveal_and_topics_name_the_game() -> None:
    for kind in ADAMANTINE.events:
        assert kind.TOPIC.split(".")[0] == "adamantine"
        if "draw" in kind.__struct_fields__:
            assert kind.REVEALS, kind.__name__
    assert len({kind.TOPIC for kind in ADAMANTINE.events}) == len(ADAMANTINE.events)
