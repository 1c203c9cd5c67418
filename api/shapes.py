"""The objects of the HTTP surface, for requests and for the document. Those of games are generated."""

from functools import cache
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from api.requests import MAX_VERSION
from api.typed_fields import (
    Constant,
    NoDeal,
    OneOf,
    QueryFlag,
    QueryNumber,
    Shape,
    Text,
    WholeNumber,
    YesOrNo,
    field_of,
    shape_of,
)
from domain.chance import MAX_DEAL, MAX_ENTROPY_BYTES
from domain.clocks import MAX_SECONDS
from domain.game import Event, Game, Outcome, fields_of
from domain.match import LIFECYCLE, Origin, Proposal, RuleSet
from domain.registry import GAMES, every_rule_set
from services.looking import MAX_PAGE
from services.people import MAX_NAME

LONG = validate.Range(min=1, max=MAX_SECONDS)
VERSION = validate.Range(min=1, max=MAX_VERSION)
MAX_ROWS = 100


def _title(game: Game) -> str:
    return game.title.replace(" ", "")


def told(text: str, **more: Any) -> dict[str, Any]:
    return {"description": text} | more


# --- what is asked -----------------------------------------------------------------------------------------


class SitDown(Shape):
    """Somebody sitting down at a numbered deal."""

    name = Text(
        required=True,
        validate=validate.Length(min=1, max=MAX_NAME),
        metadata=told("the player's name: printable, blanks at its ends don't count", format="player-name"),
    )


class SitDownSealed(SitDown):
    """Somebody sitting down at a sealed match."""

    entropy = Text(
        pattern=f"^([0-9a-fA-F]{{2}}){{0,{MAX_ENTROPY_BYTES}}}$",
        allow_none=True,
        metadata=told("bytes, in hex, that the seat adds to the sealed chance"),
    )


class TakeSeat(SitDownSealed):
    """Somebody taking a seat of an open match. A numbered deal takes no entropy."""

    seat = WholeNumber(
        allow_none=True,
        validate=validate.Range(min=0, max=99),
        metadata=told("number of the seat; the first free one if left out"),
    )


class MoveClockShape(Shape):
    kind = Constant("move")
    seconds = WholeNumber(required=True, validate=LONG, metadata=told("seconds for each decision"))


class DaysClockShape(Shape):
    kind = Constant("days")
    days = WholeNumber(
        required=True, validate=validate.Range(min=1, max=365), metadata=told("days for each decision")
    )


class FischerClockShape(Shape):
    kind = Constant("fischer")
    seconds = WholeNumber(required=True, validate=LONG, metadata=told("seconds for the whole match"))
    increment = WholeNumber(
        validate=validate.Range(min=0, max=MAX_SECONDS),
        metadata=told("seconds added with each decision made", default=0),
    )


def _clocks() -> dict[str, type[Schema]]:
    return {"move": MoveClockShape, "days": DaysClockShape, "fischer": FischerClockShape}


class AnyClock(OneOf):
    """A match clock. When a decision's time is up, what stands for it is done."""

    type_field = "kind"
    type_schemas = _clocks()


@cache
def options_of(game: str) -> type[Schema]:
    """The options of a game."""
    members = {spec.name: field_of(spec) for spec in fields_of(GAMES[game].options)}
    return type(f"{_title(GAMES[game])}Options", (Shape,), dict(members))


def new_match(game: Game, *, dealt: bool) -> type[Schema]:
    """What creates a match of `game`: of a numbered deal, or sealed."""
    sit = SitDown if dealt else SitDownSealed
    deal: fields.Field[Any] = NoDeal(allow_none=True, metadata=told("none: the match is sealed"))
    if dealt:
        deal = WholeNumber(
            required=True,
            validate=validate.Range(min=1, max=MAX_DEAL),
            metadata=told("deal number: public, the same everywhere and for ever"),
        )
    members: dict[str, Any] = {
        "game": Constant(game.name),
        "options": fields.Nested(options_of(game.name)),
        "deal": deal,
        "sit": fields.Nested(sit, allow_none=True, metadata=told("the creator takes seat 0")),
        "spectators": YesOrNo(metadata=told("whether anybody may watch", default=True)),
    }
    if not game.solitaire:
        members["seats"] = WholeNumber(
            validate=validate.Range(min=game.min_seats, max=game.max_seats),
            metadata=told("number of seats", default=game.min_seats),
        )
        members["clock"] = fields.Nested(AnyClock, allow_none=True, metadata=told("none: nobody is hurried"))
    return type(f"New{_title(game)}{'Deal' if dealt else 'Sealed'}", (Shape,), members)


def _new_matches() -> dict[str, type[Schema]]:
    shapes = {}
    for game in GAMES.values():
        shapes[f"{game.name} sealed"] = new_match(game, dealt=False)
        if game.numbered_deals:
            shapes[f"{game.name} deal"] = new_match(game, dealt=True)
    return shapes


class NewMatch(OneOf):
    """A match of one of the games, sealed or of a numbered deal."""

    type_field = "game"
    type_schemas = _new_matches()

    def get_data_type(self, data: Any) -> Any:
        game = data.get("game")
        if isinstance(game, str) and game in GAMES:
            dealt = GAMES[game].numbered_deals and data.get("deal") is not None
            return f"{game} deal" if dealt else f"{game} sealed"
        if game is not None:
            raise ValidationError({"game": ["There is no such game; GET /games lists them."]})
        return None


class ExpectedVersion(Shape):
    expected_version = WholeNumber(
        validate=VERSION, metadata=told("the version this was decided on; 409 if the match moved on")
    )


class Rewind(ExpectedVersion):
    to_version = WholeNumber(required=True, validate=VERSION, metadata=told("the version to take up again"))


class StandingOrdersShape(Shape):
    """Answers a seat has given beforehand. Nobody else can see them."""

    always_pass = YesOrNo(
        required=True, metadata=told("decline whenever the seat is asked for an answer, as in a combat")
    )


class Consent(ExpectedVersion):
    agree = YesOrNo(required=True, metadata=told("true agrees to the proposal, false refuses it"))


class SitDownInFork(SitDownSealed):
    """Somebody taking a seat of the fork they make."""

    seat = WholeNumber(
        allow_none=True,
        validate=validate.Range(min=0, max=99),
        metadata=told("number of the seat; if left out the one held in the origin, without its token seat 0"),
    )


class NewFork(Shape):
    at_version = WholeNumber(required=True, validate=VERSION, metadata=told("the version to start from"))
    sit = fields.Nested(
        SitDownInFork,
        allow_none=True,
        metadata=told("who takes a seat of the fork; with a seat's token, its own player if left out"),
    )


def _commands() -> dict[str, type[Schema]]:
    resign: dict[str, Any] = {"type": Constant("resign")}
    shapes: dict[str, type[Schema]] = {"resign": type("Resign", (ExpectedVersion,), resign)}
    for game in every_rule_set():
        for kind in game.commands:
            name = f"{game.name}.{kind.type_name()}"
            if name not in shapes:  # the newest rules tell what it looks like
                members = {spec.name: field_of(spec) for spec in fields_of(kind)}
                members["type"] = Constant(kind.type_name())
                shapes[name] = type(_title(game) + kind.__name__, (ExpectedVersion,), dict(members))
    return shapes


class AnyCommand(OneOf):
    """A command of any game, or resigning."""

    overlapping = True
    type_schemas = _commands()


class ViewQuery(Shape):
    at = QueryNumber(validate=VERSION, metadata=told("an earlier version; the newest if left out"))
    audit = QueryFlag(metadata=told("see everything, once the match has ended", default=False))


class EventsQuery(Shape):
    after = QueryNumber(
        validate=validate.Range(min=0, max=MAX_VERSION), metadata=told("the last version seen", default=0)
    )
    limit = QueryNumber(
        validate=validate.Range(min=1, max=MAX_PAGE), metadata=told("size of a JSON page", default=MAX_PAGE)
    )
    audit = QueryFlag(metadata=told("see everything, once the match has ended", default=False))


class AfterPosition(Shape):
    after_position = QueryNumber(
        validate=validate.Range(min=0, max=MAX_VERSION),
        metadata=told(
            "wait until the read models have got to this position of the log, which a command's answer tells"
        ),
    )


class LobbyQuery(AfterPosition):
    game = Text(metadata=told("name of a game"))
    status = Text(
        validate=validate.OneOf(("open", "running", "ended")), metadata=told("status of the matches")
    )
    player = Text(metadata=told("name or id of a player"))
    cursor = Text(
        validate=validate.Length(min=1), metadata=told("`next` of the page before", format="lobby-cursor")
    )
    limit = QueryNumber(
        validate=validate.Range(min=1, max=MAX_ROWS), metadata=told("size of the page", default=MAX_ROWS)
    )


class LeaderboardQuery(AfterPosition):
    limit = QueryNumber(
        validate=validate.Range(min=1, max=MAX_ROWS), metadata=told("number of rows", default=MAX_ROWS)
    )


# --- what is answered --------------------------------------------------------------------------------------


class SeatGiven(Schema):
    number = fields.Integer(required=True)
    token = fields.String(required=True, metadata=told("opens the seat; it is not shown again"))


class Opened(Schema):
    """A match created, forked or joined."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    position = fields.Integer(required=True, metadata=told("place in the whole log, for `after_position`"))
    seat = fields.Nested(SeatGiven, metadata=told("the seat taken, if one was"))
    commitment = fields.String(metadata=told("SHA-256 over label and seed, hex; of a sealed match"))


def event_shape(kind: type[Event], name: str) -> type[Schema]:
    """One event as it leaves the service. What not everybody sees is left out for the others."""
    members: dict[str, Any] = {
        "version": fields.Integer(required=True),
        "type": Constant(kind.type_name()),
        "at": fields.Integer(required=True, metadata=told("microseconds since 1970, UTC")),
        "by": fields.String(required=True, metadata=told("`seat:N` or `system:NAME`")),
        "data": fields.Nested(shape_of(kind, seen=True, name=f"{name}Data"), required=True),
    }
    return type(name, (Schema,), members)


def _events() -> dict[str, type[Schema]]:
    shapes = {f"match.{kind.type_name()}": event_shape(kind, kind.__name__) for kind in LIFECYCLE}
    for game in every_rule_set():
        for kind in game.events:
            name = f"{game.name}.{kind.type_name()}"
            if name not in shapes:
                shapes[name] = event_shape(kind, _title(game) + kind.__name__)
    return shapes


class AnyEvent(OneOf):
    """An event of any game or of a match's life cycle."""

    overlapping = True
    type_schemas = _events()


class Done(Schema):
    """What a command led to."""

    version = fields.Integer(required=True, metadata=told("the match's new version"))
    position = fields.Integer(required=True, metadata=told("place in the whole log, for `after_position`"))
    events = fields.List(fields.Nested(AnyEvent), required=True, metadata=told("as the caller may see them"))


class EventPage(Schema):
    events = fields.List(fields.Nested(AnyEvent), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=told("`after` of the next page; null after the last")
    )


class SeatSeen(Schema):
    number = fields.Integer(required=True)
    name = fields.String(
        required=True, allow_none=True, metadata=told("null for an open seat or a forgotten player")
    )
    kind = fields.String(required=True, validate=validate.OneOf(("person", "bot", "open")))
    player = fields.String(required=True, allow_none=True, metadata=told("opaque id of the player"))


class ClockSeen(Schema):
    """A match's clock. Times are microseconds."""

    kind = fields.String(required=True, validate=validate.OneOf(("move", "days", "fischer")))
    seconds = fields.Integer(required=True, metadata=told("for each decision; fischer: for the whole match"))
    increment = fields.Integer(required=True, metadata=told("seconds added with each decision made"))
    awaited = fields.List(fields.Integer(), required=True, metadata=told("seats whose time runs"))
    deadline = fields.Integer(required=True, allow_none=True, metadata=told("since 1970, UTC"))
    remaining = fields.List(
        fields.Integer(), required=True, metadata=told("what each seat had left when the clock was set")
    )


class MatchView(Schema):
    """A match as the caller may see it."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(("open", "running", "ended")))
    to_act = fields.List(fields.Integer(), required=True, metadata=told("seats whose decision is awaited"))
    due = fields.String(
        required=True, allow_none=True, metadata=told("what the system has to do before the match goes on")
    )
    clock = fields.Nested(ClockSeen, required=True, allow_none=True)
    seats = fields.List(fields.Nested(SeatSeen), required=True)
    outcome = fields.Nested(
        shape_of(Outcome, seen=True),
        required=True,
        allow_none=True,
        metadata=told("how the match ended"),
    )
    state = fields.Dict(
        keys=fields.String(), required=True, metadata=told("the game's state; GET /games/{game} tells")
    )
    options = fields.Dict(keys=fields.String(), required=True)
    deal = fields.Integer(required=True, allow_none=True)
    commitment = fields.String(required=True, allow_none=True)
    rules = fields.Nested(shape_of(RuleSet, seen=True, name="RuleSet"), required=True)
    origin = fields.Nested(shape_of(Origin, seen=True, name="Origin"), required=True, allow_none=True)
    spectators = fields.Boolean(required=True)
    proposal = fields.Nested(
        shape_of(Proposal, seen=True),
        required=True,
        allow_none=True,
        metadata=told("the rewind that waits for consent"),
    )
    rewound = fields.Boolean(required=True)
    ranked = fields.Boolean(required=True)
    created_at = fields.Integer(required=True, metadata=told("microseconds since 1970, UTC"))
    updated_at = fields.Integer(required=True, metadata=told("microseconds since 1970, UTC"))


class LegalCommands(Schema):
    version = fields.Integer(required=True)
    commands = fields.List(
        fields.Nested(AnyCommand), required=True, metadata=told("each can be posted back as it is")
    )


class NamedPlayer(Schema):
    id = fields.String(required=True, metadata=told("opaque id"))
    name = fields.String(required=True, allow_none=True, metadata=told("null for a player who was forgotten"))


class MatchRow(Schema):
    id = fields.String(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(("open", "running", "ended")))
    version = fields.Integer(required=True)
    players = fields.List(fields.Nested(NamedPlayer), required=True, metadata=told("players, by seat"))
    seats = fields.Integer(required=True, metadata=told("number of seats"))
    deal = fields.Integer(required=True, allow_none=True)
    spectators = fields.Boolean(required=True)
    ranked = fields.Boolean(required=True)
    outcome = fields.Nested(shape_of(Outcome, seen=True), required=True, allow_none=True)
    created_at = fields.Integer(required=True, metadata=told("microseconds since 1970, UTC"))
    updated_at = fields.Integer(required=True, metadata=told("microseconds since 1970, UTC"))


class LobbyPage(Schema):
    matches = fields.List(fields.Nested(MatchRow), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata=told("`cursor` of the next page; null after the last")
    )


class GameSummary(Schema):
    name = fields.String(required=True)
    title = fields.String(required=True)
    summary = fields.String(required=True)
    min_seats = fields.Integer(required=True)
    max_seats = fields.Integer(required=True)
    numbered_deals = fields.Boolean(required=True)


class GameList(Schema):
    games = fields.List(fields.Nested(GameSummary), required=True)


class GameRules(GameSummary):
    """A game in full: options, commands, events and state as typed fields, and what is printed."""

    rule_sets = fields.List(fields.Nested(shape_of(RuleSet, seen=True, name="RuleSet")), required=True)
    options = fields.List(fields.Dict(), required=True)
    commands = fields.Dict(required=True)
    events = fields.Dict(required=True)
    state = fields.List(fields.Dict(), required=True)
    catalogue = fields.List(fields.Dict(), required=True, metadata=told("printed components"))


class Player(Schema):
    id = fields.String(required=True, metadata=told("opaque id"))
    name = fields.String(required=True)
    statistics = fields.Dict(required=True, metadata=told("statistics by game"))


class Leaderboard(Schema):
    game = fields.String(required=True)
    deal = fields.Integer(required=True)
    entries = fields.List(fields.Dict(), required=True, metadata=told("first tries, best score first"))


class Health(Schema):
    status = fields.String(required=True)
    position = fields.Integer(metadata=told("head of the log"))
    lag = fields.Dict(metadata=told("positions each read model is behind, by name"))
