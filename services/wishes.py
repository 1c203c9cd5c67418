"""What is asked of matches, and what is answered."""

from typing import Any, Literal

from msgspec import Struct

from domain.clocks import Clock
from services.errors import InvalidField

SYSTEM = "system:"  # what ids of the service's own commands begin with; nobody else can use one up

SeatKind = Literal["person", "bot"]


class Sit(Struct, frozen=True):
    """A person sitting down: a name, and what they add to the sealed chance (hex)."""

    name: str
    entropy: str | None = None
    seat: int | None = None


class CreateMatch(Struct, frozen=True):
    game: str
    options: dict[str, Any] = {}
    deal: int | None = None
    sit: Sit | None = None
    spectators: bool = True
    seats: int | None = None  # the fewest the game is for, if left out
    clock: Clock | None = None


class Order(Struct, frozen=True):
    """A command's id (one is made up if the caller gave none) and the version it was decided on."""

    command: str | None = None
    expected: int | None = None

    def __post_init__(self) -> None:
        if self.command is not None and self.command.startswith(SYSTEM):
            raise InvalidField("command", f"Ids that begin with {SYSTEM!r} are the service's own.")


class Answer(Struct, frozen=True):
    """What a command led to: the match's new version, the log's position, the events as the caller may see them."""

    version: int
    position: int
    events: list[dict[str, Any]]


class SeatGiven(Struct, frozen=True):
    number: int
    token: str


class Opened(Struct, frozen=True):
    """A match created, forked or joined. `seat` and its token where the caller sat down."""

    id: str
    version: int
    position: int
    seat: SeatGiven | None
    commitment: str | None
