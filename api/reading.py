"""Reading one's own writes: a query waits for the read models to reach a position of the log."""

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
