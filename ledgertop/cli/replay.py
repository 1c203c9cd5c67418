"""`ledgertop replay`: a match version by version."""

import sys

import click

from ledgertop.cli.output import json_option, print_json
from ledgertop.config import Config


@click.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--at", type=click.IntRange(min=1), help="Show this version only.")
@click.option(
    "--step", is_flag=True, help="Wait for Enter after each version; `q` or the end of input stops."
)
@click.option("--token", help="A seat's token, to see what the seat saw.")
@json_option
@click.pass_obj
def replay(
    config: Config, match_id: str, at: int | None, step: bool, token: str | None, as_json: bool
) -> None:
    """Show a match version by version.

    Of each version the event is shown, and the table after it.
    """
    from domain.game import Scene
    from ledgertop.cli.settings import opened
    from ledgertop.cli.text import event_line, position_lines, scene_of
    from services.looking import Caller

    caller = Caller(token)
    with opened(config) as service:
        history, _ = service.looking.look(match_id, caller)
        last = history.version
        history.at(at or 1)
        for version in [at] if at else range(1, last + 1):
            event = service.looking.events(match_id, caller, version - 1, 1)["events"][0]
            view = service.looking.view(match_id, caller, at=version)
            if as_json:
                print_json({"version": version, "event": event, "view": view})
            else:
                before = (
                    scene_of(service.looking.view(match_id, caller, at=version - 1))
                    if version > 1
                    else Scene()
                )
                line = event_line(history.game, event, before)
                click.echo("\n".join([line, *position_lines(history.game, view), ""]))
            if step and version < last and not at and _stops():
                return


def _stops() -> bool:
    """Whether whoever steps through wants no more."""
    if sys.stdin.isatty():
        click.echo("Enter: next version, q: stop ", nl=False, err=True)
    line = sys.stdin.readline()
    return not line or line.strip().lower() in ("q", "quit")
