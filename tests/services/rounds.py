"""Matches of several seats for tests, with all their tokens, and the system that goes on at once."""

from random import Random
from typing import Any

from domain.match import Match
from services.ledger import History
from services.looking import Caller
from services.record import Record, export, find_in, parse
from services.service import Service
from services.wishes import Answer, CreateMatch, Opened, Order, Sit


class Round:
    """A match with the tokens of its seats."""

    def __init__(self, service: Service, match: str, tokens: dict[int, str], seed: int = 1) -> None:
        self.service = service
        self.match = match
        self.tokens = tokens
        self.rng = Random(seed)

    # --- looking -------------------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        return self.service.ledger.history(self.match)

    @property
    def now(self) -> Match:
        return self.history.match

    @property
    def version(self) -> int:
        return self.now.version

    def view(self, seat: int | None = None, at: int | None = None) -> dict[str, Any]:
        caller = Caller(None if seat is None else self.tokens[seat])
        return self.service.looking.view(self.match, caller, at)

    def told(self) -> list[str]:
        """The types of all events."""
        return [entry.event.type_name() for entry in self.history.entries]

    def record(self) -> Record:
        return parse(b"".join(export(self.history, find_in(self.service.ledger))))

    # --- playing -------------------------------------------------------------------------------------------

    def act(self, seat: int, command: dict[str, Any], order: Order | None = None) -> Answer:
        return self.service.matches.act(self.match, self.tokens[seat], command, order or Order())

    def choose(self, seat: int) -> dict[str, Any]:
        """A legal command of a seat; one that takes something back only where nothing else is left."""
        legal: list[dict[str, Any]] = self.service.looking.legal(self.match, Caller(self.tokens[seat]))[
            "commands"
        ]
        onward = [
            command for command in legal if command["type"] not in ("cancel", "cancel_choice", "keep_counter")
        ]
        return self.rng.choice(onward or legal)

    def play(self, times: int = 100_000, *, settle: bool = True) -> "Round":
        """Random legal commands, to the end without `times`."""
        for _ in range(times):
            awaited = self.view()["to_act"]
            if not awaited:
                break
            self.act(awaited[0], self.choose(awaited[0]))
            if settle:
                self.settle()
        return self

    def play_until(self, kind: str) -> int:
        """Play until an event of this type is the last one; its version."""
        while self.told()[-1] != kind:
            self.settle()
            self.play(1, settle=False)
        return self.version

    def settle(self) -> None:
        """What the system has to do is done."""
        self.service.effects.settle(self.match)

    def resign(self, seat: int) -> Answer:
        return self.act(seat, {"type": "resign"})

    # --- going back ----------------------------------------------------------------------------------------

    def propose(self, seat: int, to_version: int, order: Order | None = None) -> int:
        """The number of the proposal."""
        matches = self.service.matches
        return matches.rewind(self.match, self.tokens[seat], to_version, order or Order()).version

    def answer(self, seat: int, proposal: int, agree: bool, order: Order | None = None) -> Answer:
        token = self.tokens[seat]
        return self.service.matches.consent(self.match, token, proposal, agree, order or Order())

    def agree(self, seat: int, proposal: int, order: Order | None = None) -> Answer:
        return self.answer(seat, proposal, True, order)

    def refuse(self, seat: int, proposal: int, order: Order | None = None) -> Answer:
        return self.answer(seat, proposal, False, order)

    def rewind(self, to_version: int) -> "Round":
        """One proposes, all agree."""
        first, *others = self.tokens
        proposal = self.propose(first, to_version)
        for seat in others:
            self.agree(seat, proposal)
        return self

    def fork(self, version: int, seat: int | None = None, sit: Sit | None = None) -> "Round":
        """A fork by somebody who held `seat`, or by a stranger; the other seats stay open."""
        token = None if seat is None else self.tokens[seat]
        opened = self.service.opening.fork(self.match, version, token, sit, Order())
        return Round(self.service, opened.id, tokens_of(opened), 2)

    def sit(self, *seats: int) -> "Round":
        """People sit down in these seats."""
        for seat in seats:
            self.join(Sit(f"guest{seat}", seat=seat))
        return self

    def join(self, sit: Sit) -> Opened:
        opened = self.service.opening.take_seat(self.match, sit, Order())
        self.tokens |= tokens_of(opened)
        return opened


def tokens_of(opened: Opened) -> dict[int, str]:
    return {opened.seat.number: opened.seat.token} if opened.seat else {}


def play_together(
    service: Service, seats: int = 2, seed: int = 1, game: str = "adellos", **wish: Any
) -> Round:
    """A match, of Adellos if no other game is named, that has started."""
    made = service.opening.create(CreateMatch(game, sit=Sit("ann"), seats=seats, **wish), Order())
    table = Round(service, made.id, tokens_of(made), seed)
    return table.sit(*range(1, seats))
