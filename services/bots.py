"""Players that are programs. A bot knows what its seat may see: hidden things are drawn anew first."""

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from domain.chance import SEED_BYTES, SealedChance
from domain.game import Command, Game
from domain.match import Match
from services.codec import plain


class Bot(Protocol):
    """Chooses one of the legal commands; never resigns."""

    def choose(self, game: Game, state: Any, seat: int, rng: Random) -> Command:
        """The command the bot gives at `seat`, where a decision of that seat is awaited."""


class RandomBot:
    """Every legal command is as likely as any other."""

    def choose(self, game: Game, state: Any, seat: int, rng: Random) -> Command:
        legal = game.rules.legal(state, seat)
        command: Command = legal[int(rng.random() * len(legal))]
        return command


class GreedyBot:
    """The command whose foreseeable result is worth most; among equals one at random.

    It follows a command up to the first event after its own that turns something up, and thinks about an
    imagined state, so nothing it does can depend on hidden things.
    """

    def choose(self, game: Game, state: Any, seat: int, rng: Random) -> Command:
        legal: Sequence[Command] = game.rules.legal(state, seat)
        commands = [command for command in legal if not command.TAKES_BACK]
        if len(commands) == 1:
            return commands[0]
        chance = SealedChance(rng.randbytes(SEED_BYTES))
        imagined = game.rules.imagine(state, seat, chance)
        best: list[Command] = []
        best_worth = float("-inf")
        for command in commands:
            worth = _worth(game, imagined, command, seat, chance)
            if worth > best_worth:
                best, best_worth = [command], worth
            elif worth == best_worth:
                best.append(command)
        return rng.choice(best)


def _worth(game: Game, state: Any, command: Command, seat: int, chance: SealedChance) -> float:
    for place, event in enumerate(game.rules.decide(state, command, seat, chance)):
        if place and event.REVEALS:
            break
        state = game.rules.evolve(state, event)
    return game.rules.evaluate(state, seat)


BOTS: dict[str, Bot] = {"random": RandomBot(), "greedy": GreedyBot()}


def thought(match: Match, game: Game, seat: int, bot: str, rng: Random) -> dict[str, Any]:
    """The command a bot gives at a seat whose decision is awaited, as JSON."""
    imagined = game.rules.imagine(match.state, seat, SealedChance(rng.randbytes(SEED_BYTES)))
    command: dict[str, Any] = plain(BOTS[bot].choose(game, imagined, seat, rng))
    return command
