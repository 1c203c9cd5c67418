"""Rewinding a match of several seats: one seat proposes it, and it is done when all others have agreed.

Every seat counts, also one that has resigned or was eliminated (docs/decisions/0032). A proposal is over once it is
carried out, refused or taken back, and lapses with the next event of the game.
"""

from domain.chance import Chance
from domain.game import Event, Game
from domain.match import (
    CannotRewind,
    Match,
    Proposal,
    RewindAgreed,
    RewindProposed,
    RewindRefused,
    rewind,
)


def propose(match: Match, seat: int, to: Match) -> tuple[Event, ...]:
    """Ask the other seats to take up the state of an earlier version again."""
    if match.proposal:
        raise CannotRewind("proposal-open", "Another proposal is open; it has to be answered first.")
    check_target(match, to)
    return (RewindProposed(seat=seat, to_version=to.version),)


def agree(match: Match, game: Game, seat: int, proposal: int, to: Match, chance: Chance) -> tuple[Event, ...]:
    """Agree to the open proposal, to the version `to`; the last agreement carries it out."""
    found = open_proposal(match, proposal)
    if seat == found.seat:
        raise CannotRewind("own-proposal", "A seat's own proposal needs the others' word.")
    if seat in found.agreed:
        raise CannotRewind("agreed-already", "The seat has agreed already.")
    agreed = RewindAgreed(seat=seat, proposal=proposal)
    if {*found.agreed, seat, found.seat} < {other.number for other in match.seats}:
        return (agreed,)
    return (agreed, *rewind(game, to, chance))


def refuse(match: Match, seat: int, proposal: int) -> tuple[Event, ...]:
    """Refuse the open proposal, also after having agreed; its own seat takes it back."""
    open_proposal(match, proposal)
    return (RewindRefused(seat=seat, proposal=proposal),)


def open_proposal(match: Match, number: int) -> Proposal:
    """The open proposal, which has to be the one with this number."""
    if match.proposal is None or match.proposal.version != number:
        raise CannotRewind("proposal-over", "No such proposal is open.")
    return match.proposal


def check_target(match: Match, to: Match) -> None:
    """Refuse a rewind to where the match is."""
    if to.version == match.version:
        raise CannotRewind("rewind-to-now", "The match is at that version.")
