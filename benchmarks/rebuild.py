"""How fast the read models are rebuilt from a log of many matches of all games, on SQLite and on PostgreSQL.

Events/s are events of the log by wall time, from the beginning of a rebuild until the old rows are gone; for each
read model by itself, and for all of them one after the other, as `ledgertop rebuild` does it.
"""

import time

import projections
from benchmarks.databases import KINDS, configured
from benchmarks.matches import log, store_all
from ledgertop.wiring import build, open_read_side

EVENTS = 100_000
RUNS = 3
GOAL = 20_000


def main() -> None:
    print(f"Rebuilding the read models from {EVENTS:,} events (goal: {GOAL:,} events/s)")
    for kind in KINDS:
        with configured(kind) as config:
            service = build(config, migrate=True)
            read_side = open_read_side(config, service.store)
            began = time.perf_counter()
            events = store_all(service.store, log(EVENTS, 1))
            print(f" {kind}: {events:,} events stored in {time.perf_counter() - began:.1f} s")
            taken: dict[str, list[float]] = {one.name: [] for one in projections.PROJECTIONS}
            for _ in range(RUNS):
                for name, times in taken.items():
                    began = time.perf_counter()
                    assert list(read_side.rebuild(name))[-1].swapped
                    times.append(time.perf_counter() - began)
            for name, times in taken.items():
                tell(name, events, times)
            tell("all, one after the other", events, [sum(one) for one in zip(*taken.values(), strict=True)])
            read_side.database.close()
            service.close()


def tell(name: str, events: int, times: list[float]) -> None:
    rates = sorted(events / one for one in times)
    print(f"  {name:<26} {rates[len(rates) // 2]:9,.0f} events/s  (worst of {len(rates)}: {rates[0]:,.0f})")


if __name__ == "__main__":
    main()
