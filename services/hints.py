"""A hint: what a bot would do at a seat, from nothing but what the seat may see."""

from hashlib import sha256
from random import Random
from typing import Any

import domain.match as kernel
from domain.chance import SEED_BYTES, SealedChance
from domain.game import Game, at_seat
from domain.match import Match
from services.bots import BOTS
from services.codec import encode, plain
from services.errors import MatchOver, NotYourTurn


def hint(match: Match, game: Game, seat: int, bot: str = "greedy") -> dict[str, Any]:
    """A legal command for `seat` as JSON. Raises MatchOver, NotYourTurn.

    Whatever is hidden from the seat is drawn anew before the bot looks, and its randomness comes from the
    seat's view alone: two states that differ only in hidden things get the same hint (P11).
    """
    if match.status == "ended":
        raise MatchOver
    if seat not in kernel.to_act(match, game):
        raise NotYourTurn
    seen = encode(game.view.observe(match.state, at_seat(seat)))
    rng = Random(sha256(seen).digest())  # noqa: S311 - thinking, not chance of the match
    imagined = game.rules.imagine(match.state, seat, SealedChance(rng.randbytes(SEED_BYTES)))
    choice: dict[str, Any] = plain(BOTS[bot].choose(game, imagined, seat, rng))
    return choice
