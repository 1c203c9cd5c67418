"""How a command on a match is carried out.

It is authenticated, looked up by its id (a repetition gets the first answer), held against the version it was decided
on, decided by the domain, and stored all at once or not at all.
"""

import logging
from collections.abc import Callable
from typing import Any

import msgspec

import domain.match as kernel
from domain.game import IllegalCommand, at_seat
from services.clock import Clock
from services.codec import digest
from services.draft import Draft, Envelope, play, set_clock
from services.errors import (
    IdempotencyKeyReuse,
    MatchFull,
    MatchOver,
    OutcomeUnknown,
    ServiceError,
    StoreUnavailable,
    VersionConflict,
)
from services.identifiers import new_command_id
from services.ledger import History, Ledger
from services.looking import Look, show_entry
from services.patience import COMMAND_SECONDS, patient, remaining
from services.seeds import Seeds
from services.standing_orders import OrderBook
from services.store.port import StreamMoved
from services.tokens import Keys, authenticate
from services.wishes import Answer, Order

log = logging.getLogger("ledgertop.carrying")

MAX_EVENTS = 20_000  # of a match; only what ends it may lead beyond (P20)
ATTEMPTS = 5  # how often a command without an expected version is decided anew on a match that moved
DUE = "due"  # the kind of effect that is due at once: the system has to go on

Decide = Callable[[History, Draft], None]
Nudge = Callable[[str], None]  # told the id of an effect that is due at once; it may get lost


def awaits_system(history: History) -> int | None:
    """The version of the event after which the system has to act, or None if it hasn't."""
    if kernel.due(history.match, history.game) is None:
        return None
    return next(entry.version for entry in reversed(history.entries) if entry.event.AWAITS_SYSTEM)


def answer(history: History, command: str, seat: int, position: int) -> Answer:
    """What a seat's command led to, as the seat may see it."""
    entries, look = history.of_command(command), Look(at_seat(seat), history.game)
    return Answer(entries[-1].version, position, [show_entry(entry, look) for entry in entries])


class Carrier:
    """Carries out what `decide` decides, once."""

    def __init__(
        self, ledger: Ledger, seeds: Seeds, keys: Keys, clock: Clock, orders: OrderBook, nudge: Nudge
    ) -> None:
        self.ledger = ledger
        self.seeds = seeds
        self.keys = keys
        self.clock = clock
        self._orders = orders
        self._nudge = nudge

    @patient
    def by_seat(
        self,
        match_id: str,
        token: str,
        verb: str,
        body: dict[str, Any],
        order: Order,
        decide: Decide,
    ) -> Answer:
        """Carry out a seat's command; what it led to, as the seat may see it."""
        command = self.command_id(order)
        hashed = digest({"do": verb, "body": body})
        history, position = self.perform(match_id, order, command, hashed, token, decide)
        return answer(history, command, authenticate(history.match, token).number, position)

    @patient
    def perform(
        self,
        match_id: str,
        order: Order,
        command: str,
        body: str,
        token: str | None,
        decide: Decide,
    ) -> tuple[History, int]:
        """Decide and append, again on fresh state when the match moved; the first answer for a repeated id.

        Afterwards standing orders are followed. Where the store fails in that, the command is answered all the same
        (P5), and the orders are followed after the next one.
        """
        history, position = self._decided(match_id, order, command, body, token, decide)
        if history.game.shared is not None:
            try:
                self._follow_orders(history)
            except (StoreUnavailable, OutcomeUnknown) as error:
                log.warning("standing orders wait for the next command (%s)", type(error).__name__)
        return history, position

    def _decided(
        self,
        match_id: str,
        order: Order,
        command: str,
        body: str,
        token: str | None,
        decide: Decide,
    ) -> tuple[History, int]:
        history = self.ledger.history(match_id, fresh=False)
        # Whether an append of this command ended in doubt: a conflict may then be with itself (trap 1).
        handed_over = False
        try:
            for _ in range(ATTEMPTS):
                deciding, known = history.deciding, history.version
                if not deciding.acquire(timeout=remaining(COMMAND_SECONDS)):
                    raise StoreUnavailable
                try:
                    return history, self._once(history, order, command, body, token, decide)
                except (StreamMoved, ServiceError, IllegalCommand) as error:
                    handed_over |= isinstance(error, StreamMoved | OutcomeUnknown)
                    history = self.ledger.history(match_id)
                    if history.version == known and not isinstance(error, StreamMoved):
                        raise
                finally:
                    deciding.release()
            if written := history.of_command(command):  # the last attempt, which ended in doubt, was stored
                return history, self.ledger.store.position(match_id, written[-1].version)
        except StoreUnavailable as error:
            if handed_over:
                raise OutcomeUnknown(match_id, command) from error
            raise
        raise VersionConflict(order.expected or history.version, history.version)

    def _once(
        self,
        history: History,
        order: Order,
        command: str,
        body: str,
        token: str | None,
        decide: Decide,
    ) -> int:
        by = f"seat:{authenticate(history.match, token).number}" if token is not None else "system:service"
        draft = Draft(history, Envelope(by, command, body, self.clock.now()))
        if written := history.of_command(command):
            if written[0].digest != body or (token is not None and written[0].by != by):
                raise IdempotencyKeyReuse
            return self.ledger.store.position(history.stream, written[-1].version)
        if order.expected is not None and order.expected != draft.match.version:
            raise VersionConflict(order.expected, draft.match.version)
        decide(history, draft)
        set_clock(draft)
        if token is not None and draft.match.version > MAX_EVENTS and draft.match.status != "ended":
            raise MatchFull(MAX_EVENTS)
        position = self.ledger.append(history, draft.entries, draft.folded)
        if awaits := awaits_system(history):
            self._nudge(f"{DUE}-{history.stream}-{awaits}")
        return position

    def command_id(self, order: Order) -> str:
        """What the events of a command name it by. A key opens what it opened before, so it is never stored."""
        return new_command_id() if order.command is None else self.keys.command_id(order.command)

    # --- standing orders ---------------------------------------------------------------------------------------

    def follow_orders(self, match_id: str) -> None:
        """Give in the place of seats with a standing order what it says, as long as it answers what is awaited."""
        self._follow_orders(self.ledger.history(match_id))

    def _follow_orders(self, history: History) -> None:
        while (found := self._ordered(history)) is not None:
            seat, command = found
            version = history.match.version

            def decide(_: History, draft: Draft, seat: int = seat, command: Any = command) -> None:
                draft.by(f"seat:{seat}")
                play(draft, command, seat, self.seeds)

            body = digest({"do": "command", "body": msgspec.to_builtins(command)})
            order = Order(expected=version)
            try:  # under an id like any other: the log tells nobody of orders (P11)
                history, _ = self._decided(history.stream, order, self.command_id(order), body, None, decide)
            except (VersionConflict, MatchOver):  # somebody else was quicker, and follows the orders then
                return

    def _ordered(self, history: History) -> tuple[int, Any] | None:
        """A seat whose standing order answers the decision awaited of it, and what it answers."""
        match, game = history.match, history.game
        for seat in kernel.to_act(match, game):
            command = kernel.decline(match, game, seat)
            if command is not None and self._orders.of(match.id, seat).always_pass:
                return seat, command
        return None
