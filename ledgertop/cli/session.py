"""A player at the command line: one line in, one action on the match."""

import re
from collections.abc import Iterable
from typing import Any

from domain.game import Game, IllegalCommand
from ledgertop.cli.screens import Screen
from ledgertop.cli.typed import plainest, typed_command, usage
from services.codec import plain as as_json
from services.errors import (
    Forbidden,
    InvalidField,
    NotYourTurn,
    ServiceError,
    StoreUnavailable,
    VersionConflict,
    VersionNotFound,
)
from services.hints import hint
from services.looking import Caller
from services.matches import Answer, Order
from services.service import Service


class Session:
    """One seat of one match. The service decides everything; this only reads lines and shows answers."""

    def __init__(self, service: Service, game: Game, match: str, token: str, screen: Screen) -> None:
        self._service = service
        self._game = game
        self._match = match
        self._token = token
        self._caller = Caller(token)
        self._screen = screen
        self._version = 0
        self._legal: list[Any] = []  # what is shown unasked comes first

    def run(self, lines: Iterable[str]) -> None:
        """Until the match ends, the player quits or the input does."""
        self._screen.opened(self._match, self._token)
        if self._look():
            return
        for line in lines:
            if line.strip().lower() in ("quit", "q", "exit"):
                break
            if line.strip() and self._take(line.strip()):
                return
        self._screen.left(self._match, self._token)

    def _take(self, line: str) -> bool:
        """Do what a line asks for; whether the match is over then."""
        try:
            answer = self._done(line)
        except (IllegalCommand, ServiceError) as error:
            self._screen.refused(*self._told(error))
            return isinstance(error, VersionConflict) and self._look()
        if answer is None:
            return False
        self._screen.happened(answer.events)
        return self._look()

    def _done(self, line: str) -> Answer | None:
        word, _, rest = line.lower().partition(" ")
        matches = self._service.matches
        match word:
            case "help" | "?":
                self._screen.helped()
            case "show":
                self._look()
            case "more":
                self._look(everything=True)
            case "hint":
                self._hint()
            case "undo":
                return matches.undo(self._match, self._token, self._order())
            case "rewind":
                return matches.rewind(self._match, self._token, _version(rest), self._order())
            case "resign":
                return matches.act(self._match, self._token, {"type": "resign"}, self._order())
            case _:
                return matches.act(self._match, self._token, self._command(line), self._order())
        return None

    def _command(self, line: str) -> dict[str, Any]:
        if re.fullmatch(r"[0-9]{1,9}", line):
            if not 1 <= int(line) <= len(self._legal):
                raise InvalidField("", f"There is no command {line}; there are 1 to {len(self._legal)}.")
            command: dict[str, Any] = self._legal[int(line) - 1]
            return command
        body = typed_command(self._game, self._legal, line)
        if body is None:
            raise InvalidField("", f"{line.split()[0]!r} is no command; `help` lists them.")
        return body

    def _hint(self) -> None:
        match = self._service.ledger.history(self._match).match
        seat = self._seat()
        command = hint(match, self._game, seat)
        number = self._legal.index(command) + 1 if command in self._legal else None
        self._screen.suggested(number, command)

    def _seat(self) -> int:
        _, look = self._service.looking.look(self._match, self._caller)
        assert look.viewer.seat is not None
        return look.viewer.seat

    def _order(self) -> Order:
        return Order(expected=self._version)

    def _look(self, *, everything: bool = False) -> bool:
        """Show the match as it is now; whether it is over."""
        view = self._service.looking.view(self._match, self._caller)
        legal = as_json(self._service.looking.legal(self._match, self._caller)["commands"])
        first = plainest(legal)
        self._version = view["version"]
        self._legal = [*first, *(command for command in legal if command not in first)]
        self._screen.position(view, self._legal, len(legal if everything else first))
        if view["status"] == "ended":
            self._screen.ended(self._match, view["outcome"])
        return bool(view["status"] == "ended")

    def _told(self, error: Exception) -> tuple[str, str]:
        """The rule an error stands for, and a sentence."""
        if isinstance(error, InvalidField) and "missing" in error.reason:
            known = " or ".join(f"`{line}`" for line in usage(self._game))
            return "not-understood", f"`{error.field}` is missing. Type {known}."
        return _told(error)


def _version(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()):
        raise InvalidField("", "`rewind` takes the number of a version.")
    return int(text)


def _told(error: Exception) -> tuple[str, str]:
    """The rule an error stands for, and a sentence."""
    match error:
        case IllegalCommand():
            return error.rule, error.reason
        case StoreUnavailable():
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
