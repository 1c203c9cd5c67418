"""What a game is: its parts, its viewers, how it refuses and how it ends.

A game is a folder beside this file. It brings frozen commands, events and a state, the functions of `Rules`
and `View`, and one `Game` value that names them; `domain.registry` lists it. Nothing else knows it.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Protocol, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from domain.chance import Chance


class IllegalCommand(Exception):
    """A command the rules refuse.

    `rule` is a stable id from a fixed catalogue (a ruling such as `AD-4` or a slug such as `payment-too-small`);
    `reason` is a sentence for people. Neither may depend on anything hidden from the seat that asked (P11).
    """

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(f"{rule}: {reason}")
        self.rule = rule
        self.reason = reason


class Event(Struct, frozen=True, forbid_unknown_fields=True):
    """A bare fact in the past tense, without who or when.

    `TOPIC` is its storage name for ever (`game.event_name.shape_version`). `REVEALS` says that the event turns
    something up or carries chance, so that a plain undo may not cross it (P16). An event whose content was
    drawn has a field `draw`: the index of that draw in the match's chance. `AWAITS_SYSTEM` says that after it the
    system has to give the command that is `due` (of games with several seats).
    """

    TOPIC: ClassVar[str]
    REVEALS: ClassVar[bool] = False
    AWAITS_SYSTEM: ClassVar[bool] = False

    @classmethod
    @cache
    def type_name(cls) -> str:
        """The event's name in feeds: the middle part of its topic."""
        return cls.TOPIC.split(".")[1]


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What a seat asks for, in the imperative. Its tag is its `type` in JSON.

    `TAKES_BACK`: it undoes what another command did, or itself; bots leave it out, or they go in circles.
    `COMPLETES`: it ends what is put together choice by choice. A typed line that makes all the choices needs no
    such word. `ALSO`: what else it is called by who types it.
    """

    TAKES_BACK: ClassVar[bool] = False
    COMPLETES: ClassVar[bool] = False
    ALSO: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def type_name(cls) -> str:
        return str(cls.__struct_config__.tag)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be chosen when a match is created. Every option has a default."""


# --- who looks ---------------------------------------------------------------------------------------------


class Viewer(Struct, frozen=True):
    """Somebody who looks: a seat, a spectator, an auditor (everything, after the end) or the system."""

    kind: Literal["seat", "spectator", "auditor", "system"]
    seat: int | None = None


SPECTATOR = Viewer("spectator")
AUDITOR = Viewer("auditor")
SYSTEM = Viewer("system")


def at_seat(seat: int) -> Viewer:
    return Viewer("seat", seat)


class SeenBy(StrEnum):
    """Who may see a field. A field without a policy is seen by nobody."""

    EVERYONE = "everyone"
    OWNER = "owner"
    NOBODY = "nobody"


def public(description: str, *, unit: str | None = None) -> Meta:
    """Field policy: everyone sees it."""
    return _policy(SeenBy.EVERYONE, description, unit)


def owned(description: str, *, unit: str | None = None) -> Meta:
    """Field policy: only the seat named by the same value's `seat` field sees it."""
    return _policy(SeenBy.OWNER, description, unit)


def hidden(description: str, *, unit: str | None = None) -> Meta:
    """Field policy: nobody sees it but an auditor and the system."""
    return _policy(SeenBy.NOBODY, description, unit)


def _policy(seen_by: SeenBy, description: str, unit: str | None) -> Meta:
    extra = {"seen_by": seen_by.value} | ({"unit": unit} if unit else {})
    return Meta(description=description, extra=extra)


class FieldSpec(Struct, frozen=True):
    """One field of a command, event, state or options value, as schemas, prompts and documents need it."""

    name: str
    type: Any
    seen_by: SeenBy | None
    description: str
    unit: str | None
    required: bool
    default: Any


@cache
def fields_of(kind: type[Struct]) -> tuple[FieldSpec, ...]:
    """The declared fields of a struct type with policy, description and unit."""
    hints = get_type_hints(kind, include_extras=True)
    specs = []
    for field in msgspec.structs.fields(kind):
        metas = (
            [m for m in get_args(hints[field.name])[1:] if isinstance(m, Meta)]
            if (get_origin(hints[field.name]) is Annotated)
            else []
        )
        extra: dict[str, Any] = {}
        description = ""
        for meta in metas:
            extra |= meta.extra or {}
            description = meta.description or description
        default: Any = msgspec.NODEFAULT if field.required else field.default
        if not field.required and field.default is msgspec.NODEFAULT:
            default = field.default_factory()
        specs.append(
            FieldSpec(
                name=field.name,
                type=hints[field.name],
                seen_by=SeenBy(extra["seen_by"]) if "seen_by" in extra else None,
                description=description,
                unit=extra.get("unit"),
                required=field.required,
                default=default,
            )
        )
    return tuple(specs)


def redact_fields(value: Struct, viewer: Viewer) -> dict[str, Any]:
    """The fields of `value` that `viewer` may see, as JSON types. What is hidden is left out, never blanked."""
    kind = type(value)
    if all_public(kind):
        public_fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
        return public_fields
    omit = kind.__struct_config__.omit_defaults
    seen: dict[str, Any] = {}
    for field in fields_of(kind):
        if may_see(field.seen_by, value, viewer):
            item = getattr(value, field.name)
            if not (omit and item == field.default):
                seen[field.name] = item if type(item) in _PLAIN else _redact_item(item, viewer)
    return seen


@cache
def all_public(kind: type[Struct]) -> bool:
    """Whether everyone sees every field of a struct type, and of the structs in its fields."""
    return all(
        field.seen_by is SeenBy.EVERYONE and all(all_public(inner) for inner in _structs_in(field.type))
        for field in fields_of(kind)
    )


def _structs_in(annotation: Any) -> list[type[Struct]]:
    """The struct types an annotation names; for a field that may hold anything, a struct that hides all."""
    if annotation is Any:
        return [_Anything]
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return [annotation]
    return [struct for part in get_args(annotation) for struct in _structs_in(part)]


class _Anything(Struct):
    """What a field annotated with Any may hold: nothing is known of its policies."""

    value: object = None


_PLAIN = frozenset({str, int, bool, float, type(None)})


def _redact_item(item: Any, viewer: Viewer) -> Any:
    """A structured value has policies of its own, wherever it stands."""
    if type(item) in _PLAIN:
        return item
    if isinstance(item, Struct):
        return redact_fields(item, viewer)
    if isinstance(item, list | tuple):
        return [part if type(part) in _PLAIN else _redact_item(part, viewer) for part in item]
    if isinstance(item, dict):
        return {key: _redact_item(part, viewer) for key, part in item.items()}
    return msgspec.to_builtins(item)


def may_see(policy: SeenBy | None, value: Struct, viewer: Viewer) -> bool:
    if policy is SeenBy.EVERYONE or viewer.kind in ("auditor", "system"):
        return True
    if policy is SeenBy.OWNER:
        return viewer.kind == "seat" and viewer.seat == getattr(value, "seat", None)
    return False


# --- how it ends -------------------------------------------------------------------------------------------


class Outcome(Struct, frozen=True, omit_defaults=True):
    """How a match ended. Solitaire gives `score`; the other games give `winner`, `reason` and `scores`."""

    result: Annotated[str, public("won, lost, lost_utterly, drawn, resigned or abandoned")]
    score: Annotated[int | None, public("rank sum", unit="ranks")] = None
    winner: Annotated[int | None, public("the winning seat")] = None
    reason: Annotated[str | None, public("what ended the match")] = None
    scores: Annotated[tuple[int, ...] | None, public("a score for each seat")] = None


# --- the parts of a game -----------------------------------------------------------------------------------


class Rules(Protocol):
    """The rules of one game as pure functions; a module satisfies it. State and events are frozen values."""

    def initial(self, options: Any, seats: int) -> Any:
        """The state before anything happened."""

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[Event, ...]:
        """The events that set the game up: what `advance` does from the initial state."""

    def advance(self, state: Any, chance: Chance) -> tuple[Event, ...]:
        """What must happen in `state` without anybody's choice; nothing where a choice or the end is reached.

        A rewind may lead to the middle of a command; `advance` then finishes what the rules owe, with fresh chance.
        """

    def decide(self, state: Any, command: Any, seat: int, chance: Chance) -> tuple[Event, ...]:
        """The events `command` leads to. Raises IllegalCommand; never changes anything."""

    def evolve(self, state: Any, event: Any) -> Any:
        """The state after `event`. Total: never fails, never draws chance, checks no rule."""

    def legal(self, state: Any, seat: int) -> Sequence[Any]:
        """All commands `decide` accepts from `seat` now, and no other. `resign` is the kernel's and not listed."""

    def to_act(self, state: Any) -> tuple[int, ...]:
        """The seats whose decision is awaited."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def forfeit(self, state: Any, seat: int | None, result: str) -> Outcome:
        """The outcome when `seat` resigns (`result` is `resigned`) or the match is abandoned (seat None)."""

    def imagine(self, state: Any, seat: int, chance: Chance) -> Any:
        """A state like `state` in all that `seat` may see, with everything hidden from it drawn anew.

        What bots and hints think about. It must not depend on how the hidden things really lie.
        """

    def evaluate(self, state: Any, seat: int) -> float:
        """How good `state` is for `seat`, for bots; uses only what the seat may see."""


class SharedRules(Protocol):
    """What the rules of a game of several seats have besides: system commands, defaults, resignation."""

    def decide(self, state: Any, command: Any, seat: int | None, chance: Chance) -> tuple[Event, ...]:
        """As in `Rules`. A seat of None is the system: it gives what is `due`, and a seat's default."""

    def due(self, state: Any) -> Any | None:
        """The command the system has to give before the match goes on, or None."""

    def default(self, state: Any, seat: int) -> Any | None:
        """What the system does in the seat's place when its decision's time is up; None if none is awaited.

        `decide` accepts it from the system. Several may have to follow each other to end a turn.
        """

    def decline(self, state: Any, seat: int) -> Any | None:
        """What declines to answer, where the seat is merely asked for an answer (as in a combat); else None.

        A standing order may give it. Whether there is one must not depend on anything hidden.
        """

    def resign(self, state: Any, seat: int, chance: Chance) -> tuple[Event, ...]:
        """What follows when `seat` gives up; the match may go on. Raises IllegalCommand if it is out."""


class View(Protocol):
    """What of a game may be seen, and how it reads in a terminal; a module satisfies it."""

    def observe(self, state: Any, viewer: Viewer) -> dict[str, Any]:
        """The state as `viewer` may see it, as JSON types."""

    def redact(self, event: Any, viewer: Viewer) -> dict[str, Any]:
        """The event's data as `viewer` may see them, as JSON types."""

    def show(self, observed: Mapping[str, Any]) -> list[str]:
        """An observed state as lines of plain text."""

    def tell(self, kind: str, data: Mapping[str, Any]) -> str:
        """A redacted event as one line of plain text."""

    def ask(self, command: Mapping[str, Any]) -> str:
        """A legal command as one line of plain text."""


class Scene(Struct, frozen=True):
    """What somebody sees while words are found: the observed table, and what each seat is called."""

    table: Mapping[str, Any] | None = None
    names: tuple[str, ...] = ()

    def name(self, seat: int) -> str:
        """What a seat is called: `seat 2` where nobody said."""
        return self.names[seat] if 0 <= seat < len(self.names) else f"seat {seat}"


class Narrator(Protocol):
    """How a game reads in a terminal where words depend on the table or on who sits there; a game may have one.

    Everything is told from a `Scene` alone, so nobody is told more than is seen. Without a narrator a game reads
    as its `View` says.
    """

    @property
    def topics(self) -> Mapping[str, str]:
        """What can be asked about, as typed (`look FIELD`), and what is answered."""

    def show(self, scene: Scene) -> list[str]:
        """The table as lines of plain text."""

    def tell(self, kind: str, data: Mapping[str, Any], before: Scene) -> str:
        """A redacted event as one line of plain text; `before` is what its viewer saw before it."""

    def quiet(self, kind: str, data: Mapping[str, Any]) -> bool:
        """Whether an event may be left out where others' doings are summed up: what follows tells more."""

    def ask(self, command: Mapping[str, Any], scene: Scene) -> tuple[str, str]:
        """A legal command: the heading it is listed under, and what it says there."""

    def names(self, scene: Scene) -> Mapping[str, Any]:
        """What players type for the values of commands: `e5`, `prince-konrad`. Lower case, words joined by `-`.

        A tuple of values where several things are called so; the one that can be chosen is meant.
        """

    def explain(self, topic: str, about: str, scene: Scene) -> list[str] | None:
        """The answer to a question, or None where there is nothing of that name."""


class Tally(Struct, frozen=True):
    """What simulations of a game of several seats count, and what they call it.

    The observed table of such a game has `turns`, `first` (the starting seat) and `players`, by seat, each with
    the field that `side` names. A reason that is in none of `ends` is told besides them if it made a winner.
    """

    side: str  # what a seat plays with: faction, deck
    ends: tuple[str, ...]  # reasons of outcomes; resignation and the cut are always told
    from_start: bool = False  # wins by seat are counted from the starting seat
    in_turn: Callable[[Any], Sequence[Options]] | None = None  # matches are played with each of these in turn


class Bringing(Struct, frozen=True):
    """What each seat may bring to a match of its own making, such as a deck."""

    what: str  # one word: `deck`
    options: Mapping[str, Any]  # the options of a match to which seats bring it
    command: type[Command]  # brings it
    field: str  # of the command, for what is brought
    faults: Callable[[Any], Sequence[str]]  # everything that is wrong with it, as sentences


class Game(Struct, frozen=True):
    """One registered game. Functions are looked up in the modules at each call, never copied."""

    name: str
    title: str
    summary: str
    rules_version: str
    content: str  # SHA-256 (hex) of the printed content the rules play with; pinned in every match
    min_seats: int
    max_seats: int
    numbered_deals: bool
    options: type[Options]
    commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    state: type[Struct]
    rules: Rules
    view: View
    catalogue: tuple[dict[str, Any], ...] = ()  # printed components, for GET /games/{game}
    shared: SharedRules | None = None  # with several seats: the same rules, and what solitaire doesn't need
    system_commands: tuple[type[Command], ...] = ()  # no seat may give them
    tally: Tally | None = None  # with several seats
    narrator: Narrator | None = None
    bringing: Bringing | None = None
    asks: bool = False  # seats are merely asked for an answer at times, which a standing order may decline

    @property
    def solitaire(self) -> bool:
        return self.max_seats == 1


class Described(Struct, frozen=True):
    """A game in typed parts: enough to make schemas, prompts and documents from."""

    options: tuple[FieldSpec, ...]
    commands: Mapping[str, tuple[FieldSpec, ...]]
    events: Mapping[str, tuple[FieldSpec, ...]]
    state: tuple[FieldSpec, ...]


def describe(game: Game) -> Described:
    """Options, commands, events and state of `game` with names, types, units and visibility."""
    return Described(
        options=fields_of(game.options),
        commands={kind.type_name(): fields_of(kind) for kind in game.commands},
        events={kind.type_name(): fields_of(kind) for kind in game.events},
        state=fields_of(game.state),
    )
