"""Many matches of a solitaire game played by a bot, without a store."""

from random import Random
from time import perf_counter
from typing import Any

from domain.chance import SEED_BYTES, SealedChance
from domain.game import Game, Options
from services.bots import BOTS


def simulate(game: Game, matches: int, bot: str, seed: int, options: Options | None = None) -> dict[str, Any]:
    """Play `matches` matches and count how they end.

    The same arguments give the same result but for `plays_per_s`, which includes setting up. Every call goes
    through the game's modules, so what is counted are the rules as they stand. `plays` counts commands.
    Raises ValueError for fewer than one match, KeyError for an unknown bot.
    """
    if matches < 1:
        raise ValueError("at least one match has to be played")
    if not game.solitaire:
        raise ValueError("only solitaire games are simulated")
    rng = Random(seed)  # noqa: S311 - a simulation is to be repeatable
    rules, player = game.rules, BOTS[bot]
    chosen = options if options is not None else game.options()
    outcomes = {"won": 0, "lost": 0, "lost_utterly": 0}
    plays = score = 0
    began = perf_counter()
    for _ in range(matches):
        chance = SealedChance(rng.randbytes(SEED_BYTES))
        state = rules.initial(chosen, 1)
        for event in rules.start(chosen, 1, chance):
            state = rules.evolve(state, event)
        while (outcome := rules.outcome(state)) is None:
            command = player.choose(game, state, 0, rng)
            for event in rules.decide(state, command, 0, chance):
                state = rules.evolve(state, event)
            plays += 1
        outcomes[outcome.result] = outcomes.get(outcome.result, 0) + 1
        score += outcome.score or 0
    return {
        "game": game.name,
        "bot": bot,
        "seed": seed,
        "matches": matches,
        "plays": plays,
        "outcomes": outcomes,
        "mean_score": score / matches,
        "plays_per_s": plays / (perf_counter() - began),
    }
