"""P1, P14, P17, P22: one process of each kind is killed in the midst of play; the match goes on through the others."""

import os
import signal
from itertools import cycle
from pathlib import Path
from typing import Any

from tests.cli.running import Ledgertop
from tests.cluster.running import Cluster, clustered
from tests.cluster.streams import listening
from tests.faults.chaos import rounds
from tests.faults.epilogue import epilogue
from tests.faults.load import over_http, playing
from tests.house import eventually
from tests.postgres import new_database
from tests.running import Running, alive, children_of

SOON = 2.0  # seconds until a stream tells what was stored


def kill(cluster: Cluster, kind: str, number: int) -> None:
    """kill -9 of a process and of those it forked."""
    pid = cluster.processes(kind)[number]
    pids = [pid, *children_of(pid)]
    for one in pids:
        os.kill(one, signal.SIGKILL)
    eventually(lambda: not any(alive(one) for one in pids))


def send(end: Running, match: str, token: str, key: str, command: dict[str, Any]) -> dict[str, Any]:
    """Have an HTTP process carry a command out; its answer."""
    answer = end.call("POST", f"/matches/{match}/commands", command, token, Idempotency_Key=key)
    assert answer.status == 200, answer.body
    return dict(answer.body)


def test_P1_P14_P17_P22_one_of_each_killed_in_the_midst_of_play(tmp_path: Path, postgres_server: str) -> None:
    with new_database(postgres_server) as url:
        with clustered(tmp_path, url, LEDGERTOP_IDLE_SECONDS="4") as cluster:
            turns = cycle(cluster.ends)
            left = [cluster.ends[number % 2].open(deal=1)[0] for number in range(6)]
            with playing(over_http(lambda: next(turns), abandoning=True), players=2) as played:
                for number in range(rounds(1, 10)):
                    go_on_without_one(cluster, number % 2)
                    played.wait_for_more(within=30)
            for match in left:
                ended = eventually(lambda: ends_of(cluster.ends[1], match), within=15)  # noqa: B023
                assert [event["by"] for event in ended] == ["system:caretaker"]
            assert ends_of(cluster.ends[0], left[0]) == ends_of(cluster.ends[1], left[0])
        verified = Ledgertop(cluster.config.data).run("verify", "--all", LEDGERTOP_DATABASE_URL=url)
        assert (verified.code, "FAULTS" in verified.out) == (0, False), verified.out
        epilogue(cluster.config, played.acknowledged, logs=[cluster.log], secrets=played.tokens)


def go_on_without_one(cluster: Cluster, number: int) -> None:
    """Kill one of each; a match that was played through it goes on through the other at once."""
    dying, other = cluster.ends[number], cluster.ends[1 - number]
    match, token = dying.open(deal=3)
    with listening(dying, match) as before, listening(other, match) as stream:
        command = dying.legal(match, token)[0]
        first = send(dying, match, token, "first", command)
        for one in (before, stream):
            one.until(first["version"], within=10)
        for kind in ("http", "worker", "projector"):
            kill(cluster, kind, number)
        before.until_end(within=10)
        assert send(other, match, token, "first", command) == first, "whoever is asked again tells the same"
        version = send(other, match, token, "second", other.legal(match, token)[0])["version"]
        stream.until(version, within=SOON)
        with listening(other, match, after=before.events[-1]["version"]) as resumed:
            resumed.until(version, within=SOON)
        told = [event["version"] for event in before.events + resumed.events]
        assert told == list(range(1, version + 1)), "the resumed stream loses and repeats nothing"
    send(other, match, token, "third", {"type": "resign"})
    eventually(lambda: is_back(dying), within=30)
    assert dying.call("GET", f"/matches/{match}").body == other.call("GET", f"/matches/{match}").body


def ends_of(end: Running, match: str) -> list[dict[str, object]]:
    """How the match ended, as an HTTP process tells it; nothing as long as it has not."""
    events = end.call("GET", f"/matches/{match}/events").body["events"]
    return [event for event in events if event["type"] == "ended"]


def is_back(end: Running) -> bool:
    try:
        return end.call("GET", "/games").status == 200
    except OSError:
        return False
