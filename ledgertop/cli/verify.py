"""`ledgertop verify`: a match, a record or the whole store, checked event by event."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ledgertop.cli.output import counted, json_option, print_json, progress

if TYPE_CHECKING:
    from services.audit import Report
    from services.store.port import EventStore

BATCH = 1_000
SHOWN = 300  # characters of an expected or actual value


@click.command()
@click.argument("what", metavar="[FILE|MATCH]", required=False)
@click.option("--all", "everything", is_flag=True, help="Check every match of the store.")
@json_option
@click.pass_context
def verify(ctx: click.Context, what: str | None, everything: bool, as_json: bool) -> None:
    """Check a match record, a stored match, or all.

    Every decision is made again by the rules, every draw drawn again, every envelope looked at. A FILE (or -
    for stdin) is checked offline. Exits with 1 when a fault is found.
    """
    from ledgertop.cli.settings import opened, settings

    if everything == (what is not None):
        raise click.UsageError("Name one file or match, or give --all.")
    if what is not None and (what == "-" or Path(what).is_file()):
        reports = [_of_file(what)]
    else:
        with opened(settings(ctx)) as service:
            reports = list(_of_all(service.store)) if what is None else [_of_match(service.store, what)]
    for report in reports:
        if as_json:
            print_json(report)
        else:
            click.echo("\n".join(_lines(report)))
    faulty = sum(not report.ok for report in reports)
    if everything:
        summary = {"matches": len(reports), "faulty": faulty, "ok": not faulty}
        line = f"{counted(len(reports), 'match', 'matches')}, {faulty or 'none'} with faults."
        print_json(summary) if as_json else click.echo(line)
    if faulty:
        ctx.exit(1)


def _of_file(name: str) -> "Report":
    from services.audit import unreadable
    from services.audit import verify as audit
    from services.record import BadRecord, parse

    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        record = parse(data)
    except BadRecord as error:
        return unreadable(name, f"{type(error).__name__}: {error}")
    return audit(record)


def _of_match(store: "EventStore", match: str) -> "Report":
    from services.audit import unreadable
    from services.audit import verify as audit
    from services.codec import Unreadable
    from services.errors import MatchNotFound
    from services.record import stored

    try:
        return audit(stored(store, match))
    except MatchNotFound:
        from ledgertop.cli.failures import NotFound

        raise NotFound(f"{match!r} is neither a file nor a match of this store.") from None
    except Unreadable as error:
        return unreadable(match, str(error))


def _of_all(store: "EventStore") -> Iterator["Report"]:
    from services.store.port import Damaged

    matches: dict[str, None] = {}
    position, head = 0, store.head()
    with progress("Reading the log") as tell:
        while found := store.scan(position, BATCH):
            for one in found:
                matches[one.stream if isinstance(one, Damaged) else one.entry.stream] = None
            position = found[-1].position
            tell(min(position, head), head)
    with progress("Checking matches") as tell:
        for number, match in enumerate(matches, 1):
            yield _of_match(store, match)
            tell(number, len(matches))


def _lines(report: "Report") -> Iterator[str]:
    from domain.game import Scene
    from ledgertop.cli.text import outcome_text
    from services.codec import plain

    verdict = "no fault found" if report.ok else "FAULTS FOUND"
    if report.ok and not report.complete:
        verdict += " so far"
    ended = f", {outcome_text(plain(report.outcome), Scene())}" if report.outcome else ""
    yield f"{report.match}: {verdict} ({report.status}{ended})"
    yield (
        f"  {counted(report.events, 'event')}, {counted(report.decisions, 'decision')} made again,"
        f" {counted(report.draws_checked, 'draw')} drawn again, {report.draws_pending} pending"
    )
    if report.digest:
        yield f"  state {report.digest}"
    for sentence in report.pending:
        yield f"  open: {sentence}"
    for fault in report.findings:
        place = f"version {fault.version}" if fault.version is not None else "the match"
        yield f"  fault: {place}, {fault.what}: {fault.reason}"
        for name in ("expected", "actual"):
            if (value := getattr(fault, name)) is not None:
                yield f"    {name}: {_short(value)}"
    if report.origin is not None:
        yield "  forked from:"
        for line in _lines(report.origin):
            yield f"  {line}"


def _short(value: Any) -> str:
    from services.codec import encode

    text = value if isinstance(value, str) else encode(value).decode()
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
