"""The rules of Bones."""

from typing import Any

import msgspec

from domain.chance import Chance
from domain.game import Event, IllegalCommand, Outcome
from tests.fourth_game.bones.parts import BonesOptions, BonesState, DieThrown, Keep, OmenDrawn, SumKept, Throw


def initial(options: BonesOptions, seats: int) -> BonesState:
    return BonesState(options.limit)


def start(options: BonesOptions, seats: int, chance: Chance) -> tuple[Event, ...]:
    return advance(initial(options, seats), chance)


def advance(state: BonesState, chance: Chance) -> tuple[Event, ...]:
    return () if state.omen else (OmenDrawn(*chance.roll("bones omen", 3)),)


def decide(state: BonesState, command: Any, seat: int, chance: Chance) -> tuple[Event, ...]:
    if isinstance(command, Keep):
        if not state.total:
            raise IllegalCommand("nothing-thrown", "Nothing was thrown yet.")
        return (SumKept(),)
    return (DieThrown(*chance.roll("bones die", 6)),)


def evolve(state: BonesState, event: Any) -> BonesState:
    match event:
        case OmenDrawn():
            return msgspec.structs.replace(state, omen=event.omen)
        case DieThrown():
            return msgspec.structs.replace(state, total=state.total + event.pips)
        case _:
            return msgspec.structs.replace(state, kept=True)


def legal(state: BonesState, seat: int) -> tuple[Any, ...]:
    if not to_act(state):
        return ()
    return (Throw("left"), Throw("right"), *((Keep(),) if state.total else ()))


def to_act(state: BonesState) -> tuple[int, ...]:
    return (0,) if state.omen and outcome(state) is None else ()


def outcome(state: BonesState) -> Outcome | None:
    if state.total > state.limit:
        return Outcome("lost", score=0)
    return Outcome("kept", score=state.total + state.omen) if state.kept else None


def forfeit(state: BonesState, seat: int | None, result: str) -> Outcome:
    return Outcome(result, score=0)


def imagine(state: BonesState, seat: int, chance: Chance) -> BonesState:
    return msgspec.structs.replace(state, omen=chance.roll("imagined", 3)[1])


def evaluate(state: BonesState, seat: int) -> float:
    return state.total
