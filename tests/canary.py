"""A canary over the whole suite: no secret in anything a test printed, logged or let a service log (P23).

Looked through are the captured output and log records of every test, and every `*.log` in the tests' folders. Secrets
are what looks like a seat's token, every server key, and every sealed seed that the tests' databases hold. What is
found makes the run fail, whatever its tests say.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

TOKEN = re.compile(r"lt_seat_[A-Za-z0-9_-]{43}")
SHOWN = 10  # findings at most


class Canary:
    """A pytest plugin."""

    def __init__(self) -> None:
        self._printed: list[tuple[str, str]] = []
        self._summary: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.passed:  # what a failed test shows may hold anything, as the values it compared
            self._printed += [(f"{report.nodeid}, {name}", text) for name, text in report.sections]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        factory = getattr(session.config, "_tmp_path_factory", None)
        folder = factory.getbasetemp() if factory else None
        texts = [*self._printed, *(logs(folder) if folder else ())]
        secrets = {*(sealed(folder) if folder else ())}
        found = [f"{place} holds {kind}" for place, text in texts for kind in sorted(told(text, secrets))]
        size = sum(len(text) for _, text in texts)
        self._summary = [
            f"canary: {len(texts)} outputs and logs, {size} characters, {len(secrets)} keys and seeds looked for"
        ]
        if found:
            self._summary += found[:SHOWN]
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for line in self._summary:
            terminalreporter.write_line(line)


def told(text: str, secrets: Iterable[str]) -> set[str]:
    """What kinds of secrets a text holds."""
    kinds = set()
    if any(len(set(token.removeprefix("lt_seat_"))) > 1 for token in TOKEN.findall(text)):
        kinds.add("a seat's token")
    if any(secret in text for secret in secrets):
        kinds.add("a key or a seed")
    return kinds


def logs(folder: Path) -> Iterator[tuple[str, str]]:
    """Every log in a folder, by its name."""
    for path in sorted(folder.rglob("*.log")):
        yield str(path.relative_to(folder)), path.read_text(errors="replace")


def sealed(folder: Path) -> Iterator[str]:
    """Server keys and sealed seeds in a folder, in hex."""
    for path in folder.rglob("server.key"):
        yield path.read_text().strip()
    for path in folder.rglob("tables.sqlite3"):
        with closing(sqlite3.connect(path)) as connection:
            try:
                yield from (str(seed) for (seed,) in connection.execute("SELECT seed FROM seeds"))
            except sqlite3.Error:  # a test has damaged it
                continue
