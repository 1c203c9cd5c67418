"""A champion's death, resignation, and who has won."""

from msgspec.structs import replace

from domain.adamantine.box import Box
from domain.adamantine.events import ChampionPossessed, ChampionSlain, SeatResigned
from domain.adamantine.exploring import ended
from domain.adamantine.playing import champions_in_hand, possessed
from domain.adamantine.state import AdamantineState


def may_follow(box: Box, state: AdamantineState) -> list[int]:
    """Handles of the champions that can take the place of the one that has just died (AM-5)."""
    return champions_in_hand(box, state.players[state.dying[0]])


def settle(box: Box, state: AdamantineState) -> ChampionSlain | None:
    """The end of a champion whom none can follow; None where the player is asked."""
    return None if may_follow(box, state) else ChampionSlain(seat=state.dying[0])


def champion_slain(state: AdamantineState, event: ChampionSlain) -> AdamantineState:
    return _next(replace(state, lost=(*state.lost, event.seat)))


def champion_possessed(box: Box, state: AdamantineState, event: ChampionPossessed) -> AdamantineState:
    state = possessed(box, state, event)
    return _next(state) if state.dying else state


def _next(state: AdamantineState) -> AdamantineState:
    """The other champion that died at the same time, then the end; who goes on goes on outside the room."""
    dying = state.dying[1:]
    state = replace(state, dying=dying)
    if dying:
        return state
    if state.lost:
        # AM-12: both at once, and the player whose turn it is wins
        winner = state.turn if len(state.lost) > 1 else 1 - state.lost[0]
        if state.exploration is not None:
            state = ended(state)
        return replace(state, phase="over", winner=winner, reason="champion_slain")
    if state.exploration is None:
        return state
    return replace(state, exploration=replace(state.exploration, step="ending", queue=(), gold=0))


def resigned(state: AdamantineState, event: SeatResigned) -> AdamantineState:
    return replace(
        state,
        phase="over",
        winner=1 - event.seat,
        reason="resigned",
        exploration=None,
        choice=None,
        cursor=None,
        dying=(),
    )
