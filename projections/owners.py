"""One owner a projection: a lease in the database, so that two runners don't do the same work.

A lease is a beat that its owner keeps counting up; whoever sees it stand still for LEASE_SECONDS of a
monotonic clock may take it. So no clock has to be right (P24). Exactness does not rest on it: `advance`
compares and sets the position, so even two owners at once can't apply an event twice.
"""

import os
import time
from collections.abc import Iterable

from services.store.sql import Database

BEAT_SECONDS = 0.7
LEASE_SECONDS = 2.5


class Owners:
    def __init__(self, database: Database, projections: Iterable[str]) -> None:
        self._database = database
        self._names = tuple(projections)
        self._me = os.urandom(8).hex()
        self._seen: dict[str, tuple[str | None, int, float]] = {}
        self._next = 0.0
        self.mine: frozenset[str] = frozenset()

    def renew(self) -> None:
        """Keep what is mine, take what is free or stands still. Cheap to call often."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + BEAT_SECONDS
        mine = set()
        with self._database.writing() as sql:
            for name in self._names:
                row = sql.row("SELECT owner, beat FROM projection_owners WHERE projection = ?", name)
                assert row is not None, "the tables are migrated"
                if row["owner"] not in (None, self._me) and not self._stands_still(
                    name, row["owner"], row["beat"], now
                ):
                    continue
                taken = sql.run(
                    "UPDATE projection_owners SET owner = ?, beat = beat + 1 "
                    "WHERE projection = ? AND beat = ?",
                    self._me,
                    name,
                    row["beat"],
                )
                if taken:
                    mine.add(name)
        self.mine = frozenset(mine)

    def _stands_still(self, name: str, owner: str, beat: int, now: float) -> bool:
        seen = self._seen.get(name)
        if seen is None or seen[:2] != (owner, beat):
            self._seen[name] = (owner, beat, now)
            return False
        return now - seen[2] >= LEASE_SECONDS

    def release(self) -> None:
        """Let go at once, so that the next runner need not wait."""
        with self._database.writing() as sql:
            sql.run("UPDATE projection_owners SET owner = NULL WHERE owner = ?", self._me)
        self.mine = frozenset()
