"""`ledgertop export`: a match as a record."""

import os
import sys
from pathlib import Path

import click

from ledgertop.cli.output import json_option, print_json
from ledgertop.config import Config


@click.command()
@click.argument("match_id", metavar="MATCH")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="File to write, else stdout."
)
@json_option
@click.pass_obj
def export(config: Config, match_id: str, output: Path | None, as_json: bool) -> None:
    """Write a match's record, to be checked anywhere.

    `ledgertop verify FILE` checks it. The record of a running match tells the order of its deck: keep it to
    yourself until the end.
    """
    from ledgertop.cli.settings import opened
    from services.record import export as lines
    from services.record import find_in

    with opened(config) as service:
        history = service.ledger.history(match_id)
        if history.match.status != "ended":
            click.echo("The match has not ended: its record tells what is hidden from its players.", err=True)
        record = b"".join(lines(history, find_in(service.ledger)))
    if output is None:
        sys.stdout.buffer.write(record)
        return
    part = output.with_name(f"{output.name}.{os.getpid()}.part")
    try:
        part.write_bytes(record)
        part.replace(output)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise click.FileError(str(output), error.strerror or str(error)) from error
    if as_json:
        print_json({"match": match_id, "file": str(output), "bytes": len(record)})
    else:
        click.echo(f"Wrote {output} ({len(record)} bytes).")
