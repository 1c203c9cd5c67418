"""The world of a simulation: one thread, one seed, two processes of the real service over one real store.

Only four things are not real: the clock (of the machine, and the wall clock that jumps), the source of chance, the
queue, and what stands before store and tables and fails (tests/simulation/faults.py).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import projections
import services.clock
from ledgertop import wiring
from ledgertop.config import Config
from projections.projection import Projection
from projections.rebuild import rebuild
from projections.runner import Runner
from services.clock import Machine
from services.ledger import Ledger
from services.service import Service
from services.store.port import Entry, EventStore
from services.store.sql import Database
from services.tokens import Keys
from tests.house import SECOND, START
from tests.simulation.faults import FaultyStore, FaultyTables, LossyQueue, Weather
from workers.sweeper import Sweeper

IDLE_LIMIT = 240  # seconds
SKEW = 200_000  # microseconds by which two machines differ when they are started
MEANWHILE = 0.1  # how often
KEY = b"k" * 32


class Broken(AssertionError):
    """A promise was broken."""


class Process:
    """One process of the service: its own caches, a sweeper, a projection runner."""

    def __init__(self, world: "World", name: str) -> None:
        self.name = name
        self._world = world
        self.start()

    def start(self) -> None:
        world = self._world
        world.starting = ("one", "two").index(self.name)
        self.service: Service = wiring.build(world.config, nudge=world.queue.nudge)
        self.views: Database = FaultyTables(world.raw_views, world.weather)
        self.runner = Runner(self.service.store, self.views, projections.PROJECTIONS, batch=7)
        self.sweeper = Sweeper(
            self.service.effects,
            world.queue,  # type: ignore[arg-type]
            wiring.queue_seal(world.config),
        )

    def restart(self) -> None:
        """What was kept in memory is gone."""
        self.service.close()
        self.start()


class World:
    """Everything there is, and the truth about it."""

    def __init__(self, seed: int, folder: Path, stack: ExitStack) -> None:
        self.seed = seed
        self.rng = Random(seed)
        self.weather = Weather(Random(seed + 1))
        self.queue = LossyQueue(Random(seed + 2))
        self.keys = Keys(KEY)
        self.starting = 0  # which process is
        self.elapsed = 0  # microseconds of true time
        self.ahead = 0  # by how much the wall clock is wrong
        self.trace: list[str] = []
        self.broken: list[str] = []
        self.log: list[tuple[int, Entry]] = []  # position and entry, as they were truly stored
        self.watchers: list[Callable[[Sequence[Entry]], None]] = []
        self.meanwhile: list[Callable[[], None]] = []  # what may be done between deciding and storing
        self.only: Process | None = None  # the process that does it
        self.others: set[str] = set()  # ids of the events that were stored so
        self.rebuilds: list[Iterator[Any]] = []
        self.config = Config(folder, None, None, IDLE_LIMIT, KEY)
        self._real(stack)
        self.processes = [Process(self, name) for name in ("one", "two")]
        for process in self.processes:
            stack.callback(lambda process=process: process.service.close())

    def _real(self, stack: ExitStack) -> None:
        self.raw_store: EventStore = wiring.open_store(self.config)
        self.raw_views: Database = wiring.open_views(self.config)
        stack.callback(self.raw_views.close)
        stack.callback(self.raw_store.close)
        self.truth = Ledger(self.raw_store)
        chance = Random(self.seed + 3)
        source = SimpleNamespace(urandom=chance.randbytes, register_at_fork=lambda **_: None)
        open_store, open_tables, open_views = wiring.open_store, wiring.open_tables, wiring.open_views

        def faulty_store(config: Config, *, migrate: bool = False) -> Any:
            other = 1 - self.starting
            store = open_store(config, migrate=migrate)
            return FaultyStore(store, self.weather, self._stored, lambda: self._meanwhile(other))

        for target, name, value in (
            (wiring, "open_store", faulty_store),
            (wiring, "open_tables", lambda config: FaultyTables(open_tables(config), self.weather)),
            (wiring, "open_views", lambda config: FaultyTables(open_views(config), self.weather)),
            (services.clock, "this_machine", self._machine),
            (services.seeds, "os", source),
            (services.tokens, "os", source),
            (services.people, "os", source),
            (services.identifiers, "_randomness", SimpleNamespace(take=chance.randbytes)),
            (workers_sweeper(), "time", SimpleNamespace(monotonic=lambda: self.elapsed / SECOND)),
            (workers_sweeper(), "Hints", lambda connection, **_: connection),
        ):
            stack.enter_context(patch.object(target, name, value))
        for self.starting in (1, 0):
            first = wiring.build(self.config, migrate=True)
            first.clock.now()  # the anchor is taken while the wall clock is right
            first.close()

    def _machine(self) -> Machine:
        """The process that is started runs on it: each on one of its own, the second's clock a little behind."""
        behind = SKEW * self.starting
        return Machine(
            f"run of {self.starting}", lambda: self.now + self.ahead - behind, lambda: self.elapsed
        )

    @property
    def now(self) -> int:
        """True time, microseconds since 1970."""
        return START + self.elapsed

    def _stored(self, entries: Sequence[Entry], position: int) -> None:
        """Told of each append that was really carried out, whatever the service hears of it."""
        if self.only:
            self.others.update(entry.id for entry in entries)
        self.log += zip(range(position - len(entries) + 1, position + 1), entries, strict=True)
        for watcher in self.watchers:
            watcher(entries)

    def tell(self, line: str) -> None:
        self.trace.append(line)

    def demand(self, true: Any, promise: str) -> None:
        """Note a broken promise; it ends the run after the step, for the service itself may swallow exceptions."""
        if not true:
            self.broken.append(promise)

    def any_process(self) -> Process:
        return self.only or self.rng.choice(self.processes)

    def _meanwhile(self, other: int) -> None:
        """At times the other process acts between the moment a command is decided and the moment it is stored."""
        if self.only or not self.meanwhile or self.rng.random() > MEANWHILE:
            return
        self.only = self.processes[other]
        met, self.weather.met = self.weather.met, []
        self.tell("  meanwhile:")
        try:
            self.rng.choice(self.meanwhile)()
        finally:
            self.only, self.weather.met = None, met

    def heal(self) -> None:
        """All is well from now on, but perhaps for the queue, which may be away or lose everything (P15)."""
        self.weather.clear()
        self.meanwhile = []
        self.queue.reachable = self.rng.random() < 0.7
        self.queue.swallows = self.rng.random() < 0.5

    def rebuild(self, projection: Projection, *, faulty: bool = True) -> Iterator[Any]:
        process = self.any_process()
        views = process.views if faulty else self.raw_views
        return rebuild(self.raw_store, views, projection, batch=11)


def workers_sweeper() -> Any:
    import workers.sweeper

    return workers.sweeper


@contextmanager
def world(seed: int, folder: Path) -> Iterator[World]:
    with ExitStack() as stack:
        yield World(seed, folder, stack)
