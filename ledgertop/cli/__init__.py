"""The command line. Commands are imported when called, so that each starts fast. docs/cli.md describes it."""

from importlib import import_module
from pathlib import Path
from typing import Any

import click

from ledgertop.cli.settings import settings

COMMANDS = {
    "serve": "ledgertop.cli.serve:serve",
    "play": "ledgertop.cli.play:play",
    "watch": "ledgertop.cli.watch:watch",
    "replay": "ledgertop.cli.replay:replay",
    "verify": "ledgertop.cli.verify:verify",
    "export": "ledgertop.cli.export:export",
    "simulate": "ledgertop.cli.simulate:simulate",
    "rebuild": "ledgertop.cli.rebuild:rebuild",
    "doctor": "ledgertop.cli.doctor:doctor",
    "forget": "ledgertop.cli.forget:forget",
    "openapi": "ledgertop.cli.openapi:openapi",
    "api": "ledgertop.cli.serve:api",
    "worker": "ledgertop.cli.serve:worker",
    "projector": "ledgertop.cli.serve:projector",
    "migrate": "ledgertop.cli.serve:migrate",
    "http": "ledgertop.cli.serve:http_",
}
# These need no data folder, or look for it themselves.
WITHOUT_DATA = {"verify", "simulate", "openapi", "doctor"}


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            from ledgertop.cli.failures import failure

            told = failure(error)
            if told is None:
                raise
            raise told from error


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Folder for data (LEDGERTOP_DATA)."
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON; every command takes this option too.")
@click.version_option(package_name="ledgertop")
@click.pass_context
def main(ctx: click.Context, data: Path | None, as_json: bool) -> None:
    """A game service in which nothing is ever overwritten."""
    ctx.meta["ledgertop.data"] = data
    ctx.meta["ledgertop.json"] = as_json
    if ctx.invoked_subcommand not in WITHOUT_DATA:
        ctx.obj = settings(ctx)
