"""The audit of going back: rewinds, undo, and the consent that a match of several seats needs."""

import domain.match as kernel
from domain import consent
from domain.looking_back import undo_target
from domain.match import MatchRewound, RewindAgreed, RewindProposed, RewindRefused
from services.audit.case import Case
from services.audit.judging import ChanceFor, Draft
from services.store.port import Entry


def rewinding(case: Case, group: list[Entry], rewound: MatchRewound) -> None:
    """A rewind by the single seat, or an undo under its four rules (P16)."""
    first, match, game = group[0], case.match, case.game
    to, version = rewound.to_version, first.version
    case.demand_version(version, to)
    seat = case.acting_seat(first)
    if seat is None:
        case.fault(version, "seat", "only a seat may rewind", None, first.by)
    _demand_running(case, first)
    target = case.recall(to)
    if rewound.undo and seat is not None:
        try:
            target = undo_target(match, game, case.entries, seat, case.recall)
        except kernel.CannotRewind as refusal:
            reason = f"this could not be undone: {refusal.reason}"
            case.fault(version, "rewind", reason, refusal.rule, None)
        if target.version != to:
            case.fault(version, "rewind", "an undo leads to another version", target.version, to)
            target = case.recall(to)
    if not rewound.undo and match.created.seats > 1:
        case.fault(version, "rewind", "a match of several seats is rewound by consent", None, first.by)
    if not rewound.undo and to == match.version:
        case.fault(version, "rewind", "the match was at that version", None, to)

    def fill(draft: Draft, chance_for: ChanceFor) -> None:
        draft.add(kernel.rewind(game, target, chance_for(match), undo=rewound.undo))

    way = case.way(group, fill)
    case.judge(group, lambda: [way], "rewind", "this is not what the rewind leads to")
    body = {"do": "undo", "body": {}} if rewound.undo else {"do": "rewind", "body": {"to_version": to}}
    case.check_body(first, body)


def proposing(case: Case, group: list[Entry], proposed: RewindProposed) -> None:
    """A seat asks the others to go back."""
    first, match, to = group[0], case.match, proposed.to_version
    _check_seat(case, first, proposed.seat)
    case.demand_version(first.version, to)
    if match.created.seats == 1:
        case.fault(first.version, "rewind", "a match of one seat is rewound at once", None, to)

    def fill(draft: Draft, _: ChanceFor) -> None:
        draft.add(consent.propose(match, proposed.seat, case.recall(to)))

    way = case.way(group, fill)
    case.judge(group, lambda: [way], "rewind", "this rewind could not be proposed now")
    case.check_body(first, {"do": "rewind", "body": {"to_version": to}})


def agreeing(case: Case, group: list[Entry], agreed: RewindAgreed) -> None:
    """A seat agrees to the open proposal; with the last one it is carried out, and not before."""
    first, match = group[0], case.match
    _check_seat(case, first, agreed.seat)

    def fill(draft: Draft, chance_for: ChanceFor) -> None:
        target = case.recall(consent.open_proposal(match, agreed.proposal).to_version)
        draft.add(consent.agree(match, case.game, agreed.seat, agreed.proposal, target, chance_for(match)))

    way = case.way(group, fill)
    case.judge(group, lambda: [way], "rewind", "this is not what the agreement leads to")
    case.check_body(first, {"do": "consent", "body": {"proposal": agreed.proposal, "agree": True}})


def refusing(case: Case, group: list[Entry], refused: RewindRefused) -> None:
    """A seat refuses the open proposal, or takes its own back."""
    first, match = group[0], case.match
    _check_seat(case, first, refused.seat)

    def fill(draft: Draft, _: ChanceFor) -> None:
        draft.add(consent.refuse(match, refused.seat, refused.proposal))

    way = case.way(group, fill)
    case.judge(group, lambda: [way], "rewind", "there was nothing to refuse like this")
    case.check_body(first, {"do": "consent", "body": {"proposal": refused.proposal, "agree": False}})


def _check_seat(case: Case, first: Entry, seat: int) -> None:
    """Only a seat of a running match proposes and answers, and each for itself."""
    if case.acting_seat(first) != seat:
        case.fault(first.version, "seat", "somebody else speaks for the seat", f"seat:{seat}", first.by)
    _demand_running(case, first)


def _demand_running(case: Case, first: Entry) -> None:
    if case.match.status != "running":
        reason = "only a running match can be rewound"
        case.fault(first.version, "rewind", reason, "running", case.match.status)
