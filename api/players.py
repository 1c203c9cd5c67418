"""Players and leaderboards."""

from flask import Response

from api import answers, shapes
from api.documents import Answers, documented, feature
from api.problems import Problem
from api.reading import caught_up, names
from api.requests import queried, service
from domain.chance import MAX_DEAL
from services.errors import PlayerNotFound
from services.parsing import game_named

blueprint = feature("players", "Players and leaderboards")
_PLAYER_QUERY = shapes.AfterPosition()
_LEADERBOARD_QUERY = shapes.LeaderboardQuery()


@blueprint.get("/players/<player>")
@documented({200: Answers(shapes.Player)}, query=shapes.AfterPosition, problems=(404, 503))
def show_player(player: str) -> Response:
    """A player's statistics, by name or id."""
    caught_up(queried(_PLAYER_QUERY).get("after_position"))
    found = service().people.find(player)
    name = service().people.names([found]).get(found)
    if name is None:
        raise PlayerNotFound
    statistics = service().statistics
    return answers.json({"id": found, "name": name, "statistics": {statistics.game: statistics.of(found)}})


@blueprint.get(f"/leaderboards/<game>/deals/<int(min=1,max={MAX_DEAL}):deal>")
@documented({200: Answers(shapes.Leaderboard)}, query=shapes.LeaderboardQuery, problems=(404, 503))
def show_leaderboard(game: str, deal: int) -> Response:
    """First tries at a numbered deal, best score first."""
    query = queried(_LEADERBOARD_QUERY)
    if not game_named(game).numbered_deals:
        raise Problem("not-found", "This game has no numbered deals.")
    if game != service().statistics.game:
        raise Problem("not-found", "No leaderboards are kept of this game.")
    caught_up(query.get("after_position"))
    rows = service().statistics.leaderboard(deal, query.get("limit", shapes.MAX_ROWS))
    named = names(row["player"] for row in rows)
    shown = [row | {"player": named(row["player"])} for row in rows]
    return answers.json({"game": game, "deal": deal, "entries": shown})
