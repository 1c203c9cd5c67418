"""The match: one stream of events. Seats, life cycle and rewinding; it holds one game's state.

The functions that decide return the bare events of one command; the caller wraps and stores them.
"""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Struct

from domain.chance import MAX_DEAL, MAX_ENTROPY_BYTES, Chance, SealedChance
from domain.clocks import ClockChosen, ClockSet, set_anew
from domain.game import Event, Game, IllegalCommand, Outcome, Viewer, hidden, public, redact_fields

Status = Literal["open", "running", "ended"]


class RuleSet(Struct, frozen=True):
    """The rules a match is pinned to."""

    version: Annotated[str, public("rule-set version")]
    content: Annotated[str, public("SHA-256 of the printed content, hex")]


class Origin(Struct, frozen=True):
    """Where a fork was taken from."""

    match: Annotated[str, public("the match forked from")]
    version: Annotated[int, public("the version it was forked at")]


# --- life-cycle events -------------------------------------------------------------------------------------


class MatchCreated(Event, frozen=True):
    TOPIC = "match.created.1"

    game: Annotated[str, public("name of the game")]
    rules: Annotated[RuleSet, public("rule set the match is pinned to")]
    options: Annotated[dict[str, Any], public("the game's options, every one named")]
    seats: Annotated[int, public("number of seats")]
    deal: Annotated[int | None, public("deal number; none when the match is sealed")]
    commitment: Annotated[str | None, public("SHA-256 over label and seed, hex; none for a numbered deal")]
    spectators: Annotated[bool, public("whether anybody may watch")]
    idle_limit: Annotated[int, public("the match is abandoned after so long without an event", unit="s")]
    origin: Annotated[Origin | None, public("the match this one was forked from")] = None


class SeatTaken(Event, frozen=True):
    TOPIC = "match.seat_taken.1"

    seat: Annotated[int, public("number of the seat")]
    player: Annotated[str, public("opaque id of the player; the name stands outside the log (P28)")]
    kind: Annotated[Literal["person", "bot"], public("who plays")]
    token: Annotated[str, hidden("SHA-256 of the seat's token, hex")]
    entropy: Annotated[str | None, public("what the seat adds to the sealed chance, hex")] = None


class MatchStarted(Event, frozen=True):
    TOPIC = "match.started.1"
    REVEALS = True


class MatchRewound(Event, frozen=True):
    TOPIC = "match.rewound.1"

    to_version: Annotated[int, public("the version whose state is taken up again")]
    undo: Annotated[bool, public("a plain undo, which gave nobody information (P16)")] = False


class RewindProposed(Event, frozen=True):
    """Its version is the proposal's number. It lapses when play goes on (domain/consent.py)."""

    TOPIC = "match.rewind_proposed.1"

    seat: Annotated[int, public("number of the seat that asks")]
    to_version: Annotated[int, public("the version whose state is to be taken up again")]


class RewindAgreed(Event, frozen=True):
    TOPIC = "match.rewind_agreed.1"

    seat: Annotated[int, public("number of the seat that agrees")]
    proposal: Annotated[int, public("the proposal: the version of its event")]


class RewindRefused(Event, frozen=True):
    TOPIC = "match.rewind_refused.1"

    seat: Annotated[int, public("number of the seat that refuses, or takes its own proposal back")]
    proposal: Annotated[int, public("the proposal: the version of its event")]


class MatchForked(Event, frozen=True):
    TOPIC = "match.forked.1"

    fork: Annotated[str, public("the match that was started from this one")]
    at_version: Annotated[int, public("the version it starts from")]


class MatchEnded(Event, frozen=True):
    TOPIC = "match.ended.1"
    REVEALS = True

    outcome: Annotated[Outcome, public("how it ended")]


class SeedRevealed(Event, frozen=True):
    TOPIC = "match.seed_revealed.1"
    REVEALS = True

    seed: Annotated[str, public("the sealed seed, hex")]


LIFECYCLE: tuple[type[Event], ...] = (
    MatchCreated, ClockChosen, SeatTaken, MatchStarted, ClockSet, RewindProposed, RewindAgreed, RewindRefused,
    MatchRewound, MatchForked, MatchEnded, SeedRevealed,
)  # fmt: skip


# --- state -------------------------------------------------------------------------------------------------


class Seat(Struct, frozen=True):
    number: int
    player: str
    kind: Literal["person", "bot"]
    token: str  # SHA-256, hex
    entropy: bytes = b""


class Proposal(Struct, frozen=True):
    """A rewind that one seat has proposed and the others have not all answered."""

    version: Annotated[int, public("number of the proposal: the version of its event")]
    seat: Annotated[int, public("number of the seat that asks")]
    to_version: Annotated[int, public("the version whose state is to be taken up again")]
    agreed: Annotated[tuple[int, ...], public("seats that have agreed so far")] = ()


class Match(Struct, frozen=True):
    """A match after `version` events.

    A field in `LATER` came after matches had been recorded; it is left out of a digest while it is at its default.
    """

    LATER: ClassVar[dict[str, Any]] = {"timing": None, "clock": None, "clock_version": 0, "proposal": None}

    id: str
    version: int
    created: MatchCreated
    state: Any  # the game's own
    status: Status = "open"
    seats: tuple[Seat, ...] = ()
    outcome: Outcome | None = None
    draws: int = 0  # index of the next draw; never goes back, not even by a rewind (P10)
    rewound: bool = False
    forked: bool = False  # somebody forked it while it ran
    timing: ClockChosen | None = None
    clock: ClockSet | None = None  # as it was set last
    clock_version: int = 0  # the version at which it was
    proposal: Proposal | None = None  # the rewind that waits for consent

    def seat(self, number: int) -> Seat | None:
        return next((seat for seat in self.seats if seat.number == number), None)

    @property
    def ranked(self) -> bool:
        """Whether it may count in a ranking: nobody looked ahead in it."""
        return not (self.rewound or self.forked or self.created.origin)


class CannotRewind(IllegalCommand):
    """A rewind, undo or fork the match refuses."""


class SeatRefused(IllegalCommand):
    """A seat the match does not have, or has given already."""


def begin(match_id: str, created: MatchCreated, game: Game) -> Match:
    """The match after its first event."""
    options = msgspec.convert(created.options, game.options)
    return Match(match_id, 1, created, game.rules.initial(options, created.seats))


def evolve(match: Match, event: Event, game: Game, recall: Callable[[int], Match]) -> Match:
    """The match after `event`. `recall(v)` gives the same match at an earlier version (for rewinds)."""
    version = match.version + 1
    match event:
        case SeatTaken():
            seat = Seat(event.seat, event.player, event.kind, event.token, bytes.fromhex(event.entropy or ""))
            return _with(match, version=version, seats=(*match.seats, seat))
        case MatchStarted():
            return _with(match, version=version, status="running")
        case ClockChosen():
            return _with(match, version=version, timing=event)
        case ClockSet():
            return _with(match, version=version, clock=event, clock_version=version)
        case MatchRewound():
            return _with(
                match,
                version=version,
                state=recall(event.to_version).state,
                rewound=match.rewound or not event.undo,
                clock=match.clock if event.undo else _stopped(match.clock),
                proposal=None,
            )
        case RewindProposed():
            return _with(match, version=version, proposal=Proposal(version, event.seat, event.to_version))
        case RewindAgreed():
            return _with(match, version=version, proposal=_agreed(match.proposal, event.seat))
        case RewindRefused():
            return _with(match, version=version, proposal=None)
        case MatchForked():
            return _with(match, version=version, forked=True)
        case MatchEnded():
            return _with(match, version=version, status="ended", outcome=event.outcome, proposal=None)
        case SeedRevealed():
            return _with(match, version=version)
        case _:
            draw: int | None = getattr(event, "draw", None)
            return _with(
                match,
                version=version,
                state=game.rules.evolve(match.state, event),
                draws=match.draws if draw is None else max(match.draws, draw + 1),
                proposal=None,  # play went on
            )


def _agreed(proposal: Proposal | None, seat: int) -> Proposal | None:
    if proposal is None:
        return None
    return msgspec.structs.replace(proposal, agreed=tuple(sorted({*proposal.agreed, seat})))


def replay(match_id: str, events: Iterable[Event], game: Game) -> list[Match]:
    """The match after each event: element v − 1 is version v."""
    states: list[Match] = []
    extend(states, match_id, events, game)
    return states


def extend(
    states: list[Match],
    match_id: str,
    events: Iterable[Event],
    game: Game,
    older: Callable[[int], Match] | None = None,
) -> None:
    """Fold `events` onto `states`, which are of consecutive versions.

    They begin with version 1, or `older` gives the versions before them (for rewinds).
    """

    def recall(version: int) -> Match:
        place = version - states[0].version
        return older(version) if older and place < 0 else states[place]

    for event in events:
        if isinstance(event, MatchCreated):
            states.append(begin(match_id, event, game))
        else:
            states.append(evolve(states[-1], event, game, recall))


def _stopped(clock: ClockSet | None) -> ClockSet | None:
    """The clock after a rewind: whoever decides then gets it set anew."""
    return msgspec.structs.replace(clock, awaited=(), deadline=None) if clock else None


def _with(match: Match, **changes: Any) -> Match:
    return msgspec.structs.replace(match, **changes)


def redact(event: Event, viewer: Viewer, game: Game) -> dict[str, Any]:
    """The data of any event of a match as `viewer` may see them. The one place that decides it."""
    if isinstance(event, LIFECYCLE):
        return redact_fields(event, viewer)
    return game.view.redact(event, viewer)


def to_act(match: Match, game: Game) -> tuple[int, ...]:
    """The seats whose decision is awaited."""
    return game.rules.to_act(match.state) if match.status == "running" else ()


# --- decisions ---------------------------------------------------------------------------------------------


def check_deal(game: Game, deal: int) -> None:
    """Refuse a deal number outside 1 … 2^31 or for a game that has none."""
    if not game.numbered_deals:
        raise IllegalCommand("deal-not-offered", f"{game.title} has no numbered deals.")
    if not 1 <= deal <= MAX_DEAL:
        raise IllegalCommand("deal-out-of-range", f"A deal number is from 1 to {MAX_DEAL}.")


def sit(match: Match, seat: SeatTaken) -> tuple[Event, ...]:
    """Take a seat of an open match."""
    if match.status != "open" or not 0 <= seat.seat < match.created.seats or match.seat(seat.seat):
        raise SeatRefused("seat-not-free", f"Seat {seat.seat} is not free.")
    if seat.entropy is not None:
        if match.created.deal is not None:
            raise IllegalCommand(
                "entropy-on-a-deal", "A numbered deal is the same for everybody; it takes no entropy."
            )
        if len(seat.entropy) > 2 * MAX_ENTROPY_BYTES:
            raise IllegalCommand("entropy-too-long", f"Entropy is at most {MAX_ENTROPY_BYTES} bytes.")
    return (seat,)


def chance_of(match: Match, seed: bytes) -> SealedChance:
    """The chance of the match, ready for its next draw. A numbered deal is the same whoever sits: no entropy."""
    entropy = () if match.created.deal is not None else tuple(seat.entropy for seat in match.seats)
    return SealedChance(seed, entropy, match.draws)


def choose_clock(game: Game, clock: ClockChosen) -> tuple[Event, ...]:
    """Play with a clock, chosen at creation."""
    if game.shared is None:
        raise IllegalCommand("clock-not-offered", f"{game.title} is played without a clock.")
    return (clock,)


def clock(match: Match, game: Game, at: int) -> tuple[Event, ...]:
    """How the clock is set after a command that led to `match` at time `at`; nothing if it runs on.

    It depends on who has to decide alone, which everybody may see.
    """
    if match.timing is None or match.status != "running":
        return ()
    awaited = to_act(match, game)
    if match.clock is not None and match.clock.awaited == awaited:
        return ()
    return (set_anew(match.timing, match.clock, match.created.seats, awaited, at),)


def time_is_up(match: Match, at: int) -> bool:
    """Whether the deadline of the decision awaited had passed at time `at`."""
    return match.clock is not None and match.clock.deadline is not None and at >= match.clock.deadline


def start(match: Match, game: Game, chance: Chance) -> tuple[Event, ...]:
    """Begin play, once every seat is taken; nothing before."""
    if match.status != "open" or len(match.seats) < match.created.seats:
        return ()
    return (MatchStarted(), *settle(game, match.state, chance))


def act(match: Match, game: Game, command: Any, seat: int, chance: Chance) -> tuple[Event, ...]:
    """What a seat's command leads to in a running match."""
    return game.rules.decide(match.state, command, seat, chance)


def due(match: Match, game: Game) -> Any | None:
    """The command the system has to give in a running match before it goes on, or None."""
    return game.shared.due(match.state) if game.shared and match.status == "running" else None


def default(match: Match, game: Game, seat: int) -> Any | None:
    """What the system does in the seat's place at the deadline of its decision; None if none is awaited."""
    return game.shared.default(match.state, seat) if game.shared and match.status == "running" else None


def decline(match: Match, game: Game, seat: int) -> Any | None:
    """What a standing order of the seat may answer to the decision awaited of it; None where it may not."""
    return game.shared.decline(match.state, seat) if game.shared and match.status == "running" else None


def act_by_system(match: Match, game: Game, command: Any, chance: Chance) -> tuple[Event, ...]:
    """What a command of the system leads to: one that is `due`, or a seat's `default`."""
    if game.shared is None:
        raise IllegalCommand("no-system-commands", f"{game.title} has no system commands.")
    return game.shared.decide(match.state, command, None, chance)


def settle(game: Game, state: Any, chance: Chance) -> tuple[Event, ...]:
    """What happens in `state` before a seat decides: what the rules owe, and what the system has to do.

    A rewind or a fork may lead to where the system's command is due; nobody else would give it there in time.
    """
    events = [*game.rules.advance(state, chance)]
    for event in events:
        state = game.rules.evolve(state, event)
    while game.shared and (command := game.shared.due(state)) is not None:
        more = game.shared.decide(state, command, None, chance)
        for event in more:
            state = game.rules.evolve(state, event)
        events += more
    return tuple(events)


def resign(match: Match, game: Game, seat: int, chance: Chance) -> tuple[tuple[Event, ...], Outcome | None]:
    """What follows when a seat gives up: events of the game, or in solitaire the outcome to close with."""
    if game.shared is None:
        return (), game.rules.forfeit(match.state, seat, "resigned")
    return game.shared.resign(match.state, seat, chance), None


def rewind(game: Game, to: Match, chance: Chance, *, undo: bool = False) -> tuple[Event, ...]:
    """Take up the state of an earlier version again, and finish what is owed and due there."""
    return (MatchRewound(to_version=to.version, undo=undo), *settle(game, to.state, chance))


def close(match: Match, game: Game, seed: bytes, forced: Outcome | None = None) -> tuple[Event, ...]:
    """The last events of a match that has just ended (or is `forced` to); nothing while it goes on."""
    outcome = forced or (game.rules.outcome(match.state) if match.status == "running" else None)
    if outcome is None or match.status == "ended":
        return ()
    ended = MatchEnded(outcome=outcome)
    return (ended,) if match.created.deal is not None else (ended, SeedRevealed(seed=seed.hex()))
