"""The one clock. Time is microseconds since 1970 in UTC; it orders nothing, versions do (P24).

The wall clock can be set, by hand or over the network, hours to and fro. Deadlines must not follow it. So the service
counts: from the machine's start on, by a counter that nobody can set, from an anchor that the first process took from
the wall clock and wrote down for all others. docs/time.md says what that promises.
"""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from services.store.sql import Database

_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Clock(Protocol):
    def now(self) -> int:
        """Microseconds since the epoch, UTC."""


class Machine(Struct, frozen=True):
    """What a machine tells about time. `boot` names its run since it was started; None if it can't be told.

    `wall` and `elapsed` give microseconds: since 1970, and since an unknown moment, sleep included. Only `wall` can
    be set. `elapsed` is the same in all processes where `boot` is known.
    """

    boot: str | None
    wall: Callable[[], int]
    elapsed: Callable[[], int]


def this_machine() -> Machine:
    """The machine this process runs on."""
    counter: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    if counter is None or not _BOOT.exists():
        return Machine(None, _wall, lambda: time.monotonic_ns() // 1_000)
    return Machine(_BOOT.read_text().strip(), _wall, partial(_counted, counter))


def _counted(counter: int) -> int:
    return time.clock_gettime_ns(counter) // 1_000


def _wall() -> int:
    return time.time_ns() // 1_000


class SteadyClock:
    """Counts on from the anchor that all processes of a machine share; setting the wall clock doesn't change it.

    `newest` gives the time of the newest event there is: a new anchor is never before it. The anchor is looked up with
    the first use, which raises StoreUnavailable where it can't be.
    """

    def __init__(self, database: Database, newest: Callable[[], int], machine: Machine | None = None) -> None:
        self._database = database
        self._newest = newest
        self._machine = machine or this_machine()
        self._offset: int | None = None

    def migrate(self) -> None:
        with self._database.writing() as sql:
            sql.run(
                "CREATE TABLE IF NOT EXISTS clock_anchors (boot TEXT PRIMARY KEY, start_at BIGINT NOT NULL)"
            )

    def now(self) -> int:
        if self._offset is None:
            self._offset = self._anchored()
        return self._offset + self._machine.elapsed()

    def astray(self) -> int:
        """By how many microseconds the wall clock is ahead of this one: how far it was set since the anchor."""
        return self._machine.wall() - self.now()

    def _anchored(self) -> int:
        """The time at which `elapsed` was 0: as it is written down for this run of the machine, else by the wall."""
        boot = self._machine.boot
        found = self._written(boot) if boot is not None else None
        if found is not None:
            return found
        offset = max(self._machine.wall(), self._newest()) - self._machine.elapsed()
        if boot is None:
            return offset
        with self._database.writing() as sql:
            sql.run("INSERT INTO clock_anchors VALUES (?, ?) ON CONFLICT (boot) DO NOTHING", boot, offset)
        written = self._written(boot)
        assert written is not None
        return written

    def _written(self, boot: str) -> int | None:
        with self._database.reading() as sql:
            row = sql.row("SELECT start_at FROM clock_anchors WHERE boot = ?", boot)
        return int(row["start_at"]) if row else None
