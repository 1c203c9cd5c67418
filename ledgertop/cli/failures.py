"""How commands fail: what is said, and the exit code. docs/cli.md lists the codes."""

import click

from services.errors import (
    IllegalCommand,
    InvalidField,
    MatchNotFound,
    OutcomeUnknown,
    PlayerNotFound,
    ServiceError,
    StoreUnavailable,
    UnknownGame,
    VersionNotFound,
)
from services.record import BadRecord


class Refused(click.ClickException):
    """A check failed, or what was asked for may not be done."""

    exit_code = 1


class NotFound(click.ClickException):
    exit_code = 3


class Unavailable(click.ClickException):
    exit_code = 4


def failure(error: Exception) -> click.ClickException | None:
    """What to tell about an error, or None where it is a defect and shows as one."""
    match error:
        case StoreUnavailable():
            return Unavailable("The store can't be reached just now. `ledgertop doctor` tells more.")
        case OutcomeUnknown():
            return Unavailable(str(error))
        case MatchNotFound() | PlayerNotFound() | UnknownGame() | VersionNotFound():
            return NotFound(str(error))
        case InvalidField():
            return click.UsageError(str(error))
        case IllegalCommand():
            return Refused(f"{error.reason} ({error.rule})")
        case ServiceError() | BadRecord():
            return Refused(str(error))
        case _:
            return None
