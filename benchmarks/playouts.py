"""How many plays a second the rules and a bot do, match set-up included.

python -m benchmarks.playouts [--game G] [--players N] [--matches M] [--bot random] [--seed 1] [--profile]
"""

import argparse
import cProfile
import json
import pstats

from domain.adellos import ADELLOS
from domain.registry import GAMES as REGISTERED
from services.bots import BOTS
from services.simulate import simulate

GAMES = {ADELLOS.name: ADELLOS} | REGISTERED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=sorted(GAMES), default="adaman")
    parser.add_argument("--players", type=int, help="the fewest the game is for, if not given")
    parser.add_argument("--matches", type=int, help="20,000 of a solitaire game, else 200")
    parser.add_argument("--bot", choices=sorted(BOTS), default="random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    asked = parser.parse_args()
    game = GAMES[asked.game]
    matches = asked.matches or (20_000 if game.solitaire else 200)
    if asked.profile:
        with cProfile.Profile() as profile:
            simulate(game, matches, asked.bot, asked.seed, players=asked.players)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        return
    simulate(game, max(1, matches // 100), asked.bot, asked.seed, players=asked.players)
    print(json.dumps(simulate(game, matches, asked.bot, asked.seed, players=asked.players), indent=2))


if __name__ == "__main__":
    main()
