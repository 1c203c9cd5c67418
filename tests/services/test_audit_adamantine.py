"""The audit of matches of Adamantine: every die and every shuffle is drawn again, and no card can be exchanged."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from domain.adamantine import events as e
from services.audit import verify
from services.record import Record
from services.service import Service
from tests.domain.adamantine.random_play import BOX
from tests.services.matches import service_in
from tests.services.rounds import Round, play_together
from tests.services.test_audit import changed, faults

replace = msgspec.structs.replace
DICE = (e.Searched, e.EncounterRolled, e.DamageRolled, e.CheckRolled)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("audit")
    with service_in(folder) as opened:
        yield opened


def duel(service: Service, seed: int = 1, turns: int = 12, **options: object) -> Round:
    return play_together(service, seed=seed, game="adamantine", options={"turn_limit": turns, **options})


@pytest.fixture(scope="module")
def records(service: Service) -> list[Record]:
    """Ended matches, one of them rewound, one with decks that nobody else sees."""
    rewound = duel(service, 3)
    rewound.play(30)
    rewound.rewind(rewound.version - 20)
    tables = [duel(service, 1), duel(service, 2, bring_decks=True), rewound]
    return [table.play().record() for table in tables]


def test_P9_ended_matches_pass_with_every_die_and_shuffle_drawn_again(records: list[Record]) -> None:
    for record in records:
        report = verify(record)
        assert report.ok, report.findings
        assert report.complete
        draws = [entry.event for entry in record.entries if hasattr(entry.event, "draw")]
        assert report.draws_checked == len(draws) > 10
        assert Counter(map(type, draws))[e.DeckShuffled] == 4
    kinds = {type(entry.event) for record in records for entry in record.entries}
    assert kinds >= {*DICE, e.FirstSeatDrawn, e.DeckShuffled}


def test_P10_a_die_that_was_changed_is_reported(records: list[Record]) -> None:
    """Each value of each die but the one that was rolled."""
    for record in records:
        tried: Counter[type] = Counter()
        for place, entry in enumerate(record.entries):
            event = entry.event
            if isinstance(event, DICE) and tried[type(event)] < 3:
                tried[type(event)] += 1
                for die in {1, 2, 3, 4, 5, 6} - {event.die}:
                    other = replace(event, die=die)
                    if isinstance(event, e.CheckRolled):
                        other = replace(other, total=event.total - event.die + die)
                    if isinstance(event, e.DamageRolled):
                        other = replace(other, damage=max(0, event.damage - event.die + die))
                    assert not verify(changed(record, place, other)).ok, (place + 1, other)


def test_P10_another_draw_for_a_die_is_reported(records: list[Record]) -> None:
    for record in records:
        place, event = next(
            (p, one.event) for p, one in enumerate(record.entries) if isinstance(one.event, DICE)
        )
        assert not verify(changed(record, place, replace(event, draw=event.draw + 1))).ok


def test_P10_a_starting_seat_that_was_changed_is_reported(records: list[Record]) -> None:
    for record in records:
        place = next(p for p, one in enumerate(record.entries) if isinstance(one.event, e.FirstSeatDrawn))
        event = record.entries[place].event
        assert isinstance(event, e.FirstSeatDrawn)
        assert not verify(changed(record, place, replace(event, seat=1 - event.seat))).ok


def test_P10_an_order_that_was_changed_is_reported(records: list[Record]) -> None:
    """Two neighbours exchanged, even the last ones, which nobody ever drew."""
    for record in records:
        for place, entry in enumerate(record.entries):
            event = entry.event
            if not isinstance(event, e.DeckShuffled):
                continue
            unlike = [
                spot for spot in range(len(event.order) - 1) if event.order[spot] != event.order[spot + 1]
            ]
            for spot in (unlike[0], unlike[-1]):
                order = list(event.order)
                order[spot], order[spot + 1] = order[spot + 1], order[spot]
                report = verify(changed(record, place, replace(event, order=tuple(order))))
                assert not report.ok
                assert faults(report)


def test_P9_a_card_of_a_hand_that_was_exchanged_is_reported(records: list[Record]) -> None:
    for record in records:
        tried = 0
        for place, entry in enumerate(record.entries):
            event = entry.event
            if isinstance(event, e.DayBegun | e.NightBegun) and event.cards and tried < 8:
                tried += 1
                known = BOX.hero_cards if isinstance(event, e.DayBegun) else BOX.dungeon
                other = next(card for card in known if card != event.cards[0])
                wrong = replace(event, cards=(other, *event.cards[1:]))
                assert not verify(changed(record, place, wrong)).ok, place + 1


def test_P9_a_card_of_a_room_that_was_exchanged_is_reported(records: list[Record]) -> None:
    for record in records:
        for place, entry in enumerate(record.entries):
            event = entry.event
            if isinstance(event, e.RoomBuilt | e.RoomExplored):
                other = next(card for card in BOX.dungeon if card != event.cards[0])
                wrong = replace(event, cards=(other, *event.cards[1:]))
                assert not verify(changed(record, place, wrong)).ok, place + 1
                break


def test_P9_a_winner_that_was_changed_is_reported(service: Service) -> None:
    table = duel(service, 4).play(20)
    table.resign(0)
    record = table.record()
    assert verify(record).ok
    place = next(p for p, one in enumerate(record.entries) if isinstance(one.event, e.SeatResigned))
    assert not verify(changed(record, place, e.SeatResigned(seat=1))).ok
