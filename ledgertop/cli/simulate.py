"""`ledgertop simulate`: many matches by a bot."""

from typing import Any

import click

from domain.game import Game
from ledgertop.cli.games import GameGroup, typed_options
from ledgertop.cli.output import counted, json_option, print_json, waiting
from services.bots import BOTS
from services.simulate import simulate as run


def _command(game: Game) -> click.Command:
    @click.command(game.name)
    @click.option(
        "-n", "matches", type=click.IntRange(min=1), default=1_000, show_default=True, help="Matches."
    )
    @click.option(
        "--bot", type=click.Choice(list(BOTS)), default="random", show_default=True, help="Who plays."
    )
    @click.option(
        "--seed", type=int, default=0, show_default=True, help="The same seed plays the same matches."
    )
    @json_option
    def command(matches: int, bot: str, seed: int, as_json: bool, **given: Any) -> None:
        """Let a bot play many matches and count how they end."""
        if not game.solitaire:
            raise click.UsageError(f"{game.title} is no solitaire game.")
        options = typed_options(game, given)
        with waiting(f"Playing {matches} matches of {game.title}"):
            result = run(game, matches, bot, seed, options)
        if as_json:
            print_json(result)
            return
        click.echo(f"{counted(matches, 'match', 'matches')} of {game.title} by the {bot} bot, seed {seed}")
        for outcome, count in result["outcomes"].items():
            click.echo(f"  {outcome.replace('_', ' '):<14}{count:>10,}{count / matches:>9.2%}")
        speed = f"{counted(result['plays'], 'play')}, {result['plays_per_s']:,.0f}/s"
        click.echo(f"  mean score {result['mean_score']:.2f}; {speed}")

    return command


simulate = GameGroup(
    make=_command, name="simulate", help="Let a bot play many matches and count how they end."
)
