"""The audit of one match of a record, command by command."""

import domain.match as kernel
from domain.match import (
    MatchEnded,
    MatchForked,
    MatchRewound,
    RewindAgreed,
    RewindProposed,
    RewindRefused,
    SeatTaken,
)
from services.audit import opening, playing, rewinding
from services.audit.case import Case, Stop, shown
from services.audit.envelopes import check_envelopes, commands_of
from services.audit.judging import FOLDING_ERRORS
from services.audit.report import Report
from services.record import Record, match_digest
from services.store.port import Entry


def audit(record: Record, origin: Case | None) -> Case:
    """Check a match; `origin` is the finished case of what it was forked from."""
    case = Case(record, origin)
    check_envelopes(record, case.fault)
    try:
        opening.begin(case)
        for group in commands_of(record, case.fault):
            if case.states and case.match.status == "ended":
                reason = "something was added after the end"
                case.fault(group[0].version, "end", reason, None, shown(group[0].event))
            _checked(case, group)
    except Stop:
        case.leave_open("Not everything could be checked because of the faults found.")
        return case
    if record.state is not None and record.state != match_digest(case.match):
        case.fault(None, "state", "the final state differs", match_digest(case.match), record.state)
    if case.open_draws:
        why = (
            "its seed is not revealed before it ends"
            if case.match.status != "ended"
            else "their seed is missing"
        )
        case.leave_open(f"{case.open_draws} draws of the match can't be checked: {why}.")
    return case


def report(case: Case, origin: Report | None) -> Report:
    """What a finished case comes to."""
    match = case.states[-1] if case.states else None
    return Report(
        match=case.record.match,
        game=case.record.game,
        ok=not case.findings and (origin is None or origin.ok),
        complete=not case.pending and (origin is None or origin.complete),
        version=match.version if match else 0,
        status=match.status if match else "unknown",
        outcome=match.outcome if match else None,
        digest=match_digest(match) if match else None,
        events=len(case.entries),
        decisions=case.decisions,
        draws_checked=case.draws_checked,
        draws_pending=case.open_draws,
        pending=tuple(case.pending),
        findings=tuple(case.findings),
        origin=origin,
    )


def _checked(case: Case, group: list[Entry]) -> None:
    try:
        _command(case, group)
    except FOLDING_ERRORS as error:
        reason = "the rules can make nothing of this"
        case.fault(group[0].version, "unreadable", reason, None, f"{type(error).__name__}: {error}")
        raise Stop from error


def _command(case: Case, group: list[Entry]) -> None:
    """What a command was is told by its first event."""
    first = group[0]
    case.decisions += 1
    if not case.states:
        opening.creation(case, group)
        return
    for entry in group:
        if entry.cause is not None:
            reason = "the event follows from no other match"
            case.fault(entry.version, "envelope", reason, None, entry.cause)
    match first.event:
        case SeatTaken() as event:
            opening.seating(case, group, event)
        case MatchRewound() as event:
            rewinding.rewinding(case, group, event)
        case RewindProposed() as event:
            rewinding.proposing(case, group, event)
        case RewindAgreed() as event:
            rewinding.agreeing(case, group, event)
        case RewindRefused() as event:
            rewinding.refusing(case, group, event)
        case MatchForked() as event:
            opening.marking(case, group, event)
        case MatchEnded():
            playing.stopping(case, group)
        case event if isinstance(event, kernel.LIFECYCLE):
            case.fault(first.version, "decision", "no command leads to this event", None, shown(event))
            case.fold(group)
        case _ if first.by.startswith("system:"):
            playing.by_system(case, group)
        case _:
            playing.play(case, group)
