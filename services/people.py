"""Players' names, outside the log (P28). Events know a player by an opaque id only.

A name is no account: whoever sits down under a name plays as that player. Forgetting a player erases the name;
the log and all statistics stay whole under the id.
"""

import base64
import os
import re
import unicodedata
from collections.abc import Iterable

from services.errors import InvalidField, PlayerNotFound
from services.store.sql import Database

MAX_NAME = 40
_ID = re.compile("p_[a-z2-7]{24}")


class People:
    def __init__(self, database: Database) -> None:
        self._database = database

    def migrate(self) -> None:
        with self._database.writing() as sql:
            sql.run(
                "CREATE TABLE IF NOT EXISTS people "
                "(player TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE)"
            )

    def identify(self, name: str) -> str:
        """The id of the player with this name, a new one for a new name. Names differing in case only are the same."""
        name = checked_name(name)
        with self._database.writing() as sql:
            sql.run(
                "INSERT INTO people (player, name, folded) VALUES (?, ?, ?) ON CONFLICT (folded) DO NOTHING",
                new_player(),
                name,
                name.casefold(),
            )
            row = sql.row("SELECT player FROM people WHERE folded = ?", name.casefold())
        assert row is not None
        return str(row["player"])

    def find(self, name_or_id: str) -> str:
        """The id of a known player, by name or id. Raises PlayerNotFound."""
        with self._database.reading() as sql:
            row = sql.row(
                "SELECT player FROM people WHERE player = ? OR folded = ?",
                name_or_id,
                unicodedata.normalize("NFC", name_or_id).casefold(),
            )
        if row is None:
            raise PlayerNotFound
        return str(row["player"])

    def names(self, players: Iterable[str]) -> dict[str, str]:
        """Names by player id; a forgotten player is missing."""
        wanted = sorted(set(players))
        if not wanted:
            return {}
        marks = ", ".join("?" * len(wanted))
        with self._database.reading() as sql:
            rows = sql.rows(f"SELECT player, name FROM people WHERE player IN ({marks})", *wanted)  # noqa: S608
        return {row["player"]: row["name"] for row in rows}

    def forget(self, name_or_id: str) -> str:
        """Erase a player's name; returns the id, which keeps its matches."""
        player = self.find(name_or_id)
        with self._database.writing() as sql:
            sql.run("DELETE FROM people WHERE player = ?", player)
        return player


def new_player() -> str:
    return "p_" + base64.b32encode(os.urandom(15)).decode().lower()


def checked_name(name: str) -> str:
    """The name in normal form. Raises InvalidField."""
    name = unicodedata.normalize("NFC", name).strip()
    if not 1 <= len(name) <= MAX_NAME:
        raise InvalidField("name", f"A name has 1 to {MAX_NAME} characters.")
    if _ID.fullmatch(name.casefold()):
        raise InvalidField("name", "A name may not look like a player's id.")
    if not name.isprintable() or any(unicodedata.category(char) in ("Cs", "Co", "Cn") for char in name):
        raise InvalidField("name", "A name has printable characters only.")
    return name
