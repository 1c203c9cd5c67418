"""`ledgertop watch`: a match live."""

import click

from ledgertop.cli.output import json_option, print_json
from ledgertop.config import Config

HEARTBEAT_SECONDS = 15.0


@click.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--after", type=click.IntRange(min=0), default=0, help="Begin after this version.")
@click.option("--token", help="A seat's token, to see what the seat sees.")
@json_option
@click.pass_obj
def watch(config: Config, match_id: str, after: int, token: str | None, as_json: bool) -> None:
    """Follow a match live until it ends. Ctrl-C stops watching."""
    from domain.game import Scene
    from ledgertop.cli.settings import opened
    from ledgertop.cli.text import event_line, scene_of
    from services.looking import Caller

    caller = Caller(token)
    with opened(config) as service:
        game = service.ledger.history(match_id).game
        for page in service.feed.follow(match_id, caller, after, HEARTBEAT_SECONDS):
            for event in page:
                if as_json:
                    print_json(event)
                else:
                    version = event["version"] - 1
                    view = service.looking.view(match_id, caller, at=version) if version else None
                    click.echo(event_line(game, event, scene_of(view) if view else Scene()))
