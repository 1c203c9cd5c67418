"""Writes the stored matches of Adaman: one record for each way a match can end, and one with every kind of event.

    python -m tests.stored.write_adaman

A stored match is never written again once it is released: it stands for what is in people's databases, and must stay
readable and verifiable for ever (P8, P26). A new event or shape gets a new record beside the old ones.
"""

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ledgertop.config import load
from ledgertop.wiring import build
from services.bots import BOTS
from services.codec import plain
from services.looking import Caller
from services.record import export, find_in
from services.service import Service
from services.wishes import CreateMatch, Opened, Order, Sit

FOLDER = Path(__file__).parent / "adaman"
EVERY_CARD = {"excuse": True, "pawns": True, "courts": True}


class Table:
    """A service with one player who plays as a bot does."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def open(self, **wish: Any) -> Opened:
        return self.service.opening.create(CreateMatch(game="adaman", sit=Sit("ann"), **wish), Order())

    def legal(self, match: Opened) -> list[dict[str, Any]]:
        assert match.seat is not None
        commands: list[dict[str, Any]] = self.service.looking.legal(match.id, Caller(match.seat.token))[
            "commands"
        ]
        return commands

    def act(self, match: Opened, command: dict[str, Any]) -> None:
        assert match.seat is not None
        self.service.matches.act(match.id, match.seat.token, command, Order())

    def play(self, match: Opened, bot: str, seed: int) -> str:
        """Play to the end; how it ended."""
        rng = random.Random(seed)
        history = self.service.ledger.history(match.id)
        while history.match.status == "running":
            self.act(match, plain(BOTS[bot].choose(history.game, history.match.state, 0, rng)))
        assert history.match.outcome is not None
        return history.match.outcome.result

    def write(self, match: Opened, name: str) -> None:
        history = self.service.ledger.history(match.id)
        (FOLDER / f"{name}.ndjson").write_bytes(b"".join(export(history, find_in(self.service.ledger))))

    def until(self, result: str, bot: str, open_match: Callable[[int], Opened]) -> Opened:
        """A match that ended with `result`."""
        for deal in range(1, 10_000):
            match = open_match(deal)
            if self.play(match, bot, deal) == result:
                return match
        raise AssertionError(f"no match ended {result}")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        service = build(load(Path(folder), {}), migrate=True)
        table = Table(service)
        table.write(table.until("won", "greedy", lambda deal: table.open(deal=deal)), "won")
        table.write(table.until("lost", "random", lambda _: table.open()), "lost")
        table.write(table.until("lost_utterly", "random", lambda _: table.open()), "lost_utterly")
        resigned = table.open(deal=7)
        table.act(resigned, table.legal(resigned)[0])
        table.act(resigned, {"type": "resign"})
        table.write(resigned, "resigned")
        abandoned = table.open(deal=8)
        version = service.ledger.history(abandoned.id).match.version
        service.timekeeping.abandon(abandoned.id, actor="caretaker", version=version)
        table.write(abandoned, "abandoned")
        while not _with_every_event(table):
            pass
        service.close()


def _with_every_event(table: Table) -> bool:
    """A sealed match with all cards, rewound, forked, and the fork played to its end; False if chance forbade it."""
    origin = table.open(options=EVERY_CARD)
    history = table.service.ledger.history(origin.id)
    if history.match.status == "ended":
        return False
    assert origin.seat is not None
    table.act(origin, table.legal(origin)[0])
    if history.match.status == "ended":
        return False
    table.service.matches.rewind(origin.id, origin.seat.token, 3, Order())
    if history.match.status == "ended":
        return False
    fork = table.service.opening.fork(origin.id, history.match.version, origin.seat.token, None, Order())
    table.play(origin, "random", 1)
    table.play(fork, "random", 2)
    kinds = {entry.event.type_name() for entry in table.service.ledger.history(fork.id).entries}
    if not {"excuse_turned_up", "excuse_resolved"} <= kinds:
        return False
    table.write(fork, "forked")
    return True


if __name__ == "__main__":
    main()
