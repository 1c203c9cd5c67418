"""What projections must offer to queries. They are fed from the log and never asked by commands."""

from typing import Any, Protocol

from msgspec import Struct


class LobbyFilter(Struct, frozen=True):
    """Which matches to list; None means any."""

    game: str | None = None
    status: str | None = None
    player: str | None = None


class Lobby(Protocol):
    """All matches, newest activity first."""

    def page(
        self, wanted: LobbyFilter, cursor: str | None, limit: int
    ) -> tuple[list[dict[str, Any]], str | None]:
        """Rows and the cursor of the next page, or None. Raises InvalidField for a cursor that is none.

        A row is `{"id", "game", "status", "version", "players": [ids], "seats", "deal", "spectators", "ranked",
        "outcome", "created_at", "updated_at"}`. Matches closed to spectators are listed to nobody.
        """


class Statistics(Protocol):
    """Statistics of the players of one game."""

    @property
    def game(self) -> str:
        """The name of the game they are kept of."""

    def of(self, player: str) -> dict[str, Any]:
        """Games, outcomes, streaks, best and mean scores, overall and per deal; all zero for who has not played."""

    def leaderboard(self, deal: int, limit: int) -> list[dict[str, Any]]:
        """First tries of a numbered deal by ranked players, best score first."""


class Progress(Protocol):
    """How far the projections have read."""

    def wait(self, position: int, timeout: float) -> bool:
        """Whether every projection has applied the log up to `position`, waiting at most `timeout` seconds."""

    def lag(self) -> dict[str, int]:
        """Positions each projection is behind the head, by name."""

    def quarantined(self) -> list[dict[str, Any]]:
        """Matches a projection leaves out since one of their events can't be folded (P18).

        A row is `{"projection", "match", "position", "error"}`; `error` is the name of a class of faults.
        """

    def health(self) -> dict[str, Any]:
        """`{"lag": positions, "quarantined": matches}` of each projection, by name."""
