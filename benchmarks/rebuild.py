"""How fast the read models are rebuilt from a log of many matches of all games, on SQLite and on PostgreSQL.

Events/s are events of the log by the clock, from the beginning of a rebuild until the old rows are gone: of each read
model by itself, and of all in one reading of the log, as `ledgertop rebuild --all` does it. Beside it what this process
computed for an event; the rest is waiting, for the disk, for PostgreSQL and for whoever else has work for the machine.
"""

import time
from statistics import median

import projections
from benchmarks.databases import KINDS, configured
from benchmarks.matches import log, store_all
from ledgertop.wiring import build, open_read_side

EVENTS = 100_000
RUNS = 3
GOAL = 20_000


def main() -> None:
    print(f"Rebuilding the read models from {EVENTS:,} events (goal: {GOAL:,} events/s)")
    names = [one.name for one in projections.PROJECTIONS]
    wishes = {**{name: [name] for name in names}, "all of them together": names}
    for kind in KINDS:
        with configured(kind) as config:
            service = build(config, migrate=True)
            read_side = open_read_side(config, service.store)
            began = time.perf_counter()
            events = store_all(service.store, log(EVENTS, 1))
            print(f" {kind}: {events:,} events stored in {time.perf_counter() - began:.1f} s")
            took: dict[str, list[tuple[float, float]]] = {wish: [] for wish in wishes}
            for _ in range(RUNS):
                for wish, wanted in wishes.items():
                    wall, processor = time.perf_counter(), time.process_time()
                    assert list(read_side.rebuild(*wanted))[-1].swapped
                    took[wish].append((time.perf_counter() - wall, time.process_time() - processor))
            for wish, times in took.items():
                rates = [events / wall for wall, _ in times]
                computed = [1e6 * processor / events for _, processor in times]
                print(
                    f"  {wish:<22} {median(rates):9,.0f} events/s (worst of {RUNS}: {min(rates):,.0f})   "
                    f"processor {median(computed):5.1f} µs an event"
                )
            read_side.database.close()
            service.close()


if __name__ == "__main__":
    main()
