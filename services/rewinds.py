"""What a seat's command to undo, rewind, agree or refuse leads to. `services.matches` carries it out."""

from collections.abc import Callable

import domain.match as kernel
from domain import consent
from domain.looking_back import undo_target
from domain.match import RewindProposed
from services.draft import Draft, demand_running
from services.errors import ProposalNotFound, ProposalOver, TimeIsUp
from services.ledger import History
from services.seeds import Seeds
from services.tokens import authenticate

Decide = Callable[[History, Draft], None]


def rewinding(token: str, to_version: int, seeds: Seeds) -> Decide:
    """A match of one seat is rewound at once; in others it is proposed."""

    def decide(history: History, draft: Draft) -> None:
        match, game = draft.match, draft.game
        demand_running(match)
        target = history.at(to_version)
        if match.created.seats > 1:
            draft.add(consent.propose(match, authenticate(match, token).number, target))
            return
        consent.check_target(match, target)
        seed = seeds.of(match)
        draft.add(kernel.rewind(game, target, kernel.chance_of(match, seed)))
        draft.add(kernel.close(draft.match, game, seed))

    return decide


def consenting(token: str, proposal: int, agree: bool, seeds: Seeds) -> Decide:
    """The last agreement carries the proposal out in the same command."""

    def decide(history: History, draft: Draft) -> None:
        match, game = draft.match, draft.game
        demand_running(match)
        seat = authenticate(match, token).number
        _demand_open(history, proposal)
        if not agree:
            draft.add(consent.refuse(match, seat, proposal))
            return
        target = history.at(consent.open_proposal(match, proposal).to_version)
        seed = seeds.of(match)
        draft.add(consent.agree(match, game, seat, proposal, target, kernel.chance_of(match, seed)))
        draft.add(kernel.close(draft.match, game, seed))

    return decide


def undoing(token: str, received: int, seeds: Seeds) -> Decide:
    """The last action is taken back where nobody learned anything by it (P16). `received` is microseconds UTC."""

    def decide(history: History, draft: Draft) -> None:
        match, game = draft.match, draft.game
        seat = authenticate(match, token).number
        demand_running(match)
        if kernel.time_is_up(match, received):
            raise TimeIsUp
        target = undo_target(match, game, history.entries, seat, history.at)
        draft.add(kernel.rewind(game, target, kernel.chance_of(match, seeds.of(match)), undo=True))

    return decide


def _demand_open(history: History, proposal: int) -> None:
    """Tell a proposal that is over from one that never was."""
    current = history.match.proposal
    if current and current.version == proposal:
        return
    made = history.entries[proposal - 1].event if 1 <= proposal <= len(history.entries) else None
    raise ProposalOver if isinstance(made, RewindProposed) else ProposalNotFound
