"""Writes the stored matches of Adamantine: one for each way to end, and more until every kind of event is in one.

    python -m tests.stored.write_adamantine

A stored match is never written again once it is released; see `write_adaman`.
"""

from typing import Any

from domain.adamantine import ADAMANTINE
from domain.clocks import FischerClock
from services.service import Service
from tests.services.rounds import Round, play_together
from tests.stored.writing import Writer

DECKS = tuple(ADAMANTINE.rules.box.decks)
WAYS: dict[str, dict[str, Any]] = {
    "champion_slain": {},
    "no_cards_at_night": {"searches_per_day": 2},
    "turn_limit": {"turn_limit": 5},
}
EVERYTHING = {"turn_limit": 60}


def begin(service: Service, seed: int, options: dict[str, Any], **wish: Any) -> Round:
    decks = [DECKS[seed % len(DECKS)], DECKS[(seed + 1) % len(DECKS)]]
    return play_together(service, seed=seed, game="adamantine", options={"decks": decks, **options}, **wish)


def others(writer: Writer, service: Service) -> None:
    """Resigned and abandoned matches; one with a clock, rewinds proposed, refused and carried out, and a fork of it."""
    resigned = play_together(service, seed=1, game="adamantine", options={"bring_decks": True}).play(40)
    resigned.resign(1)
    writer.write(resigned, "resigned")
    abandoned = begin(service, 2, {}).play(30)
    service.timekeeping.abandon(abandoned.match, actor="caretaker", version=abandoned.version)
    writer.write(abandoned, "abandoned")
    table = begin(service, 5, {}, clock=FischerClock(600, 5)).play(40)
    table.refuse(1, table.propose(0, 12))
    table.play(8)
    table.rewind(table.version - 6)
    table.play(10)
    at = table.version
    table.resign(0)
    fork = table.fork(at, seat=0).sit(1)
    fork.play(20)
    fork.resign(0)
    writer.write(fork, "forked")
    writer.seen(table)  # the origin stands in the fork's record


if __name__ == "__main__":
    Writer(ADAMANTINE, begin).run(WAYS, others, EVERYTHING)
