"""Hints: legal, the same for the same view, and blind to what is hidden."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from domain.adaman import ADAMAN
from services.bots import BOTS
from services.errors import MatchOver
from services.hints import hint
from tests.services.matches import service_in, sit_down


@pytest.mark.parametrize("bot", BOTS)
def test_P11_a_hint_does_not_depend_on_the_order_of_the_deck(tmp_path: Path, bot: str) -> None:
    with service_in(tmp_path) as service:
        for seed in range(10):
            player = sit_down(service, seed, options={"excuse": True})
            while player.legal():
                match = player.history().match
                given = hint(match, ADAMAN, 0, bot)
                for shuffle in range(3):
                    deck = Random(shuffle).sample(match.state.deck, len(match.state.deck))
                    state = msgspec.structs.replace(match.state, deck=tuple(deck))
                    assert hint(msgspec.structs.replace(match, state=state), ADAMAN, 0, bot) == given
                player.play(1)


def test_a_hint_can_be_played(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        from services.wishes import Order

        player = sit_down(service, deal=7)
        while player.legal():
            service.matches.act(player.match, player.token, hint(player.history().match, ADAMAN, 0), Order())
        with pytest.raises(MatchOver):
            hint(player.history().match, ADAMAN, 0)
