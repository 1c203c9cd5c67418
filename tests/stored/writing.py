"""What the writers of stored matches share, for games of several seats."""

import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from domain.game import Game
from domain.match import LIFECYCLE
from ledgertop.config import load
from ledgertop.wiring import build
from services.bots import BOTS
from services.codec import plain
from services.record import export, find_in
from services.service import Service
from tests.services.rounds import Round

FOREIGN = {"match.forked.1"}  # only in solitaire can a running match be forked

Begin = Callable[[Service, int, dict[str, Any]], Round]  # a match with this seed and these options


class Writer:
    """Writes matches of one game until every kind of event stands in one."""

    def __init__(self, game: Game, begin: Begin) -> None:
        self.game = game
        self._begin = begin
        self._folder = Path(__file__).parent / game.name
        self._wanted = {kind.TOPIC for kind in (*game.events, *LIFECYCLE)} - FOREIGN

    def write(self, table: Round, name: str) -> None:
        (self._folder / f"{name}.ndjson").write_bytes(
            b"".join(export(table.history, find_in(table.service.ledger)))
        )
        self.seen(table)

    def seen(self, table: Round) -> set[str]:
        """The topics of a match that no written one had so far; they are no longer wanted."""
        found = self._wanted & {entry.event.TOPIC for entry in table.history.entries}
        self._wanted -= found
        return found

    def run(
        self,
        ways: dict[str, dict[str, Any]],
        others: Callable[["Writer", Service], None],
        everything: dict[str, Any],
    ) -> None:
        """One match for each way to end, by the options it is reached with; what `others` writes; and random matches
        with the options `everything` for the events that are still missing.
        """
        self._folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            service = build(load(Path(folder), {}), migrate=True)
            for way, options in ways.items():
                self.write(next(self._ending(service, way, options)), way)
            others(self, service)
            for seed in count(1):
                if not self._wanted:
                    break
                table = self._begin(service, seed, everything)
                self._play(table, "random")
                if found := self.seen(table):
                    self.write(table, f"more_{'_'.join(sorted(name.split('.')[1] for name in found))}")
            service.close()

    def _ending(self, service: Service, way: str, options: dict[str, Any]) -> Iterator[Round]:
        for seed in count(1):
            table = self._begin(service, seed, options)
            if self._play(table, "greedy") == way:
                yield table

    def _play(self, table: Round, bot: str) -> str:
        """Let bots play to the end; what ended the match."""
        while (match := table.now).status == "running":
            acting = self.game.rules.to_act(match.state)
            if acting:
                command = BOTS[bot].choose(self.game, match.state, acting[0], table.rng)
                table.act(acting[0], plain(command))
            else:
                table.settle()
        assert match.outcome is not None
        return str(match.outcome.reason)
