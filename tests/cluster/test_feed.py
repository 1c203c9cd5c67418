"""P17 between processes: a stream tells what was stored through another, soon."""

from contextlib import ExitStack
from time import monotonic

from tests.cluster.running import Cluster
from tests.cluster.streams import listening

SOON = 2.0  # seconds; mostly it is some milliseconds, a lost wake-up makes it one second


def test_P17_each_process_streams_what_was_stored_through_the_other(cluster: Cluster) -> None:
    match, token = cluster.ends[0].open(deal=7)
    with ExitStack() as stack:
        streams = [stack.enter_context(listening(end, match)) for end in cluster.ends]
        version = cluster.ends[0].call("GET", f"/matches/{match}").body["version"]
        for stream in streams:
            stream.until(version, within=10)
        turn = 0
        while commands := cluster.ends[turn % 2].legal(match, token):
            answer = cluster.ends[turn % 2].call("POST", f"/matches/{match}/commands", commands[0], token)
            assert answer.status == 200, answer.body
            acknowledged = monotonic()
            for stream in streams:
                assert stream.until(answer.body["version"], within=10) - acknowledged < SOON
            turn += 1
        for stream in streams:
            stream.until_end(within=10)
    whole = cluster.ends[1].call("GET", f"/matches/{match}/events").body["events"]
    assert turn > 2
    assert [stream.events for stream in streams] == [whole, whole]
