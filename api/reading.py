"""What queries on read models share: waiting for a position of the log, and naming players."""

from collections.abc import Callable, Iterable

from flask import current_app

from api.problems import Problem
from api.requests import service


def caught_up(position: int | None) -> None:
    """Wait for `position`, or for the log's head if that is lower. Raises Problem when it takes too long."""
    if position is None:
        return
    position = min(position, service().store.head())
    if not service().progress.wait(position, current_app.extensions["ledgertop-settings"].catch_up_seconds):
        raise Problem("read-models-behind", "The read models have not caught up with that position yet.")


def names(players: Iterable[str]) -> Callable[[str], dict[str, str | None]]:
    """How to show each of these players: id and name; a forgotten player has none."""
    known = service().people.names(players)
    return lambda player: {"id": player, "name": known.get(player)}
