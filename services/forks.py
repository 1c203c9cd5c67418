"""What a fork begins with, who may make one, and which seat its maker takes. `services.matches` carries it out."""

from typing import Any

import msgspec

import domain.match as kernel
from domain.game import Game, IllegalCommand
from domain.looking_back import line
from domain.match import Match, Origin
from services.draft import Draft
from services.errors import Forbidden, MatchNotStarted
from services.ledger import History


def demand_forkable(match: Match, game: Game, seat: kernel.Seat | None) -> None:
    """Refuse what would let somebody look ahead. `seat` is whose token the caller has, if any."""
    if match.status == "open":
        raise MatchNotStarted
    if match.status == "running":
        if not game.solitaire:
            raise IllegalCommand("fork-running", "A running match of several seats can't be forked.")
        if seat is None:
            raise Forbidden("Only its own seat may fork a running match.")
    if seat is None and not match.created.spectators:
        raise Forbidden("This match is closed to spectators.")


def seat_in_fork(named: int | None, held: kernel.Seat | None) -> int:
    """The seat a fork's maker takes: the one named, else the one held in the origin, else the first."""
    if named is not None:
        return named
    return held.number if held else 0


def fork_body(
    match_id: str, at_version: int, sit: Any, held: kernel.Seat | None, number: int
) -> dict[str, Any]:
    """What is asked for, and by whose token where the events don't tell it: a key answers its own caller only (P4)."""
    body = {"do": "fork", "match": match_id, "at_version": at_version, "sit": sit}
    return body | {"held": held.number} if held and held.number != number else body


def copy_line(draft: Draft, origin: History, target: Match, commitment: str) -> None:
    """The fork's creation and the events that made the origin's state at the target version."""
    created = msgspec.structs.replace(
        target.created, deal=None, commitment=commitment, origin=Origin(origin.stream, target.version)
    )
    draft.add([created])
    for step in line(origin.entries, target.version):
        draft.add([step.event], cause=step.id)
