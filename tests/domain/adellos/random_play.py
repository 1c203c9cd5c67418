"""Random matches for property tests."""

from collections.abc import Iterator
from random import Random
from typing import Any

from domain.adellos.options import AdellosOptions
from domain.adellos.state import AdellosState
from domain.chance import SealedChance
from domain.game import Game, IllegalCommand

OPTIONS = (
    AdellosOptions(),
    AdellosOptions(obstructing_walls=True, protecting_walls=True, paved_with_gold=True, hand_limit=2),
    AdellosOptions(trading=True, gold_rush=True, may_forfeit_ap=True),
    AdellosOptions(sudden_death=True, middle_seat_gold=True),
)


class Moment:
    """A point of a match: the state, who acted before, the events that led here."""

    def __init__(self, state: AdellosState, seat: int | None, command: Any, events: tuple[Any, ...]) -> None:
        self.state = state
        self.seat = seat
        self.command = command
        self.events = events


def moments(game: Game, seed: int, players: int, turns: int = 40) -> Iterator[Moment]:
    """A random match, sometimes with a resignation; `state` is the one in which `command` was given."""
    rng = Random(seed)
    rules = game.rules
    options = OPTIONS[rng.randrange(len(OPTIONS))]
    chance = SealedChance(rng.randbytes(32))
    state = rules.initial(options, players)
    events = rules.start(options, players, chance)
    yield Moment(state, None, None, events)
    for event in events:
        state = rules.evolve(state, event)
    while rules.outcome(state) is None and state.turns < turns:
        if due := rules.due(state):
            seat, command = None, due
            events = rules.decide(state, due, None, chance)
        else:
            (seat,) = rules.to_act(state)
            command = rng.choice(rules.legal(state, seat))
            if rng.random() < 0.003:
                events = rules.resign(state, seat, chance)
            else:
                events = rules.decide(state, command, seat, chance)
        yield Moment(state, seat, command, events)
        for event in events:
            state = rules.evolve(state, event)
    yield Moment(state, None, None, ())


def accepted(rules: Any, state: AdellosState, command: Any, seat: int | None) -> bool:
    try:
        rules.decide(state, command, seat, SealedChance(bytes(32)))
    except IllegalCommand:
        return False
    return True
