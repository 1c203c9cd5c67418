"""A match that rests on snapshots is the match its events make, at every version, on both databases (P4, P6, P7)."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import domain.match as kernel
from domain.game import IllegalCommand
from services.audit import verify
from services.errors import IdempotencyKeyReuse
from services.ledger import History, Ledger
from services.record import match_digest
from services.snapshots import Snapshots
from services.wishes import CreateMatch, Opened, Order, Sit
from tests.house import House, pages_of
from tests.services.matches import Player
from tests.services.rounds import Round, play_together

EVERY = 8


@pytest.fixture(autouse=True)
def _many_snapshots() -> Iterator[None]:
    with pages_of(EVERY):
        yield


def cold(house: House) -> Ledger:
    """The ledger of a process that has just started."""
    house.service.ledger.archive.afterwards.finish()
    return Ledger(house.service.store, Snapshots(house.views))


def whole(house: House, match: str) -> History:
    """The match with neither snapshots nor anything left out."""
    entries = house.service.store.read(match)
    history = History(match, house.service.ledger.history(match).game)
    history.extend(entries)
    return history


def demand_alike(house: House, match: str) -> None:
    expected = whole(house, match)
    assert expected.now.states == tuple(
        kernel.replay(match, [entry.event for entry in expected.entries], expected.game)
    )
    for ledger in (cold(house), house.service.ledger):
        history = ledger.history(match)
        versions = list(range(1, expected.version + 1))
        for order in (versions[::-1], random.Random(1).sample(versions, len(versions))):
            for version in order:
                digest = match_digest(history.at(version))
                assert digest == match_digest(expected.at(version)), version
        assert history.entries == expected.entries
        for entry in expected.entries:
            assert history.of_command(entry.command) == expected.of_command(entry.command)
        ledger.archive.afterwards.finish()
    for version in (1, EVERY, EVERY + 1, expected.version // 2, expected.version):
        assert cold(house).history(match).at(version) == expected.at(
            version
        )  # with nothing else looked at before


def adaman(house: House, seed: int) -> Player:
    """A match that was rewound and undone all over the place, and has ended."""
    rng = random.Random(seed)
    while True:
        player = sit(house, rng.randrange(1, 10_000))
        for _ in range(60):
            if not player.play(1).legal():
                break
            if rng.random() < 0.4:
                player.rewind(rng.randrange(3, player.version))
            elif rng.random() < 0.3:
                undo(house, player)
        if player.version > 6 * EVERY:
            return player.resign() if player.legal() else player


def sit(house: House, deal: int) -> Player:
    """The player of a numbered deal: it goes the same way each time."""
    made = house.service.opening.create(CreateMatch("adaman", sit=Sit("ann"), deal=deal), Order())
    return Player(house.service, made, deal)


def undo(house: House, player: Player) -> str:
    try:
        house.service.matches.undo(player.match, player.token, Order())
    except IllegalCommand as refusal:
        return refusal.rule
    return "done"


@pytest.mark.parametrize("seed", [1, 2])
def test_P6_every_version_is_the_same_with_snapshots_and_without(house: House, seed: int) -> None:
    player = adaman(house, seed)
    assert player.version > 5 * EVERY
    demand_alike(house, player.match)
    report = verify(player.record())
    assert report.ok, report.findings


def test_P6_so_it_is_in_a_match_of_several_seats_that_is_rewound_far_back(house: House) -> None:
    table = play_together(house.service, seed=3).play(25)
    for back in (20, 10, 22):
        table.rewind(table.version - back).play(6)
    table.resign(0)
    demand_alike(house, table.match)
    report = verify(table.record())
    assert report.ok, report.findings


def test_a_history_that_was_never_in_memory_whole_goes_on_like_one_that_was(house: House) -> None:
    """Each command is decided by a process that has just started: undo, rewinds, forks and consent too."""
    table = play_together(house.service, seed=4)

    def restart() -> Round:
        ledger = cold(house)
        house.service.ledger._kept.clear()
        house.service.ledger.archive._folded._values.clear()
        house.service.ledger.archive._pages._values.clear()
        assert ledger.history(table.match).now.first > 1 or table.version < EVERY
        return table

    for _ in range(8):
        restart().play(2)
    proposal = restart().propose(0, 6)
    restart().refuse(1, proposal)
    proposal = restart().propose(1, 9)
    restart().agree(0, proposal)
    restart().play(2)
    at = table.version - 2 * EVERY
    restart().resign(0)
    fork = restart().fork(at, seat=0).sit(1)
    fork.play(4).resign(1)
    for one in (table, fork):
        demand_alike(house, one.match)
        report = verify(one.record())
        assert report.ok, report.findings


def long_match(house: House, key: str) -> tuple[Opened, dict[str, Any], int]:
    """A match whose third command came with a key, and much after it."""
    opened = house.open(deal=1)
    house.play(opened, 2)
    command = house.legal(opened)[0]
    answer = house.act(opened, command, Order(key))
    player = Player(house.service, opened)
    while player.version <= answer.version + 4 * EVERY:
        player.play(1).rewind(answer.version)
    return opened, command, answer.version


def test_P4_a_command_from_long_before_the_snapshot_is_not_carried_out_again(house: House) -> None:
    opened, command, version = long_match(house, "once")
    first = house.service.ledger.history(opened.id).entries[version - 1]
    head = house.service.store.head()
    house.service.ledger._kept.clear()
    house.service.ledger.archive.afterwards.finish()
    history = house.service.ledger.history(opened.id)
    assert history.now.first > version, "it rests on a snapshot after the command"
    again = house.act(opened, command, Order("once"))
    assert again.version == version
    assert again.position == house.service.store.position(opened.id, version)
    assert [event["version"] for event in again.events][-1] == version
    with pytest.raises(IdempotencyKeyReuse):
        house.act(opened, {"type": "resign"}, Order("once"))
    assert house.service.store.head() == head
    assert history.of_command(first.command)[-1] == first
    assert history.of_command("never given") == []


def test_P4_every_command_is_found_whole_wherever_a_snapshot_cuts(house: House) -> None:
    opened, _, _ = long_match(house, "once")
    expected = whole(house, opened.id)
    straddling = 0
    history = cold(house).history(opened.id)
    for entry in expected.entries:
        written = [one for one in expected.entries if one.command == entry.command]
        straddling += written[0].version < history.now.first <= written[-1].version
        assert history.of_command(entry.command) == written
    everywhere = {first // EVERY * EVERY for first in range(EVERY, expected.version)}
    for cut in everywhere:
        with_base = history_from(house, opened.id, cut)
        for entry in expected.entries:
            written = [one for one in expected.entries if one.command == entry.command]
            straddling += written[0].version < cut <= written[-1].version
            assert with_base.of_command(entry.command) == written, cut
    assert straddling, "a snapshot lies within a command"


def history_from(house: House, match: str, version: int) -> History:
    """The history as it would be with its newest snapshot at a version."""
    from services.command_index import CommandIndex
    from services.snapshots import Base, Snapshot

    known = whole(house, match)
    entries = known.entries[version - 1 :]
    commands = CommandIndex().with_those_of(known.entries[: version - 1])
    base = Base(known.game, Snapshot(known.at(version), entries[0].id), commands)
    return History(match, known.game, house.service.ledger.archive, base, entries)


def test_P7_looking_back_stores_no_event(house: House) -> None:
    opened, _, _ = long_match(house, "once")
    before = house.service.store.head(), house.service.store.read(opened.id)
    ledger = cold(house)
    for version in range(1, 30):
        ledger.history(opened.id).at(version)
    ledger.archive.afterwards.finish()
    assert (house.service.store.head(), house.service.store.read(opened.id)) == before
