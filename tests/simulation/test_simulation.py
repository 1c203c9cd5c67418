"""The service in a world of faults (tests/simulation/world.py). What a seed does, it does again."""

import subprocess
import sys
import time

import pytest

from tests.house import ROOT
from tests.simulation.run import simulate
from tests.simulation.world import Broken

SEEDS = range(1, 200)
STEPS = 600
SECONDS = 105.0  # for as many of the seeds as fit; with the rest of this module two minutes
FEWEST = 3


def test_every_promise_holds_whatever_fails() -> None:
    began = time.monotonic()
    met: set[str] = set()
    for done, seed in enumerate(SEEDS, 1):
        met |= simulate(seed, STEPS).counts.keys()
        if done >= FEWEST and time.monotonic() - began > SECONDS:
            break
    assert {
        "version",
        "OutcomeUnknown",
        "StoreUnavailable",
        "VersionConflict",
        "True",
        "jump",
        "restart",
    } <= met


def test_a_seed_does_the_same_again_in_another_process() -> None:
    command = [sys.executable, "-m", "tests.simulation", "--seed", "11", "--steps", "250"]
    runs = [
        subprocess.run(
            command,
            cwd=ROOT,
            env={"PYTHONHASHSEED": number, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
        )
        for number in ("1", "2")
    ]
    assert b"seed 11: 250 steps" in runs[0].stdout
    assert runs[0].stdout == runs[1].stdout


def test_a_broken_promise_tells_what_happened_and_how_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The look-up of a command's id is forgotten: whoever sends twice acts twice."""
    monkeypatch.setattr("services.ledger.History.of_command", lambda *_: ())
    with pytest.raises(Broken, match=r"It happens again with: python -m tests.simulation --seed 1 --steps"):
        simulate(1, 600)
