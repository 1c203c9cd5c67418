"""A match ends under the rules it began with (P8): several rule sets of one game side by side."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from domain.adellos import ADELLOS
from domain.game import Game
from domain.registry import FORMER_RULES, GAMES, topics
from ledgertop.config import load
from ledgertop.wiring import build
from services.audit import verify
from services.codec import Unreadable
from services.looking import Caller
from services.service import Service
from tests.domain.adellos.second_pack import SECOND
from tests.fourth_game.bones import BONES
from tests.fourth_game.bones.doubled import second
from tests.house import pages_of
from tests.services.matches import Player
from tests.services.rounds import Round, play_together

URL = "/api/v1/matches"
DOUBLED: Game = second()


def release(patch: pytest.MonkeyPatch, *games: Game) -> None:
    """The service as it is released with these rule sets of a game, the newest first."""
    newest, *former = games
    patch.setitem(GAMES, newest.name, newest)
    patch.setitem(FORMER_RULES, newest.name, tuple(former))
    for name in [name for name in sys.modules if name == "api" or name.startswith("api.")]:
        patch.delitem(sys.modules, name)


@contextmanager
def started(folder: Path) -> Iterator[Service]:
    service = build(load(folder, {}), migrate=True)
    try:
        yield service
    finally:
        service.ledger.archive.afterwards.finish()
        service.close()


def client_of(service: Service) -> FlaskClient:
    client: FlaskClient = importlib.import_module("api").create_app(service).test_client()
    return client


class Thrower:
    """Somebody who plays Bones over HTTP."""

    def __init__(self, client: FlaskClient) -> None:
        made = client.post(
            URL, json={"game": "bones", "deal": 3, "options": {"limit": 90}, "sit": {"name": "ann"}}
        )
        assert made.status_code == 201, made.json
        self.url = f"{URL}/{made.json['id']}"
        self.match = made.json["id"]
        self.token = {"Authorization": f"Bearer {made.json['seat']['token']}"}

    def throw(self, client: FlaskClient) -> int:
        """What the throw adds to the sum, for each pip of the die."""
        before = client.get(self.url).json["state"]["total"]
        thrown = client.post(
            f"{self.url}/commands", json={"type": "throw", "hand": "left"}, headers=self.token
        )
        assert thrown.status_code == 200, thrown.json
        added = client.get(self.url).json["state"]["total"] - before
        return int(added // thrown.json["events"][0]["data"]["pips"])

    def end(self, client: FlaskClient) -> None:
        assert (
            client.post(f"{self.url}/commands", json={"type": "resign"}, headers=self.token).status_code
            == 200
        )


def test_P8_matches_go_on_under_the_rules_they_began_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(monkeypatch, BONES)
    with started(tmp_path) as service, pages_of(4):
        client = client_of(service)
        old = Thrower(client)
        assert [old.throw(client) for _ in range(3)] == [1, 1, 1]
    release(monkeypatch, DOUBLED, BONES)
    with started(tmp_path) as service, pages_of(4):
        client = client_of(service)
        new = Thrower(client)
        assert [(old.throw(client), new.throw(client)) for _ in range(3)] == [(1, 2)] * 3
        assert client.get("/api/v1/games/bones").json["rule_sets"] == [
            {"version": "2", "content": BONES.content},
            {"version": "1", "content": BONES.content},
        ]
        for table, version in ((old, "1"), (new, "2")):
            assert client.get(table.url).json["rules"]["version"] == version
            assert client.get(f"{table.url}?at=6").json["rules"]["version"] == version
            table.end(client)
            service.ledger.archive.afterwards.finish()
            history = service.ledger.history(table.match)
            assert {entry.rules for entry in history.entries} == {f"bones/{version}"}
            report = verify(record_of(service, table.match))
            assert report.ok, report.findings
    release(monkeypatch, DOUBLED)  # and they are refused, not misread, where their rules are gone
    with started(tmp_path) as service, pages_of(4):
        assert service.looking.view(new.match, Caller())["status"] == "ended"
        with pytest.raises(Unreadable, match="pinned to rules 1"):
            service.looking.view(old.match, Caller())
        service.ledger.archive.afterwards.finish()
        assert verify(stored_record(service, old.match)).findings[0].what == "rules"


def record_of(service: Service, match: str) -> Any:
    from services.record import export, parse

    return parse(b"".join(export(service.ledger.history(match))))


def stored_record(service: Service, match: str) -> Any:
    from services.record import stored

    return stored(service.store, match)


def test_P8_so_they_do_when_a_pack_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pages_of(16):
        release(monkeypatch, ADELLOS)
        with started(tmp_path) as service:
            old = play_together(service, seed=2).play(20)
        release(monkeypatch, SECOND, ADELLOS)
        with started(tmp_path) as service:
            new = play_together(service, seed=2).play(20)
            old = Round(service, old.match, old.tokens, 3).play(10)
            old.rewind(old.version - 20).play(5)
            assert service.ledger.history(old.match).game is ADELLOS
            assert service.ledger.history(new.match).game is SECOND
            new.resign(0)
            old.resign(0)
            for table in (old, new):
                report = verify(table.record())
                assert report.ok, report.findings


def test_a_topic_stands_for_one_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    import msgspec

    from tests.fourth_game.bones.parts import DieThrown

    other = msgspec.defstruct(
        "DieThrown", [("eyes", int)], bases=(type(DieThrown(1, 1)).__bases__[0],), frozen=True
    )
    other.TOPIC = DieThrown.TOPIC  # type: ignore[attr-defined]
    release(monkeypatch, msgspec.structs.replace(BONES, rules_version="2", events=(other,)), BONES)
    with pytest.raises(ValueError, match="two shapes"):
        topics()


def test_a_player_of_a_game_whose_rules_did_not_change_notices_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from services.wishes import CreateMatch, Order, Sit

    release(monkeypatch, DOUBLED, BONES)
    with started(tmp_path) as service:
        made = service.opening.create(CreateMatch("adaman", sit=Sit("ann"), deal=7), Order())
        assert Player(service, made).play(3).version > 6
