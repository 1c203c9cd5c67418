"""A fourth game is a folder and its registration, nothing else: a toy game goes through the whole house."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from domain.game import IllegalCommand
from domain.registry import GAMES
from ledgertop.config import load
from ledgertop.wiring import build
from tests.cli.running import Ledgertop
from tests.fourth_game.bones import BONES

URL = "/api/v1/matches"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bones in the registry before the HTTP surface is imported, as it is when the service starts."""
    monkeypatch.setitem(GAMES, BONES.name, BONES)
    for name in [name for name in sys.modules if name == "api" or name.startswith("api.")]:
        monkeypatch.delitem(sys.modules, name)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    service = build(load(tmp_path / "data", {}), migrate=True)
    yield importlib.import_module("api").create_app(service).test_client()
    service.close()


def opened(client: FlaskClient, **wish: Any) -> tuple[str, dict[str, str]]:
    answer = client.post(URL, json={"game": "bones", "sit": {"name": "ann"}, **wish})
    assert answer.status_code == 201, answer.json
    return f"{URL}/{answer.json['id']}", {"Authorization": f"Bearer {answer.json['seat']['token']}"}


def test_it_is_played_rewound_forked_and_ended_over_http(client: FlaskClient) -> None:
    match, token = opened(client, deal=3, options={"limit": 30})
    first = client.get(match).json
    assert first["state"] == {"limit": 30, "total": 0, "kept": False}
    legal = client.get(f"{match}/legal-commands", headers=token).json["commands"]
    assert legal == [{"type": "throw", "hand": "left"}, {"type": "throw", "hand": "right"}]
    refused = client.post(f"{match}/commands", json={"type": "keep"}, headers=token)
    assert (refused.status_code, refused.json["rule"]) == (422, "nothing-thrown")
    unknown = client.post(f"{match}/commands", json={"type": "throw", "hand": "third"}, headers=token)
    assert (unknown.status_code, unknown.json["field"]) == (422, "hand")
    thrown = client.post(f"{match}/commands", json=legal[0], headers=token)
    assert thrown.json["events"][0]["type"] == "die_thrown"
    undone = client.post(f"{match}/undo", json={}, headers=token)
    assert (undone.status_code, undone.json["rule"]) == (422, "undo-reveals")
    rewound = client.post(f"{match}/rewinds", json={"to_version": first["version"]}, headers=token)
    assert rewound.status_code == 200
    assert client.get(match).json["state"] == first["state"]
    fork = client.post(f"{match}/forks", json={"at_version": first["version"]}, headers=token)
    assert fork.status_code == 201
    for command in (legal[1], {"type": "keep"}):
        last = client.post(f"{match}/commands", json=command, headers=token)
        assert last.status_code == 200
    outcome = client.get(match).json["outcome"]
    assert outcome["result"] == "kept"
    no_board = client.get("/api/v1/leaderboards/bones/deals/3")  # and never another game's in its place
    assert (no_board.status_code, no_board.json["type"]) == (404, "/problems/not-found")
    told = client.get(f"{match}/events").json["events"]
    assert [event["data"].keys() for event in told if event["type"] == "omen_drawn"] == [{"draw"}]


def test_it_is_described_by_the_openapi_document_and_the_list_of_games(client: FlaskClient) -> None:
    document = client.get("/api/v1/openapi.json").json
    schemas = document["components"]["schemas"]
    assert schemas["NewBonesDeal"]["properties"]["game"]["enum"] == ["bones"]
    assert schemas["BonesThrow"]["properties"]["hand"]["enum"] == ["left", "right"]
    assert "BonesOmenDrawn" in schemas
    assert "AdamanControlCard" in schemas
    assert [game["name"] for game in client.get("/api/v1/games").json["games"]] == [
        "adaman",
        "adellos",
        "adamantine",
        "bones",
    ]
    assert client.get("/api/v1/games/bones").json["options"][0]["unit"] == "pips"


def test_it_is_played_watched_replayed_verified_and_simulated_at_the_command_line(
    ledgertop: Ledgertop,
) -> None:
    played = ledgertop.run(
        "play", "bones", "--limit", "9", feed="help\nthrow left\nhint\nrewind 4\n2\nresign\n"
    )
    assert played.code == 0, played.err
    assert "throw HAND" in played.out
    assert "Throw with the right hand" in played.out
    assert "The match is over: resigned, score 0." in played.out
    match = played.out.split()[1]
    assert ledgertop.run("verify", match, "--json").object["ok"]
    assert "is thrown." in ledgertop.run("replay", match).out
    assert "Rewound to version 4." in ledgertop.run("watch", match).out
    record = ledgertop.data / "record.ndjson"
    assert ledgertop.run("export", match, "-o", str(record)).code == 0
    assert ledgertop.run("verify", str(record)).code == 0
    result = ledgertop.run("simulate", "bones", "-n", "50", "--bot", "greedy", "--json").object
    assert result["matches"] == 50
    assert sum(result["outcomes"].values()) == 50
    for projection in ("lobby", "statistics", "due_effects"):
        assert ledgertop.run("rebuild", projection).code == 0
    assert ledgertop.run("doctor").code == 0


def test_what_its_rules_refuse_is_told_by_the_verifier_as_for_any_game(
    ledgertop: Ledgertop, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ledgertop.run("play", "bones", "--deal", "5", feed="throw left\nkeep\n").out.split()[1]
    assert ledgertop.run("verify", match).code == 0

    def refuse(*_: Any) -> Any:
        raise IllegalCommand("no-more", "Not any more.")

    monkeypatch.setattr(BONES.rules, "decide", refuse)
    faulty = ledgertop.run("verify", match, "--json")
    assert faulty.code == 1
    assert faulty.object["findings"]
