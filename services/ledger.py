"""Reading and appending match histories: the store with a memory.

Of a history the newest part is kept, events and the match after each of them; older parts are fetched when somebody
asks for them. So a match of 5,000 events loads as fast, and takes as much room, as one of 200.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple, overload

import domain.match as kernel
from domain.game import Game
from domain.match import Match, extend
from domain.match import MatchCreated as Created
from domain.registry import pinned, rule_sets
from services.archive import Archive
from services.codec import Unreadable
from services.command_index import CommandIndex
from services.errors import MatchNotFound, UnknownGame, VersionNotFound
from services.snapshots import EVERY, Base, Snapshot, Snapshots, wanted
from services.store.port import Entry, EventStore

log = logging.getLogger("ledgertop.snapshots")

KEPT_HISTORIES = 2_000
CHECK_EACH = 500  # of so many histories that rest on a snapshot one is held against its whole stream


class Known(NamedTuple):
    """What is in memory of a history: entries from version `first` on, and the match after each.

    `older` are the commands that took effect before `first`. A value; whoever holds one sees no command half.
    """

    first: int = 1
    entries: tuple[Entry, ...] = ()
    states: tuple[Match, ...] = ()
    older: CommandIndex = CommandIndex()

    @property
    def version(self) -> int:
        return self.first + len(self.entries) - 1


class History:
    """One match. Without an archive it is kept whole."""

    def __init__(
        self,
        stream: str,
        game: Game,
        archive: Archive | None = None,
        base: Base | None = None,
        entries: Sequence[Entry] = (),
    ) -> None:
        """With a base, `entries` are those from its version on."""
        self.stream = stream
        self.game = game
        self.deciding = threading.Lock()  # one command at a time in this process; safety rests on the store
        self.now = Known()
        self._archive = archive
        self._filed = 0  # the version up to which snapshots were stored
        self._filing = False
        self._lock = threading.Lock()
        if base is not None:
            match = base.snapshot.match
            self.now = Known(match.version, (entries[0],), (match,), base.commands)
            self._filed = match.version
        self.extend(entries)

    @property
    def match(self) -> Match:
        return self.now.states[-1]

    @property
    def version(self) -> int:
        return self.now.version

    @property
    def entries(self) -> "Entries":
        """All entries: `entries[v - 1]` is the one with version v."""
        return Entries(self.stream, self.now, self._archive)

    @property
    def created_at(self) -> int:
        """Microseconds UTC."""
        return self.entries[0].at

    def at(self, version: int) -> Match:
        """The match at a version. Raises VersionNotFound."""
        now = self.now
        if not 1 <= version <= now.version:
            raise VersionNotFound(version, now.version)
        if version >= now.first:
            return now.states[version - now.first]
        return self._older(version)

    def of_command(self, command: str) -> Sequence[Entry]:
        """The entries a command wrote, in order; empty if it took no effect here."""
        entries = self.entries
        if (first := entries.now.older.first(command)) is not None:
            since = (entries[version - 1] for version in range(first, len(entries) + 1))
            if found := list(takewhile(lambda entry: entry.command == command, since)):
                return found
        return [entry for entry in entries.now.entries if entry.command == command]

    def extend(self, entries: Sequence[Entry], folded: Sequence[Match] = ()) -> None:
        """Fold newer entries in; those that are known already are passed over. Refuses a gap (P3).

        `folded` are the matches after each entry, where the caller has them.
        """
        with self._lock:
            now = self.now
            new = [entry for entry in entries if entry.version > now.version]
            if not new:
                return
            for version, entry in enumerate(new, now.version + 1):
                if entry.version != version:
                    raise Unreadable(f"{self.stream} jumps from version {version - 1} to {entry.version}")
            if folded:
                states = [*now.states, *folded[-len(new) :]]
            else:
                states = [*now.states]
                older = self._older if now.first > 1 else None
                extend(states, self.stream, (entry.event for entry in new), self.game, older)
            # readers take no lock: this is all they look at
            self.now = Known(now.first, (*now.entries, *new), tuple(states), now.older)
            self._file()

    # --- the older part ------------------------------------------------------------------------------------

    def _older(self, version: int) -> Match:
        assert self._archive is not None
        if version < 1:
            raise VersionNotFound(version, self.version)
        return self._archive.at(self.stream, self.game, version)

    def _file(self) -> None:
        """Have snapshots made where another page has begun; the command doesn't wait for it."""
        now = self.now
        if self._archive and not self._filing and now.version // EVERY * EVERY > max(self._filed, now.first):
            self._filing = True
            if not self._archive.afterwards.do(self.put_away):
                self._filing = False

    def put_away(self) -> None:
        """Store snapshots of what is in memory, and keep no more in memory than the newest part."""
        assert self._archive is not None
        stored = False
        try:
            now = self.now
            last = now.version // EVERY * EVERY
            places = [
                place
                for place, entry in enumerate(now.entries)
                if self._filed < entry.version < last and wanted(entry)
            ]
            others = [Snapshot(now.states[place], now.entries[place].id) for place in places]
            place = last - now.first
            older = now.older.with_those_of(now.entries[:place])
            base = Base(self.game, Snapshot(now.states[place], now.entries[place].id), older)
            if stored := self._archive.keep(base, others):
                self._filed = last
            self._let_go(last - EVERY)
        finally:
            self._filing = False
        if stored:
            self._file()  # it may have grown meanwhile

    def _let_go(self, first: int) -> None:
        """Keep nothing in memory from before a version."""
        with self._lock:
            now = self.now
            place = first - now.first
            if place > 0:
                older = now.older.with_those_of(now.entries[:place])
                self.now = Known(first, now.entries[place:], now.states[place:], older)


class Entries(Sequence[Entry]):
    """All entries of a history as it was when it was asked. What is not in memory is read when it is asked for."""

    def __init__(self, stream: str, now: Known, archive: Archive | None) -> None:
        self.now = now
        self._stream = stream
        self._archive = archive

    def __len__(self) -> int:
        return self.now.version

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> list[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | list[Entry]:
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            if step != 1:
                return [self[one] for one in range(start, stop, step)]
            return self._between(start + 1, stop)
        version = range(1, len(self) + 1)[place]
        if version >= self.now.first:
            return self.now.entries[version - self.now.first]
        assert self._archive is not None
        return self._archive.entry(self._stream, version)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self[:])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self[:] == list(other)

    __hash__ = None  # type: ignore[assignment]

    def _between(self, first: int, last: int) -> list[Entry]:
        known = self.now.first
        older = self._archive.entries(self._stream, first, min(last, known - 1)) if self._archive else []
        return [*older, *self.now.entries[max(0, first - known) : max(0, last + 1 - known)]]


class Ledger:
    """All histories, as they are in the store."""

    def __init__(self, store: EventStore, snapshots: Snapshots | None = None) -> None:
        self.store = store
        self.archive = Archive(store, snapshots)
        self.wrong = 0  # snapshots that were found to tell something else than their stream
        self._kept: OrderedDict[str, History] = OrderedDict()
        self._rested = 0
        self._lock = threading.Lock()

    def history(self, stream: str, *, fresh: bool = True) -> History:
        """A match's history; with `fresh=False` a kept one may lack the newest entries. Raises MatchNotFound."""
        with self._lock:
            kept = self._kept.get(stream)
            if kept:
                self._kept.move_to_end(stream)
        if kept:
            if fresh:
                kept.extend(self.store.read(stream, after=kept.version))
            return kept
        return self._keep(self._load(stream))

    def last_known(self, stream: str) -> History:
        """A match's history as this process knew it last, without asking the store. Raises MatchNotFound."""
        with self._lock:
            kept = self._kept.get(stream)
        if kept is None:
            raise MatchNotFound
        return kept

    def blank(self, stream: str, game: Game) -> History:
        """The history of a match that is about to be created."""
        return History(stream, game, self.archive)

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

    def close(self) -> None:
        """End the thread that makes snapshots."""
        self.archive.afterwards.close()

    def _load(self, stream: str) -> History:
        """A history, resting on a snapshot where there is one."""
        if found := self.archive.newest(stream):
            base, entries = found
            history = History(stream, base.game, self.archive, base, entries)
            self._rested += 1
            if self._rested % CHECK_EACH == 0:
                loaded = history.now
                self.archive.afterwards.do(lambda: self._check(stream, loaded))
            return history
        entries = self.store.read(stream)
        if not entries:
            raise MatchNotFound
        return History(stream, game_of(entries[0]), self.archive, entries=entries)

    def _check(self, stream: str, loaded: Known) -> None:
        """Hold a history that rests on a snapshot against its whole stream; throw both away where they differ."""
        entries = self.store.read(stream)[: loaded.version]
        states = kernel.replay(stream, (entry.event for entry in entries), game_of(entries[0]))
        commands = CommandIndex().with_those_of(entries[: loaded.first - 1])
        if tuple(states[loaded.first - 1 :]) != loaded.states or commands != loaded.older:
            self.wrong += 1
            log.error("a snapshot of %s tells something else than its events", stream)
            self.archive.discard(stream, "it told something else than the events")
            with self._lock:
                self._kept.pop(stream, None)

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
    if not rule_sets(created.game):
        raise UnknownGame(created.game)
    game = pinned(created.game, created.rules)
    if game is None:
        raise Unreadable(
            f"{first.stream} is pinned to rules {created.rules.version} of {created.game}, not known here"
        )
    return game
