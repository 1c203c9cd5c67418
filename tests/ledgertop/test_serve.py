"""`ledgertop serve` from outside: one command runs it all, and it stops, restarts and recovers as promised."""

import http.client
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from ledgertop.cli import main
from tests.house import eventually
from tests.running import Running, alive, serving

CHUNKED = (
    b"POST /api/v1/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("serve")) as running:
        yield running


def test_a_whole_match_over_http_reaches_lobby_and_statistics(service: Running) -> None:
    match, token = service.open(deal=7, sit={"name": "bea"})
    service.play_on(match, token)

    view = service.call("GET", f"/matches/{match}").body
    assert view["status"] == "ended"
    assert view["outcome"]["result"] in ("won", "lost", "lost_utterly")
    events = service.call("GET", f"/matches/{match}/events").body["events"]
    assert [event["version"] for event in events] == list(range(1, view["version"] + 1))
    position = service.call("POST", "/matches", {"game": "adaman", "sit": {"name": "bea"}}).body["position"]
    listed = service.call("GET", f"/matches?after_position={position}&status=ended").body["matches"]
    assert match in [row["id"] for row in listed]
    assert (
        service.call("GET", f"/players/bea?after_position={position}").body["statistics"]["adaman"]["games"]
        >= 1
    )


def test_an_idle_match_is_abandoned_by_the_worker(tmp_path: Path) -> None:
    with serving(tmp_path, LEDGERTOP_IDLE_SECONDS="1") as running:
        match, _ = running.open()
        view = eventually(
            lambda: (seen := running.call("GET", f"/matches/{match}").body)["status"] == "ended" and seen, 15
        )
        last = running.call("GET", f"/matches/{match}/events").body["events"]
    assert view["outcome"]["result"] == "abandoned"
    assert [event["by"] for event in last if event["type"] == "ended"] == ["system:caretaker"]
    assert last[-1]["type"] == "seed_revealed"  # P10: also when abandoned


def test_sigterm_ends_it_within_three_seconds_with_streams_open(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        match, _ = running.open()
        streams = [_stream(running, match) for _ in range(20)]
        ended = [threading.Thread(target=_drain, args=stream) for stream in streams]
        for thread in ended:
            thread.start()
        children = running.children()
        started = time.monotonic()
        running.process.send_signal(signal.SIGTERM)
        code = running.process.wait(timeout=10)
        took = time.monotonic() - started
        for thread in ended:
            thread.join(timeout=5)
    assert took < 3.0
    assert code == 0
    assert set(children) == {"answering", "http", "projector", "worker"}
    assert not any(alive(pid) for pid in children.values())


def test_P22_killed_processes_are_started_again_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        match, token = running.open(deal=3)
        before = running.call("GET", f"/matches/{match}").body
        for name in ("answering", "http", "projector", "worker"):
            pid = running.children()[name]
            os.kill(pid, signal.SIGKILL)
            eventually(lambda name=name, pid=pid: running.children().get(name) not in (None, pid), 15)
        after = eventually(lambda: _get(running, match), 15)
        assert after == before
        running.play_on(match, token)
        assert running.call("GET", f"/matches/{match}").body["status"] == "ended"


def test_children_end_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        children = running.children()
        running.process.kill()
        running.process.wait()
        eventually(lambda: not any(alive(pid) for pid in children.values()), 10)


def test_trap_16_nothing_is_left_in_a_home_that_services_share(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with serving(tmp_path, HOME=str(home), XDG_RUNTIME_DIR=str(home)) as running:
        assert running.call("GET", "/games").status == 200
        assert list(home.rglob("*")) == []


def test_a_taken_port_is_a_clear_error(service: Running, tmp_path: Path) -> None:
    port = service.url.rsplit(":", 1)[1]
    tried = subprocess.run(
        [sys.executable, "-m", "ledgertop", "--data", str(tmp_path), "serve", "--port", port],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert tried.returncode != 0
    assert f"can't listen on 127.0.0.1:{port}" in tried.stderr
    assert "Traceback" not in tried.stderr


def test_a_service_that_does_not_answer_ends_with_exit_code_4(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledgertop.processes.READY_SECONDS", 0.2)
    monkeypatch.setattr("ledgertop.supervisor.Supervisor._start", lambda *_: None)  # no process is ever there
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        ended = CliRunner().invoke(main, ["--data", str(tmp_path), "serve", "--port", "0"])
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert ended.exit_code == 4
    assert "did not answer within" in ended.output


def test_P23_no_token_or_seed_in_the_log(service: Running) -> None:
    match, token = service.open()
    service.call("GET", f"/matches/{match}", token=token)
    service.call("GET", f"/matches/{match}", token="lt_seat_wrong")
    service.call(
        "POST", f"/matches/{match}/commands", {"type": "resign"}, token, Idempotency_Key="my-secret-key"
    )
    seed = service.call("GET", f"/matches/{match}/events").body["events"][-1]["data"]["seed"]
    log = service.log.read_text()
    assert log.strip()
    for secret in (token, "lt_seat_", seed, "my-secret-key"):
        assert secret not in log


def _stream(running: Running, match: str) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    host, port = running.url.removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=10)
    connection.request("GET", f"/api/v1/matches/{match}/events", headers={"Accept": "text/event-stream"})
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.readline()
    return connection, answer


def _drain(connection: http.client.HTTPConnection, stream: http.client.HTTPResponse) -> None:
    try:
        while stream.readline():
            pass
    except (OSError, http.client.HTTPException):
        pass
    finally:
        stream.close()
        connection.close()


def _get(running: Running, match: str) -> object:
    try:
        answer = running.call("GET", f"/matches/{match}")
    except (TimeoutError, OSError):
        return None
    return answer.body if answer.status == 200 else None


@pytest.mark.parametrize(
    ("sent", "status", "slug"),
    [
        (b"GET / HTTP/1.1\r\nAuthorization Bearer lt_seat_SECRET\r\n\r\n", 400, "bad-request"),
        (b"GET /lt_seat_SECRET HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400, "bad-request"),
        (b"lt_seat_SECRET\r\n\r\n", 400, "bad-request"),
        (CHUNKED + b"SECRET\r\n{}\r\n0\r\n\r\n", 400, "bad-request"),
        (CHUNKED + b"2\r\n{}SECRET0\r\n\r\n", 400, "bad-request"),
        (b"GET /" + 5_000 * b"a" + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri-too-long"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + 9_000 * b"a" + b"\r\n\r\n", 431, "headers-too-large"),
    ],
)
def test_P23_what_cant_be_read_is_a_problem_and_is_neither_echoed_nor_logged(
    service: Running, sent: bytes, status: int, slug: str
) -> None:
    host, _, port = service.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(sent)
        head, _, body = b"".join(iter(lambda: connection.recv(65_536), b"")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"Content-Type: application/problem+json" in head
    assert json.loads(body)["type"] == f"/problems/{slug}"
    assert b"SECRET" not in head + body
    assert "SECRET" not in service.log.read_text()


@pytest.mark.parametrize("in_chunks", [False, True])
@pytest.mark.parametrize("spaces", ["before", "behind"])
def test_P20_a_body_is_taken_up_to_its_limit_and_refused_one_byte_past_it(
    service: Running, in_chunks: bool, spaces: str
) -> None:
    wish = b'{"game":"adaman","deal":7}'
    for size, status in ((65_536, 201), (65_537, 413), (200_000, 413)):
        body = wish.rjust(size) if spaces == "before" else wish.ljust(size)
        connection = http.client.HTTPConnection(*_address(service), timeout=5)
        sent = (body[place : place + 1_000] for place in range(0, size, 1_000)) if in_chunks else body
        with suppress(BrokenPipeError, ConnectionResetError):  # answered before it has all been sent
            connection.request(
                "POST",
                "/api/v1/matches",
                sent,
                {"Content-Type": "application/json"},
                encode_chunked=in_chunks,
            )
        assert connection.getresponse().status == status
        connection.close()


@pytest.mark.parametrize("begun", [b"GET / HT", CHUNKED + b"20\r\n{"], ids=["in the head", "in the body"])
def test_P21_requests_that_never_come_to_an_end_delay_others_by_seconds_only(
    service: Running, begun: bytes
) -> None:
    host, _, port = service.url.removeprefix("http://").partition(":")
    with ExitStack() as stack:
        for _ in range(530):  # more than there are threads
            stack.enter_context(socket.create_connection((host, int(port)), timeout=5)).sendall(begun)
        began = time.monotonic()
        assert service.call("GET", "/games").status == 200
        assert time.monotonic() - began < 8


def test_P21_connections_between_two_requests_hold_no_thread(service: Running) -> None:
    with ExitStack() as stack:
        idle, slowest = [], 0.0
        for _ in range(530):  # more than there are threads
            began = time.monotonic()
            idle.append(stack.enter_context(_connected(service)))
            assert _answers(idle[-1], 1) == 1
            slowest = max(slowest, time.monotonic() - began)
        assert slowest < 1.5
        assert sum(_answers(connection, 1) for connection in idle) == len(idle), "and all are still open"


def test_P21_more_busy_connections_than_threads_keep_nobody_out(tmp_path: Path) -> None:
    with _answering(tmp_path, "THREADS = 8") as address, ExitStack() as stack:
        busy = [stack.enter_context(socket.create_connection(address, timeout=5)) for _ in range(12)]
        done = threading.Event()
        asking = threading.Thread(target=_ask_on_and_on, args=(busy, done))
        asking.start()
        try:
            for _ in range(3):
                time.sleep(0.2)
                with socket.create_connection(address, timeout=5) as bystander:
                    assert _answers(bystander, 1) == 1
        finally:
            done.set()
            asking.join()


def _ask_on_and_on(connections: list[socket.socket], done: threading.Event) -> None:
    """Ask again on each connection as soon as it has answered."""
    ask = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            connection.sendall(ask)
            selector.register(connection, selectors.EVENT_READ)
        while not done.is_set():
            for key, _ in selector.select(1):
                assert isinstance(key.fileobj, socket.socket)
                if key.fileobj.recv(65_536).endswith(b"\n"):
                    key.fileobj.sendall(ask)


@pytest.mark.parametrize("path", [b"/assets/ledgertop.css", b"/api/v1/openapi.json"], ids=["file", "answer"])
def test_P21_whoever_takes_nothing_is_cut_off(tmp_path: Path, path: bytes) -> None:
    asked = 1_000
    with _answering(tmp_path, "WRITE_SECONDS = 0.3") as address, socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect(address)
        connection.sendall(asked * (b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n"))
        time.sleep(3)
        connection.settimeout(5)
        received = 0
        with suppress(ConnectionResetError):
            while piece := connection.recv(1 << 20):
                received += piece.count(b"HTTP/1.1 200 OK")
    assert 0 < received < 0.9 * asked


@contextmanager
def _answering(data: Path, limit: str) -> Iterator[tuple[str, int]]:
    """The address of an HTTP process with another limit of `ledgertop.server`."""
    script = (
        f"import sys, ledgertop.server as server; server.{limit}\n"
        "from ledgertop.cli import main; main(['--data', sys.argv[1], 'api', '--port', '0'])"
    )
    assert CliRunner().invoke(main, ["--data", str(data), "migrate"]).exit_code == 0
    words = [sys.executable, "-c", script, str(data)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            host, port = process.stdout.readline().strip().rsplit("/", 1)[1].split(":")
            yield host, int(port)
        finally:
            process.terminate()


@pytest.mark.parametrize("pause", [0.0, 0.005, 0.1], ids=["at once", "quickly", "later"])
def test_each_of_several_requests_on_one_connection_is_answered(service: Running, pause: float) -> None:
    with _connected(service) as connection:
        if not pause:
            assert _answers(connection, 5) == 5
        for _ in range(5):
            time.sleep(pause)
            assert _answers(connection, 1) == 1


def _address(running: Running) -> tuple[str, int]:
    host, _, port = running.url.removeprefix("http://").partition(":")
    return host, int(port)


def _connected(running: Running) -> socket.socket:
    return socket.create_connection(_address(running), timeout=5)


def _answers(connection: socket.socket, count: int) -> int:
    """Send so many requests at once; how many were answered well."""
    connection.sendall(count * b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
    received = b""
    while received.count(b'"status":"live"') < count:
        if not (piece := connection.recv(65_536)):
            break
        received += piece
    return received.count(b"HTTP/1.1 200 OK")
