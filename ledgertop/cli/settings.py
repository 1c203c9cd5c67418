"""Settings and parts of the service, as commands get them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ledgertop.config import BadSetting, Config, load

if TYPE_CHECKING:
    from services.service import Service


def settings(ctx: click.Context) -> Config:
    """This process's settings; makes the data folder."""
    try:
        return load(ctx.meta["ledgertop.data"])
    except BadSetting as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        from ledgertop.cli.failures import Unavailable

        raise Unavailable(f"The data folder can't be used: {error.strerror or error}.") from error


@contextmanager
def opened(config: Config) -> Iterator["Service"]:
    """The service on the configured store, in this process. Makes SQLite's tables if they are missing."""
    from ledgertop.wiring import build

    service = build(config, migrate=config.database_url is None)
    try:
        yield service
    finally:
        service.close()
