"""What an audit found out."""

from typing import Any, Literal

from msgspec import Struct

from domain.game import Outcome

What = Literal[
    "unreadable",
    "rules",
    "creation",
    "envelope",
    "version",
    "time",
    "command",
    "seat",
    "decision",
    "draw",
    "commitment",
    "seed",
    "rewind",
    "fork",
    "end",
    "state",
]


class Finding(Struct, frozen=True):
    """Something that is not as it must be. `version` is the event's, or None for the whole match."""

    match: str
    version: int | None
    what: What
    reason: str
    expected: Any
    actual: Any


class Report(Struct, frozen=True):
    """The report on one match.

    `ok` says that no fault was found, `complete` that nothing had to be left open; `pending` says in
    sentences what was left open. The counts are of this match alone; `origin` is the report on the match it
    was forked from.
    """

    match: str
    game: str
    ok: bool
    complete: bool
    version: int
    status: str
    outcome: Outcome | None
    digest: str | None
    events: int
    decisions: int
    draws_checked: int
    draws_pending: int
    pending: tuple[str, ...]
    findings: tuple[Finding, ...]
    origin: "Report | None" = None


def unreadable(match: str, reason: str) -> Report:
    """The report on a match whose bytes can't be read at all."""
    return Report(
        match=match,
        game="",
        ok=False,
        complete=False,
        version=0,
        status="unknown",
        outcome=None,
        digest=None,
        events=0,
        decisions=0,
        draws_checked=0,
        draws_pending=0,
        pending=("Nothing could be checked.",),
        findings=(Finding(match, None, "unreadable", reason, None, None),),
    )
