"""Following a match live."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ledgertop.wiring import build
from services.errors import StoreUnavailable
from services.looking import Caller
from services.wishes import CreateMatch, Order, Sit
from tests.house import House, created, entry, insert_raw, token_of
from tests.services.matches import Player, service_in


def test_P18_an_event_that_cant_be_read_does_not_silence_other_matches(sqlite_house: House) -> None:
    """Rings come at once, not only with the next heartbeat, also after a poison event."""
    house = sqlite_house
    opened = house.open(deal=1)
    pages = house.service.feed.follow(opened.id, Caller(), 0, heartbeat=60)
    assert next(pages)[-1]["version"] == opened.version
    for number in range(2):
        insert_raw(house, entry(f"m_poison{number}", 1, created()), topic="match.unheard_of.1")
        time.sleep(0.2)  # the follower meets it by itself
    house.resign(opened)
    began = time.monotonic()
    assert next(pages)[-1]["type"] == "ended"
    house.service.feed.close()
    assert time.monotonic() - began < 5


def test_a_closed_feed_has_no_thread_that_still_reads_the_store(tmp_path: Path) -> None:

    with service_in(tmp_path) as service:
        player = Player(
            service, service.opening.create(CreateMatch("adaman", deal=17, sit=Sit("ann")), Order())
        )
        pages = service.feed.follow(player.match, Caller(), 0, heartbeat=5)
        assert next(pages)
        assert "feed" in {thread.name for thread in threading.enumerate()}
        service.feed.close()
        assert "feed" not in {thread.name for thread in threading.enumerate()}
        pages.close()


def test_a_stream_that_met_the_store_away_goes_on_soon_after_it_is_back(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known from before is no reason to wait for a ring, which may have come meanwhile."""
    house = sqlite_house
    opened = house.open(deal=1)
    pages = house.service.feed.follow(opened.id, Caller(), 0, heartbeat=8)
    assert next(pages)[-1]["version"] == opened.version

    def away(*_: Any, **__: Any) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(house.service.store, "read", away)
        elsewhere = build(house.config, clock=house.clock)
        try:
            elsewhere.matches.act(opened.id, token_of(opened), {"type": "resign"}, Order())
        finally:
            elsewhere.close()
        time.sleep(0.5)  # it rings
        began = time.monotonic()
        assert next(pages) == []
    assert next(page for page in pages if page)[-1]["type"] == "ended"
    assert time.monotonic() - began < 4
    house.service.feed.close()
