"""`ledgertop play`: a match at the command line, on the configured store."""

import sys
from collections.abc import Iterator
from typing import Any

import click

from domain.game import Game
from ledgertop.cli.games import GameGroup, chosen_options
from ledgertop.cli.output import json_option
from ledgertop.cli.screens import Json, Plain, Screen
from ledgertop.cli.session import Session
from ledgertop.cli.settings import opened
from ledgertop.config import Config
from services.errors import BadToken
from services.matches import CreateMatch, Order, Sit
from services.service import Service
from services.tokens import authenticate


def _command(game: Game) -> click.Command:
    @click.command(game.name)
    @click.option("--name", default="player", show_default=True, help="The name you play under.")
    @click.option(
        "--deal", type=int, help="Number of a deal: the same cards for everybody. Else it is sealed."
    )
    @click.option("--resume", metavar="MATCH", help="Go on with a match you left.")
    @click.option("--token", help="Your seat's token, with --resume.")
    @json_option
    @click.pass_obj
    def command(
        config: Config,
        /,
        name: str,
        deal: int | None,
        resume: str | None,
        token: str | None,
        as_json: bool,
        **given: Any,
    ) -> None:
        """Play a match. The end of input leaves it as it is, to be resumed."""
        if (resume is None) != (token is None):
            raise click.UsageError("--resume and --token go together.")
        screen: Screen = Json() if as_json else Plain(game)
        with opened(config) as service:
            if resume is None or token is None:
                wish = CreateMatch(game.name, chosen_options(game, given), deal, Sit(name))
                made = service.matches.create(wish, Order())
                assert made.seat is not None
                match, seat_token = made.id, made.seat.token
            else:
                _check(service, game, resume, token)
                match, seat_token = resume, token
            try:
                Session(service, game, match, seat_token, screen).run(_lines(as_json))
            except KeyboardInterrupt:
                screen.left(match, seat_token)
                raise

    return command


def _check(service: Service, game: Game, match: str, token: str) -> None:
    history = service.ledger.history(match)
    if history.game.name != game.name:
        raise click.UsageError(f"{match} is a match of {history.game.name}.")
    try:
        authenticate(history.match, token)
    except BadToken as error:
        raise click.UsageError(str(error)) from None


def _lines(as_json: bool) -> Iterator[str]:
    """Lines of input; on a terminal with a prompt, on stderr so that stdout holds answers only."""
    while True:
        if sys.stdin.isatty():
            click.echo("> ", nl=False, err=as_json)
        line = sys.stdin.readline()
        if not line:
            return
        yield line


play = GameGroup(make=_command, name="play", help="Play a game.")
