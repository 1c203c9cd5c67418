"""What can be said of a record's envelopes without knowing the game."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Protocol

from domain.match import MatchCreated
from services.audit.report import What
from services.record import Record
from services.store.port import Entry


class Fault(Protocol):
    """Notes a fault."""

    def __call__(
        self, version: int | None, what: What, reason: str, expected: Any, actual: Any, /
    ) -> None: ...


def check_envelopes(record: Record, fault: Fault) -> None:
    """What can be said of each envelope without knowing the game (P3, P12, P24)."""
    first = record.entries[0].event if record.entries else None
    rules = f"{first.game}/{first.rules.version}" if isinstance(first, MatchCreated) else None
    ids: set[str] = set()
    last_at = 0
    for place, entry in enumerate(record.entries, 1):
        version = entry.version
        if version != place:
            fault(version, "version", "versions must follow each other without a gap", place, version)
        if entry.stream != record.match:
            fault(version, "envelope", "the event belongs to another match", record.match, entry.stream)
        if entry.rules != rules:
            fault(version, "rules", "the event names other rules than the match", rules, entry.rules)
        if entry.at < last_at:
            fault(version, "time", "recorded time runs backwards", f"{last_at} or later", entry.at)
        if entry.id in ids:
            fault(version, "envelope", "two events have the same id", None, entry.id)
        for name, size in (("id", 16), ("salt", 16), ("digest", 32)):
            if not is_hex(getattr(entry, name), size):
                fault(version, "envelope", f"{name} is not {size} bytes in hex", None, getattr(entry, name))
        if not entry.command:
            fault(version, "command", "the event names no command", None, entry.command)
        ids.add(entry.id)
        last_at = max(last_at, entry.at)


def commands_of(record: Record, fault: Fault) -> Iterator[list[Entry]]:
    """The entries command by command, each command's held against each other (P2, P4)."""
    seen: set[str] = set()
    for command, entries in groupby(record.entries, key=lambda entry: entry.command):
        group = list(entries)
        first = group[0]
        if command in seen:
            fault(first.version, "command", "a command's id comes back later", None, command)
        seen.add(command)
        for entry in group[1:]:
            for name in ("by", "at", "digest"):
                expected, actual = getattr(first, name), getattr(entry, name)
                if expected != actual:
                    reason = f"events of one command differ in `{name}`"
                    fault(entry.version, "envelope", reason, expected, actual)
        yield group


def is_hex(text: str, size: int) -> bool:
    return len(text) == 2 * size and not text.strip("0123456789abcdef")
