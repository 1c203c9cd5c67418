"""What a player at the command line is shown: plain text, or one JSON object a line."""

from collections.abc import Sequence
from typing import Any, Protocol

import click

from domain.game import Game
from ledgertop.cli.output import print_json
from ledgertop.cli.text import event_text, outcome_text, position_lines, wrapped
from ledgertop.cli.typed import usage

HELP = """\
  NUMBER            give the command with this number
  more              show every legal command
{commands}
                    a command in words, everything by its name
  hint              what a bot would do, from what you can see
  undo              take the last command back, if nothing was turned up since
  rewind VERSION    go back to an earlier version; the match is unranked then
  resign            give up
  show              show the table again
  help              this list
  quit              leave; the match goes on when you come back"""


class Screen(Protocol):
    def opened(self, match: str, token: str) -> None: ...
    def position(self, view: dict[str, Any], legal: Sequence[Any], shown: int) -> None: ...
    def happened(self, events: Sequence[dict[str, Any]]) -> None: ...
    def refused(self, rule: str, reason: str) -> None: ...
    def suggested(self, number: int | None, command: dict[str, Any]) -> None: ...
    def helped(self) -> None: ...
    def ended(self, match: str, outcome: dict[str, Any]) -> None: ...
    def left(self, match: str, token: str) -> None: ...


class Plain:
    """Lines of text. Nothing depends on colour or on moving the cursor."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def opened(self, match: str, token: str) -> None:
        click.echo(f"Match {match}\nYour seat's token {token}\n")
        click.echo(wrapped(self._game.summary, ""))
        click.echo("Type the number of a command to give it; `help` lists what else there is.\n")

    def position(self, view: dict[str, Any], legal: Sequence[Any], shown: int) -> None:
        click.echo("\n".join(position_lines(self._game, view)))
        for number, command in enumerate(legal[:shown], 1):
            click.echo(wrapped(self._game.view.ask(command), f"{number:>4}  "))
        if shown < len(legal):
            click.echo(f"      and {len(legal) - shown} more that give more than is needed: `more`")

    def happened(self, events: Sequence[dict[str, Any]]) -> None:
        click.echo()
        for event in events:
            click.echo(wrapped(event_text(self._game, event), "  "))
        click.echo()

    def refused(self, rule: str, reason: str) -> None:
        click.echo(wrapped(f"{reason} ({rule})", "Not possible: "))

    def suggested(self, number: int | None, command: dict[str, Any]) -> None:
        click.echo(wrapped(self._game.view.ask(command), f"Hint: {f'{number}  ' if number else ''}"))

    def helped(self) -> None:
        click.echo(HELP.format(commands="\n".join(f"  {line}" for line in usage(self._game))))

    def ended(self, match: str, outcome: dict[str, Any]) -> None:
        click.echo(f"The match is over: {outcome_text(outcome)}.")
        click.echo(f"See it again: ledgertop replay {match}\nCheck it:     ledgertop verify {match}")

    def left(self, match: str, token: str) -> None:
        game = self._game.name
        click.echo(
            f"\nThe match goes on when you come back:\nledgertop play {game} --resume {match} --token {token}"
        )


class Json:
    """NDJSON: each line an object whose `is` says what it tells."""

    def opened(self, match: str, token: str) -> None:
        print_json({"is": "opened", "match": match, "token": token})

    def position(self, view: dict[str, Any], legal: Sequence[Any], shown: int) -> None:
        print_json({"is": "position", "view": view, "legal": list(legal), "plainest": shown})

    def happened(self, events: Sequence[dict[str, Any]]) -> None:
        print_json({"is": "events", "events": list(events)})

    def refused(self, rule: str, reason: str) -> None:
        print_json({"is": "refused", "rule": rule, "reason": reason})

    def suggested(self, number: int | None, command: dict[str, Any]) -> None:
        print_json({"is": "hint", "number": number, "command": command})

    def helped(self) -> None:
        words = [
            "NUMBER",
            "COMMAND",
            "more",
            "hint",
            "undo",
            "rewind VERSION",
            "resign",
            "show",
            "help",
            "quit",
        ]
        print_json({"is": "help", "words": words})

    def ended(self, match: str, outcome: dict[str, Any]) -> None:
        print_json({"is": "ended", "match": match, "outcome": outcome})

    def left(self, match: str, token: str) -> None:
        print_json({"is": "left", "match": match, "token": token})
