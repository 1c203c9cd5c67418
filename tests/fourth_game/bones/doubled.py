"""The second rule set of Bones: what a die shows counts twice."""

from typing import Any

import msgspec

from tests.fourth_game.bones import BONES, rules
from tests.fourth_game.bones.parts import BonesState, DieThrown
from tests.fourth_game.bones.rules import advance, decide, evaluate, forfeit, imagine, initial, start

__all__ = [
    "advance", "decide", "evaluate", "evolve", "forfeit", "imagine", "initial", "legal", "outcome", "start", "to_act",
]  # fmt: skip

legal, outcome, to_act = rules.legal, rules.outcome, rules.to_act


def evolve(state: BonesState, event: Any) -> BonesState:
    if isinstance(event, DieThrown):
        return msgspec.structs.replace(state, total=state.total + 2 * event.pips)
    return rules.evolve(state, event)


def second() -> Any:
    """Bones under this rule set."""
    import sys

    return msgspec.structs.replace(BONES, rules_version="2", rules=sys.modules[__name__])
