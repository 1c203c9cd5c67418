"""Group commit: appends that arrive while another is being committed are committed together, next.

One transaction and one flush then serve many commands. A member whose version was taken meanwhile fails alone;
the others of its group are stored.
"""

import threading
from collections import Counter
from collections.abc import Callable, Sequence

from eventsourcing.persistence import InterfaceError, OperationalError, StoredEvent

from services.patience import COMMAND_SECONDS, remaining
from services.store.port import StreamMoved
from services.store.recorders import CommitUnknown

MAX_MEMBERS = 64
WAIT_SECONDS = COMMAND_SECONDS  # how long a member waits at most before the store counts as unavailable

Insert = Callable[[Sequence[Sequence[StoredEvent]]], Sequence[Sequence[int] | None]]


class _Member:
    """One append: its rows, and a gate that opens when it is done or has to lead the next group."""

    def __init__(self, rows: Sequence[StoredEvent]) -> None:
        self.rows = rows
        self.positions: Sequence[int] | None = None
        self.fault: BaseException | None = None
        self.done = False
        self.gate = threading.Lock()
        self.gate.acquire()


class GroupCommit:
    """Makes groups of concurrent appends. `insert` stores groups in one transaction: positions, or None if moved."""

    def __init__(self, insert: Insert) -> None:
        self._insert = insert
        self._lock = threading.Lock()
        self._waiting: list[_Member] = []
        self._led = False
        self.sizes: Counter[int] = Counter()  # how many appends were committed together, and how often

    def append(self, rows: Sequence[StoredEvent]) -> Sequence[int]:
        """Store rows, all or nothing; their positions. Raises StreamMoved, or what the database raises."""
        member = _Member(rows)
        with self._lock:
            self._waiting.append(member)
            leads = not self._led
            self._led = True
        if not leads and not member.gate.acquire(timeout=remaining(WAIT_SECONDS)):
            self._give_up(member)
        if not member.done:
            self._lead()
        if member.fault is not None:
            raise member.fault
        if member.positions is None:
            raise StreamMoved
        return member.positions

    def _lead(self) -> None:
        """Commit the members that wait, the caller first among them, and hand over to whoever came meanwhile."""
        with self._lock:
            group, self._waiting = self._waiting[:MAX_MEMBERS], self._waiting[MAX_MEMBERS:]
        self._commit(group)
        self.sizes[len(group)] += 1
        for member in group:
            member.done = True
            member.gate.release()
        with self._lock:
            if self._waiting:
                self._waiting[0].gate.release()
            else:
                self._led = False

    def _commit(self, group: Sequence[_Member]) -> None:
        """Store a group in one transaction; where that fails but for the database's sake, each member alone."""
        try:
            for member, positions in zip(group, self._insert([member.rows for member in group]), strict=True):
                member.positions = positions
        except BaseException as fault:  # noqa: BLE001 - every member is told, each in its own thread
            if len(group) > 1 and not isinstance(fault, (OperationalError, InterfaceError)):
                for member in group:
                    self._commit([member])
                return
            for member in group:
                member.fault = fault

    def _give_up(self, member: _Member) -> None:
        """Leave the queue. A member that is being committed can't: its outcome is not known (P5)."""
        with self._lock:
            if member.gate.acquire(blocking=False):
                return  # its turn came at the last moment
            if member not in self._waiting:
                raise CommitUnknown("the store is still at this append")
            self._waiting.remove(member)
        raise OperationalError("the store did not get to this append in time")
