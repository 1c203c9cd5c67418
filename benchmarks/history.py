"""What a long match costs: loading it and looking at any of its versions, with snapshots and without, on SQLite.

A match of Adellos with three seats, played at random and rewound now and then, of 50 and of 5,000 events. `cold` is a
process that has just started and looks at one version; `warm` is one that has looked at some before.
"""

import random
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import domain.match as kernel
from domain.adellos import ADELLOS
from domain.game import Event
from domain.match import Match, MatchCreated, RuleSet, SeatTaken
from services.codec import Recorded, plain
from services.identifiers import new_event_id, new_salt
from services.ledger import Ledger
from services.snapshots import Snapshots
from services.store.eventsourced import SQLiteStore
from services.store.port import Entry
from services.store.sql import SQLiteDatabase

LENGTHS = (50, 5_000)
LOOKS = 200
REWOUND = 0.03  # share of moves after which the match is rewound
FAR = 300  # versions a rewind goes back at most


def commands(seed: int, length: int) -> list[tuple[Event, ...]]:
    """Commands of a match with at least `length` events, each with what it led to."""
    rng = random.Random(seed)
    secret, game, made = rng.randbytes(32), ADELLOS, list[tuple[Event, ...]]()
    states: list[Match] = []

    def add(events: Sequence[Event]) -> None:
        kernel.extend(states, "m_long", events, game)
        made.append(tuple(events))

    rules = RuleSet(game.rules_version, game.content)
    add([MatchCreated(game.name, rules, plain(game.options()), 3, None, "0" * 64, True, 3600)])
    for seat in range(3):
        add([SeatTaken(seat=seat, player=f"p_{seat}", kind="person", token="0" * 64)])
    add(kernel.start(states[-1], game, kernel.chance_of(states[-1], secret)))
    while len(states) < length:
        match = states[-1]
        chance = kernel.chance_of(match, secret)
        if game.rules.outcome(match.state) or (len(states) > 40 and rng.random() < REWOUND):
            target = states[rng.randrange(max(8, len(states) - FAR), len(states)) - 1]
            if not game.rules.outcome(target.state):
                add(kernel.rewind(game, target, chance))
        elif (due := kernel.due(match, game)) is not None:
            add(kernel.act_by_system(match, game, due, chance))
        else:
            seat = kernel.to_act(match, game)[0]
            legal = [one for one in game.rules.legal(match.state, seat) if not one.TAKES_BACK]
            legal = legal or list(game.rules.legal(match.state, seat))
            add(kernel.act(match, game, rng.choice(legal), seat, chance))
    return made


def store_match(store: SQLiteStore, stream: str, made: list[tuple[Event, ...]]) -> int:
    version = 0
    for number, events in enumerate(made):
        entries: list[Entry] = []
        for event in events:
            version += 1
            entries.append(
                Recorded(
                    stream=stream, version=version, id=new_event_id(), at=version, by="system:bench",
                    command=f"c_{number}", digest="0" * 64, cause=None, rules="adellos/1", salt=new_salt(), event=event,
                )
            )  # fmt: skip
        store.append(entries)
    return version


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
            last = store_match(store, stream, commands(length, length))
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
