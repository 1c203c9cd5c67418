"""The audit of how a match begins: its rules, its seed, its creation or fork, its seats."""

from typing import Any

import msgspec

import domain.match as kernel
from domain.chance import SEED_BYTES, commitment, deal_seed
from domain.clocks import DAY, Clock, ClockChosen, chosen
from domain.game import Event, Game, IllegalCommand
from domain.looking_back import line
from domain.match import MatchCreated, MatchForked, SeatTaken, SeedRevealed
from domain.registry import GAMES, pinned, rule_sets
from services.audit.case import Case, draw_of, shown
from services.audit.envelopes import is_hex
from services.audit.judging import FOLDING_ERRORS, ChanceFor, Draft
from services.codec import plain
from services.store.port import Entry


def begin(case: Case) -> None:
    """The game under the rules the match is pinned to (P8), and the seed the record reveals (P10)."""
    created = case.entries[0].event if case.entries else None
    if not isinstance(created, MatchCreated):
        reason = "the match does not begin with its creation"
        case.stop(1, "creation", reason, None, created and shown(created))
    if not rule_sets(created.game):
        case.stop(1, "rules", "the game is not known here", sorted(GAMES), created.game)
    game = pinned(created.game, created.rules)
    if game is None:
        newest = rule_sets(created.game)[0]
        known = {"version": newest.rules_version, "content": newest.content}
        case.stop(1, "rules", "the rule set is not known here", known, msgspec.to_builtins(created.rules))
    if (case.record.game, case.record.rules) != (created.game, created.rules):
        case.fault(1, "rules", "the record names other rules than the match", None, case.record.game)
    _check_created(case, created, game)
    case.seed = _revealed(case, created)
    case.game = game


def _check_created(case: Case, created: MatchCreated, game: Game) -> None:
    if not game.min_seats <= created.seats <= game.max_seats:
        case.fault(1, "creation", "the game has no such number of seats", game.max_seats, created.seats)
    try:
        options = plain(msgspec.convert(created.options, game.options))
    except msgspec.ValidationError as error:
        case.stop(1, "creation", f"the options are not the game's: {error}", None, created.options)
    try:
        game.rules.initial(msgspec.convert(created.options, game.options), created.seats)
    except (IllegalCommand, *FOLDING_ERRORS) as error:
        case.stop(1, "creation", f"no match is set up like this: {error}", None, shown(created))
    if options != created.options:
        case.fault(1, "creation", "not all options are named", options, created.options)
    if (created.deal is None) == (created.commitment is None):
        reason = "a match is either sealed or a numbered deal"
        case.fault(1, "commitment", reason, None, created.commitment)
    if created.deal is not None and created.origin is not None:
        case.fault(1, "fork", "a fork is sealed, never a numbered deal", None, created.deal)
    if created.deal is not None:
        try:
            kernel.check_deal(game, created.deal)
        except IllegalCommand as refusal:
            case.stop(1, "creation", refusal.reason, None, created.deal)
    if created.commitment is not None and not is_hex(created.commitment, 32):
        case.fault(1, "commitment", "the commitment is not 32 bytes in hex", None, created.commitment)
    if created.idle_limit < 1:
        reason = "the idle limit is a number of seconds"
        case.fault(1, "creation", reason, "1 or more", created.idle_limit)


def _revealed(case: Case, created: MatchCreated) -> bytes | None:
    """The seed to draw from: the deal's, or the one revealed, held against its commitment."""
    revealed = [entry for entry in case.entries if isinstance(entry.event, SeedRevealed)]
    if created.deal is not None:
        return deal_seed(created.game, created.deal)
    if not revealed:
        return None
    entry = revealed[-1]
    assert isinstance(entry.event, SeedRevealed)
    if not is_hex(entry.event.seed, SEED_BYTES):
        case.fault(entry.version, "seed", f"a seed is {SEED_BYTES} bytes in hex", None, entry.event.seed)
        return None
    seed = bytes.fromhex(entry.event.seed)
    if commitment(seed) != created.commitment:
        reason = "the seed revealed is not the one that was sealed"
        case.fault(entry.version, "commitment", reason, created.commitment, commitment(seed))
    return seed


# --- creating, forking, sitting down ------------------------------------------------------------------------


def creation(case: Case, group: list[Entry]) -> None:
    """Creating or forking, with the creator's sitting down and the start where all seats are taken."""
    created = group[0].event
    assert isinstance(created, MatchCreated)
    taken = [entry.event for entry in group if isinstance(entry.event, SeatTaken)]
    clocks = [entry.event for entry in group if isinstance(entry.event, ClockChosen)]
    for clock in clocks:
        if not _offered(clock):
            case.fault(2, "creation", "there is no such clock", None, shown(clock))
    if created.origin is None:
        copied: list[Event] = []
        actors = ["seat:0"] if taken else ["system:lobby"]
        causes: list[str | None] = [None] * len(group)
    else:
        copied, causes = _copied(case, group, created)
        actors = ["system:lobby", *(f"seat:{event.seat}" for event in taken)]
    if group[0].by not in actors:
        case.fault(1, "seat", "the match was opened by somebody else", actors[-1], group[0].by)
    for entry, cause in zip(group, causes, strict=False):
        if entry.cause != cause:
            case.fault(entry.version, "fork", "the event follows from another", cause, entry.cause)

    def fill(draft: Draft, chance_for: ChanceFor) -> None:
        draft.add([created, *copied])
        for clock in clocks:
            draft.add(kernel.choose_clock(case.game, clock))
        for event in taken:
            draft.add(kernel.sit(draft.match, event))
        draft.add(kernel.start(draft.match, case.game, chance_for(draft.match)))

    way = case.way(group, fill)
    case.judge(group, lambda: [way], "creation", "this is not how a match of these options begins")


def _offered(clock: ClockChosen) -> bool:
    """Whether a clock can be chosen like this."""
    body: dict[str, Any] = {"kind": clock.kind, "seconds": clock.seconds}
    if clock.kind == "days":
        body = {"kind": "days", "days": clock.seconds // DAY}
    if clock.kind == "fischer":
        body["increment"] = clock.increment
    try:
        return chosen(msgspec.convert(body, Clock)) == clock
    except msgspec.ValidationError:
        return False


def _copied(case: Case, group: list[Entry], created: MatchCreated) -> tuple[list[Event], list[str | None]]:
    """The events a fork must begin with, and the events they follow from."""
    assert created.origin is not None
    recorded = [entry for entry in group[1:] if entry.cause is not None]
    origin = case.origin
    if origin is None:
        name = created.origin.match
        case.leave_open(f"The origin {name} is not in the record; {len(recorded)} events are copied from it.")
        case.open_draws += sum(draw_of(entry.event) is not None for entry in recorded)
        return [entry.event for entry in recorded], [entry.cause for entry in group]
    if origin.record.match != created.origin.match:
        reason = "the record encloses another origin"
        case.stop(1, "fork", reason, created.origin.match, origin.record.match)
    at = created.origin.version
    if not 1 <= at <= len(origin.states):
        case.stop(1, "fork", "the origin has no such version", f"1 to {len(origin.states)}", at)
    _check_marked(case, origin, created)
    root = origin.states[0].created
    like = msgspec.structs.replace(root, deal=None, commitment=created.commitment, origin=created.origin)
    if like != created:
        case.fault(1, "fork", "the fork is set up unlike its origin", shown(like), shown(created))
    steps = line(origin.entries, at)
    causes: list[str | None] = [None, *(step.id for step in steps)]
    return [step.event for step in steps], [*causes, *([None] * (len(group) - len(causes)))]


def _check_marked(case: Case, origin: Case, created: MatchCreated) -> None:
    """A match that was forked while it ran says so."""
    marks = [entry.event for entry in origin.entries if isinstance(entry.event, MatchForked)]
    mine = [mark for mark in marks if mark.fork == case.record.match]
    assert created.origin is not None
    if not mine and origin.match.status != "ended":
        case.fault(1, "fork", "the origin runs and does not name this fork", case.record.match, None)
    for mark in mine:
        if mark.at_version != created.origin.version:
            reason = "the origin names another version as forked"
            case.fault(1, "fork", reason, mark.at_version, created.origin.version)


def seating(case: Case, group: list[Entry], taken: SeatTaken) -> None:
    """A seat of an open match is taken; the last one starts it."""
    if group[0].by != f"seat:{taken.seat}":
        case.fault(group[0].version, "seat", "somebody else sat down", f"seat:{taken.seat}", group[0].by)

    def fill(draft: Draft, chance_for: ChanceFor) -> None:
        draft.add(kernel.sit(draft.match, taken))
        draft.add(kernel.start(draft.match, case.game, chance_for(draft.match)))

    way = case.way(group, fill)
    case.judge(group, lambda: [way], "seat", "the seat could not be taken like this")


def marking(case: Case, group: list[Entry], mark: MatchForked) -> None:
    """A running match notes that it was forked."""
    first, match = group[0], case.match
    if match.status != "running":
        reason = "only a running match is marked as forked"
        case.fault(first.version, "fork", reason, "running", match.status)
    if not 1 <= mark.at_version <= match.version:
        reason = "there was no such version to fork from"
        case.fault(first.version, "fork", reason, f"1 to {match.version}", mark.at_version)
    if case.acting_seat(first) is None or not case.game.solitaire:
        case.fault(first.version, "seat", "only its own seat may fork a running match", None, first.by)
    case.judge(group, lambda: [lambda _: [mark]], "fork", "more happened than the mark of a fork")
