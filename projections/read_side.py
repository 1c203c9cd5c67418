"""The read side as a whole: its tables, the objects that answer queries, and what keeps them up to date."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

from projections.due_effects import DueEffectsProjection, DueEffectsView
from projections.lobby import LobbyProjection, LobbyView
from projections.progress import ProgressView
from projections.projection import Projection, create_tables
from projections.rebuild import Rebuilt, rebuild
from projections.runner import Runner
from projections.statistics import StatisticsProjection, StatisticsView
from services.store.port import EventStore
from services.store.sql import Database

PROJECTIONS: tuple[Projection, ...] = (DueEffectsProjection(), LobbyProjection(), StatisticsProjection())


@dataclass(frozen=True)
class ReadSide:
    """Queries for any process; `run` for the one process that keeps them up to date."""

    store: EventStore
    database: Database
    lobby: LobbyView
    statistics: StatisticsView
    due_effects: DueEffectsView
    progress: ProgressView

    def runner(self) -> Runner:
        return Runner(self.store, self.database, PROJECTIONS)

    def run(self, stop: threading.Event) -> None:
        """Keep the projections up to date until `stop` is set."""
        self.runner().run(stop)

    def rebuild(self, *names: str) -> Iterator[Rebuilt]:
        """Build the named projections anew beside the live ones and swap. Raises KeyError for no such name."""
        known = {one.name: one for one in PROJECTIONS}
        return rebuild(self.store, self.database, *(known[name] for name in names))


def open_read_side(store: EventStore, database: Database) -> ReadSide:
    return ReadSide(
        store,
        database,
        LobbyView(database),
        StatisticsView(database),
        DueEffectsView(database),
        ProgressView(store, database, PROJECTIONS),
    )


def migrate(database: Database) -> None:
    """Create the read side's tables, where they are missing. Do it in one process only."""
    create_tables(database, PROJECTIONS)
