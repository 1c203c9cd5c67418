"""A match of several seats in the kernel: system commands, defaults, resignation."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

import domain.match as kernel
from domain.adaman import ADAMAN
from domain.adellos import ADELLOS
from domain.adellos.commands import TickTimeCounters
from domain.adellos.options import AdellosOptions
from domain.chance import SealedChance
from domain.game import Game, IllegalCommand
from domain.match import Match, MatchCreated, RuleSet, SeatTaken

SEED = bytes(32)


def opened(game: Game, seats: int, options: Any) -> Match:
    created = MatchCreated(
        game=game.name,
        rules=RuleSet(game.rules_version, game.content),
        options=msgspec.json.decode(msgspec.json.encode(options)),
        seats=seats,
        deal=None,
        commitment="",
        spectators=True,
        idle_limit=1,
    )
    match = kernel.begin("m", created, game)
    for seat in range(seats):
        taken = SeatTaken(seat=seat, player=f"p{seat}", kind="person", token="")
        match = fold(match, kernel.sit(match, taken), game)
    return fold(match, kernel.start(match, game, SealedChance(SEED)), game)


def recall(match: Match) -> Callable[[int], Match]:
    return lambda version: match


def fold(match: Match, events: tuple[Any, ...], game: Game) -> Match:
    for event in events:
        match = kernel.evolve(match, event, game, recall(match))
    return match


def test_the_system_carries_a_match_on_by_defaults_alone() -> None:
    match = opened(ADELLOS, 3, AdellosOptions(turn_limit=6))
    ticks = 0
    while not kernel.close(match, ADELLOS, SEED):
        if (command := kernel.due(match, ADELLOS)) is not None:
            assert kernel.to_act(match, ADELLOS) == ()
            ticks += 1
        else:
            (seat,) = kernel.to_act(match, ADELLOS)
            command = kernel.default(match, ADELLOS, seat)
        events = kernel.act_by_system(match, ADELLOS, command, kernel.chance_of(match, SEED))
        match = fold(match, events, ADELLOS)
    assert ticks == 6
    match = fold(match, kernel.close(match, ADELLOS, SEED), ADELLOS)
    assert (match.status, match.outcome.reason) == ("ended", "turn_limit")
    assert kernel.due(match, ADELLOS) is None


def test_a_seat_may_not_give_the_systems_command() -> None:
    match = opened(ADELLOS, 2, AdellosOptions())
    with pytest.raises(IllegalCommand, match="system-command"):
        kernel.act(match, ADELLOS, TickTimeCounters(), 0, kernel.chance_of(match, SEED))
    assert TickTimeCounters not in ADELLOS.commands
    assert TickTimeCounters in ADELLOS.system_commands


def test_with_several_seats_the_match_goes_on_after_a_resignation() -> None:
    match = opened(ADELLOS, 3, AdellosOptions())
    for seat, ended in ((1, False), (0, True)):
        events, outcome = kernel.resign(match, ADELLOS, seat, kernel.chance_of(match, SEED))
        assert outcome is None
        match = fold(match, events, ADELLOS)
        assert bool(kernel.close(match, ADELLOS, SEED)) == ended
    ended_with = kernel.close(match, ADELLOS, SEED)[0].outcome
    assert (ended_with.winner, ended_with.reason) == (2, "resigned")


def test_in_solitaire_a_resignation_ends_the_match() -> None:
    match = opened(ADAMAN, 1, ADAMAN.options())
    events, outcome = kernel.resign(match, ADAMAN, 0, kernel.chance_of(match, SEED))
    assert events == ()
    assert outcome.result == "resigned"
    assert kernel.due(match, ADAMAN) is None
    with pytest.raises(IllegalCommand, match="no-system-commands"):
        kernel.act_by_system(match, ADAMAN, None, kernel.chance_of(match, SEED))
