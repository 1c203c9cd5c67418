"""What commands print: JSON or plain text on stdout, progress on stderr."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click
import msgspec

Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    """`--json`, before or after the command's name."""

    def chosen(ctx: click.Context, _parameter: click.Parameter, value: bool) -> bool:
        return value or bool(ctx.meta.get("ledgertop.json"))

    return click.option("--json", "as_json", is_flag=True, callback=chosen, help="Answer in JSON.")(command)


def json_accepted(command: Command) -> Command:
    """`--json` on a command that has nothing to answer: it prints nothing on stdout with it or without."""
    return click.option(
        "--json", is_flag=True, expose_value=False, help="As everywhere; this command prints no answer."
    )(command)


def print_json(value: Any) -> None:
    """One JSON object on one line."""
    click.echo(json.dumps(msgspec.to_builtins(value), ensure_ascii=False))


def counted(number: int, one: str, several: str | None = None) -> str:
    """A number with its word, such as `1 match` or `1,204 matches`."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A function to tell how much of how much is done. It shows on stderr, in plain lines off a terminal."""
    if not sys.stderr.isatty():
        shown = -1

        def tell(done: int, of: int) -> None:
            nonlocal shown
            tenth = 10 * done // of if of else 10
            if tenth > shown:
                shown = tenth
                click.echo(f"{title}: {done} of {of}", err=True)

        yield tell
        return

    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


@contextmanager
def waiting(title: str) -> Iterator[None]:
    """Says on a terminal's stderr that something takes a while and how far it is cannot be told."""
    if not sys.stderr.isatty():
        yield
        return

    from rich.console import Console

    with Console(stderr=True).status(title):
        yield
