"""`ledgertop rebuild`: projections, from the log."""

import click

from ledgertop.cli.output import json_option, print_json, progress
from ledgertop.config import Config


@click.command()
@click.argument("projections", nargs=-1, metavar="[PROJECTION]...")
@click.option("--all", "everything", is_flag=True, help="Rebuild every projection.")
@json_option
@click.pass_obj
def rebuild(config: Config, projections: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Build read models anew from the log, several of them in one reading.

    They are built beside the live ones and then take their places. The service may run meanwhile.
    """
    from ledgertop.cli.failures import NotFound
    from ledgertop.cli.settings import opened
    from ledgertop.wiring import open_read_side
    from projections import PROJECTIONS

    if bool(projections) == everything:
        raise click.UsageError("Name projections, or say --all.")
    known = [one.name for one in PROJECTIONS]
    names = known if everything else list(dict.fromkeys(projections))
    for name in names:
        if name not in known:
            raise NotFound(f"There is no projection {name!r}; there are {', '.join(known)}.")
    told = ", ".join(names)
    position = 0
    with opened(config) as service, progress(f"Rebuilding {told}") as tell:
        read_side = open_read_side(config, service.store)
        try:
            for step in read_side.rebuild(*names):
                position = step.position
                tell(step.position, step.head)
        finally:
            read_side.database.close()
    if as_json:
        print_json({"projections": names, "position": position})
    else:
        click.echo(f"Rebuilt up to position {position}: {told}.")
