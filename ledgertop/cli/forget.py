"""`ledgertop forget`: a person's name."""

import click

from ledgertop.cli.output import json_option, print_json
from ledgertop.config import Config


@click.command()
@click.argument("name")
@json_option
@click.pass_obj
def forget(config: Config, name: str, as_json: bool) -> None:
    """Erase a player's name. Matches and statistics stay, under an id that names nobody."""
    from ledgertop.cli.settings import opened

    with opened(config) as service:
        player = service.people.forget(name)
    if as_json:
        print_json({"player": player, "forgotten": True})
    else:
        click.echo(f"The name is erased; its matches stay under {player}.")
