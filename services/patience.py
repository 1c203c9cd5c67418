"""How long a command may wait, in all: one budget that every lock, connection and statement on its way draws from.

Each wait has a bound of its own, but a command meets several of them one after the other. So whoever begins a
command says how long it may take in all, and every wait below asks what is left (P21, P22).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from time import monotonic
from typing import ParamSpec, TypeVar

COMMAND_SECONDS = 2.5  # with what is computed in between, an answer comes in less than 3 s
UNHURRIED_SECONDS = 30.0  # one wait of work that nobody waits for: rebuilding, migrating

_until: ContextVar[float | None] = ContextVar("until", default=None)

P = ParamSpec("P")
R = TypeVar("R")


def remaining(at_most: float = UNHURRIED_SECONDS) -> float:
    """Seconds the next wait may take: what is left of the budget, 0 if it is used up, never more than `at_most`."""
    until = _until.get()
    return at_most if until is None else max(0.0, min(at_most, until - monotonic()))


@contextmanager
def patience(seconds: float = COMMAND_SECONDS) -> Iterator[None]:
    """All waits within take at most `seconds` together. Inside another budget they share that one."""
    if _until.get() is not None:
        yield
        return
    begin(seconds)
    try:
        yield
    finally:
        end()


def patient(function: Callable[P, R]) -> Callable[P, R]:
    """A function that is a command: all its waits share one budget."""

    @wraps(function)
    def bounded(*args: P.args, **kwargs: P.kwargs) -> R:
        with patience():
            return function(*args, **kwargs)

    return bounded


def begin(seconds: float = COMMAND_SECONDS) -> None:
    """Begin a budget of this thread, whatever became of the last one."""
    _until.set(monotonic() + seconds)


def end() -> None:
    _until.set(None)
