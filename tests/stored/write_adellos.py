"""Writes the stored matches of Adellos: one for each way to end, and more until every kind of event stands in one.

    python -m tests.stored.write_adellos

A stored match is never written again once it is released; see `write_adaman`.
"""

import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from domain.adellos import ADELLOS
from domain.clocks import FischerClock
from domain.match import LIFECYCLE
from ledgertop.config import load
from ledgertop.wiring import build
from services.bots import BOTS
from services.codec import plain
from services.record import export, find_in
from services.service import Service
from tests.services.rounds import Round, play_together

FOLDER = Path(__file__).parent / "adellos"
WAYS: dict[str, dict[str, Any]] = {
    "last_noble": {},
    "bonus_field": {},
    "sudden_death": {"sudden_death": True},
    "turn_limit": {"turn_limit": 6},
}
EVERYTHING = {"trading": True, "hand_limit": 3, "turn_limit": 60}
FOREIGN = {"match.forked.1"}  # only in solitaire can a running match be forked


def play(table: Round, bot: str) -> str:
    """Let bots play to the end; what ended the match."""
    while (match := table.now).status == "running":
        acting = ADELLOS.rules.to_act(match.state)
        if acting:
            command = BOTS[bot].choose(ADELLOS, match.state, acting[0], table.rng)
            table.act(acting[0], plain(command))
        else:
            table.settle()
    assert match.outcome is not None
    return str(match.outcome.reason)


def write(table: Round, name: str) -> set[str]:
    """Write the record; the topics in it."""
    history = table.history
    (FOLDER / f"{name}.ndjson").write_bytes(b"".join(export(history, find_in(table.service.ledger))))
    return {entry.event.TOPIC for entry in history.entries}


def ways(service: Service) -> Iterator[set[str]]:
    for way, options in WAYS.items():
        for seed in count(1):
            table = play_together(service, seats=2 + seed % 3, seed=seed, options=options)
            if play(table, "greedy") == way:
                yield write(table, way)
                break
    resigned = play_together(service).play(9)
    resigned.resign(1)
    yield write(resigned, "resigned")
    abandoned = play_together(service, seats=3).play(12)
    version = abandoned.version
    service.timekeeping.abandon(abandoned.match, actor="caretaker", version=version)
    yield write(abandoned, "abandoned")


def forked(service: Service) -> Iterator[set[str]]:
    """A match with a clock, rewinds proposed, refused and carried out; a fork of it with other people."""
    table = play_together(service, seats=2, seed=5, clock=FischerClock(600, 5))
    table.play(20)
    table.refuse(1, table.propose(0, 8))
    table.play(5)
    table.rewind(12)
    table.play(8)
    at = table.version
    table.resign(0)
    fork = table.fork(at, seat=0).sit(1)
    fork.play(10)
    fork.resign(0)
    yield {entry.event.TOPIC for entry in table.history.entries}
    yield write(fork, "forked")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted = {kind.TOPIC for kind in (*ADELLOS.events, *LIFECYCLE)} - FOREIGN
    with tempfile.TemporaryDirectory() as folder:
        service = build(load(Path(folder), {}), migrate=True)
        for seen in (*ways(service), *forked(service)):
            wanted -= seen
        for seed in count(1):
            if not wanted:
                break
            table = play_together(service, seats=2 + seed % 3, seed=seed, options=EVERYTHING)
            play(table, "random")
            if found := wanted & {entry.event.TOPIC for entry in table.history.entries}:
                write(table, f"more_{'_'.join(sorted(name.split('.')[1] for name in found))}")
                wanted -= found
        service.close()


if __name__ == "__main__":
    main()
