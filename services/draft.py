"""What a command is about to store: its events, put into envelopes and folded as they come."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

import domain.match as kernel
from domain.game import Event
from domain.match import Match, MatchCreated
from services.codec import Recorded
from services.errors import MatchNotStarted, MatchOver
from services.identifiers import new_event_id, new_salt
from services.ledger import History
from services.seeds import Seeds
from services.store.port import Entry


class Envelope(Struct, frozen=True):
    """Who did what, when: the same for all events of a command."""

    by: str
    command: str
    digest: str
    at: int


class Draft:
    """The entries of one command on one stream, folded as they are added."""

    def __init__(self, history: History, envelope: Envelope) -> None:
        """Goes on from where `history` is now, whatever is added to it meanwhile."""
        self.history = history
        self.stream = history.stream
        self.game = history.game
        self.entries: list[Entry] = []
        self.folded: list[Match] = []
        self._now = history.now
        self._envelope = envelope
        self._last_at = self._now.entries[-1].at if self._now.entries else 0

    def by(self, actor: str) -> None:
        """Name who does what follows, where it is known only once the command is decided."""
        self._envelope = msgspec.structs.replace(self._envelope, by=actor)

    @property
    def at(self) -> int:
        """The time of what is added: never before the last event's, so that it never runs backwards (P24)."""
        return max(self._envelope.at, self._last_at)

    @property
    def match(self) -> Match:
        return self.folded[-1] if self.folded else self._now.states[-1]

    def recall(self, version: int) -> Match:
        before = self._now.version
        return self.history.at(version) if version <= before else self.folded[version - before - 1]

    def add(self, events: Iterable[Event], cause: str | None = None) -> None:
        for event in events:
            if isinstance(event, MatchCreated):
                match = kernel.begin(self.stream, event, self.game)
            else:
                match = kernel.evolve(self.match, event, self.game, self.recall)
            self.folded.append(match)
            self.entries.append(
                Recorded(
                    stream=self.stream,
                    version=match.version,
                    id=new_event_id(),
                    at=self.at,
                    by=self._envelope.by,
                    command=self._envelope.command,
                    digest=self._envelope.digest,
                    cause=cause,
                    rules=f"{self.game.name}/{self.game.rules_version}",
                    salt=new_salt(),
                    event=event,
                )
            )


def demand_running(match: Match) -> None:
    """Refuse what is for running matches only."""
    if match.status == "open":
        raise MatchNotStarted
    if match.status == "ended":
        raise MatchOver


def play(draft: Draft, command: Any, seat: int, seeds: Seeds) -> None:
    """What a seat's command leads to, the end of the match included."""
    match, game = draft.match, draft.game
    seed = seeds.of(match)
    draft.add(kernel.act(match, game, command, seat, kernel.chance_of(match, seed)))
    draft.add(kernel.close(draft.match, game, seed))


def play_for_system(draft: Draft, command: Any, seeds: Seeds) -> None:
    """What a command of the system leads to, the end of the match included."""
    match, game = draft.match, draft.game
    seed = seeds.of(match)
    draft.add(kernel.act_by_system(match, game, command, kernel.chance_of(match, seed)))
    draft.add(kernel.close(draft.match, game, seed))


def resign(draft: Draft, seat: int, seeds: Seeds) -> None:
    """What follows when a seat gives up."""
    match, game = draft.match, draft.game
    seed = seeds.of(match)
    events, outcome = kernel.resign(match, game, seat, kernel.chance_of(match, seed))
    draft.add(events)
    draft.add(kernel.close(draft.match, game, seed, outcome))


def start(draft: Draft, seeds: Seeds) -> None:
    """Begin play if every seat is taken."""
    seed = seeds.of(draft.match)
    draft.add(kernel.start(draft.match, draft.game, kernel.chance_of(draft.match, seed)))
    draft.add(kernel.close(draft.match, draft.game, seed))


def set_clock(draft: Draft) -> None:
    """Say how the clock runs after all this, where there is one."""
    draft.add(kernel.clock(draft.match, draft.game, draft.at))
