"""P5, trap 1: the reply to an append is lost between PostgreSQL and the service. Nothing is lost or done twice."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ledgertop.wiring import build
from services.errors import CommandNotFound, OutcomeUnknown, StoreUnavailable
from services.looking import Caller
from services.wishes import Answer, CreateMatch, Opened, Order, Sit
from tests.contract.cutting_proxy import CuttingProxy, cutting_proxy
from tests.house import House, eventually, open_house, token_of


@pytest.fixture
def direct(tmp_path: Path, postgres_url: str) -> Iterator[House]:
    """The service with nothing between it and the database."""
    with ExitStack() as stack:
        yield open_house(stack, tmp_path, postgres_url)


@pytest.fixture
def proxy(postgres_url: str) -> Iterator[CuttingProxy]:
    with cutting_proxy(postgres_url) as proxy:
        yield proxy


@pytest.fixture
def house(tmp_path: Path, direct: House, proxy: CuttingProxy) -> Iterator[House]:
    """The service behind the proxy, on the same database."""
    with ExitStack() as stack:
        config = type(direct.config)(tmp_path, proxy.url, None, 3_600, b"k" * 32)
        service = build(config, clock=direct.clock)
        stack.callback(service.close)
        yield House(config, direct.clock, service, direct.views, direct.read_side)


def command_of(house: House, opened: Opened) -> dict[str, object]:
    return dict(house.service.looking.legal(opened.id, Caller(token_of(opened)))["commands"][0])


def created(house: House, wish: CreateMatch) -> Opened | None:
    try:
        return house.service.opening.create(wish, Order("new"))
    except StoreUnavailable:
        return None


def found(house: House, opened: Opened, command: str) -> Answer | None:
    """What became of a command, as soon as the database can be reached again."""
    try:
        return house.service.matches.carried_out(opened.id, token_of(opened), command)
    except StoreUnavailable:
        return None


@pytest.mark.parametrize("key", ["move", None])
def test_P5_a_command_whose_commit_was_not_heard_of_gets_its_true_answer(
    direct: House, house: House, proxy: CuttingProxy, key: str | None
) -> None:
    opened = house.open(deal=1)
    proxy.cut = "its reply"
    command = command_of(house, opened)
    answer = house.act(opened, command, Order(key, opened.version))
    assert proxy.cuts == 1
    stored = direct.service.store.read(opened.id, after=opened.version)
    assert [entry.version for entry in stored] == [event["version"] for event in answer.events]
    assert len({entry.command for entry in stored}) == 1
    if key:
        assert house.act(opened, command, Order(key, opened.version)) == answer
        assert direct.act(opened, command, Order(key)) == answer


def test_P5_where_the_database_is_gone_then_the_outcome_is_unknown_until_it_is_back(
    direct: House, house: House, proxy: CuttingProxy
) -> None:
    opened = house.open(deal=1)
    command = command_of(house, opened)
    proxy.cut, proxy.away_after = "its reply", True
    with pytest.raises(OutcomeUnknown) as unknown:
        house.act(opened, command, Order("move"))
    proxy.come_back()
    told = eventually(lambda: found(house, opened, unknown.value.command), within=30)
    assert house.act(opened, command, Order("move")) == told
    assert [entry.version for entry in direct.service.store.read(opened.id)] == list(
        range(1, told.version + 1)
    )


def test_P5_a_command_that_was_cut_off_before_its_commit_took_no_effect_and_is_carried_out_later(
    direct: House, house: House, proxy: CuttingProxy
) -> None:
    opened = house.open(deal=1)
    command = command_of(house, opened)
    proxy.cut = "the append"
    with pytest.raises(OutcomeUnknown) as unknown:
        house.act(opened, command, Order("move"))
    assert proxy.cuts == 1
    assert direct.service.store.read(opened.id, after=opened.version) == []
    with pytest.raises(CommandNotFound):
        house.service.matches.carried_out(opened.id, token_of(opened), unknown.value.command)
    answer = house.act(opened, command, Order("move"))
    assert direct.act(opened, command, Order("move")) == answer


@pytest.mark.parametrize("away", [False, True])
def test_P5_a_creation_whose_commit_was_not_heard_of_opens_one_match(
    direct: House, house: House, proxy: CuttingProxy, away: bool
) -> None:
    wish = CreateMatch("adaman", deal=1, sit=Sit("ann"))
    proxy.cut, proxy.away_after = "its reply", away
    if away:
        with pytest.raises(OutcomeUnknown):
            house.service.opening.create(wish, Order("new"))
        proxy.come_back()
    opened = eventually(lambda: created(house, wish), within=30)
    assert direct.service.opening.create(wish, Order("new")) == opened
    assert direct.service.store.head() == opened.position
    assert proxy.cuts == 1
