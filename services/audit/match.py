"""The audit of one match of a record."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

import domain.match as kernel
from domain.chance import SEED_BYTES, commitment, deal_seed
from domain.game import Event, Game, IllegalCommand, Outcome
from domain.match import Match, MatchCreated, MatchEnded, MatchForked, MatchRewound, SeatTaken, SeedRevealed
from domain.registry import GAMES
from services.audit.envelopes import check_envelopes, commands_of, is_hex
from services.audit.judging import FOLDING_ERRORS, ChanceFor, Draft, Drawn, Way, agreement, judge
from services.audit.report import Finding, Report, What
from services.codec import digest, plain
from services.record import Record, match_digest
from services.store.port import Entry


class _Stop(Exception):
    """Nothing after this can be checked."""


class MatchAudit:
    """The audit of one match of a record; `origin` is the finished one of what it was forked from."""

    def __init__(self, record: Record, origin: "MatchAudit | None") -> None:
        self.record = record
        self.entries = record.entries
        self.states: list[Match] = []
        self._origin = origin
        self._findings: list[Finding] = []
        self._pending: list[str] = []
        self._seed: bytes | None = None
        self._decisions = self._checked = self._open_draws = 0

    def run(self) -> None:
        check_envelopes(self.record, self._fault)
        try:
            self._game = self._begin()
            for group in commands_of(self.record, self._fault):
                if self.states and self.match.status == "ended":
                    self._fault(
                        group[0].version,
                        "end",
                        "something was added after the end",
                        None,
                        _shown(group[0].event),
                    )
                self._checked_group(group)
        except _Stop:
            self._open("Not everything could be checked because of the faults found.")
            return
        if self.record.state is not None and self.record.state != match_digest(self.match):
            self._fault(None, "state", "the final state differs", match_digest(self.match), self.record.state)
        if self._open_draws:
            why = (
                "its seed is not revealed before it ends"
                if self.match.status != "ended"
                else "their seed is missing"
            )
            self._open(f"{self._open_draws} draws of the match can't be checked: {why}.")

    def report(self, origin: Report | None) -> Report:
        match = self.states[-1] if self.states else None
        return Report(
            match=self.record.match,
            game=self.record.game,
            ok=not self._findings and (origin is None or origin.ok),
            complete=not self._pending and (origin is None or origin.complete),
            version=match.version if match else 0,
            status=match.status if match else "unknown",
            outcome=match.outcome if match else None,
            digest=match_digest(match) if match else None,
            events=len(self.entries),
            decisions=self._decisions,
            draws_checked=self._checked,
            draws_pending=self._open_draws,
            pending=tuple(self._pending),
            findings=tuple(self._findings),
            origin=origin,
        )

    @property
    def match(self) -> Match:
        return self.states[-1]

    def _fault(self, version: int | None, what: What, reason: str, expected: Any, actual: Any) -> None:
        self._findings.append(Finding(self.record.match, version, what, reason, expected, actual))

    def _open(self, sentence: str) -> None:
        self._pending.append(sentence)

    # --- the beginning -------------------------------------------------------------------------------------

    def _begin(self) -> Game:
        """The game under the rules the match is pinned to (P8), and the seed the record reveals (P10)."""
        created = self.entries[0].event if self.entries else None
        if not isinstance(created, MatchCreated):
            self._fault(
                1, "creation", "the match does not begin with its creation", None, created and _shown(created)
            )
            raise _Stop
        game = GAMES.get(created.game)
        if game is None:
            self._fault(1, "rules", "the game is not known here", sorted(GAMES), created.game)
            raise _Stop
        if (created.rules.version, created.rules.content) != (game.rules_version, game.content):
            known = {"version": game.rules_version, "content": game.content}
            self._fault(
                1, "rules", "the rule set is not known here", known, msgspec.to_builtins(created.rules)
            )
            raise _Stop
        if (self.record.game, self.record.rules) != (created.game, created.rules):
            self._fault(1, "rules", "the record names other rules than the match", None, self.record.game)
        self._check_created(created, game)
        self._seed = self._revealed(created)
        return game

    def _check_created(self, created: MatchCreated, game: Game) -> None:
        if not game.min_seats <= created.seats <= game.max_seats:
            self._fault(1, "creation", "the game has no such number of seats", game.max_seats, created.seats)
        try:
            options = plain(msgspec.convert(created.options, game.options))
        except msgspec.ValidationError as error:
            self._fault(1, "creation", f"the options are not the game's: {error}", None, created.options)
            raise _Stop from None
        if options != created.options:
            self._fault(1, "creation", "not all options are named", options, created.options)
        if (created.deal is None) == (created.commitment is None):
            self._fault(
                1, "commitment", "a match is either sealed or a numbered deal", None, created.commitment
            )
        if created.deal is not None and created.origin is not None:
            self._fault(1, "fork", "a fork is sealed, never a numbered deal", None, created.deal)
        if created.deal is not None:
            try:
                kernel.check_deal(game, created.deal)
            except IllegalCommand as refusal:
                self._fault(1, "creation", refusal.reason, None, created.deal)
                raise _Stop from None
        if created.commitment is not None and not is_hex(created.commitment, 32):
            self._fault(1, "commitment", "the commitment is not 32 bytes in hex", None, created.commitment)
        if created.idle_limit < 1:
            self._fault(
                1, "creation", "the idle limit is a number of seconds", "1 or more", created.idle_limit
            )

    def _revealed(self, created: MatchCreated) -> bytes | None:
        """The seed to draw from: the deal's, or the one revealed, held against its commitment."""
        revealed = [entry for entry in self.entries if isinstance(entry.event, SeedRevealed)]
        if created.deal is not None:
            return deal_seed(created.game, created.deal)
        if not revealed:
            return None
        entry = revealed[-1]
        assert isinstance(entry.event, SeedRevealed)
        if not is_hex(entry.event.seed, SEED_BYTES):
            self._fault(entry.version, "seed", f"a seed is {SEED_BYTES} bytes in hex", None, entry.event.seed)
            return None
        seed = bytes.fromhex(entry.event.seed)
        if commitment(seed) != created.commitment:
            reason = "the seed revealed is not the one that was sealed"
            self._fault(entry.version, "commitment", reason, created.commitment, commitment(seed))
        return seed

    # --- one command ---------------------------------------------------------------------------------------

    def _group(self, group: list[Entry]) -> None:
        first = group[0]
        self._decisions += 1
        if not self.states:
            self._creation(group)
            return
        for entry in group:
            if entry.cause is not None:
                self._fault(
                    entry.version, "envelope", "the event follows from no other match", None, entry.cause
                )
        match first.event:
            case SeatTaken():
                self._seating(group)
            case MatchRewound():
                self._rewinding(group, first.event)
            case MatchForked():
                self._marking(group, first.event)
            case MatchEnded():
                self._stopping(group)
            case event if isinstance(event, kernel.LIFECYCLE):
                self._fault(first.version, "decision", "no command leads to this event", None, _shown(event))
                self._fold(group)
            case _:
                self._play(group)

    def _checked_group(self, group: list[Entry]) -> None:
        try:
            self._group(group)
        except FOLDING_ERRORS as error:
            reason = "the rules can make nothing of this"
            self._fault(group[0].version, "unreadable", reason, None, f"{type(error).__name__}: {error}")
            raise _Stop from error

    def _creation(self, group: list[Entry]) -> None:
        """Creating or forking, with the creator's sitting down and the start where all seats are taken."""
        created = group[0].event
        assert isinstance(created, MatchCreated)
        taken = [entry.event for entry in group if isinstance(entry.event, SeatTaken)]
        if created.origin is None:
            copied: list[Event] = []
            actors = ["seat:0"] if taken else ["system:lobby"]
            causes: list[str | None] = [None] * len(group)
        else:
            copied, causes = self._copied(group, created)
            actors = ["system:lobby", *(f"seat:{event.seat}" for event in taken)]
        if group[0].by not in actors:
            self._fault(1, "seat", "the match was opened by somebody else", actors[-1], group[0].by)
        for entry, cause in zip(group, causes, strict=False):
            if entry.cause != cause:
                self._fault(entry.version, "fork", "the event follows from another", cause, entry.cause)

        def way(chance_for: ChanceFor) -> Sequence[Event]:
            draft = Draft(self.record.match, self._game, self.states)
            draft.add([created, *copied])
            for event in taken:
                draft.add(kernel.sit(draft.match, event))
            return self._started(draft, chance_for)

        self._judge(group, lambda: [way], "creation", "this is not how a match of these options begins")

    def _copied(self, group: list[Entry], created: MatchCreated) -> tuple[list[Event], list[str | None]]:
        """The events a fork must begin with, and the events they follow from."""
        assert created.origin is not None
        recorded = [entry for entry in group[1:] if entry.cause is not None]
        origin = self._origin
        if origin is None:
            name = created.origin.match
            self._open(f"The origin {name} is not in the record; {len(recorded)} events are copied from it.")
            self._open_draws += sum(_draw_of(entry.event) is not None for entry in recorded)
            return [entry.event for entry in recorded], [entry.cause for entry in group]
        if origin.record.match != created.origin.match:
            self._fault(
                1, "fork", "the record encloses another origin", created.origin.match, origin.record.match
            )
            raise _Stop
        at = created.origin.version
        if not 1 <= at <= len(origin.states):
            self._fault(1, "fork", "the origin has no such version", f"1 to {len(origin.states)}", at)
            raise _Stop
        self._marked(origin, created)
        root = origin.states[0].created
        like = msgspec.structs.replace(root, deal=None, commitment=created.commitment, origin=created.origin)
        if like != created:
            self._fault(1, "fork", "the fork is set up unlike its origin", _shown(like), _shown(created))
        steps = kernel.line(origin.entries, at)
        causes: list[str | None] = [None, *(step.id for step in steps)]
        return [step.event for step in steps], [*causes, *([None] * (len(group) - len(causes)))]

    def _marked(self, origin: "MatchAudit", created: MatchCreated) -> None:
        """A match that was forked while it ran says so."""
        marks = [entry.event for entry in origin.entries if isinstance(entry.event, MatchForked)]
        mine = [mark for mark in marks if mark.fork == self.record.match]
        assert created.origin is not None
        if not mine and origin.match.status != "ended":
            self._fault(1, "fork", "the origin runs and does not name this fork", self.record.match, None)
        for mark in mine:
            if mark.at_version != created.origin.version:
                reason = "the origin names another version as forked"
                self._fault(1, "fork", reason, mark.at_version, created.origin.version)

    def _seating(self, group: list[Entry]) -> None:
        taken = group[0].event
        assert isinstance(taken, SeatTaken)
        if group[0].by != f"seat:{taken.seat}":
            self._fault(group[0].version, "seat", "somebody else sat down", f"seat:{taken.seat}", group[0].by)

        def way(chance_for: ChanceFor) -> Sequence[Event]:
            draft = Draft(self.record.match, self._game, self.states)
            draft.add(kernel.sit(draft.match, taken))
            return self._started(draft, chance_for)

        self._judge(group, lambda: [way], "seat", "the seat could not be taken like this")

    def _started(self, draft: "Draft", chance_for: ChanceFor) -> Sequence[Event]:
        draft.add(kernel.start(draft.match, self._game, chance_for(draft.match)))
        draft.add(self._close(draft.match))
        return draft.events

    def _play(self, group: list[Entry]) -> None:
        """A seat's command, decided again as its events tell it; else every legal command is tried."""
        first, match, game = group[0], self.match, self._game
        seat = self._acting_seat(first)
        if seat is None or match.status != "running" or seat not in kernel.to_act(match, game):
            awaited = [f"seat:{number}" for number in kernel.to_act(match, game)]
            self._fault(first.version, "seat", "it was not this seat's decision", awaited, first.by)
            self._fold(group)
            return
        actor = seat

        def way(command: Any) -> Way:
            def decided(chance_for: ChanceFor) -> Sequence[Event]:
                draft = Draft(self.record.match, game, self.states)
                draft.add(kernel.act(match, game, command, actor, chance_for(match)))
                draft.add(self._close(draft.match))
                return draft.events

            return decided

        told = list(_told_commands(game, first.event))

        def ways() -> Iterator[Way]:
            for command in told:
                yield way(command)
            for command in game.rules.legal(match.state, actor):
                if command not in told:
                    yield way(command)

        found = self._judge(group, ways, "decision", "no legal command of the seat leads to these events")
        if found is not None and found < len(told) and not _has_defaults(type(told[found])):
            self._digest(first, {"do": "command", "body": msgspec.to_builtins(told[found])})

    def _rewinding(self, group: list[Entry], rewound: MatchRewound) -> None:
        """A rewind, or an undo under its four rules (P16)."""
        first, match, game = group[0], self.match, self._game
        to, version = rewound.to_version, first.version
        if not 1 <= to <= match.version:
            self._fault(
                version, "rewind", "there is no such version to go back to", f"1 to {match.version}", to
            )
            raise _Stop
        seat = self._acting_seat(first)
        if seat is None:
            self._fault(version, "seat", "only a seat may rewind", None, first.by)
        if match.status != "running":
            self._fault(version, "rewind", "only a running match can be rewound", "running", match.status)
        target = self.states[to - 1]
        if rewound.undo and seat is not None:
            try:
                target = kernel.undo_target(match, game, self.entries, seat, lambda v: self.states[v - 1])
            except kernel.CannotRewind as refusal:
                self._fault(
                    version, "rewind", f"this could not be undone: {refusal.reason}", refusal.rule, None
                )
            if target.version != to:
                self._fault(version, "rewind", "an undo leads to another version", target.version, to)
                target = self.states[to - 1]
        if not rewound.undo and not game.solitaire:
            self._fault(version, "rewind", "a match of several seats is rewound by consent", None, first.by)
        if not rewound.undo and to == match.version:
            self._fault(version, "rewind", "the match was at that version", None, to)

        def way(chance_for: ChanceFor) -> Sequence[Event]:
            draft = Draft(self.record.match, game, self.states)
            draft.add(kernel.rewind(game, target, chance_for(match), undo=rewound.undo))
            draft.add(() if rewound.undo else self._close(draft.match))
            return draft.events

        self._judge(group, lambda: [way], "rewind", "this is not what the rewind leads to")
        body = {"do": "undo", "body": {}} if rewound.undo else {"do": "rewind", "body": {"to_version": to}}
        self._digest(first, body)

    def _marking(self, group: list[Entry], mark: MatchForked) -> None:
        first, match = group[0], self.match
        if match.status != "running":
            self._fault(
                first.version, "fork", "only a running match is marked as forked", "running", match.status
            )
        if not 1 <= mark.at_version <= match.version:
            reason = "there was no such version to fork from"
            self._fault(first.version, "fork", reason, f"1 to {match.version}", mark.at_version)
        if self._acting_seat(first) is None or not self._game.solitaire:
            self._fault(first.version, "seat", "only its own seat may fork a running match", None, first.by)
        self._judge(group, lambda: [lambda _: [mark]], "fork", "more happened than the mark of a fork")

    def _stopping(self, group: list[Entry]) -> None:
        """An end without a move: a seat resigned, or the match was abandoned."""
        first, match, game = group[0], self.match, self._game
        if first.by.startswith("system:"):
            forced = game.rules.forfeit(match.state, None, "abandoned")
            body: dict[str, Any] = {"do": "abandon", "version": match.version}
        else:
            seat = self._acting_seat(first)
            if seat is None or match.status != "running":
                self._fault(first.version, "seat", "nobody who may resigned", None, first.by)
            forced = game.rules.forfeit(match.state, seat, "resigned")
            body = {"do": "command", "body": {"type": "resign"}}
        self._judge(
            group, lambda: [lambda _: self._close(match, forced)], "end", "the match could not end like this"
        )
        self._digest(first, body)

    def _acting_seat(self, entry: Entry) -> int | None:
        """The seat an entry names, if somebody sits there."""
        return next((seat.number for seat in self.match.seats if entry.by == f"seat:{seat.number}"), None)

    def _close(self, match: Match, forced: Outcome | None = None) -> tuple[Event, ...]:
        return kernel.close(match, self._game, self._seed or b"", forced)

    def _digest(self, entry: Entry, body: dict[str, Any]) -> None:
        if entry.digest != digest(body):
            self._fault(
                entry.version, "command", "the command's body had another hash", digest(body), entry.digest
            )

    # --- judging -------------------------------------------------------------------------------------------

    def _judge(
        self, group: list[Entry], ways: Callable[[], Iterable[Way]], what: What, reason: str
    ) -> int | None:
        """Hold a command against the ways it may have gone, then fold it. The number of the way that fits."""
        recorded = [entry.event for entry in group]
        verdict = judge(recorded, ways, self._seed)
        if verdict.way is None:
            closest = verdict.closest
            place = agreement(closest, recorded)
            version = group[min(place, len(group) - 1)].version
            expected = _shown(closest[place]) if place < len(closest) else None
            actual = _shown(recorded[place]) if place < len(recorded) else None
            self._fault(version, what, reason, expected, actual)
        self._checked += verdict.checked
        self._look_at_draws(group, verdict.believed)
        self._fold(group)
        return verdict.way

    def _look_at_draws(self, group: list[Entry], believed: Sequence[Drawn]) -> None:
        """Draws that were taken as recorded, held against the seed."""
        if self._seed is None:
            self._open_draws += len(believed)
            return
        for one in believed:
            self._checked += 1
            again = one.again(self._seed)
            if again != one.result:
                version = next(entry.version for entry in group if _draw_of(entry.event) == one.draw)
                reason = f"draw {one.draw} ({one.label}) is not what the seed gives"
                expected, actual = msgspec.to_builtins(again), msgspec.to_builtins(one.result)
                self._fault(version, "draw", reason, expected, actual)

    def _fold(self, group: list[Entry]) -> None:
        """Go on from what is recorded, right or wrong, so that one fault is reported once."""
        for entry in group:
            event = entry.event
            if isinstance(event, MatchCreated):
                if self.states:
                    self._fault(entry.version, "creation", "a match is created once", None, _shown(event))
                    raise _Stop
            elif isinstance(event, MatchRewound) and not 1 <= event.to_version <= len(self.states):
                reason = "there is no such version to go back to"
                self._fault(entry.version, "rewind", reason, f"1 to {len(self.states)}", event.to_version)
                raise _Stop
            kernel.extend(self.states, self.record.match, (event,), self._game)


def _told_commands(game: Game, event: Event) -> Iterator[Any]:
    """The commands an event may tell of by fields of the same names. Spares trying every legal command."""
    for kind in game.commands:
        body = {
            field.name: msgspec.to_builtins(getattr(event, field.name))
            for field in msgspec.structs.fields(kind)
            if hasattr(event, field.name)
        }
        try:
            yield msgspec.convert({"type": kind.type_name()} | body, kind)
        except msgspec.ValidationError:
            continue


def _has_defaults(kind: type[Struct]) -> bool:
    return any(not field.required for field in msgspec.structs.fields(kind))


def _shown(event: Event) -> dict[str, Any]:
    return {"type": event.type_name(), "data": msgspec.to_builtins(event)}


def _draw_of(event: Event) -> int | None:
    draw: int | None = getattr(event, "draw", None)
    return draw
