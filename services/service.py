"""All of Ledgertop's parts in one value, as the surfaces (HTTP, command line, workers) use them."""

from collections.abc import Callable
from dataclasses import dataclass

from services.clock import Clock
from services.effects import Effects
from services.feed import Feed
from services.ledger import Ledger
from services.looking import Looking
from services.matches import Matches
from services.opening import Opening
from services.people import People
from services.read_models import Lobby, Progress, Statistics
from services.seeds import Seeds
from services.standing_orders import Ordering
from services.store.port import EventStore
from services.timekeeping import Timekeeping


@dataclass(frozen=True)
class Service:
    store: EventStore
    ledger: Ledger
    seeds: Seeds
    people: People
    opening: Opening
    matches: Matches
    timekeeping: Timekeeping
    ordering: Ordering
    looking: Looking
    feed: Feed
    effects: Effects
    lobby: Lobby
    statistics: Statistics
    progress: Progress
    clock: Clock
    on_close: Callable[[], None]

    def close(self) -> None:
        """End streams, threads and connections."""
        self.feed.close()
        self.ledger.close()
        self.store.close()
        self.on_close()
