"""Matches for tests to look at: a whole service in a folder, and somebody who plays in it."""

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import services.seeds
from ledgertop.config import load
from ledgertop.wiring import build
from services.ledger import History
from services.looking import Caller
from services.record import Record, export, find_in, parse
from services.service import Service
from services.wishes import CreateMatch, Opened, Order, Sit


@contextmanager
def service_in(folder: Path, environ: Mapping[str, str] | None = None) -> Iterator[Service]:
    """A service whose sealed seeds are the same in every run of the tests."""
    service = build(load(folder, environ or {}), migrate=True)
    try:
        with patch.object(services.seeds, "os", SimpleNamespace(urandom=Random(0).randbytes)):
            yield service
    finally:
        service.close()


class Player:
    """Somebody at the only seat of a match of Adaman."""

    def __init__(self, service: Service, opened: Opened, seed: int = 1) -> None:
        assert opened.seat is not None
        self.service = service
        self.match = opened.id
        self.token = opened.seat.token
        self._rng = Random(seed)

    def legal(self) -> list[dict[str, Any]]:
        commands: list[dict[str, Any]] = self.service.looking.legal(self.match, Caller(self.token))[
            "commands"
        ]
        return commands

    def play(self, times: int | None = None) -> "Player":
        """Choose legal commands at random; to the end without `times`. Payments come in any order (AD-11)."""
        for _ in itertools.count() if times is None else range(times):
            commands = self.legal()
            if not commands:
                break
            command = dict(self._rng.choice(commands))
            if "payment" in command:
                command["payment"] = self._rng.sample(command["payment"], len(command["payment"]))
            self.service.matches.act(self.match, self.token, command, Order())
        return self

    def history(self) -> History:
        return self.service.ledger.history(self.match)

    @property
    def version(self) -> int:
        return self.history().match.version

    def rewind(self, version: int) -> "Player":
        self.service.matches.rewind(self.match, self.token, version, Order())
        return self

    def resign(self) -> "Player":
        self.service.matches.act(self.match, self.token, {"type": "resign"}, Order())
        return self

    def fork(self, version: int, seed: int = 2) -> "Player":
        opened = self.service.opening.fork(self.match, version, self.token, None, Order())
        return Player(self.service, opened, seed)

    def exported(self) -> bytes:
        return b"".join(export(self.history(), find_in(self.service.ledger)))

    def record(self) -> Record:
        return parse(self.exported())


def sit_down(service: Service, seed: int = 1, **wish: Any) -> Player:
    """Create a match of Adaman and take its seat."""
    sit = Sit("ann", entropy=wish.pop("entropy", None))
    return Player(service, service.opening.create(CreateMatch("adaman", sit=sit, **wish), Order()), seed)
