"""Adaman statistics of players: games and how they ended, streaks, scores, tries at numbered deals.

A match counts once, when it ends. A ranked match is one nobody looked ahead in: not rewound (a plain undo is
no rewind), not forked while it ran, and no fork. Unranked matches count among the games, outcomes and the
mean; bests, streaks and leaderboards leave them out. A try is a match on a numbered deal with every option at
its default; the first try is the one the player sat down to first, finished or not.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.match import MatchCreated, MatchEnded, MatchForked, MatchRewound, SeatTaken
from domain.registry import GAMES
from projections.projection import live_rows, marks, upsert
from services.store.port import Entry, Stored
from services.store.sql import Database, Row, Transaction

GAME = "adaman"
LIVE = live_rows("statistics_v1")
RESULTS = ("won", "lost", "lost_utterly", "resigned", "abandoned")
MAX_DEALS = 500  # deals shown of one player, latest first
COUNTED = frozenset({MatchCreated, SeatTaken, MatchRewound, MatchForked, MatchEnded})


class Played(Struct):
    """A match that has not ended. `deal` is set only where it is a try."""

    match_id: str
    player: str | None
    deal: int | None
    ranked: int
    spectators: int


class Player(Struct):
    """A player's totals over all ended matches."""

    player: str
    won: int = 0
    lost: int = 0
    lost_utterly: int = 0
    resigned: int = 0
    abandoned: int = 0
    unranked: int = 0
    streak: int = 0
    best_streak: int = 0
    best_score: int | None = None
    score_sum: int = 0


class Tries(Struct):
    """A player's tries at one numbered deal. `first_at` is the position at which the first one ended."""

    player: str
    deal: int
    tries: int
    last_at: int
    first_match: str
    best: int | None = None
    first_result: str | None = None
    first_score: int | None = None
    first_ranked: int = 0
    first_shown: int = 0
    first_at: int | None = None


MATCHES = upsert("statistics_matches_v1", Played.__struct_fields__)
PLAYERS = upsert("statistics_players_v1", Player.__struct_fields__)
TRIES = upsert("statistics_tries_v1", Tries.__struct_fields__, keys=2)


class StatisticsProjection:
    name = "statistics"
    fold = 1
    tables = ("statistics_matches_v1", "statistics_players_v1", "statistics_tries_v1")
    creations = (
        (
            "CREATE TABLE IF NOT EXISTS statistics_matches_v1 (generation INTEGER NOT NULL, "
            "match_id TEXT NOT NULL, player TEXT, deal BIGINT, ranked INTEGER NOT NULL, "
            "spectators INTEGER NOT NULL, PRIMARY KEY (generation, match_id))"
        ),
        "CREATE TABLE IF NOT EXISTS statistics_players_v1 (generation INTEGER NOT NULL, "
        "player TEXT NOT NULL, "
        + "".join(f"{result} BIGINT NOT NULL, " for result in RESULTS)
        + "unranked BIGINT NOT NULL, streak BIGINT NOT NULL, best_streak BIGINT NOT NULL, best_score BIGINT, "
        "score_sum BIGINT NOT NULL, PRIMARY KEY (generation, player))",
        (
            "CREATE TABLE IF NOT EXISTS statistics_tries_v1 (generation INTEGER NOT NULL, "
            "player TEXT NOT NULL, deal BIGINT NOT NULL, tries BIGINT NOT NULL, last_at BIGINT NOT NULL, "
            "first_match TEXT NOT NULL, best BIGINT, first_result TEXT, first_score BIGINT, "
            "first_ranked INTEGER NOT NULL, first_shown INTEGER NOT NULL, first_at BIGINT, "
            "PRIMARY KEY (generation, player, deal))"
        ),
        (
            "CREATE INDEX IF NOT EXISTS statistics_tries_v1_deal "
            "ON statistics_tries_v1 (generation, deal, first_score)"
        ),
        (
            "CREATE INDEX IF NOT EXISTS statistics_tries_v1_last "
            "ON statistics_tries_v1 (generation, player, last_at)"
        ),
    )

    def apply(self, sql: Transaction, generation: int, batch: Sequence[Stored]) -> None:
        counted = [
            stored
            for stored in batch
            if type(stored.entry.event) in COUNTED and stored.entry.rules.startswith(f"{GAME}/")
        ]
        if counted:
            books = _Books(sql, generation, counted)
            for position, entry in counted:
                books.enter(position, entry)
            books.write()


class _Books:
    """The rows a batch touches: read once, changed in memory, written back once."""

    def __init__(self, sql: Transaction, generation: int, batch: Sequence[Stored]) -> None:
        self._sql = sql
        self._generation = generation
        streams = sorted({entry.stream for _, entry in batch})
        rows = self._load("statistics_matches_v1", Played, "match_id", streams)
        self._played: dict[str, Played | None] = {row["match_id"]: Played(**row) for row in rows}
        sitting = {entry.event.player for _, entry in batch if isinstance(entry.event, SeatTaken)}
        players = sorted(sitting | {row["player"] for row in rows if row["player"]})
        self._players = {
            row["player"]: Player(**row)
            for row in self._load("statistics_players_v1", Player, "player", players)
        }
        self._tries: dict[tuple[str, int], Tries] = {}
        deals = {entry.event.deal for _, entry in batch if isinstance(entry.event, MatchCreated)}
        wanted = sorted(deal for deal in deals | {row["deal"] for row in rows} if deal is not None)
        if wanted and players:
            found = sql.rows(
                f"SELECT {', '.join(Tries.__struct_fields__)} FROM statistics_tries_v1 "  # noqa: S608
                f"WHERE generation = ? AND player IN ({marks(players)}) AND deal IN ({marks(wanted)})",
                generation,
                *players,
                *wanted,
            )
            self._tries = {(row["player"], row["deal"]): Tries(**row) for row in found}

    def _load(self, table: str, kind: type[Struct], column: str, values: Sequence[str]) -> list[Row]:
        if not values:
            return []
        return self._sql.rows(
            f"SELECT {', '.join(kind.__struct_fields__)} FROM {table} "  # noqa: S608 - names of our own
            f"WHERE generation = ? AND {column} IN ({marks(values)})",
            self._generation,
            *values,
        )

    def enter(self, position: int, entry: Entry) -> None:
        event = entry.event
        if isinstance(event, MatchCreated):
            deal = event.deal if _plain(event) else None
            self._played[entry.stream] = Played(
                entry.stream, None, deal, int(event.origin is None), int(event.spectators)
            )
            return
        played = self._played[entry.stream]
        if played is None:
            raise ValueError(f"{entry.stream} goes on after its end")
        match event:
            case SeatTaken():
                played.player = event.player
                if played.deal is not None:
                    self._try(position, played.player, played.deal, played.match_id)
            case MatchRewound(undo=False) | MatchForked():
                played.ranked = 0
            case MatchEnded():
                if played.player is not None:
                    self._end(position, played, played.player, event)
                self._played[entry.stream] = None
            case _:
                pass

    def _try(self, position: int, player: str, deal: int, match_id: str) -> None:
        tries = self._tries.setdefault((player, deal), Tries(player, deal, 0, position, match_id))
        tries.tries += 1
        tries.last_at = position

    def _end(self, position: int, played: Played, player: str, event: MatchEnded) -> None:
        result, score = event.outcome.result, event.outcome.score or 0
        totals = self._players.setdefault(player, Player(player))
        setattr(totals, result, getattr(totals, result) + 1)
        totals.score_sum += score
        if played.ranked:
            totals.best_score = max(score, totals.best_score or 0)
            totals.streak = totals.streak + 1 if result == "won" else 0
            totals.best_streak = max(totals.best_streak, totals.streak)
        else:
            totals.unranked += 1
        if played.deal is None:
            return
        tries = self._tries[player, played.deal]
        if played.ranked:
            tries.best = max(score, tries.best or 0)
        if tries.first_match == played.match_id:
            tries.first_result, tries.first_score, tries.first_at = result, score, position
            tries.first_ranked, tries.first_shown = played.ranked, played.spectators

    def write(self) -> None:
        self._save(MATCHES, [row for row in self._played.values() if row])
        self._sql.many(
            "DELETE FROM statistics_matches_v1 WHERE generation = ? AND match_id = ?",
            [(self._generation, stream) for stream, row in self._played.items() if row is None],
        )
        self._save(PLAYERS, list(self._players.values()))
        self._save(TRIES, list(self._tries.values()))

    def _save(self, statement: str, rows: Sequence[Struct]) -> None:
        self._sql.many(statement, [(self._generation, *msgspec.structs.astuple(row)) for row in rows])


def _plain(created: MatchCreated) -> bool:
    """Whether every option is at its default: with other options a deal number is another deck."""
    default = msgspec.json.decode(msgspec.json.encode(GAMES[GAME].options()))
    return all(default.get(name) == value for name, value in created.options.items())


class StatisticsView:
    """Answers `services.read_models.Statistics`."""

    game = GAME

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, player: str) -> dict[str, Any]:
        with self._database.reading() as sql:
            row = sql.row(
                f"SELECT {', '.join(Player.__struct_fields__)} FROM statistics_players_v1 "  # noqa: S608
                f"WHERE {LIVE} AND player = ?",
                player,
            )
            tries = sql.rows(
                f"SELECT {', '.join(Tries.__struct_fields__)} FROM statistics_tries_v1 "  # noqa: S608
                f"WHERE {LIVE} AND player = ? ORDER BY last_at DESC, deal LIMIT ?",
                player,
                MAX_DEALS,
            )
        totals = Player(**row) if row else Player(player)
        outcomes = {result: getattr(totals, result) for result in RESULTS}
        games = sum(outcomes.values())
        return {
            "player": player,
            "games": games,
            "unranked": totals.unranked,
            "outcomes": outcomes,
            "streak": {"current": totals.streak, "best": totals.best_streak},
            "best_score": totals.best_score,
            "mean_score": round(totals.score_sum / games, 3) if games else None,
            "deals": [_shown(Tries(**row)) for row in tries],
        }

    def leaderboard(self, deal: int, limit: int) -> list[dict[str, Any]]:
        with self._database.reading() as sql:
            rows = sql.rows(
                "SELECT player, first_result, first_score, first_match, first_shown FROM statistics_tries_v1 "  # noqa: S608
                f"WHERE {LIVE} AND deal = ? AND first_ranked = 1 AND first_at IS NOT NULL "
                "ORDER BY first_score DESC, first_at LIMIT ?",
                deal,
                limit,
            )
        return [
            {
                "player": row["player"],
                "result": row["first_result"],
                "score": row["first_score"],
                "match": row["first_match"]
                if row["first_shown"]
                else None,  # closed matches are listed to nobody
            }
            for row in rows
        ]


def _shown(tries: Tries) -> dict[str, Any]:
    first = None
    if tries.first_result is not None:
        first = {"result": tries.first_result, "score": tries.first_score, "ranked": bool(tries.first_ranked)}
    return {"deal": tries.deal, "tries": tries.tries, "best": tries.best, "first": first}
