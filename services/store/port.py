"""The narrow port to the event store. All of Ledgertop reaches the store through it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from domain.game import Event
from services.codec import Recorded

Entry = Recorded[Event]


class StreamMoved(Exception):
    """Another writer appended first: a version that was to be written exists already. Nothing was stored."""


class Stored(NamedTuple):
    """A stored entry with its place in the whole log. Positions grow with commit order; there may be gaps."""

    position: int
    entry: Entry


class Damaged(NamedTuple):
    """A place in the log that can't be read: damaged, or written by newer code. `error` names the fault."""

    position: int
    stream: str
    version: int
    error: str


Found = Stored | Damaged


class EventStore(Protocol):
    def append(self, entries: Sequence[Entry]) -> int:
        """Store entries of one or more streams, all or nothing; returns the last position.

        An entry's version is one more than its stream's expected one. Raises StreamMoved or StoreUnavailable, which
        mean that nothing was stored, or OutcomeUnknown, for the stream and command of the last entry.
        """

    def read(self, stream: str, after: int = 0) -> list[Entry]:
        """The entries of a stream with a version above `after`, in order; empty for an unknown stream."""

    def read_all(self, after: int, limit: int) -> list[Stored]:
        """At most `limit` entries of the log with positions above `after`, in order. Raises Unreadable."""

    def scan(self, after: int, limit: int) -> list[Found]:
        """Like `read_all`, with what can't be read in its place instead of an error."""

    def position(self, stream: str, version: int) -> int:
        """The position of one stored entry. Raises KeyError."""

    def head(self) -> int:
        """The last position; 0 for an empty log."""

    def wait(self, after: int, timeout: float) -> int:
        """The head as soon as it is above `after`, or what it is after `timeout` seconds."""

    def group_sizes(self) -> Mapping[int, int]:
        """How many appends this process committed together, and how often."""

    def close(self) -> None:
        """Let go of connections and threads."""
