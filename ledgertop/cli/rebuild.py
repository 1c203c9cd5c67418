"""`ledgertop rebuild`: a projection, from the log."""

import click

from ledgertop.cli.output import json_option, print_json, progress
from ledgertop.config import Config


@click.command()
@click.argument("projection")
@json_option
@click.pass_obj
def rebuild(config: Config, projection: str, as_json: bool) -> None:
    """Build a read model anew from the log.

    It is built beside the live one and then takes its place. The service may run meanwhile.
    """
    import projections
    from ledgertop.cli.failures import NotFound
    from ledgertop.cli.settings import opened
    from ledgertop.wiring import open_read_side

    names = [one.name for one in projections.PROJECTIONS]
    if projection not in names:
        raise NotFound(f"There is no projection {projection!r}; there are {', '.join(names)}.")
    position = 0
    with opened(config) as service, progress(f"Rebuilding {projection}") as tell:
        read_side = open_read_side(config, service.store)
        try:
            for step in read_side.rebuild(projection):
                position = step.position
                tell(step.position, step.head)
        finally:
            read_side.database.close()
    if as_json:
        print_json({"projection": projection, "position": position})
    else:
        click.echo(f"{projection} is rebuilt up to position {position}.")
