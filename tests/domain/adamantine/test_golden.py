"""Recorded matches, and counted trees of fixed positions."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Union

import msgspec
import pytest

from domain.adamantine import ADAMANTINE
from domain.adamantine.commands import COMMANDS
from domain.adamantine.events import EVENTS
from domain.adamantine.options import AdamantineOptions
from domain.chance import SealedChance
from tests.domain.adamantine.record import GOLDEN, HERE, PERFT, digest, perft, play
from tests.domain.adamantine.table import RULES, fold

KINDS = {kind.TOPIC: kind for kind in EVENTS}


def recorded(name: str) -> dict[str, Any]:
    return json.loads((HERE / "golden" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", GOLDEN)
def test_a_recorded_match_replays_from_its_events_P6_P8(name: str) -> None:
    played = recorded(name)
    state = RULES.initial(msgspec.convert(played["options"], AdamantineOptions), 2)
    state = fold(state, [msgspec.convert(data, KINDS[topic]) for topic, data in played["events"]])
    assert msgspec.json.decode(msgspec.json.encode(RULES.outcome(state))) == played["outcome"]
    assert played["outcome"]["reason"] == name
    assert digest(state) == played["digest"]


@pytest.mark.parametrize("name", GOLDEN)
def test_a_recorded_match_is_decided_again_from_its_seed_P10(name: str) -> None:
    played = recorded(name)
    assert played["content"] == ADAMANTINE.content
    chance = SealedChance(played["seed"].to_bytes(32, "big"))
    options = msgspec.convert(played["options"], AdamantineOptions)
    events = list(RULES.start(options, 2, chance))
    state = fold(RULES.initial(options, 2), events)
    any_command = Union[(*COMMANDS,)]
    for seat, body in played["commands"]:
        if body is None:
            new = RULES.resign(state, seat, chance)
        else:
            new = RULES.decide(state, msgspec.convert(body, any_command), seat, chance)
        events += new
        state = fold(state, new)
    told = [[event.TOPIC, msgspec.json.decode(msgspec.json.encode(event))] for event in events]
    assert told == played["events"]


def test_every_draw_of_a_recorded_match_has_its_own_index_in_order() -> None:
    for name in GOLDEN:
        draws = [data["draw"] for _, data in recorded(name)["events"] if "draw" in data]
        assert draws == list(range(len(draws)))


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    assert perft(name) == json.loads((HERE / "perft" / f"{name}.json").read_text(encoding="utf-8"))["counts"]


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_a_match_has_the_same_digest_under_any_hash_seed_P6(hash_seed: str) -> None:
    program = (
        "from tests.domain.adamantine.record import *\n"
        "for bot, turns in (('random', 6), ('greedy', 3)):\n"
        "    print(play(bot, 3, {'turn_limit': turns}, None)['digest'])"
    )
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path.cwd())}
    found = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    played = [play("random", 3, {"turn_limit": 6}, None), play("greedy", 3, {"turn_limit": 3}, None)]
    assert found.stdout.split() == [one["digest"] for one in played]
