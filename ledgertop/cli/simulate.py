"""`ledgertop simulate`: many matches by a bot."""

from collections.abc import Iterable, Sequence
from typing import Any

import click

from domain.game import Game
from ledgertop.cli.games import GameGroup, typed_options
from ledgertop.cli.output import counted, json_option, print_json, waiting
from ledgertop.cli.text import wrapped
from services.bots import BOTS
from services.simulate import simulate as run

NAMES = 22  # columns of what is counted


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
    def command(
        matches: int, bot: str, seed: int, as_json: bool, players: int | None = None, **given: Any
    ) -> None:
        """Let a bot play many matches and count how they end."""
        options = typed_options(game, given)
        with waiting(f"Playing {matches} matches of {game.title}"):
            result = run(game, matches, bot, seed, options, players)
        if as_json:
            print_json(result)
            return
        seats = f"{result['players']} players, " if "players" in result else ""
        head = f"{counted(matches, 'match', 'matches')} of {game.title} by the {bot} bot, {seats}seed {seed}"
        click.echo(head)
        click.echo("\n".join(_alone(result) if game.solitaire else _together(result)))

    if game.min_seats < game.max_seats:
        command.params.append(
            click.Option(
                ["--players"],
                type=click.IntRange(game.min_seats, game.max_seats),
                default=game.min_seats,
                show_default=True,
                help="Seats.",
            )
        )
    return command


def _alone(result: dict[str, Any]) -> list[str]:
    return [
        *_shares(result["outcomes"].items(), result["matches"]),
        f"  mean score {result['mean_score']:.2f}; {_speed(result)}",
    ]


def _together(result: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for name, wins in result.items():
        if name.startswith("wins_by_"):
            lines.append(f"  {name.replace('_', ' ')}")
            shares = _by_seat(name, wins) if isinstance(wins, list) else wins.items()
            lines += _shares(shares, result["matches"], "    ")
    lines += ["  ends", *_shares(result["ends"].items(), result["matches"], "    ")]
    return [*lines, wrapped(f"median of turns {result['median_turns']:g}; {_speed(result)}", "  ")]


def _by_seat(name: str, wins: Sequence[int]) -> list[tuple[str, int]]:
    """Wins by the number of the seat, or by whose turn came first."""
    if "starting" in name:
        return [("began" if not place else f"{place + 1}. to play", won) for place, won in enumerate(wins)]
    return [(f"seat {seat}", won) for seat, won in enumerate(wins)]


def _shares(counts: Iterable[tuple[str, int]], of: int, indent: str = "  ") -> list[str]:
    return [
        f"{indent}{name.replace('_', ' '):<{NAMES - len(indent)}}{count:>10,}{count / of:>9.2%}"
        for name, count in counts
    ]


def _speed(result: dict[str, Any]) -> str:
    return f"{counted(result['plays'], 'play')}, {result['plays_per_s']:,.0f}/s"


simulate = GameGroup(
    make=_command, name="simulate", help="Let a bot play many matches and count how they end."
)
