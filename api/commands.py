"""Playing: a seat's command, and what became of one."""

from flask import Response

from api import answers, shapes
from api.documents import ETAG, IDEMPOTENCY_KEY, IF_MATCH, TOKEN_NEEDED, Answers, documented, feature
from api.requests import expected_version, json_object, order, service, token_needed
from services.errors import InvalidField

blueprint = feature("commands", "Playing")


@blueprint.post("/matches/<match:match>/commands")
@documented(
    {200: Answers(shapes.Done, headers=ETAG)},
    body=shapes.AnyCommand,
    headers=(IDEMPOTENCY_KEY, IF_MATCH),
    problems=(401, 403, 404, 409, 412, 503),
    security=TOKEN_NEEDED,
)
def act(match: str) -> Response:
    """Carry a command out; the answer has the events it led to, as the caller may see them.

    The command's own fields are checked by the typed values the schema was made from.
    """
    token = token_needed()
    command = json_object()
    expected = expected_version(command)
    if "type" not in command:
        raise InvalidField("type", "A command has a type.")
    return answers.done(service().matches.act(match, token, command, order(expected)))


@blueprint.get("/matches/<match:match>/commands/<command:command>")
@documented(
    {200: Answers(shapes.Done, headers=ETAG)},
    problems=(401, 404, 503),
    security=TOKEN_NEEDED,
)
def told(match: str, command: str) -> Response:
    """What a command of the token's seat led to, as it was answered first; 404 if it has not taken effect.

    Its address is told where an outcome was unknown.
    """
    return answers.done(service().matches.carried_out(match, token_needed(), command))
