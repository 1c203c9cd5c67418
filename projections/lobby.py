"""The lobby: every match with its status, newest activity first."""

import base64
import binascii
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.game import Event
from domain.match import MatchCreated, MatchEnded, MatchForked, MatchRewound, MatchStarted, SeatTaken
from projections.projection import live_rows, marks, upsert
from services.codec import Unreadable
from services.errors import InvalidField
from services.read_models import LobbyFilter
from services.store.port import Entry, Stored
from services.store.sql import Database, Row, Transaction

LIVE = live_rows("lobby_v1")
MAX_CURSOR = 24  # digits of the largest position, encoded


class Listed(Struct):
    """A match as the lobby lists it. `activity` is the position of its last event: clocks order nothing."""

    match_id: str
    activity: int
    version: int
    game: str
    status: str
    players: str  # JSON list of [seat, player]
    seats: int
    deal: int | None
    spectators: int
    ranked: int
    outcome: str | None  # JSON
    created_at: int
    updated_at: int


COLUMNS = Listed.__struct_fields__
WRITE = upsert("lobby_v1", COLUMNS)
TOLD = frozenset(
    {SeatTaken, MatchStarted, MatchRewound, MatchForked, MatchEnded}
)  # all others only move it on


class LobbyProjection:
    name = "lobby"
    fold = 1
    tables = ("lobby_v1", "lobby_players_v1")
    creations = (
        (
            "CREATE TABLE IF NOT EXISTS lobby_v1 (generation INTEGER NOT NULL, match_id TEXT NOT NULL, "
            "activity BIGINT NOT NULL, version BIGINT NOT NULL, game TEXT NOT NULL, status TEXT NOT NULL, "
            "players TEXT NOT NULL, seats INTEGER NOT NULL, deal BIGINT, spectators INTEGER NOT NULL, "
            "ranked INTEGER NOT NULL, outcome TEXT, created_at BIGINT NOT NULL, "
            "updated_at BIGINT NOT NULL, PRIMARY KEY (generation, match_id))"
        ),
        "CREATE INDEX IF NOT EXISTS lobby_v1_activity ON lobby_v1 (generation, activity)",
        "CREATE INDEX IF NOT EXISTS lobby_v1_status ON lobby_v1 (generation, status, activity)",
        (
            "CREATE TABLE IF NOT EXISTS lobby_players_v1 (generation INTEGER NOT NULL, player TEXT NOT NULL, "
            "match_id TEXT NOT NULL, PRIMARY KEY (generation, player, match_id))"
        ),
    )

    def apply(self, sql: Transaction, generation: int, batch: Sequence[Stored]) -> None:
        streams = sorted({entry.stream for _, entry in batch})
        rows = sql.rows(
            f"SELECT {', '.join(COLUMNS)} FROM lobby_v1 "  # noqa: S608 - names of our own columns
            f"WHERE generation = ? AND match_id IN ({marks(streams)})",
            generation,
            *streams,
        )
        listed = {row["match_id"]: Listed(**row) for row in rows}
        for position, entry in batch:
            listed[entry.stream] = _fold(listed.get(entry.stream), position, entry)
        sql.many(
            WRITE,
            [(generation, *msgspec.structs.astuple(match)) for match in listed.values()],
        )
        sql.many(
            "INSERT INTO lobby_players_v1 (generation, player, match_id) VALUES (?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            [
                (generation, entry.event.player, entry.stream)
                for _, entry in batch
                if isinstance(entry.event, SeatTaken)
            ],
        )


def _fold(match: Listed | None, position: int, entry: Entry) -> Listed:
    event = entry.event
    if isinstance(event, MatchCreated):
        return Listed(
            match_id=entry.stream,
            activity=position,
            version=entry.version,
            game=event.game,
            status="open",
            players="[]",
            seats=event.seats,
            deal=event.deal,
            spectators=int(event.spectators),
            ranked=int(event.origin is None),
            outcome=None,
            created_at=entry.at,
            updated_at=entry.at,
        )
    if match is None or entry.version != match.version + 1:
        raise Unreadable(f"{entry.stream} jumps to version {entry.version}")
    match.activity, match.version, match.updated_at = position, entry.version, entry.at
    if type(event) in TOLD:
        _tell(match, event)
    return match


def _tell(match: Listed, event: Event) -> None:
    match event:
        case SeatTaken():
            seated = sorted([*msgspec.json.decode(match.players), [event.seat, event.player]])
            match.players = msgspec.json.encode(seated).decode()
        case MatchStarted():
            match.status = "running"
        case MatchRewound(undo=False) | MatchForked():
            match.ranked = 0
        case MatchEnded():
            match.status = "ended"
            match.outcome = msgspec.json.encode(event.outcome).decode()
        case _:
            pass


class LobbyView:
    """Answers `services.read_models.Lobby`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def page(
        self, wanted: LobbyFilter, cursor: str | None, limit: int
    ) -> tuple[list[dict[str, Any]], str | None]:
        conditions = [f"lobby_v1.{LIVE}", "lobby_v1.spectators = 1"]
        parameters: list[Any] = []
        joined = ""
        if wanted.player is not None:
            joined = (
                "JOIN lobby_players_v1 p "
                "ON p.generation = lobby_v1.generation AND p.match_id = lobby_v1.match_id "
            )
            conditions.append("p.player = ?")
            parameters.append(wanted.player)
        for column, value in (("game", wanted.game), ("status", wanted.status)):
            if value is not None:
                conditions.append(f"lobby_v1.{column} = ?")
                parameters.append(value)
        if cursor is not None:
            conditions.append("lobby_v1.activity < ?")
            parameters.append(position_of(cursor))
        with self._database.reading() as sql:
            rows = sql.rows(
                f"SELECT lobby_v1.* FROM lobby_v1 {joined}WHERE {' AND '.join(conditions)} "  # noqa: S608
                "ORDER BY lobby_v1.activity DESC LIMIT ?",
                *parameters,
                limit + 1,
            )
        page = rows[:limit]
        return [_shown(row) for row in page], cursor_at(page[-1]["activity"]) if len(rows) > limit else None


def _shown(row: Row) -> dict[str, Any]:
    return {
        "id": row["match_id"],
        "game": row["game"],
        "status": row["status"],
        "version": row["version"],
        "players": [player for _, player in msgspec.json.decode(row["players"])],
        "seats": row["seats"],
        "deal": row["deal"],
        "spectators": bool(row["spectators"]),
        "ranked": bool(row["ranked"]),
        "outcome": msgspec.json.decode(row["outcome"]) if row["outcome"] else None,
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


def cursor_at(position: int) -> str:
    """The cursor of the page below a position."""
    return base64.urlsafe_b64encode(str(position).encode()).decode().rstrip("=")


def position_of(cursor: str) -> int:
    """The position a cursor stands for. Raises InvalidField."""
    try:
        text = (
            base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)) if len(cursor) <= MAX_CURSOR else b""
        )
    except (binascii.Error, ValueError):
        text = b""
    if not text.isdigit() or int(text) >= 2**63 or cursor_at(int(text)) != cursor:
        raise InvalidField("cursor", "This is not a cursor that a page of the lobby gave.")
    return int(text)
