"""Writes the stored matches of Adamantine: one for each way to end, and more until every kind of event is in one.

    python -m tests.stored.write_adamantine

A stored match is never written again once it is released; see `write_adaman`.
"""

import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from domain.adamantine import ADAMANTINE
from domain.clocks import FischerClock
from domain.match import LIFECYCLE
from ledgertop.config import load
from ledgertop.wiring import build
from services.bots import BOTS
from services.codec import plain
from services.record import export, find_in
from services.service import Service
from tests.services.rounds import Round, play_together

FOLDER = Path(__file__).parent / "adamantine"
DECKS = tuple(ADAMANTINE.rules.box.decks)
WAYS: dict[str, dict[str, Any]] = {
    "champion_slain": {},
    "no_cards_at_night": {"searches_per_day": 2},
    "turn_limit": {"turn_limit": 5},
}
FOREIGN = {"match.forked.1"}  # only in solitaire can a running match be forked


def begin(service: Service, seed: int, **wish: Any) -> Round:
    return play_together(service, seed=seed, game="adamantine", **wish)


def play(table: Round, bot: str) -> str:
    """Let bots play to the end; what ended the match."""
    while (match := table.now).status == "running":
        (seat,) = ADAMANTINE.rules.to_act(match.state)
        table.act(seat, plain(BOTS[bot].choose(ADAMANTINE, match.state, seat, table.rng)))
    assert match.outcome is not None
    return str(match.outcome.reason)


def topics_of(table: Round) -> set[str]:
    return {entry.event.TOPIC for entry in table.history.entries}


def write(table: Round, name: str) -> set[str]:
    """Write the record; the topics in it."""
    history = table.history
    (FOLDER / f"{name}.ndjson").write_bytes(b"".join(export(history, find_in(table.service.ledger))))
    return topics_of(table)


def ways(service: Service) -> Iterator[set[str]]:
    for way, options in WAYS.items():
        for seed in count(1):
            decks = [DECKS[seed % len(DECKS)], DECKS[(seed + 1) % len(DECKS)]]
            table = begin(service, seed, options={"decks": decks, **options})
            if play(table, "greedy") == way:
                yield write(table, way)
                break
    resigned = begin(service, 1, options={"bring_decks": True}).play(40)
    resigned.resign(1)
    yield write(resigned, "resigned")
    abandoned = begin(service, 2).play(30)
    service.timekeeping.abandon(abandoned.match, actor="caretaker", version=abandoned.version)
    yield write(abandoned, "abandoned")


def forked(service: Service) -> Iterator[set[str]]:
    """A match with a clock, rewinds proposed, refused and carried out; a fork of it with other people."""
    table = begin(service, 5, clock=FischerClock(600, 5)).play(40)
    table.refuse(1, table.propose(0, 12))
    table.play(8)
    table.rewind(table.version - 6)
    table.play(10)
    at = table.version
    table.resign(0)
    fork = table.fork(at, seat=0).sit(1)
    fork.play(20)
    fork.resign(0)
    yield topics_of(table)
    yield write(fork, "forked")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted = {kind.TOPIC for kind in (*ADAMANTINE.events, *LIFECYCLE)} - FOREIGN
    with tempfile.TemporaryDirectory() as folder:
        service = build(load(Path(folder), {}), migrate=True)
        for seen in (*ways(service), *forked(service)):
            wanted -= seen
        for seed in count(1):
            if not wanted:
                break
            table = begin(service, seed, options={"turn_limit": 60})
            play(table, "random")
            if found := wanted & topics_of(table):
                write(table, f"more_{'_'.join(sorted(name.split('.')[1] for name in found))}")
                wanted -= found
        service.close()


if __name__ == "__main__":
    main()
