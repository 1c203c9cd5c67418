"""Matches as lines of plain text. Games bring their own words; the life cycle's stand here."""

import textwrap
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from domain.game import Game

WIDTH = 80  # columns


def wrapped(text: str, head: str) -> str:
    """Text after `head`, on as many lines as a terminal needs, each indented as the first."""
    return textwrap.fill(
        text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
    )


def time_text(micros: int) -> str:
    return datetime.fromtimestamp(micros / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def event_line(game: Game, event: Mapping[str, Any]) -> str:
    """An event as it left the service: version, time, who, what."""
    return f"{event['version']:>5}  {time_text(event['at'])}  {event['by']:<12}  {event_text(game, event)}"


def event_text(game: Game, event: Mapping[str, Any]) -> str:
    data = event["data"]
    match event["type"]:
        case "created":
            deal = f"deal {data['deal']}" if data["deal"] is not None else f"sealed as {data['commitment']}"
            origin = data.get("origin")
            forked = f", forked from {origin['match']} at version {origin['version']}" if origin else ""
            return f"A match of {game.title} is created, {deal}{forked}."
        case "seat_taken":
            return f"Seat {data['seat']} is taken."
        case "started":
            return "The match starts."
        case "rewound":
            return ("Undone" if data["undo"] else "Rewound") + f" to version {data['to_version']}."
        case "forked":
            return f"Forked at version {data['at_version']} as {data['fork']}."
        case "ended":
            return f"The match ends: {outcome_text(data['outcome'])}."
        case "seed_revealed":
            return f"The seed is revealed: {data['seed']}."
        case kind:
            return game.view.tell(kind, data)


def outcome_text(outcome: Mapping[str, Any]) -> str:
    """An outcome such as `lost utterly, score 0`."""
    parts = [outcome["result"].replace("_", " ")]
    if outcome.get("winner") is not None:
        parts.append(f"winner seat {outcome['winner']}")
    if outcome.get("reason"):
        parts.append(outcome["reason"])
    if outcome.get("score") is not None:
        parts.append(f"score {outcome['score']}")
    if outcome.get("scores"):
        parts.append("scores " + ", ".join(str(score) for score in outcome["scores"]))
    return ", ".join(parts)


def position_lines(game: Game, view: Mapping[str, Any]) -> list[str]:
    """A match as somebody sees it at a version."""
    head = f"Version {view['version']}, {view['status']}"
    if view["outcome"]:
        head += f": {outcome_text(view['outcome'])}"
    return [head, *game.view.show(view["state"])]
