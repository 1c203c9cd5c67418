"""The checks of an exploration: a die and a statistic against each trap."""

from msgspec.structs import replace

from domain.adamantine.box import Box
from domain.adamantine.combat import beaten
from domain.adamantine.events import CheckRolled
from domain.adamantine.exploring import onward
from domain.adamantine.standing import next_in_queue, statistic
from domain.adamantine.state import AdamantineState, Cursor
from domain.chance import Chance

DIE = 6


def roll_check(box: Box, state: AdamantineState, chance: Chance) -> CheckRolled:
    now = state.exploration
    assert now is not None
    trap = box.traps[next_in_queue(state).card]
    value = statistic(box, state.players[now.explorer], trap.statistic, now, combat=False)
    draw, die = chance.roll("check", DIE)
    return CheckRolled(draw=draw, card=now.queue[0], die=die, total=die + value)


def check_begun(state: AdamantineState) -> AdamantineState:
    now = state.exploration
    assert now is not None
    return replace(state, exploration=replace(now, step="checking"))


def check_rolled(box: Box, state: AdamantineState, event: CheckRolled) -> AdamantineState:
    """Higher is a success, lower a failure; equal is neither, and the trap stays (AM-8)."""
    card = next_in_queue(state).card
    value = box.traps[card].value
    if event.total > value:
        return passed(box, state)
    state = _next_trap(state)
    now = state.exploration
    assert now is not None
    if event.total < value:
        state = replace(state, cursor=Cursor(now.explorer, card, "failure"))
    return onward(box, state)


def passed(box: Box, state: AdamantineState) -> AdamantineState:
    """The trap at hand is beaten; what its success brings follows."""
    laid = next_in_queue(state)
    state = _next_trap(beaten(box, state, (laid.handle,)))
    now = state.exploration
    assert now is not None
    if box.traps[laid.card].success:
        state = replace(state, cursor=Cursor(now.explorer, laid.card, "success"))
    return onward(box, state)


def _next_trap(state: AdamantineState) -> AdamantineState:
    now = state.exploration
    assert now is not None
    changes = tuple([change for change in now.changes if change.lasting])
    return replace(state, exploration=replace(now, step="checks", queue=now.queue[1:], changes=changes))
