"""Reading and appending match histories: the store with a memory.

A history is a match's stored entries and the match after each of them. Recently used ones are kept; a reader
asks the store only for what is newer.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence

from domain.game import Game
from domain.match import Match, extend
from domain.match import MatchCreated as Created
from domain.registry import GAMES
from services.codec import Unreadable
from services.errors import MatchNotFound, UnknownGame, VersionNotFound
from services.store.port import Entry, EventStore

KEPT_HISTORIES = 2_000


class History:
    """One match: `entries[v - 1]` is the entry with version v and `states[v - 1]` the match after it."""

    def __init__(self, stream: str, game: Game) -> None:
        self.stream = stream
        self.game = game
        self.entries: list[Entry] = []
        self.states: list[Match] = []
        self.deciding = threading.Lock()  # one command at a time in this process; safety rests on the store
        self._spans: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()

    @property
    def match(self) -> Match:
        return self.states[-1]

    def at(self, version: int) -> Match:
        """The match at a version. Raises VersionNotFound."""
        if not 1 <= version <= len(self.states):
            raise VersionNotFound(version, len(self.states))
        return self.states[version - 1]

    def of_command(self, command: str) -> Sequence[Entry]:
        """The entries a command wrote, in order; empty if it took no effect here."""
        span = self._spans.get(command)
        return self.entries[span[0] - 1 : span[1]] if span else ()

    def extend(self, entries: Sequence[Entry], folded: Sequence[Match] = ()) -> None:
        """Fold newer entries in; those that are known already are passed over. Refuses a gap (P3).

        `folded` are the matches after each entry, where the caller has them.
        """
        with self._lock:
            known = len(self.states)
            new = [entry for entry in entries if entry.version > known]
            if not new:
                return
            for version, entry in enumerate(new, known + 1):
                if entry.version != version:
                    raise Unreadable(f"{self.stream} jumps from version {version - 1} to {entry.version}")
            if folded:
                states = list(folded[-len(new) :])
            else:
                whole = self.states.copy()
                extend(whole, self.stream, (entry.event for entry in new), self.game)
                states = whole[known:]
            for entry in new:
                first = self._spans.get(entry.command, (entry.version, 0))[0]
                self._spans[entry.command] = (first, entry.version)
            self.entries.extend(new)  # readers take no lock: they see a command whole, its entries first
            self.states.extend(states)


class Ledger:
    """All histories, as they are in the store."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._kept: OrderedDict[str, History] = OrderedDict()
        self._lock = threading.Lock()

    def history(self, stream: str, *, fresh: bool = True) -> History:
        """A match's history; with `fresh=False` a kept one may lack the newest entries. Raises MatchNotFound."""
        with self._lock:
            kept = self._kept.get(stream)
            if kept:
                self._kept.move_to_end(stream)
        if kept:
            if fresh:
                kept.extend(self.store.read(stream, after=len(kept.states)))
            return kept
        entries = self.store.read(stream)
        if not entries:
            raise MatchNotFound
        history = History(stream, game_of(entries[0]))
        history.extend(entries)
        return self._keep(history)

    def append(
        self,
        history: History,
        entries: Sequence[Entry],
        folded: Sequence[Match],
        beside: Sequence[Entry] = (),
    ) -> int:
        """Store a command's entries, with `beside` those of another stream; returns the position.

        `folded` are the matches after each of `entries`. Raises what EventStore.append does.
        """
        position = self.store.append([*beside, *entries])  # the answer's position is that of `entries`
        history.extend(entries, folded)
        self._keep(history)
        return position

    def _keep(self, history: History) -> History:
        with self._lock:
            history = self._kept.setdefault(history.stream, history)
            while len(self._kept) > KEPT_HISTORIES:
                self._kept.popitem(last=False)
        return history


def game_of(first: Entry) -> Game:
    """The game of a stream in the rules it is pinned to. Refuses what this code can't play (P8, P26)."""
    created = first.event
    if not isinstance(created, Created):
        raise Unreadable(f"{first.stream} does not begin with its creation")
    game = GAMES.get(created.game)
    if game is None:
        raise UnknownGame(created.game)
    if (created.rules.version, created.rules.content) != (game.rules_version, game.content):
        raise Unreadable(
            f"{first.stream} is pinned to rules {created.rules.version} of {created.game}, not known here"
        )
    return game
