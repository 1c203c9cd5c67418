"""Match records: one match as a file that can be checked anywhere, for ever. docs/audit.md gives the format.

A record is NDJSON: a head, for a fork the record of its origin, one line an entry exactly as it is stored,
and an end with a count and a SHA-256 over every byte before the hash. Cut anywhere, it is visibly incomplete (P19).

A record holds everything that is in the log, so also what is hidden while the match runs (the order of the
deck; never the seed, which is not in the log before the end). `export` is therefore for the operator;
`download` is what a caller gets, after the end only.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.match import Match, MatchCreated, Origin, RuleSet
from services.codec import Unreadable, decode_recorded, digest, encode, encode_recorded, plain, topic_of
from services.errors import MatchNotFound
from services.ledger import History, Ledger
from services.looking import Caller, Looking
from services.store.port import Entry, EventStore

FORMAT = "ledgertop match record"
FORMAT_VERSION = 1
MAX_ORIGINS = 200  # forks of forks in one record; its report nests as deep, and has to be written and read

_TOPIC, _ENTRY = b'{"topic":"', b'","entry":'
_HASH = 64 * b"0" + b'"}'  # how an end line ends; the hash is over every byte before it


class Record(Struct, frozen=True):
    """A match's stored entries, with its origin's record where it is a fork and the origin is at hand.

    `state` is the digest of the match after the last entry, as whoever wrote the record computed it.
    """

    match: str
    game: str
    rules: RuleSet
    entries: tuple[Entry, ...]
    origin: "Record | None" = None
    state: str | None = None


class BadRecord(ValueError):
    """Bytes that are no sound record. `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class UnknownFormat(BadRecord):
    """Not a record, or one written in a format this code does not know."""


class Incomplete(BadRecord):
    """The record was cut: its end is missing (P19)."""


class Altered(BadRecord):
    """Count or hash in the end line differ from what stands before it."""


class Gap(BadRecord):
    """A version is missing, repeated or out of order."""


class Malformed(BadRecord):
    """A line that is not what a record has there."""


class _Head(Struct, frozen=True, forbid_unknown_fields=True):
    record: str
    format: int
    match: str
    game: str
    rules: RuleSet
    events: int
    origin: Literal["included", "missing"] | None


class _End(Struct, frozen=True, forbid_unknown_fields=True):
    end: str
    events: int
    state: str | None
    sha256: str


Find = Callable[[str], "History | None"]


def match_digest(match: Any) -> str:
    """SHA-256 (hex) of a match, or a game's state, as canonical JSON: equal for equal histories (P6)."""
    if isinstance(match, Match):
        untouched = {name for name, default in Match.LATER.items() if getattr(match, name) == default}
        return digest({name: value for name, value in plain(match).items() if name not in untouched})
    return digest(match)


# --- writing -----------------------------------------------------------------------------------------------


def export(history: History, find: Find = lambda _: None) -> Iterator[bytes]:
    """The record of a match, line by line. For the operator: it tells hidden things while the match runs.

    `find` gives the history of a fork's origin, or None where it is not to be had.
    """
    yield from write(gather(history, find))


def download(ledger: Ledger, looking: Looking, match_id: str, caller: Caller) -> Iterator[bytes]:
    """The record of an ended match, for anybody who may see it. Raises Forbidden before the end.

    An origin that still runs is left out.
    """
    history, _ = looking.look(match_id, Caller(token=caller.token, audit=True))

    def ended(match: str) -> History | None:
        origin = find_in(ledger)(match)
        return origin if origin is not None and origin.match.status == "ended" else None

    return export(history, ended)


def find_in(ledger: Ledger) -> Find:
    """Looks origins up in a ledger."""

    def find(match: str) -> History | None:
        try:
            return ledger.history(match)
        except MatchNotFound:
            return None

    return find


def gather(history: History, find: Find) -> Record:
    """A match and its origins as one value."""
    chain = [history]
    while (origin := chain[-1].match.created.origin) and len(chain) <= MAX_ORIGINS:
        found = find(origin.match)
        if found is None:
            break
        chain.append(found)
    record = None
    for one in reversed(chain):
        match = one.match
        created = match.created
        record = Record(
            match=one.stream,
            game=created.game,
            rules=created.rules,
            entries=tuple(one.entries[: match.version]),
            origin=record,
            state=match_digest(match),
        )
    assert record is not None
    return record


def stored(store: EventStore, match_id: str) -> Record:
    """A match and its origins as they are stored, folded by nobody: what an audit wants.

    Raises MatchNotFound, and Unreadable where the bytes are no events.
    """
    chain: list[tuple[str, list[Entry]]] = []
    wanted: str | None = match_id
    while wanted is not None and len(chain) <= MAX_ORIGINS:
        entries = store.read(wanted)
        if not entries:
            break
        chain.append((wanted, entries))
        origin = origin_of(entries)
        wanted = origin.match if origin and origin.match not in [match for match, _ in chain] else None
    if not chain:
        raise MatchNotFound
    record = None
    for match, entries in reversed(chain):
        created = entries[0].event
        if not isinstance(created, MatchCreated):
            raise Unreadable(f"{match} does not begin with its creation")
        record = Record(match, created.game, created.rules, tuple(entries), record)
    assert record is not None
    return record


def write(record: Record) -> Iterator[bytes]:
    """A record's lines, each with its line feed."""
    chain = [record]
    while chain[-1].origin is not None:
        chain.append(chain[-1].origin)
    hashes: list[Any] = []
    for one in chain:
        hashes.append(sha256())
        yield _hashed(hashes, _line(_head(one)))
    for one in reversed(chain):
        for entry in one.entries:
            topic = topic_of(entry).encode()
            yield _hashed(hashes, _TOPIC + topic + _ENTRY + encode_recorded(entry) + b"}\n")
        end = _line(_End(end=one.match, events=len(one.entries), state=one.state, sha256=64 * "0"))
        whole = hashes.pop()
        whole.update(end[: -len(_HASH) - 1])
        yield _hashed(hashes, end[: -len(_HASH) - 1] + whole.hexdigest().encode() + b'"}\n')


def _head(record: Record) -> _Head:
    origin = origin_of(record.entries)
    return _Head(
        record=FORMAT,
        format=FORMAT_VERSION,
        match=record.match,
        game=record.game,
        rules=record.rules,
        events=len(record.entries),
        origin=("included" if record.origin else "missing") if origin else None,
    )


def origin_of(entries: Sequence[Entry]) -> Origin | None:
    """Where a match was forked from."""
    created = entries[0].event if entries else None
    return created.origin if isinstance(created, MatchCreated) else None


def _line(value: Struct) -> bytes:
    return encode(value) + b"\n"


def _hashed(hashes: list[Any], line: bytes) -> bytes:
    for each in hashes:
        each.update(line)
    return line


# --- reading -----------------------------------------------------------------------------------------------


class _Open:
    """A record being read: its head is known, its end is not."""

    def __init__(self, head: _Head) -> None:
        self.head = head
        self.hash = sha256()
        self.entries: list[Entry] = []
        self.origin: Record | None = None


def parse(data: bytes) -> Record:
    """The record in `data`. Raises UnknownFormat, Incomplete, Altered, Gap or Malformed."""
    lines = data.split(b"\n")
    rest = lines.pop()
    if not lines:
        raise (Incomplete if data.startswith(b"{") or not data else UnknownFormat)(
            1, "the first line is not whole"
        )
    opened: list[_Open] = []
    finished: Record | None = None
    heads_left = True
    for number, line in enumerate(lines, 1):
        if finished is not None:
            raise Malformed(number, "something follows the end")
        if heads_left:
            opened.append(_read_head(number, line, opened))
            heads_left = opened[-1].head.origin == "included"
            if len(opened) > MAX_ORIGINS + 1:
                raise Malformed(number, "too many forks of forks")
        elif line.startswith(_TOPIC):
            opened[-1].entries.append(_read_entry(number, line, opened[-1]))
        else:
            record = _read_end(number, line, opened.pop())
            if opened:
                opened[-1].origin = record
            else:
                finished = record
        for one in opened:
            one.hash.update(line + b"\n")
    if finished is None:
        raise Incomplete(len(lines) + 1, "the record breaks off before its end")
    if rest:
        raise Malformed(len(lines) + 1, "something follows the end")
    return finished


def _read_head(number: int, line: bytes, opened: list[_Open]) -> _Open:
    try:
        seen = msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError):
        seen = None
    if not isinstance(seen, dict) or seen.get("record") != FORMAT:
        raise UnknownFormat(number, "this is no match record of Ledgertop")
    if seen.get("format") != FORMAT_VERSION:
        raise UnknownFormat(number, f"record format {seen.get('format')!r} is not known here")
    head = _exact(number, line, _Head)
    if opened and head.match in [one.head.match for one in opened]:
        raise Malformed(number, "a match can't be its own origin")
    return _Open(head)


def _read_entry(number: int, line: bytes, record: _Open) -> Entry:
    topic, found, rest = line[len(_TOPIC) :].partition(_ENTRY)
    if not found or not rest.endswith(b"}"):
        raise Malformed(number, "this is no whole entry")
    stored = rest[:-1]
    try:
        entry = decode_recorded(topic.decode("ascii", "replace"), stored)
        canonical = encode_recorded(entry) == stored
    except Unreadable as error:
        raise Malformed(number, str(error)) from error
    if not canonical:
        raise Malformed(number, "the entry is not in its stored form")
    if entry.version != len(record.entries) + 1:
        raise Gap(number, f"version {len(record.entries) + 1} is expected, version {entry.version} found")
    return entry


def _read_end(number: int, line: bytes, record: _Open) -> Record:
    head = record.head
    end = _exact(number, line, _End)
    if end.end != head.match:
        raise Malformed(number, f"the record of {head.match} ends as {end.end}")
    if not len(record.entries) == end.events == head.events:
        raise Altered(
            number, f"{len(record.entries)} entries; the head says {head.events}, the end {end.events}"
        )
    record.hash.update(line[: -len(_HASH)])
    if end.sha256 != record.hash.hexdigest():
        raise Altered(number, "the hash differs: something was changed after the record was written")
    first = record.entries[0].event if record.entries else None
    if not isinstance(first, MatchCreated):
        raise Malformed(number, "the match does not begin with its creation")
    if (head.game, head.rules) != (first.game, first.rules):
        raise Altered(number, "game or rules in the head are not the match's")
    if (head.origin is None) != (first.origin is None):
        raise Altered(number, "head and match differ in whether this is a fork")
    if record.origin is not None and first.origin is not None and record.origin.match != first.origin.match:
        raise Altered(number, "the origin enclosed is another match")
    return Record(head.match, head.game, head.rules, tuple(record.entries), record.origin, end.state)


def _exact(number: int, line: bytes, kind: type[Any]) -> Any:
    try:
        value = msgspec.json.decode(line, type=kind)
    except msgspec.MsgspecError as error:
        raise Malformed(number, str(error)) from error
    if encode(value) != line:
        raise Malformed(number, "the line is not in its written form")
    return value
