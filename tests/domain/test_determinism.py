"""P6: the same events and states in any process, whatever PYTHONHASHSEED is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from domain.adaman.options import AdamanOptions
from domain.registry import GAMES

PLAYOUT = """
import hashlib, sys
from random import Random
import msgspec
from domain.chance import SealedChance, deal_seed
from domain.registry import GAMES

game = GAMES[sys.argv[1]]
options = msgspec.json.decode(sys.argv[2], type=game.options)
digest = hashlib.sha256()
for number in range(1, 21):
    rng, chance = Random(number), SealedChance(deal_seed(game.name, number))
    state = game.rules.initial(options, 1)
    events = game.rules.start(options, 1, chance)
    while True:
        for event in events:
            state = game.rules.evolve(state, event)
            digest.update(msgspec.json.encode(event) + msgspec.json.encode(state))
        legal = game.rules.legal(state, 0)
        digest.update(msgspec.json.encode(list(legal)))
        if not legal:
            break
        events = game.rules.decide(state, legal[rng.randrange(len(legal))], 0, chance)
print(digest.hexdigest())
"""


def digest(options: str, hash_seed: str) -> str:
    env = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run(
        [sys.executable, "-c", PLAYOUT, "adaman", options],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.strip()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("{}", "dbecf32c37384d7b7ff0aa46b60720f4cec8b520d0b0699919dbe23624b6c200"),
        (
            '{"excuse":true,"pawns":true,"courts":true,"final_deal":true}',
            "5dcd3ab9e2f3ef7f8037bf01ea66cfab13cf518f97b60621ebd04ec8afc0155a",
        ),
    ],
)
def test_P6_twenty_playouts_have_the_same_digest_under_three_hash_seeds(options: str, expected: str) -> None:
    assert [digest(options, seed) for seed in ("0", "1", "4242")] == [expected] * 3


def test_the_playouts_cover_the_registered_game() -> None:
    assert GAMES["adaman"].options is AdamanOptions
