"""What players at the command line are shown: plain text, or one JSON object a line."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import click

from domain.game import Game, Scene
from ledgertop.cli.output import print_json
from ledgertop.cli.text import (
    command_text,
    event_text,
    legal_lines,
    outcome_text,
    position_lines,
    scene_of,
    wrapped,
)
from ledgertop.cli.typed import usage

if TYPE_CHECKING:
    from ledgertop.cli.session import LocalSeat

WORDS = {
    "hint": "what a bot would do, from what you can see",
    "undo": "take the last command back, if nothing was turned up since",
    "rewind VERSION": "go back to an earlier version; the match is unranked then",
    "resign": "give up",
    "show": "show the table again",
    "log": "the last events; `log 50` tells as many",
    "help": "this list",
    "quit": "leave; the match goes on when you come back",
}
TOGETHER = {
    "rewind VERSION": "ask the others to go back to an earlier version",
}
ASKED = {"always-pass": "play no card in combats, unasked; once more: be asked"}
CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen and what was scrolled off it


def _words(game: Game) -> dict[str, str]:
    """What can be typed besides commands, and what it does."""
    topics = game.narrator.topics if game.narrator else {}
    return {**topics, **WORDS, **(TOGETHER if game.shared else {}), **(ASKED if game.asks else {})}


Told = Sequence[tuple[dict[str, Any], Scene]]  # events, and what was seen before each


class Screen(Protocol):
    @property
    def hides(self) -> bool:
        """Whether what stands on the screen is wiped when another player sits down."""

    def opened(self, match: str, seats: "Sequence[LocalSeat]") -> None: ...
    def position(self, view: dict[str, Any], legal: Sequence[Any], shown: int, seat: int) -> None: ...
    def happened(self, seat: int, told: Told) -> None: ...
    def handed_over(self, seat: "LocalSeat") -> None: ...
    def cleared(self) -> None: ...
    def asked_to_rewind(self, view: dict[str, Any]) -> None: ...
    def waiting(self, names: Sequence[str | None]) -> None: ...
    def refused(self, rule: str, reason: str) -> None: ...
    def suggested(self, view: dict[str, Any], number: int | None, command: dict[str, Any]) -> None: ...
    def explained(self, lines: Sequence[str]) -> None: ...
    def ordered(self, always_pass: bool) -> None: ...
    def helped(self) -> None: ...
    def ended(self, match: str, view: dict[str, Any]) -> None: ...
    def left(self, match: str, seats: "Sequence[LocalSeat]") -> None: ...


class Plain:
    """Lines of text. Nothing depends on colour or on moving the cursor."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._telling = False  # the last lines say what happened

    @property
    def hides(self) -> bool:
        return sys.stdin.isatty() and sys.stdout.isatty()

    def opened(self, match: str, seats: "Sequence[LocalSeat]") -> None:
        click.echo(f"Match {match}")
        if self._game.solitaire:
            click.echo(f"Your seat's token {seats[0].token}\n")
        else:
            for seat in seats:
                click.echo(f"Seat {seat.number} {seat.name}{', a bot' if seat.bot else ''}")
            click.echo(f"To go on later:\n{self._resume(match, seats)}\n")
        click.echo(wrapped(self._game.summary, ""))
        click.echo("Type the number of a command to give it; `help` lists what else there is.\n")

    def position(self, view: dict[str, Any], legal: Sequence[Any], shown: int, seat: int) -> None:  # noqa: ARG002
        if self._telling:
            click.echo()
        self._telling = False
        click.echo("\n".join(position_lines(self._game, view)))
        for line in legal_lines(self._game, view, legal[:shown]):
            click.echo(line)
        if shown < len(legal):
            click.echo(f"      and {len(legal) - shown} more that give more than is needed: `more`")

    def happened(self, seat: int, told: Told) -> None:
        lines = [
            wrapped(event_text(self._game, event, before), "  ")
            for event, before in told
            if event["by"] == f"seat:{seat}" or not self._quiet(event)
        ]
        if lines:
            click.echo("\n".join(lines if self._telling else ["", *lines]))
            self._telling = True

    def _quiet(self, event: dict[str, Any]) -> bool:
        narrator = self._game.narrator
        return narrator is not None and narrator.quiet(event["type"], event["data"])

    def handed_over(self, seat: "LocalSeat") -> None:
        self._telling = False
        self.cleared()
        click.echo(f"\nPass the terminal to {seat.name}, press Enter")

    def cleared(self) -> None:
        if self.hides:
            click.echo(CLEAR, nl=False)

    def asked_to_rewind(self, view: dict[str, Any]) -> None:
        proposal = view["proposal"]
        who = scene_of(view).name(proposal["seat"])
        click.echo(f"{who} asks to go back to version {proposal['to_version']}: `agree` or `refuse`?")

    def waiting(self, names: Sequence[str | None]) -> None:
        who = " and ".join(name or "somebody" for name in names)
        click.echo(f"Waiting for {who or 'the other players'}. Ctrl-C leaves.", err=True)

    def refused(self, rule: str, reason: str) -> None:
        click.echo(wrapped(f"{reason} ({rule})", "Not possible: "))

    def suggested(self, view: dict[str, Any], number: int | None, command: dict[str, Any]) -> None:
        text = command_text(self._game, view, command, whole=True)
        click.echo(wrapped(text, f"Hint: {f'{number}  ' if number else ''}"))

    def explained(self, lines: Sequence[str]) -> None:
        click.echo("\n".join(lines))

    def ordered(self, always_pass: bool) -> None:
        does = "are not asked in combats any more: you pass" if always_pass else "are asked in combats again"
        click.echo(f"You {does}. `always-pass` changes that.")

    def helped(self) -> None:
        click.echo("  NUMBER            give the command with this number")
        if self._game.narrator is None:
            click.echo("  more              show every legal command")
        for line in usage(self._game):
            click.echo(f"  {line}")
        click.echo(f"{'':20}a command in words, everything by its name")
        for word, text in _words(self._game).items():
            click.echo(f"  {word:<18}{text}")

    def ended(self, match: str, view: dict[str, Any]) -> None:
        click.echo(f"The match is over: {outcome_text(view['outcome'], scene_of(view))}.")
        click.echo(f"See it again: ledgertop replay {match}\nCheck it:     ledgertop verify {match}")

    def left(self, match: str, seats: "Sequence[LocalSeat]") -> None:
        click.echo(f"\nThe match goes on when you come back:\n{self._resume(match, seats)}")

    def _resume(self, match: str, seats: "Sequence[LocalSeat]") -> str:
        words = ["ledgertop", "play", self._game.name, "--resume", match]
        for seat in seats:
            words += ["--token", seat.token]
        for bot in (seat.bot for seat in seats):
            words += ["--bot", bot] if bot else []
        return " ".join(words)


class Json:
    """NDJSON: each line an object whose `is` says what it tells."""

    hides = False

    def __init__(self, game: Game) -> None:
        self._game = game

    def opened(self, match: str, seats: "Sequence[LocalSeat]") -> None:
        print_json({"is": "opened", "match": match, **self._tokens(seats)})

    def position(self, view: dict[str, Any], legal: Sequence[Any], shown: int, seat: int) -> None:
        told = {"is": "position", **self._of(seat), "view": view, "legal": list(legal), "plainest": shown}
        print_json(told)

    def happened(self, seat: int, told: Told) -> None:
        print_json({"is": "events", **self._of(seat), "events": [event for event, _ in told]})

    def handed_over(self, seat: "LocalSeat") -> None:
        """The next position says whose it is."""

    def cleared(self) -> None:
        """There is nothing to wipe."""

    def asked_to_rewind(self, view: dict[str, Any]) -> None:
        print_json({"is": "asked", "proposal": view["proposal"], "answers": ["agree", "refuse"]})

    def waiting(self, names: Sequence[str | None]) -> None:
        print_json({"is": "waiting", "for": list(names)})

    def refused(self, rule: str, reason: str) -> None:
        print_json({"is": "refused", "rule": rule, "reason": reason})

    def suggested(self, view: dict[str, Any], number: int | None, command: dict[str, Any]) -> None:  # noqa: ARG002
        print_json({"is": "hint", "number": number, "command": command})

    def explained(self, lines: Sequence[str]) -> None:
        print_json({"is": "explained", "lines": list(lines)})

    def ordered(self, always_pass: bool) -> None:
        print_json({"is": "ordered", "always_pass": always_pass})

    def helped(self) -> None:
        print_json({"is": "help", "words": ["NUMBER", "COMMAND", "more", *_words(self._game)]})

    def ended(self, match: str, view: dict[str, Any]) -> None:
        print_json({"is": "ended", "match": match, "outcome": view["outcome"]})

    def left(self, match: str, seats: "Sequence[LocalSeat]") -> None:
        print_json({"is": "left", "match": match, **self._tokens(seats)})

    def _of(self, seat: int) -> dict[str, Any]:
        """Who is told: in solitaire it goes without saying; none where bots have the table to themselves."""
        return {} if self._game.solitaire else {"seat": seat if seat >= 0 else None}

    def _tokens(self, seats: "Sequence[LocalSeat]") -> dict[str, Any]:
        people = [seat for seat in seats if seat.bot is None]
        token = {"token": people[0].token} if people else {}
        if self._game.solitaire:
            return token
        listed = [
            {"number": seat.number, "name": seat.name, "bot": seat.bot, "token": seat.token} for seat in seats
        ]
        return token | {"seats": listed}
