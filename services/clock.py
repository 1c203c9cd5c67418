"""The one clock. Time is microseconds since 1970 in UTC; it orders nothing, versions do (P24)."""

import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Microseconds since the epoch, UTC."""


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1_000
