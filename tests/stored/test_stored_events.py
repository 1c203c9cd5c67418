"""One stored event of every topic ever written is read today, and stands for the same bytes (P8, P26)."""

import msgspec
import pytest

from domain.game import Game
from domain.registry import FORMER_SHAPES, every_rule_set, topics
from services.codec import Unreadable, decode_recorded, encode_recorded, topic_of
from services.snapshots import _Body
from tests.stored.plays import play
from tests.stored.write_events import lines


@pytest.mark.parametrize("topic", sorted(lines()))
def test_P8_an_event_ever_written_is_read_and_keeps_its_bytes(topic: str) -> None:
    data = lines()[topic]
    entry = decode_recorded(topic, data)
    assert topic_of(entry) == topic
    assert encode_recorded(entry) == data


def test_P8_every_topic_has_its_line() -> None:
    missing = {*topics(), *FORMER_SHAPES} - set(lines())
    assert not missing, "python -m tests.stored.write_events adds them"


@pytest.mark.parametrize("topic", sorted(lines()))
def test_P26_an_event_of_newer_code_is_refused_not_misread(topic: str) -> None:
    data = lines()[topic]
    name, _, version = topic.rpartition(".")
    with pytest.raises(Unreadable):
        decode_recorded(f"{name}.{int(version) + 1}", data)
    event = msgspec.json.decode(data)["event"]
    renamed = ({**event, f"{name}_": event[name]} for name in event)
    for newer in (event | {"added_later": 1}, *renamed):
        with pytest.raises(Unreadable):
            decode_recorded(topic, msgspec.json.encode(msgspec.json.decode(data) | {"event": newer}))


@pytest.mark.parametrize("game", list(every_rule_set()), ids=lambda game: f"{game.name}-{game.rules_version}")
def test_every_state_of_a_game_reads_back_equal(game: Game) -> None:
    """So that it can have snapshots."""
    decoder = msgspec.json.Decoder(_Body[game.state])  # type: ignore[name-defined]
    for seed in range(3):
        for _, match in play(game, seed):
            bare = msgspec.structs.replace(match, state=None)
            body = decoder.decode(msgspec.json.encode(_Body(bare, match.state)))
            assert (body.match, body.state) == (bare, match.state)
