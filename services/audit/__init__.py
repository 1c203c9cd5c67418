"""The audit: a match record checked event by event, offline. docs/audit.md says in plain words what is found.

Nothing is believed. Every command is decided again by the same pure functions that decided it first, every
draw is drawn again from the seed the record reveals, and the record is compared with what comes out.
"""

from services.audit.case import Case
from services.audit.match import audit
from services.audit.match import report as report_on
from services.audit.report import Finding, Report, unreadable
from services.record import Record

__all__ = ["Finding", "Report", "unreadable", "verify"]


def verify(record: Record) -> Report:
    """Check a record: envelopes, decisions, draws, seeds, forks, the end. Never raises for what is in it."""
    chain = [record]
    while chain[-1].origin is not None:
        chain.append(chain[-1].origin)
    case: Case | None = None
    report: Report | None = None
    for one in reversed(chain):
        case = audit(one, case)
        report = report_on(case, report)
    assert report is not None
    return report
