"""How many plays a second the rules and a bot do, match set-up included.

python -m benchmarks.playouts [--matches 20000] [--bot random] [--seed 1] [--profile]
"""

import argparse
import cProfile
import json
import pstats

from domain.registry import GAMES
from services.bots import BOTS
from services.simulate import simulate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--game", choices=[name for name, game in GAMES.items() if game.solitaire], default="adaman"
    )
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--bot", choices=sorted(BOTS), default="random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    asked = parser.parse_args()
    game = GAMES[asked.game]
    if asked.profile:
        with cProfile.Profile() as profile:
            simulate(game, asked.matches, asked.bot, asked.seed)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        return
    simulate(game, 200, asked.bot, asked.seed)
    print(json.dumps(simulate(game, asked.matches, asked.bot, asked.seed), indent=2))


if __name__ == "__main__":
    main()
