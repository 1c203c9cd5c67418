"""Commands, events, options and state of Bones."""

from typing import Annotated, Literal

from msgspec import Struct

from domain.game import Command, Event, Options, hidden, public


class BonesOptions(Options, frozen=True):
    limit: Annotated[int, public("the sum that must not be exceeded", unit="pips")] = 12


class Throw(Command, frozen=True, tag="throw"):
    """Throw a die with one of the hands."""

    hand: Annotated[Literal["left", "right"], public("which hand")]


class Keep(Command, frozen=True, tag="keep"):
    """Stop, and keep the sum."""


class OmenDrawn(Event, frozen=True):
    TOPIC = "bones.omen_drawn.1"
    REVEALS = True

    draw: Annotated[int, public("index of the draw")]
    omen: Annotated[int, hidden("added to the sum at the end")]


class DieThrown(Event, frozen=True):
    TOPIC = "bones.die_thrown.1"
    REVEALS = True

    draw: Annotated[int, public("index of the draw")]
    pips: Annotated[int, public("what the die shows", unit="pips")]


class SumKept(Event, frozen=True):
    TOPIC = "bones.sum_kept.1"


EVENTS = (OmenDrawn, DieThrown, SumKept)


class BonesState(Struct, frozen=True):
    limit: Annotated[int, public("the sum that must not be exceeded", unit="pips")]
    omen: Annotated[int, hidden("added to the sum at the end; 0 before it is drawn")] = 0
    total: Annotated[int, public("sum of the throws", unit="pips")] = 0
    kept: Annotated[bool, public("whether the player stopped")] = False
