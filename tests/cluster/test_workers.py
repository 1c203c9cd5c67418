"""P14: with two workers, two sweepers and hints given early and often, each timed effect happens once and in time."""

from collections.abc import Iterator
from contextlib import closing
from itertools import groupby

from domain.clocks import ClockSet
from ledgertop.wiring import queue_seal
from services.service import Service
from services.store.port import Entry
from tests.cluster.running import Cluster
from tests.faults.chaos import rounds
from tests.house import SECOND, eventually
from tests.running import Running
from workers.jobs import PERFORM, Hints, connect

MATCHES = rounds(4, 12)
DEADLINES = rounds(3, 15)  # a match
LATE = 5 * SECOND  # P14


def sit_down(ends: tuple[Running, Running]) -> tuple[str, str]:
    """A match of Adellos with a second for each decision, its set-up done; its id and the token of a seat."""
    wish = {"game": "adellos", "sit": {"name": "ann"}, "clock": {"kind": "move", "seconds": 1}}
    opened = ends[0].call("POST", "/matches", wish).body
    match = opened["id"]
    joined = ends[1].call("POST", f"/matches/{match}/seats", {"name": "bob"}).body
    tokens = [opened["seat"]["token"], joined["seat"]["token"]]
    while (view := ends[0].call("GET", f"/matches/{match}").body)["state"]["phase"] != "turn":
        for seat in view["to_act"]:
            if legal := ends[1].legal(match, tokens[seat]):
                command = next((one for one in legal if one["type"].startswith("end_")), legal[0])
                answer = ends[1].call("POST", f"/matches/{match}/commands", command, tokens[seat])
                assert answer.status in (200, 403, 409), answer  # its time may be up
    return match, tokens[0]


def commands_of(entries: list[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    return ((name, list(run)) for name, run in groupby(entries, lambda entry: entry.command))


def test_P14_two_workers_do_what_is_due_once_never_early_and_in_time(
    cluster: Cluster, beside_cluster: Service
) -> None:
    """Nobody decides anything: the service goes on by deadlines and ticks alone."""
    assert len(cluster.processes("worker")) == 2
    store, seal = beside_cluster.store, queue_seal(cluster.config)
    matches = dict(sit_down(cluster.ends) for _ in range(MATCHES))

    def expired(match: str) -> int:
        return sum(name.startswith("system:deadline-") for name, _ in commands_of(store.read(match)))

    with closing(connect(cluster.config.queue_url, timeout=5)) as queue:
        hinted: set[tuple[str, bool]] = set()

        def hint_and_look() -> bool:
            clocks = {match: beside_cluster.ledger.history(match).match.clock_version for match in matches}
            early = {(f"deadline-{match}-{version}", False) for match, version in clocks.items()}
            due = {(effect.id, True) for effect in beside_cluster.effects.due(100)}
            for one in (early | due) - hinted:
                hinted.add(one)
                for _ in range(3):  # not unique: as often as it is put there
                    Hints(connection=queue).enqueue_call(PERFORM, args=(one[0], seal.of(one[0])))
            return all(expired(match) >= DEADLINES for match in matches)

        eventually(hint_and_look, within=6.5 * DEADLINES)
    for number, (match, token) in enumerate(matches.items()):
        end = cluster.ends[number % 2]
        assert end.call("POST", f"/matches/{match}/commands", {"type": "resign"}, token).status == 200
    for match in matches:
        entries = store.read(match)
        names = [name for name, _ in commands_of(entries)]
        assert len(names) == len(set(names)), "each took effect once"
        assert any(name.startswith("system:due-") for name in names), "Time Counters ticked"
        for name, written in commands_of(entries):
            assert {entry.by for entry in written} == {"system:timekeeper"} or "system:" not in name
            if name.startswith("system:deadline-"):
                clock = entries[int(name.removeprefix("system:deadline-")) - 1].event
                assert isinstance(clock, ClockSet)
                assert clock.deadline is not None
                assert 0 <= written[0].at - clock.deadline < LATE
