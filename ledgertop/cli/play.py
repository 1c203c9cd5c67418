"""`ledgertop play`: a match at the command line, on the configured store."""

import os
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import click

from domain.game import Game
from ledgertop.cli.bringing import bringing_option, brought
from ledgertop.cli.games import GameGroup, chosen_options
from ledgertop.cli.output import json_option
from ledgertop.cli.screens import Json, Plain, Screen
from ledgertop.cli.session import LocalSeat, Session
from ledgertop.cli.settings import opened
from ledgertop.config import Config
from services.bots import BOTS
from services.errors import BadToken
from services.service import Service
from services.tokens import authenticate
from services.wishes import CreateMatch, Order, Sit

DEFAULT_BOT = "greedy"


def _command(game: Game) -> click.Command:
    @click.command(game.name)
    @click.option("--resume", metavar="MATCH", help="Go on with a match you left.")
    @json_option
    @click.pass_obj
    def command(config: Config, /, resume: str | None, as_json: bool, **given: Any) -> None:
        """Play a match. The end of input leaves it as it is, to be resumed."""
        tokens = given["token"] if not game.solitaire else [given["token"]] if given["token"] else []
        if (resume is None) == bool(tokens):
            raise click.UsageError("--resume and --token go together.")
        files = given.pop("brought", ())
        if files and resume is not None:
            raise click.UsageError("What seats bring is read when a match begins, not with --resume.")
        brings = brought(game, files)
        screen: Screen = Json(game) if as_json else Plain(game)
        with opened(config) as service:
            if resume is not None:
                match, seats = resume, _resumed(service, game, resume, tokens, given.get("bot", ()))
            elif game.solitaire:
                match, seats = _alone(service, game, given)
            else:
                match, seats = _together(service, game, given, brings)
            try:
                Session(service, game, match, seats, screen, _rng()).run(_Stdin(as_json))
            except KeyboardInterrupt:
                screen.left(match, seats)
                raise

    options = _for_one() if game.solitaire else _for_several(game)
    if game.bringing:
        options.append(bringing_option(game.bringing))
    if game.numbered_deals:
        options.append(
            click.option(
                "--deal", type=int, help="Number of a deal: the same cards for everybody. Else it is sealed."
            )
        )
    for option in options:
        command = option(command)
    return command


Option = Callable[[click.Command], click.Command]


def _for_one() -> list[Option]:
    return [
        click.option("--token", help="Your seat's token, with --resume."),
        click.option("--name", default="player", show_default=True, help="The name you play under."),
    ]


def _for_several(game: Game) -> list[Option]:
    seats = click.IntRange(game.min_seats, game.max_seats)
    bot = click.Choice(list(BOTS))
    options: list[Option] = []
    if game.min_seats < game.max_seats:
        options = [
            click.option("--players", type=seats, default=game.min_seats, show_default=True, help="Seats.")
        ]
    return [
        *options,
        click.option(
            "--token",
            multiple=True,
            help="The token of a seat that is played here, with --resume; repeatable.",
        ),
        click.option(
            "--bot", type=bot, multiple=True, help="Who plays the bots' seats; repeatable [greedy]."
        ),
        click.option("--hot-seat", is_flag=True, help="People in every seat, at this terminal in turn."),
        click.option(
            "--bots",
            type=click.IntRange(0, game.max_seats),
            help="Seats that bots take, after the people's [all but those named, or all but one].",
        ),
        click.option("--name", multiple=True, help="The name you play under; repeatable, one a person."),
    ]


def _rng() -> Random:
    return Random(os.urandom(32))  # noqa: S311 - bots' thinking, not chance of the match


# --- who sits where ----------------------------------------------------------------------------------------


def _alone(service: Service, game: Game, given: dict[str, Any]) -> tuple[str, list[LocalSeat]]:
    name = given["name"]
    made = service.opening.create(
        CreateMatch(game.name, chosen_options(game, given), given.get("deal"), Sit(name)), Order()
    )
    assert made.seat is not None
    return made.id, [LocalSeat(made.seat.number, name, made.seat.token)]


def _together(
    service: Service, game: Game, given: dict[str, Any], brings: Sequence[dict[str, Any]]
) -> tuple[str, list[LocalSeat]]:
    """A new match with everybody in their seats: people first, then bots; what is brought goes to the first."""
    given.setdefault("players", game.min_seats)
    if len(brings) > given["players"]:
        raise click.UsageError(f"{given['players']} seats can't bring {len(brings)} files.")
    options = chosen_options(game, given)
    if brings and game.bringing:
        options |= game.bringing.options
    wish = CreateMatch(game.name, options, given.get("deal"), seats=given["players"])
    people, bots = _seating(given)
    named = _named(people, bots)
    made = service.opening.create(wish, Order())
    seats = []
    for number, name in enumerate(named):
        bot = bots[number - len(people)] if number >= len(people) else None
        sat = service.opening.take_seat(made.id, Sit(name), Order(), "bot" if bot else "person")
        assert sat.seat is not None
        own = brings[number] if number < len(brings) else None
        seats.append(LocalSeat(sat.seat.number, name, sat.seat.token, bot, own))
    return made.id, seats


def _seating(given: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The people's names and the bots, from `--players`, `--name`, `--hot-seat`, `--bots` and `--bot`."""
    players, names, bots = given["players"], list(given["name"]), given["bots"]
    if given["hot_seat"]:
        if bots:
            raise click.UsageError("--hot-seat has people in every seat, so no --bots.")
        bots = 0
    if bots is None:
        bots = players - max(1, len(names))
    people = players - bots
    if bots < 0 or people < len(names):
        raise click.UsageError(f"{players} players are too few for those names and bots.")
    default = ["player", *(f"player {number}" for number in range(2, people + 1))]
    return [*names, *default[len(names) : people]], _bots(given["bot"], bots)


def _bots(chosen: Sequence[str], seats: int) -> list[str]:
    """A bot for each of so many seats: those chosen in order, the last one for all that are left."""
    chosen = list(chosen) or [DEFAULT_BOT]
    return [chosen[min(place, len(chosen) - 1)] for place in range(seats)]


def _named(people: Sequence[str], bots: Sequence[str]) -> list[str]:
    """What the seats are called; two of a name get numbers."""
    names: list[str] = []
    for name in [*people, *(f"{bot} bot" for bot in bots)]:
        tries = [name, *(f"{name} {number}" for number in range(2, len(people) + len(bots) + 1))]
        taken = [other.casefold() for other in names]
        names.append(next(one for one in tries if one.casefold() not in taken))
    return names


def _resumed(
    service: Service, game: Game, match_id: str, tokens: Sequence[str], bots: Sequence[str]
) -> list[LocalSeat]:
    history = service.ledger.history(match_id)
    if history.game.name != game.name:
        raise click.UsageError(f"{match_id} is a match of {history.game.name}.")
    try:
        seats = [(authenticate(history.match, token), token) for token in tokens]
    except BadToken as error:
        raise click.UsageError(str(error)) from None
    names = service.people.names(seat.player for seat, _ in seats)
    numbers = sorted(seat.number for seat, _ in seats if seat.kind == "bot")
    thinking = dict(zip(numbers, _bots(bots, len(numbers)), strict=True))
    return [
        LocalSeat(
            seat.number, names.get(seat.player) or f"seat {seat.number}", token, thinking.get(seat.number)
        )
        for seat, token in sorted(seats, key=lambda one: one[0].number)
    ]


# --- lines -------------------------------------------------------------------------------------------------


class _Stdin:
    """Lines of input; on a terminal with a prompt, on stderr in JSON so that stdout holds answers only."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json

    def line(self) -> str | None:
        if sys.stdin.isatty():
            click.echo("> ", nl=False, err=self._as_json)
        line = sys.stdin.readline()
        return line.strip() if line else None

    def enter(self) -> bool:
        return bool(sys.stdin.readline()) if sys.stdin.isatty() and not self._as_json else True


play = GameGroup(make=_command, name="play", help="Play a game.")
