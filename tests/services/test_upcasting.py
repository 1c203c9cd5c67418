"""An event stored in a former shape reads as today's, and stays what is stored (P8, P26)."""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import pytest

import services.codec
from domain.game import Event, public
from domain.registry import FORMER_SHAPES, GAMES, FormerShape, topics
from services.audit import verify
from services.codec import Recorded, Unreadable, Upcast, decode_recorded, encode, encode_recorded
from services.looking import Caller
from services.record import BadRecord, export, match_digest, parse
from services.store.port import Entry
from services.wishes import CreateMatch, Opened, Order, Sit
from tests.fourth_game.bones import BONES
from tests.fourth_game.bones.parts import DieThrown
from tests.house import House, insert_raw, pages_of, raw_connection


class EyesShown(Event, frozen=True):
    """How a throw was stored at first: the die's eyes, in words."""

    TOPIC = "bones.eyes_shown.1"
    REVEALS = True

    draw: Annotated[int, public("index of the draw")]
    eyes: Annotated[str, public("what the die shows")]


class DieFell(Event, frozen=True):
    """And then: as a number, under another name."""

    TOPIC = "bones.die_thrown.0"
    REVEALS = True

    draw: Annotated[int, public("index of the draw")]
    shown: Annotated[int, public("what the die shows")]


WORDS = ("one", "two", "three", "four", "five", "six")


@pytest.fixture(autouse=True)
def _shapes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(GAMES, BONES.name, BONES)
    monkeypatch.setitem(
        FORMER_SHAPES,
        EyesShown.TOPIC,
        FormerShape(EyesShown, lambda old: DieFell(old.draw, 1 + WORDS.index(old.eyes))),
    )
    monkeypatch.setitem(
        FORMER_SHAPES, DieFell.TOPIC, FormerShape(DieFell, lambda old: DieThrown(old.draw, old.shown))
    )
    services.codec._decoder.cache_clear()
    yield
    services.codec._decoder.cache_clear()


def former(entry: Entry) -> Recorded[Event]:
    """The entry as older releases stored it: the first throw as one did, later ones as another."""
    event = entry.event
    if not isinstance(event, DieThrown):
        return entry
    old: Event = (
        EyesShown(event.draw, WORDS[event.pips - 1]) if entry.version < 7 else DieFell(event.draw, event.pips)
    )
    return msgspec.structs.replace(entry, event=old)


@pytest.fixture
def old(sqlite_house: House) -> tuple[House, Opened, str, list[tuple[str, bytes]]]:
    """A match that older releases stored; its digest; its rows."""
    house = sqlite_house
    made = house.service.opening.create(CreateMatch("bones", {"limit": 90}, sit=Sit("ann"), deal=4), Order())
    for _ in range(6):
        house.act(made, {"type": "throw", "hand": "left"})
    history = house.service.ledger.history(made.id)
    rows = [former(entry) for entry in history.entries]
    with raw_connection(house) as run:
        run("DROP TRIGGER stored_events_no_delete")
        run("DELETE FROM stored_events WHERE originator_id = ?", made.id)
    for row in rows:
        insert_raw(house, row, data=encode(row))
    house.service.ledger._kept.clear()
    stored = [(row.event.TOPIC, encode(row)) for row in rows]
    assert len({topic for topic, _ in stored if topic.startswith("bones")}) == 3
    return house, made, match_digest(history.match), stored


def stored_rows(house: House, match: str) -> list[tuple[str, bytes]]:
    with raw_connection(house) as run:
        query = "SELECT topic, state FROM stored_events WHERE originator_id = ? ORDER BY originator_version"
        return [(topic, bytes(state)) for topic, state in run(query, match)]


def test_P26_old_bytes_load_under_new_code(old: Any) -> None:
    house, made, digest, stored = old
    with pages_of(4):
        history = house.service.ledger.history(made.id)
        assert match_digest(history.match) == digest
        house.service.ledger.archive.afterwards.finish()
        told = house.service.looking.events(made.id, Caller())["events"]
        assert [one["type"] for one in told].count("die_thrown") == 6
        assert all({"draw", "pips"} == one["data"].keys() for one in told if one["type"] == "die_thrown")
        house.act(made, {"type": "throw", "hand": "left"})  # and play goes on
        house.service.ledger._kept.clear()
        assert house.service.ledger.history(made.id).at(len(stored)) == history.at(len(stored))
    house.catch_up()
    assert not house.service.progress.quarantined()


def test_P9_what_is_stored_stays_what_it_is(old: Any) -> None:
    house, made, _, stored = old
    history = house.service.ledger.history(made.id)
    house.resign(made)
    lines = b"".join(export(history)).splitlines()
    for line, (topic, data) in zip(lines[1:], stored, strict=False):
        assert line == b'{"topic":"' + topic.encode() + b'","entry":' + data + b"}"
    record = parse(b"".join(export(history)))
    assert record.entries == tuple(history.entries)
    report = verify(record)
    assert report.ok, report.findings
    assert stored_rows(house, made.id)[: len(stored)] == stored
    for entry, (_, data) in zip(history.entries, stored, strict=False):
        assert encode_recorded(entry) == data
    assert isinstance(history.entries[5], Upcast)


def test_P26_an_old_shape_is_as_strict_as_a_new_one(old: Any) -> None:
    house, made, _, stored = old
    topic, data = next(row for row in stored if row[0] == EyesShown.TOPIC)
    entry = decode_recorded(topic, data)
    for wrong in (data.replace(b'"eyes"', b'"pips"'), data.replace(b"}}", b',"more":1}}')):
        assert wrong != data
        with pytest.raises(Unreadable):
            decode_recorded(topic, wrong)
    with pytest.raises(Unreadable):  # it would be stored as something that it is not
        encode_recorded(msgspec.structs.replace(entry, event=DieThrown(0, 6)))
    house.resign(made)
    whole = b"".join(export(house.service.ledger.history(made.id)))
    with pytest.raises(BadRecord):
        parse(whole.replace(b'"eyes":', b'"eyes": '))


def test_P25_a_former_shape_is_none_of_todays(old: Any) -> None:
    assert EyesShown.TOPIC not in topics()
    house, *_ = old
    assert house.service.store.scan(0, 100)
