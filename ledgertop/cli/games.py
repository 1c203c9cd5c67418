"""Commands that take a game by name, with options made from the game's own description."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args, get_origin

import click

from domain.game import FieldSpec, Game, Options, describe
from domain.registry import GAMES
from services.parsing import parsed


class GameGroup(click.Group):
    """One subcommand a registered game; `make` builds it when it is asked for."""

    def __init__(self, *, make: Callable[[Game], click.Command], **attributes: Any) -> None:
        super().__init__(subcommand_metavar="GAME [OPTIONS]", **attributes)
        self._make = make

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(GAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        game = GAMES.get(cmd_name)
        if game is None:
            return None
        command = self._make(game)
        command.params += [_option(field) for field in describe(game).options]
        command.help = f"{command.help}\n\n{game.summary}"
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in GAMES and not args[0].startswith("-"):
            from ledgertop.cli.failures import NotFound
            from services.errors import UnknownGame

            raise NotFound(f"{UnknownGame(args[0])} There are: {', '.join(GAMES)}.")
        return super().resolve_command(ctx, args)


def chosen_options(game: Game, given: dict[str, Any]) -> dict[str, Any]:
    """The game's options among a command's parameters."""
    names = [field.name for field in describe(game).options]
    return {name: given[name] for name in names if given.get(name) not in (None, ())}


def typed_options(game: Game, given: dict[str, Any]) -> Options:
    options: Options = parsed(game.options, chosen_options(game, given), "options")
    return options


def _option(field: FieldSpec) -> click.Option:
    """An option for one field: a flag, a number, one of a few words, or several of them by repetition."""
    kind, several = _bare(field.type), False
    if get_origin(kind) is tuple:
        kind, several = _bare(get_args(kind)[0]), True
    flag = f"--{field.name.replace('_', '-')}"
    if kind is bool:
        return click.Option([flag, field.name], is_flag=True, default=field.default, help=field.description)
    value: Any = click.Choice(get_args(kind)) if get_origin(kind) is Literal else kind
    text = field.description + (f" ({field.unit})" if field.unit else "")
    if not several:
        return click.Option([flag, field.name], type=value, default=field.default, help=text)
    return click.Option(
        [flag, field.name],
        type=_Several(click.types.convert_type(value)),
        multiple=True,
        callback=lambda _ctx, _parameter, given: tuple(one for part in given for one in part),
        help=f"{text}; several with commas, or by repetition",
    )


class _Several(click.ParamType[tuple[Any, ...]]):
    """Values of one type with commas between them."""

    name = "several"

    def __init__(self, of: click.ParamType[Any]) -> None:
        self._of = of

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        one = self._of.get_metavar(param, ctx) or self._of.name.upper()
        return f"{one},…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Any, ...]:
        if isinstance(value, tuple):
            return value
        return tuple(self._of.convert(part.strip(), param, ctx) for part in value.split(","))


def _bare(kind: Any) -> Any:
    """A type without its annotations and without `None`."""
    if get_origin(kind) is Annotated:
        return _bare(get_args(kind)[0])
    kinds = [one for one in get_args(kind) if one is not type(None)]
    if type(None) in get_args(kind) and len(kinds) == 1:
        return _bare(kinds[0])
    return kind
