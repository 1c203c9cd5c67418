"""What a long match costs: loading it and looking at any of its versions, with snapshots and without, on SQLite.

A match of Adellos with three seats, played at random and rewound now and then, of 50 and of 5,000 events. `cold` is a
process that has just started and looks at one version; `warm` is one that has looked at some before.
"""

import random
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.matches import Playing, entries_of, store_all
from domain.adellos import ADELLOS
from services.ledger import Ledger
from services.snapshots import Snapshots
from services.store.eventsourced import SQLiteStore
from services.store.sql import SQLiteDatabase

LENGTHS = (50, 5_000)
LOOKS = 200
REWOUND = 0.03  # share of moves after which the match is rewound
FAR = 300  # versions a rewind goes back at most


def long_match(seed: int, length: int) -> Playing:
    """A match with at least `length` events; when it is decided, and now and then before, it is rewound."""
    rng = random.Random(seed)
    playing = Playing(ADELLOS, 3, rng, cut=False)
    while playing.match.version < length:
        version = playing.match.version
        if playing.decided(playing.match) or (version > 40 and rng.random() < REWOUND):
            target = playing.states[rng.randrange(max(8, version - FAR), version) - 1]
            if not playing.decided(target):
                playing.rewind(target)
        else:
            playing.move()
    return playing


class Measured:
    """How long something took, again and again: by the clock, and on the processor alone."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.cpu: list[float] = []

    def run(self, work: Callable[..., object], *arguments: object) -> None:
        wall, cpu = time.perf_counter(), time.thread_time()
        work(*arguments)
        self.cpu.append(1000 * (time.thread_time() - cpu))
        self.wall.append(1000 * (time.perf_counter() - wall))

    def tell(self, name: str) -> None:
        wall, cpu = (sorted(one) for one in (self.wall, self.cpu))
        last = len(wall) - 1
        p50, p99 = len(wall) // 2, min(last, int(0.99 * len(wall)))
        print(
            f"  {name:<36} p50 {wall[p50]:7.2f} ms  p99 {wall[p99]:7.2f} ms   "
            f"processor: p50 {cpu[p50]:6.2f} ms  p99 {cpu[p99]:6.2f} ms  worst {cpu[last]:6.2f} ms"
        )


class Bench:
    """One stored match and the table of its snapshots."""

    def __init__(self, store: SQLiteStore, snapshots: Snapshots, stream: str) -> None:
        self._store = store
        self._snapshots = snapshots
        self._stream = stream
        self._warm = self._started()

    def bare(self) -> None:
        """A process that has just started loads the match, without snapshots."""
        ledger = Ledger(self._store)
        ledger.history(self._stream)
        ledger.close()

    def make_snapshots(self) -> None:
        self._warm.history(self._stream)
        self._warm.archive.afterwards.finish()

    def load(self) -> None:
        self._started().history(self._stream)

    def cold(self, version: int) -> None:
        self._started().history(self._stream).at(version)

    def warm(self, version: int) -> None:
        self._warm.history(self._stream).at(version)

    def _started(self) -> Ledger:
        return Ledger(self._store, self._snapshots)


def measure(name: str, work: Callable[..., object], looks: Iterable[tuple[object, ...]]) -> None:
    measured = Measured()
    for arguments in looks:
        measured.run(work, *arguments)
    measured.tell(name)


def main() -> None:
    print("Loading and looking back, Adellos, SQLite (goal for any version: 10 ms)")
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        store = SQLiteStore(Path(folder) / "ledger.sqlite3")
        views = SQLiteDatabase(Path(folder) / "views.sqlite3", durable=False)
        snapshots = Snapshots(views)
        snapshots.migrate()
        for length in LENGTHS:
            stream = f"m_{length}"
            last = store_all(store, entries_of(long_match(length, length), stream))
            bench = Bench(store, snapshots, stream)
            versions = [(rng.randint(1, last),) for _ in range(LOOKS)]
            print(f" a match of {last} events")
            measure("load, without snapshots", bench.bare, [()] * 10)
            bench.make_snapshots()
            measure("load", bench.load, [()] * LOOKS)
            measure("load and look at any version, cold", bench.cold, versions)
            measure("look at any version, warm", bench.warm, versions)
            measure("look at each version in turn", bench.warm, [(one,) for one in range(1, last + 1)])
            with views.reading() as sql:
                query = (
                    "SELECT COUNT(*) AS rows, SUM(LENGTH(body)) AS bytes FROM snapshots WHERE match_id = ?"
                )
                row = sql.row(query, stream) or {}
            print(f"  {row['rows']} snapshots, {(row['bytes'] or 0) / 1024:.0f} KiB")
        store.close()
        views.close()


if __name__ == "__main__":
    main()
