"""Recorded matches and counted trees. When the rules are meant to change, `record.py` writes them anew."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Union

import msgspec
import pytest

from domain.adellos import ADELLOS
from domain.adellos.commands import COMMANDS, SYSTEM_COMMANDS
from domain.adellos.events import EVENTS
from domain.adellos.options import AdellosOptions
from domain.chance import SealedChance
from tests.domain.adellos.record import GOLDEN, HERE, PERFT, count, digest, play
from tests.domain.adellos.table import RULES, fold, table

KINDS = {kind.TOPIC: kind for kind in EVENTS}


def recorded(name: str) -> dict[str, Any]:
    return json.loads((HERE / "golden" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", GOLDEN)
def test_a_recorded_match_replays_from_its_events_P6_P8(name: str) -> None:
    played = recorded(name)
    state = RULES.initial(AdellosOptions(**played["options"]), played["players"])
    state = fold(state, [msgspec.convert(data, KINDS[topic]) for topic, data in played["events"]])
    assert msgspec.json.decode(msgspec.json.encode(RULES.outcome(state))) == played["outcome"]
    assert played["outcome"]["reason"] == name
    assert digest(state) == played["digest"]


@pytest.mark.parametrize("name", GOLDEN)
def test_a_recorded_match_is_decided_again_from_its_seed_P10(name: str) -> None:
    played = recorded(name)
    assert played["content"] == ADELLOS.content
    chance = SealedChance(played["seed"].to_bytes(32, "big"))
    options = AdellosOptions(**played["options"])
    state = RULES.initial(options, played["players"])
    events = list(RULES.start(options, played["players"], chance))
    state = fold(state, events)
    any_command = Union[(*COMMANDS, *SYSTEM_COMMANDS)]
    for seat, body in played["commands"]:
        if body is None:
            new = RULES.resign(state, seat, chance)
        else:
            new = RULES.decide(state, msgspec.convert(body, any_command), seat, chance)
        events += new
        state = fold(state, new)
    assert [[event.TOPIC, msgspec.json.decode(msgspec.json.encode(event))] for event in events] == played[
        "events"
    ]


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    counted = json.loads((HERE / "perft" / f"{name}.json").read_text(encoding="utf-8"))
    state = table(counted["units"], gold=(4, 3), ap=counted["ap"])
    for depth, expected in enumerate(counted["counts"], start=1):
        assert count(state, depth) == expected


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_replay_has_the_same_digest_under_any_hash_seed_P6(hash_seed: str) -> None:
    program = (
        "from tests.domain.adellos.record import *\n"
        "played = play(2, 'random', 3, {'turn_limit': 10}, {})\n"
        "print(played['digest'])"
    )
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path.cwd())}
    found = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == play(2, "random", 3, {"turn_limit": 10}, {})["digest"]
