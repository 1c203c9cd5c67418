"""Bones: throw a die until the sum is 7 or more, and hit 7. A folder such as any game is, and nothing else."""

from domain.game import Game
from tests.fourth_game.bones import rules, view
from tests.fourth_game.bones.parts import EVENTS, BonesOptions, BonesState, Keep, Throw

BONES = Game(
    name="bones",
    title="Bones",
    summary="Throw a die as often as you like; the sum must not be over the limit.",
    rules_version="1",
    content="0" * 64,
    min_seats=1,
    max_seats=1,
    numbered_deals=True,
    options=BonesOptions,
    commands=(Throw, Keep),
    events=EVENTS,
    state=BonesState,
    rules=rules,
    view=view,
)
