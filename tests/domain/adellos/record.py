"""Write recorded matches and perft files: `python -m tests.domain.adellos.record`; look at what changed."""

import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from domain.adellos import ADELLOS
from domain.adellos.options import AdellosOptions
from domain.adellos.state import AdellosState
from domain.chance import SealedChance
from services.bots import BOTS
from tests.domain.adellos.table import RULES, fold, table

HERE = Path(__file__).parent
GOLDEN = {
    # what ends it: players, bot, options, seats that resign once so many commands were given
    "last_noble": (3, "greedy", {}, {}),
    "bonus_field": (4, "greedy", {}, {}),
    "sudden_death": (2, "greedy", {"sudden_death": True}, {}),
    "resigned": (3, "random", {"trading": True}, {60: 0, 90: 2}),
    "turn_limit": (4, "random", {"turn_limit": 12, "obstructing_walls": True}, {}),
}
PERFT = {
    "opening": ("c3 0 soldier, b3 0 recruit, g7 1 bandit", 2),
    "melee": ("e4 0 knight, e5 1 bandit, d5 0 missionary, f5 1 poisoner", 3),
    "counters": ("c3 0 soldier+1, c1 0 banner-bearer, g7 1 bandit+2", 2),
}


def digest(state: AdellosState) -> str:
    return sha256(msgspec.json.encode(state, order="sorted")).hexdigest()


def play(
    players: int, bot: str, seed: int, options: dict[str, Any], leaving: dict[int, int]
) -> dict[str, Any]:
    """A match as plain values: what it began with, commands with their seats, events, outcome, digest."""
    rng = Random(seed)
    waiting = sorted(leaving.items())
    chosen = AdellosOptions(**options)
    chance = SealedChance(seed.to_bytes(32, "big"))
    state = RULES.initial(chosen, players)
    events = list(RULES.start(chosen, players, chance))
    commands: list[Any] = []
    state = fold(state, events)
    while (outcome := RULES.outcome(state)) is None:
        if due := RULES.due(state):
            seat, command, new = None, due, RULES.decide(state, due, None, chance)
        elif waiting and len(commands) >= waiting[0][0]:
            _, seat = waiting.pop(0)
            command, new = None, RULES.resign(state, seat, chance)
        else:
            (seat,) = RULES.to_act(state)
            command = BOTS[bot].choose(ADELLOS, state, seat, rng)
            new = RULES.decide(state, command, seat, chance)
        commands.append([seat, msgspec.to_builtins(command)])
        events += new
        state = fold(state, new)
    return {
        "players": players,
        "seed": seed,
        "options": options,
        "outcome": msgspec.to_builtins(outcome),
        "digest": digest(state),
        "content": ADELLOS.content,
        "commands": commands,
        "events": [[event.TOPIC, msgspec.to_builtins(event)] for event in events],
    }


def count(state: AdellosState, depth: int) -> int:
    """Positions after `depth` commands; the system's turn in between is no command."""
    while due := RULES.due(state):
        state = fold(state, RULES.decide(state, due, None, SealedChance(bytes(32))))
    if depth == 0:
        return 1
    total = 0
    for seat in RULES.to_act(state):
        for command in RULES.legal(state, seat):
            after = fold(state, RULES.decide(state, command, seat, SealedChance(bytes(32))))
            total += count(after, depth - 1)
    return total


def perft(units: str, ap: int) -> dict[str, Any]:
    state = table(units, gold=(4, 3), ap=ap)
    return {"units": units, "ap": ap, "counts": [count(state, depth) for depth in (1, 2, 3)]}


def rows(value: dict[str, Any]) -> str:
    """JSON with one command or event a line, so that a change can be read."""
    parts = []
    for key, item in value.items():
        if key in ("commands", "events"):
            lines = ",\n".join("    " + json.dumps(one) for one in item)
            parts.append(f"  {json.dumps(key)}: [\n{lines}\n  ]")
        else:
            parts.append(f"  {json.dumps(key)}: {json.dumps(item)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    for name, (players, bot, options, leaving) in GOLDEN.items():
        matches = (play(players, bot, seed, options, leaving) for seed in range(1, 100))
        played = next(one for one in matches if one["outcome"]["reason"] == name)
        (HERE / "golden" / f"{name}.json").write_text(rows(played), encoding="utf-8")
        print(name, played["outcome"], len(played["events"]))  # noqa: T201
    for name, (units, ap) in PERFT.items():
        counted = perft(units, ap)
        (HERE / "perft" / f"{name}.json").write_text(rows(counted), encoding="utf-8")
        print(name, counted["counts"])  # noqa: T201
