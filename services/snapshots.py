"""Snapshots: matches as they were at some versions, so that a long match loads as fast as a short one.

They are no part of the log (P7). Everything in them can be folded again, so each is thrown away at the first doubt:
when it was written by other code, is damaged, or belongs to another past of the log (docs/decisions/0050).
"""

import logging
import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
import psycopg
from msgspec import Struct

import domain
from domain.game import Game
from domain.match import Match, MatchRewound
from domain.registry import every_rule_set
from services.codec import Unreadable
from services.command_index import CommandIndex
from services.errors import StoreUnavailable
from services.store.port import Entry
from services.store.sql import Database, Row

log = logging.getLogger("ledgertop.snapshots")

FORMAT = 1  # of a row
EVERY = 50  # versions

_FAULTS = (StoreUnavailable, sqlite3.Error, psycopg.Error)

State = TypeVar("State")
Found = TypeVar("Found")


class Snapshot(NamedTuple):
    """A match at a version. `anchor` is the id of the event with that version: it ties the snapshot to its log."""

    match: Match
    anchor: str


class Base(NamedTuple):
    """What a history can rest on: a snapshot, and the commands that took effect before its version."""

    game: Game
    snapshot: Snapshot
    commands: CommandIndex


class _Body(Struct, Generic[State], frozen=True, forbid_unknown_fields=True):
    """What is stored of a match: its state apart, to be read back as the type it has."""

    match: Match
    state: State


class _Shape(NamedTuple):
    """How matches under one rule set are stored. Only what has the same fingerprint is read."""

    game: Game
    fingerprint: str
    decoder: "msgspec.json.Decoder[_Body[Any]]"


def wanted(entry: Entry) -> bool:
    """Whether the match after an entry is worth a snapshot.

    One is each page's first, and each rewind that reaches back behind its page: so folding a page never needs another.
    """
    event, version = entry.event, entry.version
    return version % EVERY == 0 or (
        isinstance(event, MatchRewound) and event.to_version < version // EVERY * EVERY
    )


class Snapshots:
    """The table of snapshots. Where it can't be reached, there are none: that costs time, nothing else."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._shapes: dict[int, _Shape] = {}

    def migrate(self) -> None:
        with self._database.writing() as sql:
            sql.run(
                "CREATE TABLE IF NOT EXISTS snapshots (match_id TEXT NOT NULL, version BIGINT NOT NULL, "
                "shape TEXT NOT NULL, anchor TEXT NOT NULL, body BYTEA NOT NULL, hash TEXT NOT NULL, "
                "PRIMARY KEY (match_id, version))"
            )
            sql.run(
                "CREATE TABLE IF NOT EXISTS command_indexes (match_id TEXT NOT NULL, version BIGINT NOT NULL, "
                "commands BYTEA NOT NULL, commands_hash TEXT NOT NULL, PRIMARY KEY (match_id))"
            )

    # --- reading -------------------------------------------------------------------------------------------

    def newest(self, match: str) -> Base | None:
        """What a history of the match can rest on. Raises Unreadable."""
        query = (
            "SELECT * FROM snapshots JOIN command_indexes USING (match_id, version) "
            "WHERE snapshots.match_id = ?"
        )
        row = self._read(lambda sql: sql.row(query, match), None)
        if row is None:
            return None
        for game in every_rule_set():
            if self._shape(game).fingerprint == row["shape"]:
                return Base(game, self._opened(row, game), _index(row))
        raise Unreadable("a snapshot of another shape")

    def before(self, match: str, version: int, game: Game) -> Snapshot | None:
        """The newest first of a page, at or before a version. Raises Unreadable."""
        query = (
            f"SELECT * FROM snapshots WHERE match_id = ? AND version <= ? AND version % {EVERY} = 0 "  # noqa: S608
            "ORDER BY version DESC LIMIT 1"
        )
        row = self._read(lambda sql: sql.row(query, match, version), None)
        return None if row is None else self._opened(row, game)

    def between(self, match: str, first: int, last: int, game: Game) -> dict[int, Snapshot]:
        """All snapshots from one version to another, by version. Raises Unreadable."""
        query = "SELECT * FROM snapshots WHERE match_id = ? AND version BETWEEN ? AND ?"
        rows: list[Row] = self._read(lambda sql: sql.rows(query, match, first, last), [])
        return {row["version"]: self._opened(row, game) for row in rows}

    def _opened(self, row: Row, game: Game) -> Snapshot:
        """What a row holds. Raises Unreadable if it is of another shape, damaged, or not where it belongs."""
        shape, body = self._shape(game), bytes(row["body"])
        if row["shape"] != shape.fingerprint:
            raise Unreadable("a snapshot of another shape")
        if row["hash"] != _hash([row["match_id"], row["version"], row["shape"], row["anchor"]], body):
            raise Unreadable("a damaged snapshot")
        try:
            found = shape.decoder.decode(body)
        except msgspec.MsgspecError as error:
            raise Unreadable("a snapshot that can't be read") from error
        return Snapshot(msgspec.structs.replace(found.match, state=found.state), row["anchor"])

    # --- writing -------------------------------------------------------------------------------------------

    def keep(self, game: Game, snapshots: Sequence[Snapshot], commands: CommandIndex | None = None) -> bool:
        """Store snapshots of one match, in order of version; `commands` took effect before the last of them.

        A state that would not read back equal has none. False if the table can't be reached.
        """
        shape = self._shape(game)
        rows = [self._row(snapshot, shape) for snapshot in snapshots]
        if not rows or None in rows:
            return True
        try:
            with self._database.writing() as sql:
                sql.many(
                    "INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (match_id, version) DO UPDATE "
                    "SET shape = excluded.shape, anchor = excluded.anchor, body = excluded.body, "
                    "hash = excluded.hash",
                    [list(row.values()) for row in rows if row],
                )
                if commands is not None:
                    match, version = snapshots[-1].match.id, snapshots[-1].match.version
                    data = bytes(commands)
                    sql.run(
                        "INSERT INTO command_indexes VALUES (?, ?, ?, ?) ON CONFLICT (match_id) DO UPDATE "
                        "SET version = excluded.version, commands = excluded.commands, "
                        "commands_hash = excluded.commands_hash",
                        match,
                        version,
                        data,
                        _hash([match, version, snapshots[-1].anchor], data),
                    )
        except _FAULTS as error:
            log.warning("snapshots can't be stored (%s)", type(error).__name__)
            return False
        return True

    def forget(self, match: str) -> None:
        """Throw the snapshots of a match away."""
        try:
            with self._database.writing() as sql:
                sql.run("DELETE FROM command_indexes WHERE match_id = ?", match)
                sql.run("DELETE FROM snapshots WHERE match_id = ?", match)
        except _FAULTS as error:
            log.warning("snapshots can't be thrown away (%s)", type(error).__name__)

    def _row(self, snapshot: Snapshot, shape: _Shape) -> Row | None:
        match = snapshot.match
        body = msgspec.json.encode(_Body(msgspec.structs.replace(match, state=None), match.state))
        place = [match.id, match.version, shape.fingerprint, snapshot.anchor]
        names = ("match_id", "version", "shape", "anchor")
        row: Row = dict(zip(names, place, strict=True)) | {"body": body, "hash": _hash(place, body)}
        try:
            survives = self._opened(row, shape.game) == snapshot
        except Unreadable:
            survives = False
        if survives:
            return row
        log.warning("a state of %s does not survive storing; it has no snapshots", shape.game.name)
        return None

    # --- how it is done ------------------------------------------------------------------------------------

    def _read(self, query: Callable[[Any], Found], otherwise: Found) -> Found:
        try:
            with self._database.reading() as sql:
                return query(sql)
        except _FAULTS as error:
            log.warning("snapshots can't be read (%s)", type(error).__name__)
            return otherwise

    def _shape(self, game: Game) -> _Shape:
        shape = self._shapes.get(id(game))
        if shape is None or shape.game is not game:
            shape = _Shape(game, fingerprint(game), msgspec.json.Decoder(_Body[game.state]))  # type: ignore[name-defined]
            self._shapes[id(game)] = shape
        return shape


def fingerprint(game: Game) -> str:
    """SHA-256 (hex) over all that a snapshot's meaning depends on: rule set, shapes, and the code that folds."""
    parts = {
        "format": FORMAT,
        "every": EVERY,
        "rules": [game.name, game.rules_version, game.content],
        "match": msgspec.json.schema(Match),
        "state": msgspec.json.schema(game.state),
        "code": code(),
    }
    return sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()


@cache
def code() -> str:
    """SHA-256 (hex) over the source of the domain: whoever changes how events are folded need not say so."""
    assert domain.__file__ is not None
    root = Path(domain.__file__).parent
    whole = sha256()
    for file in sorted(root.rglob("*.py")):
        source = file.read_bytes()
        whole.update(f"{file.relative_to(root).as_posix()} {len(source)}\n".encode())
        whole.update(source)
    return whole.hexdigest()


def _index(row: Row) -> CommandIndex:
    """The commands a row names. Raises Unreadable."""
    data = bytes(row["commands"])
    if row["commands_hash"] != _hash([row["match_id"], row["version"], row["anchor"]], data):
        raise Unreadable("a damaged index of commands")
    return CommandIndex.of_bytes(data)


def _hash(place: list[Any], data: bytes) -> str:
    """SHA-256 (hex) over data and the place where they belong."""
    return sha256(msgspec.json.encode(place) + data).hexdigest()
