"""P3, P4, P5: what is asked of both HTTP processes at once is decided once, and both tell it alike."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from secrets import token_hex
from typing import Any

import pytest

from services.audit import verify
from services.record import stored
from services.service import Service
from services.tokens import Keys
from tests.cluster.running import Cluster
from tests.faults.chaos import rounds
from tests.running import Answer, Running

REQUESTS = rounds(120, 1_000)  # of each player
PLAYERS = 2  # at each seat, one asks each process
REFUSALS = {
    "version-conflict", "illegal-command", "not-your-turn", "proposal-over", "not-found", "match-over",
}  # fmt: skip


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    ready = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        ready.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


# --- openings ----------------------------------------------------------------------------------------------


def test_P4_an_opening_sent_to_both_at_once_is_one(cluster: Cluster, beside_cluster: Service) -> None:
    one, two = cluster.ends
    for deal in (None, 7):  # sealed, and numbered
        for number in range(rounds(3, 30)):
            wish = {"game": "adaman", "sit": {"name": f"new{number}"}} | ({"deal": deal} if deal else {})
            key = token_hex(8)
            first, second = at_once(
                *(
                    lambda end=end: end.call("POST", "/matches", wish, Idempotency_Key=key)  # noqa: B023
                    for end in (one, two)
                )
            )
            assert (first.status, second.status) == (201, 201), (first, second)
            assert first.body == second.body
            opened = [entry.version for entry in beside_cluster.store.read(first.body["id"])]
            assert opened == list(range(1, first.body["version"] + 1))


def test_a_name_new_to_both_at_once_is_one_player(cluster: Cluster) -> None:
    name = f"n{token_hex(6)}"
    wish = {"game": "adaman", "deal": 7}
    opened = at_once(
        *(
            lambda end=end, name=name: end.call("POST", "/matches", wish | {"sit": {"name": name}})
            for end, name in zip(cluster.ends, (name, name.upper()), strict=True)
        )
    )
    views = [cluster.ends[0].call("GET", f"/matches/{answer.body['id']}").body for answer in opened]
    assert len({view["seats"][0]["player"] for view in views}) == 1


def test_P3_of_two_who_sit_down_at_once_in_the_last_seat_one_does(cluster: Cluster) -> None:
    for _ in range(rounds(3, 30)):
        match = cluster.ends[0].call("POST", "/matches", {"game": "adaman"}).body["id"]
        sat, refused = sorted(
            at_once(
                *(
                    lambda end=end, name=name: end.call("POST", f"/matches/{match}/seats", {"name": name})  # noqa: B023
                    for end, name in zip(cluster.ends, ("gil", "ned"), strict=True)
                )
            ),
            key=lambda answer: answer.status,
        )
        assert (sat.status, refused.status) == (201, 409), (sat, refused)
        assert refused.body["rule"] == "seat-not-free"


# --- a match -----------------------------------------------------------------------------------------------


class Player:
    """Somebody at a seat of a match who asks one of the processes, whatever the others do meanwhile."""

    def __init__(self, end: Running, match: str, token: str, seed: int) -> None:
        self.end, self.match, self.token = end, match, token
        self.chance = Random(seed)
        self.accepted: dict[str, tuple[str, str, Any, Answer]] = {}  # by key: the request, and its answer

    def play(self) -> None:
        for _ in range(REQUESTS):
            choice = self.chance.random()
            view = self.end.call("GET", f"/matches/{self.match}").body
            if choice < 0.15:
                orders = {"always_pass": self.chance.random() < 0.5}
                self.ask("PUT", "/standing-orders", orders)
            elif choice < 0.3 and view["proposal"]:
                path = f"/rewinds/{view['proposal']['version']}/consent"
                self.ask("POST", path, {"agree": self.chance.random() < 0.7})
            elif choice < 0.4:
                back = max(4, view["version"] - self.chance.randrange(1, 6))
                self.ask("POST", "/rewinds", {"to_version": back})
            elif choice < 0.5 and self.accepted:
                key = self.chance.choice(list(self.accepted))
                self.demand_the_first_answer(key, self.end)
            else:
                self.decide()

    def decide(self) -> None:
        legal = self.end.call("GET", f"/matches/{self.match}/legal-commands", token=self.token).body
        if legal["commands"]:
            command = self.chance.choice(legal["commands"])
            stale = {"expected_version": legal["version"]} if self.chance.random() < 0.7 else {}
            self.ask("POST", "/commands", command | stale)

    def ask(self, method: str, path: str, body: Any) -> None:
        key = token_hex(8)
        answer = self.end.call(method, f"/matches/{self.match}{path}", body, self.token, Idempotency_Key=key)
        if answer.status == 200:
            if method == "POST":
                self.accepted[key] = (method, path, body, answer)
        else:
            assert answer.body["type"].removeprefix("/problems/") in REFUSALS, answer

    def demand_the_first_answer(self, key: str, end: Running) -> None:
        method, path, body, first = self.accepted[key]
        again = end.call(method, f"/matches/{self.match}{path}", body, self.token, Idempotency_Key=key)
        assert (again.status, again.body) == (200, first.body)


@pytest.mark.parametrize("seed", range(rounds(2, 8)))
def test_P3_P4_P5_players_who_ask_both_processes_at_once_leave_one_history(
    cluster: Cluster, beside_cluster: Service, seed: int
) -> None:
    """Moves, rewinds proposed and answered, standing orders, repetitions; the system ticks between turns."""
    one, two = cluster.ends
    first = one.call("POST", "/matches", {"game": "adellos", "sit": {"name": "ann"}}).body
    match = first["id"]
    second = two.call("POST", f"/matches/{match}/seats", {"name": "bob"}).body
    tokens = [opened["seat"]["token"] for opened in (first, second)]
    players = [
        Player(end, match, token, 10 * seed + number)
        for number, (end, token) in enumerate((end, token) for end in cluster.ends for token in tokens)
    ]
    at_once(*(player.play for player in players))
    one.call("POST", f"/matches/{match}/commands", {"type": "resign"}, tokens[0])

    entries = beside_cluster.store.read(match)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert one.call("GET", f"/matches/{match}").body == two.call("GET", f"/matches/{match}").body
    report = verify(stored(beside_cluster.store, match))
    assert report.ok, report.findings
    keys = Keys(cluster.config.server_key)
    for player in players:
        assert player.accepted
        for key, (*_, answer) in player.accepted.items():
            written = [entry for entry in entries if entry.command == keys.command_id(key)]
            assert [entry.version for entry in written] == [
                event["version"] for event in answer.body["events"]
            ], "it took effect once, where its answer said"
            for end in cluster.ends:
                player.demand_the_first_answer(key, end)
