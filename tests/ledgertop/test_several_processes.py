"""`ledgertop serve --processes 2`: two HTTP processes on one port and one SQLite file answer as one."""

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cluster.streams import listening
from tests.house import eventually
from tests.running import Running, alive, children_of, serving


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path, processes=2) as running:
        yield running


def https(service: Running) -> list[int]:
    """The ids of the two supervised HTTP processes."""
    return [pid for pid, words in children_of(service.process.pid).items() if words[:1] == ["http"]]


def measured(service: Running, name: str) -> dict[str, float]:
    """The values of a measurement, by its labels."""
    text = service.call_plain("/metrics").body
    return {labels: float(value) for labels, value in re.findall(rf"^{name}(\S*) (\S+)$", text, re.M)}


def committing(service: Running) -> set[str]:
    """The processes that have stored something, of those that were asked."""
    asked = [measured(service, "ledgertop_append_group_size_count") for _ in range(5)]
    return {labels for values in asked for labels, commits in values.items() if commits}


def test_matches_are_played_through_both_and_measured_together(service: Running) -> None:
    sent = [0] * 4

    def play(place: int) -> None:
        while len(seen) < 2 and time.monotonic() < until:
            match, token = service.open()
            while commands := service.legal(match, token):  # each request has a connection of its own
                answer = service.call("POST", f"/matches/{match}/commands", commands[0], token)
                assert answer.status == 200, answer.body
                sent[place] += 1
            assert service.call("GET", f"/matches/{match}").body["status"] == "ended"
            seen.update(committing(service))

    seen: set[str] = set()
    until = time.monotonic() + 60
    threads = [threading.Thread(target=play, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(70)
    assert len(seen) == 2, "both have stored commands"
    for _ in range(6):  # whichever answers
        counted = measured(service, "ledgertop_request_seconds_count")
        assert [value for labels, value in counted.items() if "/commands" in labels and "200" in labels] == [
            sum(sent)
        ]


def test_P17_streams_tell_what_is_done_through_whichever(service: Running) -> None:
    match, token = service.open(deal=7)
    version = service.call("GET", f"/matches/{match}").body["version"]
    with listening(service, match, version) as first, listening(service, match, version) as second:
        assert sum(measured(service, "ledgertop_open_streams").values()) == 2
        service.play_on(match, token)
        ended = service.call("GET", f"/matches/{match}").body["version"]
        for heard in (first, second):
            heard.until(ended, within=5)
            assert [event["version"] for event in heard.events] == list(range(version + 1, ended + 1))


def test_P1_P22_one_is_killed_and_the_other_goes_on(service: Running) -> None:
    match, token = service.open(deal=7)
    first = service.legal(match, token)[0]
    version = service.call("POST", f"/matches/{match}/commands", first, token).body["version"]
    before = https(service)
    (answering,) = children_of(before[0])
    os.kill(before[0], signal.SIGKILL)
    eventually(lambda: not alive(answering), within=15)  # it cuts off who comes in its last moment
    seen = service.call("GET", f"/matches/{match}").body
    assert seen["version"] == version
    eventually(lambda: len(https(service)) == 2 and before[0] not in https(service), within=15)
    service.play_on(match, token)
    assert service.call("GET", f"/matches/{match}").body["status"] == "ended"


def test_of_one_that_is_gone_with_its_parent_nothing_is_left(service: Running) -> None:
    """Neither open streams in the measurements nor, when the service ends, a process that holds on to a stream."""
    match, _ = service.open(deal=7)
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(listening(service, match))
        both = [[pid, *children_of(pid)] for pid in https(service)]
        second, first = sorted(both, key=lambda pids: len(connected(pids[1], service)))
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        for _ in range(2):  # whoever comes now comes to the other
            stack.enter_context(listening(service, match))
        assert len(connected(second[1], service)) >= 2
        eventually(lambda: len(https(service)) == 2, within=15)

        def counted() -> bool:
            left = sum(measured(service, "ledgertop_open_streams").values())
            return left == len(connected(second[1], service))

        eventually(counted, within=15)
        os.kill(second[0], signal.SIGKILL)  # its worker stays for its streams
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(timeout=10) == 0
        eventually(lambda: not alive(second[1]), within=5)


def connected(process: int, service: Running) -> list[str]:
    """The connections to the service that a process has open."""
    port = f"{int(service.url.rsplit(':', 1)[1]):04X}"
    table = [line.split() for line in Path(f"/proc/{process}/net/tcp").read_text().splitlines()[1:]]
    inodes = {words[9] for words in table if words[1].endswith(f":{port}") and words[3] == "01"}
    links = [os.readlink(one) for one in Path(f"/proc/{process}/fd").iterdir() if one.is_symlink()]
    return [link for link in links if link.removeprefix("socket:[").rstrip("]") in inodes]


def test_sigterm_ends_both(service: Running) -> None:
    children = [pid for http in https(service) for pid in (http, *children_of(http))]
    assert len(children) == 4
    began = time.monotonic()
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(timeout=10) == 0
    assert time.monotonic() - began < 3
    assert not any(alive(pid) for pid in children)
