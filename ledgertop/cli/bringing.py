"""What seats bring to a match of their own making, such as a deck, from JSON files."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import click
import msgspec

from domain.game import Bringing, Game, fields_of
from ledgertop.cli.failures import Refused
from services.codec import InvalidJson, parse


class WrongFile(Refused):
    """A file that can't be brought."""

    def __init__(self, file: str, faults: Sequence[str]) -> None:
        super().__init__("\n".join([f"{file} can't be brought:", *(f"- {fault}" for fault in faults)]))


def bringing_option(bringing: Bringing) -> Callable[[click.Command], click.Command]:
    option: Callable[[click.Command], click.Command] = click.option(
        f"--{bringing.what}",
        "brought",
        type=click.Path(exists=True, dir_okay=False, allow_dash=False),
        multiple=True,
        metavar="FILE",
        help=f"A {bringing.what} of your own as JSON, for the first seat; repeated, for the next.",
    )
    return option


def brought(game: Game, files: Sequence[str]) -> list[dict[str, Any]]:
    """The command that brings each file. Raises WrongFile with everything that is wrong with one."""
    if game.bringing is None:
        return []
    return [_command(game.bringing, file) for file in files]


def _command(bringing: Bringing, file: str) -> dict[str, Any]:
    try:
        value = parse(Path(file).read_bytes())
    except InvalidJson as error:
        raise WrongFile(file, [f"It is no JSON: {error}"]) from None
    (field,) = (field for field in fields_of(bringing.command) if field.name == bringing.field)
    kind = get_args(field.type)[0] if get_origin(field.type) is Annotated else field.type
    try:
        made = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise WrongFile(file, [f"{error}."]) from None
    if made is None:
        raise WrongFile(file, ["It is empty."])
    if faults := bringing.faults(made):
        raise WrongFile(file, faults)
    return {"type": bringing.command.type_name(), bringing.field: value}
