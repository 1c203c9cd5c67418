"""Write recorded matches and perft files: `python -m tests.domain.adamantine.record`; look at what changed."""

import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from domain.adamantine import ADAMANTINE
from domain.adamantine.options import AdamantineOptions
from domain.adamantine.state import AdamantineState
from domain.chance import SealedChance
from domain.game import Command
from services.bots import BOTS
from tests.domain.adamantine.random_play import RULES
from tests.domain.adamantine.table import Side, fold, table

HERE = Path(__file__).parent
GOLDEN: dict[str, tuple[str, dict[str, Any], int | None]] = {
    # what ends it: bot, options, number of commands after which seat 0 resigns
    "champion_slain": ("greedy", {"decks": ["iron-vow", "wild-host"]}, None),
    "no_cards_at_night": ("greedy", {"decks": ["silent-knives", "ember-circle"]}, None),
    "resigned": ("random", {"bring_decks": True}, 60),
    "turn_limit": ("random", {"turn_limit": 4, "searches_per_day": 2, "explorations_per_day": 3}, None),
}
PERFT: dict[str, tuple[Side, Side, str]] = {
    "day": (
        Side("fighter buckler second-wind", hand="knight war-axe needle-tam", wounds=3),
        Side(rooms="goblin pit | dire-wolf bugbear!"),
        "day",
    ),
    "night": (Side(night="goblin ogre pit ambush", rooms="imp"), Side("knight", hand="buckler"), "night"),
    "payment": (
        Side("buckler shortsword war-axe militia squire", hand="chain-hauberk giantbane"),
        Side(),
        "day",
    ),
    "guards": (
        Side("wolfhound tame-bear ember-wand lockpicks"),
        Side(rooms="goblin skeleton spear-trap!"),
        "day",
    ),
}


class Threes:
    """Every die shows a three and no shuffle changes anything, so that a tree can be counted."""

    def roll(self, label: str, sides: int) -> tuple[int, int]:
        return 0, 3

    def shuffle(self, label: str, items: Any) -> tuple[int, tuple[Any, ...]]:
        return 0, tuple(items)


def digest(state: AdamantineState) -> str:
    return sha256(msgspec.json.encode(state, order="sorted")).hexdigest()


def play(bot: str, seed: int, options: dict[str, Any], leaves: int | None) -> dict[str, Any]:
    """A match as plain values: what it began with, commands with their seats, events, outcome, digest."""
    rng = Random(seed)
    chosen = msgspec.convert(options, AdamantineOptions)
    chance = SealedChance(seed.to_bytes(32, "big"))
    state = RULES.initial(chosen, 2)
    events = list(RULES.start(chosen, 2, chance))
    commands: list[Any] = []
    state = fold(state, events)
    while (outcome := RULES.outcome(state)) is None:
        (seat,) = RULES.to_act(state)
        command: Command | None
        if leaves is not None and len(commands) >= leaves:
            seat, command, new = 0, None, RULES.resign(state, 0, chance)
        else:
            command = BOTS[bot].choose(ADAMANTINE, state, seat, rng)
            new = RULES.decide(state, command, seat, chance)
        commands.append([seat, msgspec.to_builtins(command)])
        events += new
        state = fold(state, new)
    return {
        "seed": seed,
        "options": options,
        "outcome": msgspec.to_builtins(outcome),
        "digest": digest(state),
        "content": ADAMANTINE.content,
        "commands": commands,
        "events": [[event.TOPIC, msgspec.to_builtins(event)] for event in events],
    }


def count(state: AdamantineState, depth: int) -> int:
    """Sequences of `depth` commands that lead on from here."""
    if depth == 0:
        return 1
    total = 0
    for seat in RULES.to_act(state):
        for command in RULES.legal(state, seat):
            after = fold(state, RULES.decide(state, command, seat, Threes()))
            total += count(after, depth - 1)
    return total


def perft(name: str) -> list[int]:
    mine, other, phase = PERFT[name]
    state = table(mine, other, phase=phase)
    return [count(state, depth) for depth in (1, 2, 3, 4)]


def rows(value: dict[str, Any]) -> str:
    """JSON with one command or event a line, so that a change can be read."""
    parts = []
    for key, item in value.items():
        if key in ("commands", "events"):
            lines = ",\n".join("    " + json.dumps(one, ensure_ascii=False) for one in item)
            parts.append(f"  {json.dumps(key)}: [\n{lines}\n  ]")
        else:
            parts.append(f"  {json.dumps(key)}: {json.dumps(item)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    for name, (bot, options, leaves) in GOLDEN.items():
        matches = (play(bot, seed, options, leaves) for seed in range(1, 200))
        played = next(one for one in matches if one["outcome"]["reason"] == name)
        (HERE / "golden" / f"{name}.json").write_text(rows(played), encoding="utf-8")
        print(name, played["outcome"], len(played["events"]))  # noqa: T201
    for name in PERFT:
        counts = perft(name)
        (HERE / "perft" / f"{name}.json").write_text(rows({"counts": counts}), encoding="utf-8")
        print(name, counts)  # noqa: T201
