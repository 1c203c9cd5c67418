"""Sealed seeds of matches that have not ended. They stand beside the log: no copy of it holds one (P10, P23)."""

import os
from functools import lru_cache

from domain.chance import SEED_BYTES, deal_seed
from domain.match import Match
from services.store.sql import Database


class Seeds:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._sealed = lru_cache(maxsize=10_000)(self._read)

    def migrate(self) -> None:
        with self._database.writing() as sql:
            sql.run("CREATE TABLE IF NOT EXISTS seeds (match_id TEXT PRIMARY KEY, seed TEXT NOT NULL)")

    def seal(self, match: str) -> bytes:
        """A new seed for a match that is about to be created, stored first; the one it has, if it has one."""
        with self._database.writing() as sql:
            sql.run(
                "INSERT INTO seeds (match_id, seed) VALUES (?, ?) ON CONFLICT (match_id) DO NOTHING",
                match,
                os.urandom(SEED_BYTES).hex(),
            )
            row = sql.row("SELECT seed FROM seeds WHERE match_id = ?", match)
        assert row is not None
        return bytes.fromhex(row["seed"])

    def of(self, match: Match) -> bytes:
        """The seed the match draws from: derived from its deal number, or sealed."""
        created = match.created
        if created.deal is not None:
            return deal_seed(created.game, created.deal)
        return self._sealed(match.id)

    def _read(self, match: str) -> bytes:
        with self._database.reading() as sql:
            row = sql.row("SELECT seed FROM seeds WHERE match_id = ?", match)
        if row is None:
            raise LookupError(f"the sealed seed of {match} is missing")
        return bytes.fromhex(row["seed"])
