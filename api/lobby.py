"""The lobby: all matches anybody may watch."""

from flask import Response

from api import answers, shapes
from api.documents import Answers, documented, feature
from api.reading import caught_up, names
from api.requests import queried, service
from services.errors import PlayerNotFound
from services.read_models import LobbyFilter

blueprint = feature("lobby", "Finding matches")
_QUERY = shapes.LobbyQuery()


@blueprint.get("/matches")
@documented({200: Answers(shapes.LobbyPage)}, query=shapes.LobbyQuery, problems=(503,))
def list_matches() -> Response:
    """Matches, newest activity first."""
    query = queried(_QUERY)
    caught_up(query.get("after_position"))
    player = query.get("player")
    if player is not None:
        try:
            player = service().people.find(player)
        except PlayerNotFound:
            return answers.json({"matches": [], "next": None})
    wanted = LobbyFilter(query.get("game"), query.get("status"), player)
    rows, following = service().lobby.page(wanted, query.get("cursor"), query.get("limit", shapes.MAX_ROWS))
    named = names(player for row in rows for player in row["players"])
    shown = [row | {"players": [named(player) for player in row["players"]]} for row in rows]
    return answers.json({"matches": shown, "next": following})
