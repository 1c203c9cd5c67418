"""Writes the stored matches of Adellos: one for each way to end, and more until every kind of event stands in one.

    python -m tests.stored.write_adellos

A stored match is never written again once it is released; see `write_adaman`.
"""

from typing import Any

from domain.adellos import ADELLOS
from domain.clocks import FischerClock
from services.service import Service
from tests.services.rounds import Round, play_together
from tests.stored.writing import Writer

WAYS: dict[str, dict[str, Any]] = {
    "last_noble": {},
    "bonus_field": {},
    "sudden_death": {"sudden_death": True},
    "turn_limit": {"turn_limit": 6},
}
EVERYTHING = {"trading": True, "hand_limit": 3, "turn_limit": 60}


def begin(service: Service, seed: int, options: dict[str, Any]) -> Round:
    return play_together(service, seats=2 + seed % 3, seed=seed, options=options)


def others(writer: Writer, service: Service) -> None:
    """Resigned and abandoned matches; one with a clock, rewinds proposed, refused and carried out, and a fork of it."""
    resigned = play_together(service).play(9)
    resigned.resign(1)
    writer.write(resigned, "resigned")
    abandoned = play_together(service, seats=3).play(12)
    service.timekeeping.abandon(abandoned.match, actor="caretaker", version=abandoned.version)
    writer.write(abandoned, "abandoned")
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
    writer.write(fork, "forked")
    writer.seen(table)  # the origin stands in the fork's record


if __name__ == "__main__":
    Writer(ADELLOS, begin).run(WAYS, others, EVERYTHING)
