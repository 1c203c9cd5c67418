"""The command line. Commands are imported when they are called, so that each starts fast."""

from importlib import import_module
from pathlib import Path

import click

from ledgertop.config import BadSetting, load

COMMANDS = {
    "serve": "ledgertop.cli.serve:serve",
    "api": "ledgertop.cli.serve:api",
    "worker": "ledgertop.cli.serve:worker",
    "projector": "ledgertop.cli.serve:projector",
    "migrate": "ledgertop.cli.serve:migrate",
    "http": "ledgertop.cli.serve:http_",
}


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder for data (LEDGERTOP_DATA).")
@click.version_option(package_name="ledgertop")
@click.pass_context
def main(ctx: click.Context, data: Path | None) -> None:
    """A game service in which nothing is ever overwritten."""
    try:
        ctx.obj = load(data)
    except BadSetting as error:
        raise click.UsageError(str(error)) from None
