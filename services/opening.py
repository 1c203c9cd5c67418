"""Opening a match: creating one, sitting down, forking."""

import msgspec

import domain.match as kernel
from domain.chance import commitment as commitment_of
from domain.clocks import chosen
from domain.match import MatchCreated, MatchForked, RuleSet, SeatTaken
from services.carrying import ATTEMPTS, Carrier
from services.codec import digest, plain
from services.draft import Draft, Envelope, set_clock, start
from services.errors import IdempotencyKeyReuse, OutcomeUnknown, StoreUnavailable, VersionConflict
from services.forks import copy_line, demand_forkable, fork_body, seat_in_fork
from services.ledger import History
from services.parsing import checked_entropy, checked_seats, game_named, parsed
from services.patience import patient
from services.people import People
from services.store.port import Entry, StreamMoved
from services.tokens import authenticate, digest_of
from services.wishes import CreateMatch, Opened, Order, SeatGiven, SeatKind, Sit


class Opening:
    def __init__(self, carrier: Carrier, people: People, *, idle_limit: int) -> None:
        self._carrier = carrier
        self._ledger = carrier.ledger
        self._seeds = carrier.seeds
        self._keys = carrier.keys
        self._clock = carrier.clock
        self._people = people
        self._idle_limit = idle_limit

    @patient
    def create(self, wish: CreateMatch, order: Order) -> Opened:
        """Create a match; with `sit` the creator takes seat 0. Raises UnknownGame, InvalidField, IllegalCommand."""
        game = game_named(wish.game)
        options = plain(parsed(game.options, wish.options, "options"))
        if wish.deal is not None:
            kernel.check_deal(game, wish.deal)
        seats = checked_seats(game, wish.seats)
        command = self._carrier.command_id(order)
        body = digest({"do": "create", "body": msgspec.to_builtins(wish)})
        match_id = self._keys.match_id(order.command)
        by = "seat:0" if wish.sit else "system:lobby"
        if order.command and (repeated := self._opened_before(match_id, command, body, by)):
            return repeated
        sealed = wish.deal is None
        commitment = commitment_of(self._seeds.seal(match_id)) if sealed else None
        envelope = Envelope(by, command, body, self._clock.now())
        draft = Draft(self._ledger.blank(match_id, game), envelope)
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

    @patient
    def take_seat(self, match_id: str, wish: Sit, order: Order, kind: SeatKind = "person") -> Opened:
        """Sit down in an open match, in the seat named or the first free one; the answer has the seat's token.

        `kind` is for those who run bots beside the service: nobody can ask for it over HTTP.
        """
        bot = {"kind": kind} if kind == "bot" else {}
        body = digest({"do": "sit", "body": msgspec.to_builtins(wish)} | bot)
        command = self._carrier.command_id(order)

        def decide(_: History, draft: Draft) -> None:
            taken = {seat.number for seat in draft.match.seats}
            free = (number for number in range(draft.match.created.seats) if number not in taken)
            number = wish.seat if wish.seat is not None else next(free, 0)
            draft.by(f"seat:{number}")
            self._sit(draft, wish, number, command, kind)
            start(draft, self._seeds)

        history, position = self._carrier.perform(match_id, order, command, body, None, decide)
        return self._opened(history, command, position)

    @patient
    def fork(
        self, match_id: str, at_version: int, token: str | None, sit: Sit | None, order: Order
    ) -> Opened:
        """Start a new match from any version of this one, with a seed of its own and the other seats open.

        Somebody who held a seat keeps its number unless `sit` names another; strangers get the first one.
        While the origin runs only its own seat may, in solitaire only; the origin is then marked and unranked.
        """
        command = self._carrier.command_id(order)
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
            if order.command and origin.of_command(command):  # its answer would tell of the mark too (P4)
                raise IdempotencyKeyReuse
            envelope = Envelope(by, command, body, self._clock.now())
            draft = Draft(self._ledger.blank(fork_id, origin.game), envelope)
            copy_line(draft, origin, origin.at(at_version), commitment_of(self._seeds.seal(fork_id)))
            if sit:
                self._sit(draft, sit, number, command)
            elif seat:
                self._seat_player(draft, seat.player, number, command, None)
            mark: list[Entry] = []
            if origin.match.status == "running":
                marking = Draft(origin, envelope)
                marking.add([MatchForked(fork=fork_id, at_version=at_version)])
                mark = marking.entries
            try:
                return self._open(draft, envelope, beside=mark)
            except StreamMoved:
                continue
        raise VersionConflict(origin.match.version, origin.match.version + 1)

    # --- how it is done ----------------------------------------------------------------------------------------

    def _open(self, draft: Draft, envelope: Envelope, beside: list[Entry] | None = None) -> Opened:
        """Store a new match's first entries; the first answer if its command was carried out before.

        Raises StreamMoved if another stream's entries in `beside` met a newer version.
        """
        start(draft, self._seeds)
        set_clock(draft)
        history = draft.history
        try:
            position = self._ledger.append(history, draft.entries, draft.folded, beside or [])
        except (StreamMoved, OutcomeUnknown):  # it may have been stored all the same (P5)
            command, body, by = envelope.command, envelope.digest, envelope.by
            try:
                repeated = self._opened_before(draft.stream, command, body, by)
            except StoreUnavailable as error:
                raise OutcomeUnknown(draft.stream, command) from error
            if repeated:
                return repeated
            raise
        return self._opened(history, envelope.command, position)

    def _opened_before(self, match_id: str, command: str, body: str, by: str) -> Opened | None:
        """The first answer to an opening that the same caller repeats, or None if it is the first."""
        if not self._ledger.store.read(match_id, limit=1):
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
