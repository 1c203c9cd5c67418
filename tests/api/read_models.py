"""Read models in memory, for tests of the HTTP surface alone."""

from typing import Any

from services.errors import InvalidField
from services.read_models import LobbyFilter


class FakeLobby:
    def page(self, wanted: LobbyFilter, cursor: str | None, limit: int) -> tuple[list[dict[str, Any]], str | None]:
        if cursor is not None:
            raise InvalidField("cursor", "It is none.")
        return [], None


class FakeStatistics:
    def of(self, player: str) -> dict[str, Any]:
        return {}

    def leaderboard(self, deal: int, limit: int) -> list[dict[str, Any]]:
        return []


class FakeProgress:
    def wait(self, position: int, timeout: float) -> bool:
        return True

    def lag(self) -> dict[str, int]:
        return {"lobby": 0}
