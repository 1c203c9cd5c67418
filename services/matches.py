"""What can be done to matches: create, sit down, play, resign, undo, rewind, fork, abandon.

Each is one command: authenticated, looked up by its id (a repetition gets the first answer), held against the
version it was decided on, decided by the domain, and stored all at once or not at all.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec
from msgspec import Struct

import domain.match as kernel
from domain.chance import commitment as commitment_of
from domain.clocks import Clock, chosen
from domain.game import IllegalCommand, at_seat
from domain.match import MatchCreated, MatchForked, RuleSet, SeatTaken
from services.clock import Clock as Time
from services.codec import digest, plain
from services.draft import Draft, Envelope, demand_running
from services.errors import (
    IdempotencyKeyReuse,
    InvalidField,
    MatchOver,
    NothingDue,
    NotYourTurn,
    ServiceError,
    StoreUnavailable,
    TimeIsUp,
    VersionConflict,
)
from services.forks import copy_line, demand_forkable, fork_body, seat_in_fork
from services.identifiers import new_command_id
from services.ledger import History, Ledger
from services.looking import Look, show_entry
from services.parsing import checked_entropy, checked_seats, game_named, parsed, parsed_command
from services.people import People
from services.rewinds import consenting, rewinding, undoing
from services.seeds import Seeds
from services.standing_orders import OrderBook
from services.store.port import Entry, StreamMoved
from services.tokens import Keys, authenticate, digest_of

ATTEMPTS = 5  # how often a command without an expected version is decided anew on a match that moved
DECIDING_SECONDS = 2.0
DUE = "due"  # the kind of effect that is due at once: the system has to go on
SYSTEM = "system:"  # what ids of the service's own commands begin with; nobody else can use one up


SeatKind = Literal["person", "bot"]
Nudge = Callable[[str], None]  # told the id of an effect that is due at once; it may get lost


class Sit(Struct, frozen=True):
    """A person sitting down: a name, and what they add to the sealed chance (hex)."""

    name: str
    entropy: str | None = None
    seat: int | None = None


class CreateMatch(Struct, frozen=True):
    game: str
    options: dict[str, Any] = {}
    deal: int | None = None
    sit: Sit | None = None
    spectators: bool = True
    seats: int | None = None  # the fewest the game is for, if left out
    clock: Clock | None = None


class Order(Struct, frozen=True):
    """A command's id (one is made up if the caller gave none) and the version it was decided on."""

    command: str | None = None
    expected: int | None = None

    def __post_init__(self) -> None:
        if self.command is not None and self.command.startswith(SYSTEM):
            raise InvalidField("command", f"Ids that begin with {SYSTEM!r} are the service's own.")


class Answer(Struct, frozen=True):
    """What a command led to: the match's new version, the log's position, the events as the caller may see them."""

    version: int
    position: int
    events: list[dict[str, Any]]


class SeatGiven(Struct, frozen=True):
    number: int
    token: str


class Opened(Struct, frozen=True):
    """A match created, forked or joined. `seat` and its token where the caller sat down."""

    id: str
    version: int
    position: int
    seat: SeatGiven | None
    commitment: str | None


def due_effect(stream: str, version: int) -> str:
    """The id of the effect that an event at `version` leaves to the system."""
    return f"{DUE}-{stream}-{version}"


def awaits_system(history: History) -> int | None:
    """The version of the event after which the system has to act, or None if it hasn't."""
    if kernel.due(history.match, history.game) is None:
        return None
    return next(entry.version for entry in reversed(history.entries) if entry.event.AWAITS_SYSTEM)


class Matches:
    def __init__(
        self,
        ledger: Ledger,
        seeds: Seeds,
        people: People,
        keys: Keys,
        clock: Time,
        *,
        orders: OrderBook,
        idle_limit: int,
        nudge: Nudge = lambda _: None,
    ) -> None:
        self._ledger = ledger
        self._seeds = seeds
        self._people = people
        self._keys = keys
        self._clock = clock
        self._idle_limit = idle_limit
        self._orders = orders
        self._nudge = nudge

    # --- opening -------------------------------------------------------------------------------------------

    def create(self, wish: CreateMatch, order: Order) -> Opened:
        """Create a match; with `sit` the creator takes seat 0. Raises UnknownGame, InvalidField, IllegalCommand."""
        game = game_named(wish.game)
        options = plain(parsed(game.options, wish.options, "options"))
        if wish.deal is not None:
            kernel.check_deal(game, wish.deal)
        seats = checked_seats(game, wish.seats)
        command = self._command(order)
        body = digest({"do": "create", "body": msgspec.to_builtins(wish)})
        match_id = self._keys.match_id(order.command)
        by = "seat:0" if wish.sit else "system:lobby"
        if order.command and (repeated := self._opened_before(match_id, command, body, by)):
            return repeated
        sealed = wish.deal is None
        commitment = commitment_of(self._seeds.seal(match_id)) if sealed else None
        envelope = Envelope(by, command, body, self._clock.now())
        draft = Draft(match_id, game, [], [], envelope)
        draft.add(
            [
                MatchCreated(
                    game=game.name,
                    rules=RuleSet(game.rules_version, game.content),
                    options=options,
                    seats=seats,
                    deal=wish.deal,
                    commitment=commitment,
                    spectators=wish.spectators,
                    idle_limit=self._idle_limit,
                )
            ]
        )
        if wish.clock:
            draft.add(kernel.choose_clock(game, chosen(wish.clock)))
        if wish.sit:
            self._sit(draft, wish.sit, 0, command)
        return self._open(draft, envelope)

    def take_seat(self, match_id: str, wish: Sit, order: Order, kind: SeatKind = "person") -> Opened:
        """Sit down in an open match, in the seat named or the first free one; the answer has the seat's token.

        `kind` is for those who run bots beside the service: nobody can ask for it over HTTP.
        """
        bot = {"kind": kind} if kind == "bot" else {}
        body = digest({"do": "sit", "body": msgspec.to_builtins(wish)} | bot)
        command = self._command(order)

        def decide(_: History, draft: Draft) -> None:
            taken = {seat.number for seat in draft.match.seats}
            free = (number for number in range(draft.match.created.seats) if number not in taken)
            number = wish.seat if wish.seat is not None else next(free, 0)
            draft.by(f"seat:{number}")
            self._sit(draft, wish, number, command, kind)
            self._start(draft)

        history, position = self._perform(match_id, order, command, body, None, decide)
        return self._opened(history, command, position)

    def fork(
        self, match_id: str, at_version: int, token: str | None, sit: Sit | None, order: Order
    ) -> Opened:
        """Start a new match from any version of this one, with a seed of its own and the other seats open.

        Somebody who held a seat keeps its number unless `sit` names another; strangers get the first one.
        While the origin runs only its own seat may, in solitaire only; the origin is then marked and unranked.
        """
        command = self._command(order)
        fork_id = self._keys.match_id(f"fork {match_id} {order.command}" if order.command else None)
        for _ in range(ATTEMPTS):
            origin = self._ledger.history(match_id)
            seat = authenticate(origin.match, token) if token is not None else None
            demand_forkable(origin.match, origin.game, seat)
            number = seat_in_fork(sit.seat if sit else None, seat)
            body = digest(fork_body(match_id, at_version, msgspec.to_builtins(sit), seat, number))
            by = f"seat:{number}" if seat else "system:lobby"
            if order.command and (repeated := self._opened_before(fork_id, command, body, by)):
                return repeated
            envelope = Envelope(by, command, body, self._clock.now())
            draft = Draft(fork_id, origin.game, [], [], envelope)
            copy_line(draft, origin, origin.at(at_version), commitment_of(self._seeds.seal(fork_id)))
            if sit:
                self._sit(draft, sit, number, command)
            elif seat:
                self._seat_player(draft, seat.player, number, command, None)
            mark: list[Entry] = []
            if origin.match.status == "running":
                marking = Draft(match_id, origin.game, origin.entries, origin.states, envelope)
                marking.add([MatchForked(fork=fork_id, at_version=at_version)])
                mark = marking.entries
            try:
                return self._open(draft, envelope, beside=mark)
            except StreamMoved:
                continue
        raise VersionConflict(origin.match.version, origin.match.version + 1)

    # --- playing -------------------------------------------------------------------------------------------

    def act(self, match_id: str, token: str, body: dict[str, Any], order: Order) -> Answer:
        """A seat's command, as JSON with its `type`. Raises InvalidField, NotYourTurn, IllegalCommand, MatchOver, …"""

        received = self._clock.now()

        def decide(_: History, draft: Draft) -> None:
            match, game = draft.match, draft.game
            seat = authenticate(match, token).number
            command = None if body == {"type": "resign"} else parsed_command(game, body)
            demand_running(match)
            if command is None:
                seed = self._seeds.of(match)
                events, outcome = kernel.resign(match, game, seat, kernel.chance_of(match, seed))
                draft.add(events)
                draft.add(kernel.close(draft.match, game, seed, outcome))
                return
            if seat not in kernel.to_act(match, game):
                raise NotYourTurn
            if kernel.time_is_up(match, received):
                raise TimeIsUp
            self._play(draft, command, seat)

        return self._by_seat(match_id, token, "command", body, order, decide)

    def rewind(self, match_id: str, token: str, to_version: int, order: Order) -> Answer:
        """Take up an earlier version's state again: at once in solitaire, else by a proposal to the other seats."""
        decide = rewinding(token, to_version, self._seeds)
        return self._by_seat(match_id, token, "rewind", {"to_version": to_version}, order, decide)

    def consent(self, match_id: str, token: str, proposal: int, agree: bool, order: Order) -> Answer:
        """Agree to a proposed rewind or refuse it; the last of the other seats to agree carries it out.

        Raises ProposalNotFound, ProposalOver, CannotRewind.
        """
        decide = consenting(token, proposal, agree, self._seeds)
        body = {"proposal": proposal, "agree": agree}
        return self._by_seat(match_id, token, "consent", body, order, decide)

    def undo(self, match_id: str, token: str, order: Order) -> Answer:
        """Take the last action back, where nobody learned anything by it (P16)."""
        decide = undoing(token, self._clock.now(), self._seeds)
        return self._by_seat(match_id, token, "undo", {}, order, decide)

    def abandon(self, match_id: str, *, actor: str, version: int) -> None:
        """End a match nobody has touched since `version`; a match that moved on or ended is left alone."""
        command = f"{SYSTEM}abandon-{version}"

        def decide(_: History, draft: Draft) -> None:
            if draft.match.version != version:
                raise VersionConflict(version, draft.match.version)
            if draft.match.status == "ended":
                raise MatchOver
            outcome = draft.game.rules.forfeit(draft.match.state, None, "abandoned")
            draft.by(f"system:{actor}")
            draft.add(kernel.close(draft.match, draft.game, self._seeds.of(draft.match), outcome))

        body = digest({"do": "abandon", "version": version})
        self._perform(match_id, Order(), command, body, None, decide)

    def settle(self, match_id: str, *, actor: str) -> None:
        """Give the command the system owes a match. Raises NothingDue if there is none (any more)."""
        awaits = awaits_system(self._ledger.history(match_id))
        if awaits is None:
            raise NothingDue

        def decide(_: History, draft: Draft) -> None:
            due = kernel.due(draft.match, draft.game)
            if due is None:
                raise NothingDue
            draft.by(f"system:{actor}")
            self._by_system(draft, due)

        body = digest({"do": "due", "version": awaits})
        self._perform(match_id, Order(), f"{SYSTEM}due-{awaits}", body, None, decide)

    def expire(self, match_id: str, *, actor: str, version: int) -> None:
        """Do in the place of seats whose time is up what stands for them, until others decide.

        `version` is that at which their clock was set. Raises NothingDue if the clock was set anew since.
        """
        now = self._clock.now()

        def decide(_: History, draft: Draft) -> None:
            if draft.match.clock_version != version or not kernel.time_is_up(draft.match, now):
                raise NothingDue
            draft.by(f"system:{actor}")
            assert draft.match.clock is not None
            for seat in draft.match.clock.awaited:
                while command := kernel.default(draft.match, draft.game, seat):
                    self._by_system(draft, command)

        body = digest({"do": "deadline", "version": version})
        self._perform(match_id, Order(), f"{SYSTEM}deadline-{version}", body, None, decide)

    def follow_orders(self, match_id: str) -> None:
        """Give in the place of seats with a standing order what it says, as long as it answers what is awaited."""
        self._follow_orders(self._ledger.history(match_id))

    def _follow_orders(self, history: History) -> None:
        while (found := self._ordered(history)) is not None:
            seat, command = found
            version = history.match.version

            def decide(_: History, draft: Draft, seat: int = seat, command: Any = command) -> None:
                draft.by(f"seat:{seat}")
                self._play(draft, command, seat)

            order, body = (
                Order(expected=version),
                digest({"do": "command", "body": msgspec.to_builtins(command)}),
            )
            try:
                history, _ = self._decided(
                    history.stream, order, f"{SYSTEM}order-{version}", body, None, decide
                )
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

    # --- how a command is carried out ----------------------------------------------------------------------

    def _by_seat(
        self,
        match_id: str,
        token: str,
        verb: str,
        body: dict[str, Any],
        order: Order,
        decide: Callable[[History, Draft], None],
    ) -> Answer:
        command = self._command(order)
        hashed = digest({"do": verb, "body": body})
        history, position = self._perform(match_id, order, command, hashed, token, decide)
        entries = history.of_command(command)
        look = Look(at_seat(authenticate(history.match, token).number), history.game)
        return Answer(entries[-1].version, position, [show_entry(entry, look) for entry in entries])

    def _perform(
        self,
        match_id: str,
        order: Order,
        command: str,
        body: str,
        token: str | None,
        decide: Callable[[History, Draft], None],
    ) -> tuple[History, int]:
        """Decide and append, again on fresh state when the match moved; the first answer for a repeated id.

        Afterwards standing orders are followed.
        """
        history, position = self._decided(match_id, order, command, body, token, decide)
        if history.game.shared is not None:
            self._follow_orders(history)
        return history, position

    def _decided(
        self,
        match_id: str,
        order: Order,
        command: str,
        body: str,
        token: str | None,
        decide: Callable[[History, Draft], None],
    ) -> tuple[History, int]:
        history = self._ledger.history(match_id, fresh=False)
        for _ in range(ATTEMPTS):
            deciding = history.deciding
            if not deciding.acquire(timeout=DECIDING_SECONDS):
                raise StoreUnavailable
            try:
                return history, self._once(history, order, command, body, token, decide)
            except StreamMoved:
                history = self._ledger.history(match_id)
            except (ServiceError, IllegalCommand):
                known = len(history.states)
                history = self._ledger.history(match_id)
                if len(history.states) == known:
                    raise
            finally:
                deciding.release()
        raise VersionConflict(order.expected or len(history.states), len(history.states))

    def _once(
        self,
        history: History,
        order: Order,
        command: str,
        body: str,
        token: str | None,
        decide: Callable[[History, Draft], None],
    ) -> int:
        match = history.match
        by = f"seat:{authenticate(match, token).number}" if token is not None else "system:service"
        if written := history.of_command(command):
            if written[0].digest != body or (token is not None and written[0].by != by):
                raise IdempotencyKeyReuse
            return self._ledger.store.position(history.stream, written[-1].version)
        if order.expected is not None and order.expected != match.version:
            raise VersionConflict(order.expected, match.version)
        envelope = Envelope(by, command, body, self._clock.now())
        draft = Draft(history.stream, history.game, history.entries, history.states, envelope)
        decide(history, draft)
        self._set_clock(draft)
        position = self._ledger.append(history, draft.entries, draft.folded)
        if awaits := awaits_system(history):
            self._nudge(due_effect(history.stream, awaits))
        return position

    def _open(self, draft: Draft, envelope: Envelope, beside: list[Entry] | None = None) -> Opened:
        """Store a new match's first entries; the first answer if its command was carried out before.

        Raises StreamMoved if another stream's entries in `beside` met a newer version.
        """
        self._start(draft)
        self._set_clock(draft)
        history = History(draft.stream, draft.game)
        try:
            position = self._ledger.append(history, draft.entries, draft.folded, beside or [])
        except StreamMoved:
            command, body, by = envelope.command, envelope.digest, envelope.by
            if repeated := self._opened_before(draft.stream, command, body, by):
                return repeated
            raise
        return self._opened(history, envelope.command, position)

    def _command(self, order: Order) -> str:
        """What the events of a command name it by. A key opens what it opened before, so it is never stored."""
        return new_command_id() if order.command is None else self._keys.command_id(order.command)

    def _play(self, draft: Draft, command: Any, seat: int) -> None:
        match, game = draft.match, draft.game
        seed = self._seeds.of(match)
        draft.add(kernel.act(match, game, command, seat, kernel.chance_of(match, seed)))
        draft.add(kernel.close(draft.match, game, seed))

    def _by_system(self, draft: Draft, command: Any) -> None:
        match, game = draft.match, draft.game
        seed = self._seeds.of(match)
        draft.add(kernel.act_by_system(match, game, command, kernel.chance_of(match, seed)))
        draft.add(kernel.close(draft.match, game, seed))

    def _start(self, draft: Draft) -> None:
        """Begin play if every seat is taken."""
        seed = self._seeds.of(draft.match)
        draft.add(kernel.start(draft.match, draft.game, kernel.chance_of(draft.match, seed)))
        draft.add(kernel.close(draft.match, draft.game, seed))

    @staticmethod
    def _set_clock(draft: Draft) -> None:
        draft.add(kernel.clock(draft.match, draft.game, draft.at))

    def _opened_before(self, match_id: str, command: str, body: str, by: str) -> Opened | None:
        """The first answer to an opening that the same caller repeats, or None if it is the first."""
        if not self._ledger.store.read(match_id):
            return None
        history = self._ledger.history(match_id)
        entries = history.of_command(command)
        if not entries or (entries[0].digest, entries[0].by) != (body, by):
            raise IdempotencyKeyReuse
        return self._opened(history, command, self._ledger.store.position(match_id, entries[-1].version))

    def _opened(self, history: History, command: str, position: int) -> Opened:
        entries = history.of_command(command)
        taken = next((entry.event for entry in entries if isinstance(entry.event, SeatTaken)), None)
        seat = (
            SeatGiven(taken.seat, self._keys.seat_token(history.stream, taken.seat, command))
            if taken
            else None
        )
        created = history.match.created
        return Opened(history.stream, entries[-1].version, position, seat, created.commitment)

    def _sit(self, draft: Draft, wish: Sit, number: int, command: str, kind: SeatKind = "person") -> None:
        if wish.entropy is not None:
            checked_entropy(wish.entropy)
        player = self._people.identify(wish.name)
        self._seat_player(draft, player, number, command, wish.entropy, kind)

    def _seat_player(
        self,
        draft: Draft,
        player: str,
        number: int,
        command: str,
        entropy: str | None,
        kind: SeatKind = "person",
    ) -> None:
        token = self._keys.seat_token(draft.stream, number, command)
        taken = SeatTaken(seat=number, player=player, kind=kind, token=digest_of(token), entropy=entropy)
        draft.add(kernel.sit(draft.match, taken))
