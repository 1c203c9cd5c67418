"""What can be chosen when a match of Adellos is created."""

from typing import Annotated

from msgspec import Meta

from domain.game import Options, public


class AdellosOptions(Options, frozen=True):
    board: Annotated[str, public("board of the pack; the first if empty")] = ""
    factions: Annotated[
        tuple[str, ...],
        Meta(max_length=4, extra_json_schema={"uniqueItems": True}),
        public("faction of each seat; drawn if empty"),
    ] = ()
    first_seat: Annotated[
        Annotated[int, Meta(ge=0, le=3)] | None, public("the seat that starts; drawn if none")
    ] = None
    sudden_death: Annotated[bool, public("the first to kill any noble wins")] = False
    protecting_walls: Annotated[bool, public("units in their own castle: +1 defence against outside")] = False
    obstructing_walls: Annotated[bool, public("entering an enemy castle costs 2 AP")] = False
    gold_rush: Annotated[bool, public("starting gold is doubled")] = False
    paved_with_gold: Annotated[
        bool, public("2 gold a kill, 2 gold at the turn's start for standing on the bonus field")
    ] = False
    hand_limit: Annotated[
        Annotated[int, Meta(ge=1, le=64)] | None, public("who holds so many cards draws none", unit="cards")
    ] = None
    middle_seat_gold: Annotated[bool, public("of three players the middle one starts with 2 gold more")] = (
        False
    )
    may_forfeit_ap: Annotated[bool, public("a turn may end with action points left (AE-1)")] = False
    trading: Annotated[bool, public("gifts of gold and cards, if every seat agrees before set-up")] = False
    turn_limit: Annotated[
        Annotated[int, Meta(ge=1, le=100_000)] | None, public("the match is drawn after so many turns")
    ] = None

    def __post_init__(self) -> None:
        if len(set(self.factions)) < len(self.factions):
            raise ValueError("factions names a faction twice")
