"""P6: counted move trees of fixed positions, as two implementations count them.

Each file of perft/ has a position and how many sequences of 1, 2, 3 … commands lead on from it. To count anew
after a ruling has changed: REWRITE=1 python -m pytest tests/domain/adaman/test_perft.py
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from domain.adaman import rules
from domain.adaman.commands import ControlCard
from domain.adaman.state import AdamanState
from tests.domain.adaman import naive
from tests.domain.adaman.table import NoChance, fold, table

FILES = sorted((Path(__file__).parent / "perft").glob("*.json"))


def load(file: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(file.read_text())
    return data


def state_of(data: dict[str, Any]) -> AdamanState:
    rows = {row: " ".join(cards) for row, cards in data["table"].items()}
    return table(**rows, final_deal=data.get("final_deal", False), choosing=bool(data.get("choosing")))


def perft(state: AdamanState, depth: int) -> int:
    commands = rules.legal(state, 0)
    if depth == 1:
        return len(commands)
    return sum(
        perft(fold(state, rules.decide(state, command, 0, NoChance())), depth - 1) for command in commands
    )


def test_there_are_counted_positions() -> None:
    assert len(FILES) >= 8
    assert all(len(load(file)["counts"]) >= 3 for file in FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_P6_the_move_tree_has_its_counted_size(file: Path) -> None:
    data = load(file)
    depths = range(1, len(data["counts"]) + 1)
    counted = [naive.perft(naive.position(data), depth) for depth in depths]
    if os.environ.get("REWRITE"):
        file.write_text(json.dumps(data | {"counts": counted}, indent=1) + "\n")
        data = load(file)
    assert counted == data["counts"]
    assert [perft(state_of(data), depth) for depth in depths] == data["counts"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_same_commands_lead_to_the_same_tables(file: Path) -> None:
    data = load(file)
    state, at = state_of(data), naive.position(data)
    expected = {move: naive.after(at, move) for move in naive.moves(at)}
    assert len(expected) == len(rules.legal(state, 0))
    for command in rules.legal(state, 0):
        move = (
            ("control", command.target, *sorted(command.payment))
            if isinstance(command, ControlCard)
            else ("resolve", command.card)
        )
        now = fold(state, rules.decide(state, command, 0, NoChance()))
        assert sorted(now.discard) == sorted(expected[move]["discard"])
        for row in ("capital", "palace", "resources", "deck"):
            assert sorted(getattr(now, row)) == sorted(expected[move][row]), (move, row)
        assert (now.excuse if now.choosing else None) == expected[move]["choosing"]
