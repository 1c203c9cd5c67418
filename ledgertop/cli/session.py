"""Players at a command line: one line in, one action on the match. Bots at the same table act by themselves."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from domain.game import Game, IllegalCommand, Scene
from domain.match import Match
from ledgertop.cli.screens import Screen
from ledgertop.cli.text import grouped, scene_of
from ledgertop.cli.typed import plainest, typed_command, usage
from services.bots import thought
from services.codec import plain as as_json
from services.errors import (
    Forbidden,
    InvalidField,
    NotYourTurn,
    OutcomeUnknown,
    ServiceError,
    StoreUnavailable,
    VersionConflict,
    VersionNotFound,
)
from services.hints import hint
from services.looking import MAX_PAGE, Caller
from services.service import Service
from services.standing_orders import StandingOrders
from services.wishes import Order

NOBODY = -1
COMPLETED = object()  # the end of a line that makes several choices
LEAVE = ("quit", "q", "exit")
ANSWERS = {"agree": True, "yes": True, "refuse": False, "no": False}
WAITING_SECONDS = 15.0
LOG = 20  # events


class Input(Protocol):
    """Where lines come from."""

    def line(self) -> str | None:
        """The next line, without what is around it; None at the end of the input."""

    def enter(self) -> bool:
        """Wait for Enter where somebody sits at a terminal; False at the end of the input."""


@dataclass(frozen=True)
class LocalSeat:
    """A seat that is played here, by a person or by the bot that is named."""

    number: int
    name: str
    token: str
    bot: str | None = None
    brings: dict[str, Any] | None = None  # the command that brings what the seat has made itself


class _Left(Exception):
    """The people here leave; the match stays as it is."""


class Session:
    """The seats of a match that are played here. The service decides everything; this reads lines and shows answers."""

    def __init__(
        self,
        service: Service,
        game: Game,
        match: str,
        seats: Sequence[LocalSeat],
        screen: Screen,
        rng: Random,
    ) -> None:
        self._service = service
        self._game = game
        self._match = match
        self._seats = {seat.number: seat for seat in seats}
        self._people = [seat for seat in seats if seat.bot is None]
        self._screen = screen
        self._rng = rng
        self._told = dict.fromkeys(
            [seat.number for seat in self._people], 0
        )  # the last version each was told
        self._now = self._people[0] if self._people else None  # who sits before the screen
        self._legal: list[Any] = []  # in the order of their numbers; what is shown unasked comes first
        self._view: dict[str, Any] = {}
        self._then: list[Any] = []  # what the last line says about the choice its command leads to

    def run(self, source: Input) -> None:
        """Until the match ends, the people leave or the input ends."""
        self._screen.opened(self._match, list(self._seats.values()))
        version = self._service.ledger.history(self._match).match.version
        self._told = dict.fromkeys([NOBODY, *(seat.number for seat in self._people)], version)
        try:
            over = self._go_on(source)
            while not over:
                line = source.line()
                if line is None or line.lower() in LEAVE:
                    raise _Left
                self._then = []
                while line and not over:
                    over = self._take(line, source)
                    line = None if over else self._next()
        except _Left:
            self._screen.left(self._match, list(self._seats.values()))

    # --- whose decision it is ------------------------------------------------------------------------------

    def _go_on(self, source: Input) -> bool:
        """Let the system and the bots act until somebody here decides; whether the match is over."""
        while True:
            if self._service.effects.settle(self._match):
                continue
            match = self._service.ledger.history(self._match).match
            view = self._service.looking.view(self._match, self._caller())
            if view["status"] == "ended":
                self._catch_up()
                self._screen.position(view, [], 0, self._number())
                self._screen.ended(self._match, view)
                return True
            asked = self._asked(view)
            deciding = [self._seats[number] for number in view["to_act"] if number in self._seats]
            here = next(iter(asked or deciding), None)
            if here is None:
                self._wait(view)
            elif here.brings is not None and not asked and self._brought(here, here.brings):
                continue
            elif here.bot is None:
                self._seat(here, source)
                if asked:
                    self._screen.asked_to_rewind(view)
                return False
            else:
                self._bot(here, here.bot, match, bool(asked))

    def _asked(self, view: dict[str, Any]) -> list[LocalSeat]:
        """Whose word is missing here for the rewind that somebody proposed, if somebody did."""
        proposal = view["proposal"]
        if proposal is None:
            return []
        known = (proposal["seat"], *proposal["agreed"])
        return [seat for number, seat in self._seats.items() if number not in known]

    def _bot(self, seat: LocalSeat, bot: str, match: Match, asked: bool) -> None:
        """Bots agree to every rewind; else they do what they think best."""
        if asked and match.proposal is not None:
            self._service.matches.consent(self._match, seat.token, match.proposal.version, True, Order())
        else:
            command = thought(match, self._game, seat.number, bot, self._rng)
            self._service.matches.act(self._match, seat.token, command, Order())
        if len(self._people) < 2:
            self._catch_up()

    def _brought(self, seat: LocalSeat, command: dict[str, Any]) -> bool:
        """Whether it was time for the seat to bring what it has made."""
        legal = self._service.looking.legal(self._match, Caller(seat.token))["commands"]
        if all(one["type"] != command["type"] for one in as_json(legal)):
            return False
        self._service.matches.act(self._match, seat.token, command, Order())
        return True

    def _seat(self, seat: LocalSeat, source: Input) -> None:
        """Show the match to the person who decides, and to nobody else."""
        if seat != self._now:
            self._screen.handed_over(seat)
            if not source.enter():
                raise _Left
            self._screen.cleared()
            self._now = seat
        self._catch_up()
        self._look()

    def _wait(self, view: dict[str, Any]) -> None:
        """Until something happens that somebody elsewhere does."""
        self._catch_up()
        self._screen.waiting([view["seats"][number]["name"] for number in view["to_act"]])
        for page in self._service.feed.follow(self._match, self._caller(), view["version"], WAITING_SECONDS):
            if page:
                return

    def _log(self, number: int) -> None:
        """Tell the last events again."""
        last = self._view["version"]
        page = self._service.looking.events(self._match, self._caller(), max(0, last - number), number)
        self._screen.happened(self._number(), [(event, self._before(event)) for event in page["events"]])

    def _catch_up(self) -> None:
        """Tell whoever sits here what has happened since they were told."""
        seat = self._number()
        after = self._told[seat]
        while True:
            page = self._service.looking.events(self._match, self._caller(), after, MAX_PAGE)
            events = page["events"]
            if events:
                after = events[-1]["version"]
                self._screen.happened(seat, [(event, self._before(event)) for event in events])
            if page["next"] is None:
                break
        self._told[seat] = after

    def _before(self, event: dict[str, Any]) -> Scene:
        if self._game.narrator is None or event["version"] == 1:
            return Scene()
        return scene_of(self._service.looking.view(self._match, self._caller(), at=event["version"] - 1))

    # --- what a line asks for ------------------------------------------------------------------------------

    def _take(self, line: str, source: Input) -> bool:
        """Do what a line asks for; whether the match is over then."""
        try:
            happened = self._done(line)
        except (IllegalCommand, ServiceError) as error:
            self._then = []
            self._screen.refused(*self._reason(error))
            return isinstance(error, VersionConflict) and self._go_on(source)
        if not happened:
            return False
        if not self._screen.hides or len(self._people) < 2:
            self._catch_up()
        return self._go_on(source)

    def _done(self, line: str) -> bool:
        """Whether the line may have changed the match."""
        word, _, rest = line.lower().partition(" ")
        match word:
            case "help" | "?":
                self._screen.helped()
            case "show":
                self._look()
            case "more":
                self._look(everything=True)
            case "log":
                self._log(min(_count(rest), MAX_PAGE) if rest else LOG)
            case "hint":
                self._hint()
            case _ if not self._explained(word, rest):
                self._act(line, word, rest)
                return True
        return False

    def _act(self, line: str, word: str, rest: str) -> None:
        matches, match, token = self._service.matches, self._match, self._token()
        if word in ANSWERS and self._view["proposal"] and self._now in self._asked(self._view):
            matches.consent(match, token, self._view["proposal"]["version"], ANSWERS[word], self._order())
            return
        match word:
            case "undo":
                matches.undo(match, token, self._order())
            case "rewind":
                matches.rewind(match, token, _version(rest), self._order())
            case "resign":
                matches.act(match, token, {"type": "resign"}, self._order())
            case "always-pass" if self._game.asks:
                orders = self._service.ordering.of(match, token)
                orders = StandingOrders(always_pass=not orders.always_pass)
                self._screen.ordered(orders.always_pass)
                self._service.ordering.give(match, token, orders)
            case _:
                matches.act(match, token, self._command(line), self._order())

    def _explained(self, word: str, about: str) -> bool:
        """Answer a question about the game, if the line is one."""
        narrator = self._game.narrator
        topics = {topic.split()[0] for topic in narrator.topics} if narrator else set()
        if narrator is None or word not in topics:
            return False
        lines = narrator.explain(word, about.strip(), scene_of(self._view))
        if lines is None:
            raise InvalidField("", f"There is nothing called {about.strip()!r}." if about else "About what?")
        self._screen.explained(lines)
        return True

    def _command(self, line: str) -> dict[str, Any]:
        if re.fullmatch(r"[0-9]{1,9}", line):
            if not 1 <= int(line) <= len(self._legal):
                raise InvalidField("", f"There is no command {line}; there are 1 to {len(self._legal)}.")
            command: dict[str, Any] = self._legal[int(line) - 1]
            return command
        names = self._game.narrator.names(scene_of(self._view)) if self._game.narrator else {}
        typed = typed_command(self._game, self._legal, line, names)
        if typed is None:
            raise InvalidField("", f"{line.split()[0]!r} is no command; `help` lists them.")
        command, then = typed
        self._then = [*then, COMPLETED] if then else []
        return command

    def _next(self) -> str | None:
        """The command that the rest of the last line stands for, where it led to a choice: `hire soldier b2`."""
        if not self._then:
            return None
        value, *self._then = self._then
        if value is COMPLETED:
            return self._completing()
        meant = value if isinstance(value, tuple) else (value,)
        for number, command in enumerate(self._legal, 1):
            said = [item for name, item in command.items() if name != "type"]
            if len(said) == 1 and said[0] in meant:
                return str(number)
        self._then = []
        self._screen.refused("not-understood", "The rest of the line stands for nothing that can be chosen.")
        return None

    def _completing(self) -> str | None:
        """The number of what completes what the line has put together, where it isn't complete by itself."""
        kinds = {kind.type_name(): kind for kind in self._game.commands}
        legal = [kinds[command["type"]] for command in self._legal]
        if not any(kind.TAKES_BACK for kind in legal):
            return None  # nothing is being put together any more
        return next((str(number) for number, kind in enumerate(legal, 1) if kind.COMPLETES), None)

    def _hint(self) -> None:
        match = self._service.ledger.history(self._match).match
        command = hint(match, self._game, self._number())
        number = self._legal.index(command) + 1 if command in self._legal else None
        self._screen.suggested(self._view, number, command)

    # --- the match as the person here sees it --------------------------------------------------------------

    def _number(self) -> int:
        """The seat that is looked from; a table of bots has spectators only."""
        return self._now.number if self._now else NOBODY

    def _token(self) -> str:
        assert self._now is not None
        return self._now.token

    def _caller(self) -> Caller:
        return Caller(self._now.token if self._now else None)

    def _order(self) -> Order:
        return Order(expected=self._view["version"])

    def _look(self, *, everything: bool = False) -> None:
        view = self._service.looking.view(self._match, self._caller())
        legal = as_json(self._service.looking.legal(self._match, self._caller())["commands"])
        first = plainest(legal)
        rest = [command for command in legal if command not in first]
        self._view = view
        self._legal = [
            command
            for part in (first, rest)
            for _, group in grouped(self._game, view, part)
            for command in group
        ]
        shown = len(legal if everything else first)
        self._screen.position(view, self._legal, shown, self._number())

    def _reason(self, error: Exception) -> tuple[str, str]:
        """The rule an error stands for, and a sentence."""
        if isinstance(error, InvalidField) and "missing" in error.reason:
            known = " or ".join(f"`{line}`" for line in usage(self._game))
            return "not-understood", f"`{error.field}` is missing. Type {known}."
        return _reason(error)


def _version(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()):
        raise InvalidField("", "`rewind` takes the number of a version.")
    return int(text)


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()):
        raise InvalidField("", "`log` takes a number of events.")
    return int(text)


def _reason(error: Exception) -> tuple[str, str]:
    """The rule an error stands for, and a sentence."""
    match error:
        case IllegalCommand():
            return error.rule, error.reason
        case StoreUnavailable() | OutcomeUnknown():
            raise error
        case InvalidField():
            return "not-understood", str(error)
        case VersionConflict():
            return "version-conflict", "The match has moved on meanwhile."
        case VersionNotFound():
            return "no-such-version", str(error)
        case NotYourTurn() | Forbidden():
            return "not-now", str(error)
        case _:
            return type(error).__name__, str(error)
