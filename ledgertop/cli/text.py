"""Matches as lines of plain text. Games bring their own words; the life cycle's stand here."""

import textwrap
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from domain.game import Game, Scene

WIDTH = 80  # columns
SHORT = 30  # what stands beside others


def wrapped(text: str, head: str) -> str:
    """Text after `head`, on as many lines as a terminal needs, each indented as the first."""
    return textwrap.fill(
        text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
    )


def time_text(micros: int) -> str:
    return datetime.fromtimestamp(micros / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def scene_of(view: Mapping[str, Any]) -> Scene:
    """What a view shows, for words."""
    names = tuple(seat["name"] or f"seat {seat['number']}" for seat in view["seats"])
    return Scene(view["state"], names)


def event_line(game: Game, event: Mapping[str, Any], before: Scene) -> str:
    """An event as it left the service: version, time, who, what."""
    by = event["by"]
    text = event_text(game, event, before)
    return f"{event['version']:>5}  {time_text(event['at'])}  {by:<17}  {text}"


def event_text(game: Game, event: Mapping[str, Any], before: Scene) -> str:
    """An event as a sentence; `before` is what its viewer saw before it."""
    data = event["data"]
    match event["type"]:
        case "created":
            deal = f"deal {data['deal']}" if data["deal"] is not None else f"sealed as {data['commitment']}"
            origin = data.get("origin")
            forked = f", forked from {origin['match']} at version {origin['version']}" if origin else ""
            return f"A match of {game.title} is created, {deal}{forked}."
        case "seat_taken":
            name = before.name(data["seat"])
            bot = " by a bot" if data["kind"] == "bot" else ""
            known = "" if name == f"seat {data['seat']}" else f": {name}"
            return f"Seat {data['seat']} is taken{bot}{known}."
        case "started":
            return "The match starts."
        case "clock_chosen":
            return _clock_text(data)
        case "clock_set":
            if not data["awaited"]:
                return "No clock runs."
            seats = " and ".join(before.name(seat) for seat in data["awaited"])
            return f"{seats} to decide by {time_text(data['deadline'])}."
        case "rewound":
            return ("Undone" if data["undo"] else "Rewound") + f" to version {data['to_version']}."
        case "rewind_proposed":
            return f"{before.name(data['seat'])} asks to go back to version {data['to_version']}."
        case "rewind_agreed":
            return f"{before.name(data['seat'])} agrees to go back."
        case "rewind_refused":
            return f"{before.name(data['seat'])} does not agree to go back."
        case "forked":
            return f"Forked at version {data['at_version']} as {data['fork']}."
        case "ended":
            return f"The match ends: {outcome_text(data['outcome'], before)}."
        case "seed_revealed":
            return f"The seed is revealed: {data['seed']}."
        case kind:
            if game.narrator:
                return game.narrator.tell(kind, data, before)
            return game.view.tell(kind, data)


def _clock_text(clock: Mapping[str, Any]) -> str:
    if clock["kind"] == "fischer":
        return f"Each seat has {clock['seconds']} s, and {clock['increment']} s more with each decision made."
    return f"Each decision has {clock['seconds']} s."


def outcome_text(outcome: Mapping[str, Any], scene: Scene) -> str:
    """An outcome such as `lost utterly, score 0` or `ann wins (last noble), scores 1, 0`."""
    parts = [outcome["result"].replace("_", " ")]
    winner = outcome.get("winner")
    if winner is not None and outcome["result"] == "won":
        parts = [f"{scene.name(winner)} wins"]
    if outcome.get("reason") not in (None, outcome["result"]):
        parts[0] += f" ({outcome['reason'].replace('_', ' ')})"
    if outcome.get("score") is not None:
        parts.append(f"score {outcome['score']}")
    if outcome.get("scores"):
        parts.append("scores " + ", ".join(str(score) for score in outcome["scores"]))
    return ", ".join(parts)


def position_lines(game: Game, view: Mapping[str, Any]) -> list[str]:
    """A match as somebody sees it at a version."""
    scene = scene_of(view)
    head = f"Version {view['version']}, {view['status']}"
    if view["outcome"]:
        head += f": {outcome_text(view['outcome'], scene)}"
    shown = game.narrator.show(scene) if game.narrator else game.view.show(view["state"])
    return [head, *shown]


def grouped(game: Game, view: Mapping[str, Any], legal: Sequence[Any]) -> list[tuple[str, list[Any]]]:
    """Legal commands under the headings of the game, in the order of each heading's first; else all under none."""
    if game.narrator is None:
        return [("", list(legal))] if legal else []
    groups: dict[str, list[Any]] = {}
    scene = scene_of(view)
    for command in legal:
        groups.setdefault(game.narrator.ask(command, scene)[0], []).append(command)
    return list(groups.items())


def command_text(
    game: Game, view: Mapping[str, Any], command: Mapping[str, Any], *, whole: bool = False
) -> str:
    """A legal command as it is listed under its heading; `whole`: with the heading."""
    if game.narrator is None:
        return game.view.ask(command)
    heading, text = game.narrator.ask(command, scene_of(view))
    return f"{heading}: {text}" if whole else text


def legal_lines(game: Game, view: Mapping[str, Any], legal: Sequence[Any]) -> list[str]:
    """Legal commands with their numbers: short ones side by side under their heading, long ones a line each."""
    lines: list[str] = []
    number = 1
    for heading, commands in grouped(game, view, legal):
        texts = [command_text(game, view, command) for command in commands]
        entries = [f"{place:>4}  {text}" for place, text in enumerate(texts, number)]
        number += len(entries)
        lines += [wrapped(f"{heading}:", ""), *_packed(entries)] if heading else _lined(entries)
    return lines


def _packed(entries: Sequence[str]) -> list[str]:
    """Entries in their order, neighbours that are short in columns."""
    lines: list[str] = []
    for short, run in groupby(entries, lambda entry: len(entry) <= SHORT):
        some = list(run)
        if short:
            widest = max(map(len, some)) + 2
            across = WIDTH // widest
            rows = [some[place : place + across] for place in range(0, len(some), across)]
            lines += ["".join(entry.ljust(widest) for entry in row).rstrip() for row in rows]
        else:
            lines += _lined(some)
    return lines


def _lined(entries: Sequence[str]) -> list[str]:
    return [line for entry in entries for line in wrapped(entry[6:], entry[:6]).split("\n")]
