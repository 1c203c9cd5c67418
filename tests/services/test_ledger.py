"""What readers see of a match while a command's events are taken in."""

from typing import Any

import pytest

import services.ledger
from services.ledger import History, Known, Ledger
from tests.house import House


@pytest.mark.parametrize("here", [True, False], ids=["carried out here", "read from the store"])
def test_P2_nobody_sees_half_a_command(
    sqlite_house: House, here: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sqlite_house
    opened = house.open(deal=1)
    ledger = house.service.ledger if here else Ledger(house.service.store)
    history = ledger.history(opened.id)
    seen: list[Known] = []

    def noticed(self: History, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if self is history and name == "now":  # all that readers look at
            assert len(value.entries) == len(value.states), "a state without its entry"
            seen.append(value)

    monkeypatch.setattr(History, "__setattr__", noticed)
    answer = house.act(opened, house.legal(opened)[0])
    ledger.history(opened.id)
    assert answer.version > opened.version + 1, "the command led to several events"
    assert [known.version for known in seen] == [answer.version]
    assert history.of_command(history.entries[-1].command) == history.entries[opened.version :]


def test_a_reader_meets_no_half_folded_match_where_folding_fails(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sqlite_house
    opened = house.open(deal=1)
    history = Ledger(house.service.store).history(opened.id)
    house.act(opened, house.legal(opened)[0])

    def fail(*_: Any) -> None:
        raise ArithmeticError

    with monkeypatch.context() as patch:
        patch.setattr(services.ledger, "extend", fail)
        with pytest.raises(ArithmeticError):
            history.extend(house.service.store.read(opened.id))
    assert len(history.entries) == history.version == history.match.version == opened.version
    history.extend(house.service.store.read(opened.id))
    assert history.match == house.service.ledger.history(opened.id).match


def test_a_reader_is_given_what_it_read_though_somebody_has_just_loaded_an_older_state(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sqlite_house
    opened = house.open(deal=1)
    ledger = Ledger(house.service.store)
    older = ledger._load(opened.id)
    answer = house.act(opened, house.legal(opened)[0])
    load = ledger._load

    def beside(stream: str) -> History:
        loaded = load(stream)
        ledger._keep(older)
        return loaded

    monkeypatch.setattr(ledger, "_load", beside)
    assert ledger.history(opened.id).version == answer.version
