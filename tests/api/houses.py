"""Whole services over a fresh SQLite store, with clients to speak to them; and one of many processes."""

import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from werkzeug.test import Client, TestResponse

import api
import projections
from ledgertop.config import Config, load
from ledgertop.wiring import build, open_views
from services.service import Service
from tests.cluster.gateway import Gateway
from tests.cluster.running import Cluster
from tests.house import eventually

URL = "/api/v1"


@dataclass
class House:
    """A service, its HTTP surface, and what it logged.

    Where several processes serve, `client` asks them in turn, and `service` is one more on the same database.
    """

    service: Service
    client: Client
    log: io.BytesIO
    settings: api.Settings

    def create(self, **body: Any) -> dict[str, Any]:
        """A new match; with nothing said, Ann's deal 7. A sealed one that is lost in its set-up is dealt again."""
        wish = body or {"deal": 7, "sit": {"name": "ann"}}
        while True:
            answer = self.client.post(f"{URL}/matches", json={"game": "adaman"} | wish)
            assert answer.status_code == 201, answer.json
            match = dict(answer.json or {})
            if "deal" in wish or self.service.ledger.history(match["id"]).match.status != "ended":
                return match

    def legal(self, match: dict[str, Any]) -> list[dict[str, Any]]:
        return list(self.get(match, "/legal-commands").json["commands"])

    def get(self, match: dict[str, Any], path: str = "", **headers: str) -> Any:
        return self.client.get(f"{URL}/matches/{match['id']}{path}", headers=bearer(match) | headers)

    def post(self, match: dict[str, Any], body: Any, path: str = "/commands", **headers: str) -> TestResponse:
        sent = bearer(match) | {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(f"{URL}/matches/{match['id']}{path}", json=body, headers=sent)

    def play_to_the_end(self, match: dict[str, Any]) -> dict[str, Any]:
        """Plays the first legal command until nothing is legal; the last view."""
        while commands := self.legal(match):
            answer = self.post(match, commands[0])
            assert answer.status_code == 200, answer.json
        return dict(self.get(match).json)

    def settle(self, match: dict[str, Any]) -> None:
        """What the system has to do in the match is done."""
        while self.service.effects.settle(match["id"]):
            pass

    def digest(self, match: dict[str, Any]) -> tuple[int, int]:
        """What tells that nothing happened: the match's version and the log's head."""
        return self.service.ledger.history(match["id"]).match.version, self.service.store.head()


def bearer(match: dict[str, Any]) -> dict[str, str]:
    seat = match.get("seat")
    return {"Authorization": f"Bearer {seat['token']}"} if seat else {}


@contextmanager
def house(folder: Path, **settings: Any) -> Iterator[House]:
    """A house of its own in `folder`."""
    config: Config = load(folder, {"LEDGERTOP_SERVER_KEY": "5a" * 32})
    service = build(config, migrate=True)
    log = io.BytesIO()
    chosen = api.Settings(log=log, **settings)
    views = open_views(config)
    stop = threading.Event()
    runner = projections.open_read_side(service.store, views).runner()

    def read() -> None:
        while not stop.wait(0.02):
            runner.catch_up()

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield House(service, api.create_app(service, chosen).test_client(), log, chosen)
    finally:
        stop.set()
        reader.join()
        views.close()
        service.close()
        (folder / "http.log").write_bytes(log.getvalue())  # for the canary


def house_of(cluster: Cluster, beside: Service) -> House:
    """The cluster as a house, once nothing in it is due any more."""
    eventually(lambda: not any(beside.progress.lag().values()) and not beside.effects.due(1))
    client = Client(Gateway([end.url for end in cluster.ends]))
    return House(beside, client, io.BytesIO(), api.Settings())


def problem(answer: TestResponse) -> dict[str, Any]:
    """The problem of an answer, which has to be one."""
    assert answer.content_type == "application/problem+json", answer.content_type
    body: dict[str, Any] = json.loads(answer.data)
    assert body["status"] == answer.status_code
    assert {"type", "title", "status", "detail"} <= set(body)
    return body


Make = Callable[..., House]
