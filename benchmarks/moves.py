"""Durable moves over HTTP, on SQLite and on PostgreSQL, against a no-op flask-smorest POST, in one run.

20 matches at once, random legal moves planned beforehand (numbered deals are the same here as in the service);
the load generator shares the machine's cores with the server and the database. Three no-ops, since what is best for
a no-op is not what is best for a ledger: behind gunicorn as it comes (gthread), with one process and with two, and
behind the service's own server. The service runs in one HTTP process and in two. Then the latency of moves that come
at half the rate that was reached.
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import Any
from urllib.request import urlopen

import msgspec

from benchmarks.databases import KINDS, configured
from benchmarks.load import Result, request, run
from domain.chance import SealedChance, deal_seed
from domain.registry import GAMES
from ledgertop.config import Config

CONNECTIONS = 20
MOVES = 8_000
TURNS = 3
PACED_TURNS = 5
GOALS = (0.6, 0.5)  # of the no-op
JSON = {"Content-Type": "application/json"}


def plan(deal: int, rng: random.Random) -> list[dict[str, object]]:
    """Random legal moves that play a numbered deal of Adaman to its end."""
    game = GAMES["adaman"]
    chance = SealedChance(deal_seed("adaman", deal))
    state = game.rules.initial(game.options(), 1)
    for event in game.rules.advance(state, chance):
        state = game.rules.evolve(state, event)
    moves = []
    while game.rules.outcome(state) is None:
        legal = game.rules.legal(state, 0)
        command = legal[rng.randrange(len(legal))]
        moves.append(msgspec.to_builtins(command))
        for event in game.rules.decide(state, command, 0, chance):
            state = game.rules.evolve(state, event)
    return moves


@contextmanager
def own_noop() -> Iterator[int]:
    """The no-op behind the service's server."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    listener.set_inheritable(True)
    with listener, _running("benchmarks.noop", str(listener.fileno()), pass_fds=(listener.fileno(),)):
        yield listener.getsockname()[1]


@contextmanager
def stock_noop(processes: int) -> Iterator[int]:
    """The no-op behind gunicorn's threads as they come, in one process or several."""
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        listener.set_inheritable(True)
        arguments = (
            *("--worker-class", "gthread", "--workers", str(processes), "--threads", str(CONNECTIONS)),
            *("--keep-alive", "75", "--no-control-socket", "--log-level", "error"),
            *("--bind", f"fd://{listener.fileno()}", "benchmarks.noop:create_app()"),
        )
        with _running("gunicorn", *arguments, pass_fds=(listener.fileno(),)):
            yield listener.getsockname()[1]


@contextmanager
def service(config: Config, processes: int = 1) -> Iterator[int]:
    """The whole service, as `ledgertop serve` runs it."""
    environment = {key: value for key, value in os.environ.items() if key != "REDIS_URL"}
    environment.pop("LEDGERTOP_DATABASE_URL", None)
    if config.database_url:
        environment["LEDGERTOP_DATABASE_URL"] = config.database_url
    arguments = ("--data", str(config.data), "serve", "--port", "0", "--processes", str(processes))
    with _running("ledgertop", *arguments, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline().rsplit(":", 1)[1])


@contextmanager
def _running(module: str, *arguments: str, **options: Any) -> Iterator["subprocess.Popen[str]"]:
    """A Python module as a process; it is told to end."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments], **({"stderr": subprocess.DEVNULL} | options)
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=10)


def measure_noop(port: int, moves: int) -> Result:
    body = json.dumps(
        {"type": "control", "target": "savage", "payment": ["ace-of-leaves", "origin"]}
    ).encode()
    one = request("POST", "/noop", body, JSON)
    return run(port, [[one] * (moves // CONNECTIONS)] * CONNECTIONS)


def measure_moves(port: int, moves: int, first_deal: int, rate: float | None = None) -> Result:
    """Creates the matches, then plays them: as fast as the answers come, or `rate` moves a second."""
    rng = random.Random(first_deal)
    queues: list[list[tuple[int, dict[str, object]]]] = [[] for _ in range(CONNECTIONS)]
    deal = first_deal
    while min(len(queue) for queue in queues) < moves // CONNECTIONS:
        shortest = min(queues, key=len)
        shortest += [(deal, move) for move in plan(deal, rng)]
        deal += 1
    deals = range(first_deal, deal)
    wishes = [
        request(
            "POST",
            "/api/v1/matches",
            json.dumps({"game": "adaman", "deal": n, "sit": {"name": f"p{n % 20}"}}).encode(),
            JSON,
        )
        for n in deals
    ]
    answers: list[bytes] = []
    created = run(port, [wishes], answers)
    assert created.statuses == {201: len(wishes)}, created.statuses
    opened = {n: json.loads(answer) for n, answer in zip(deals, answers, strict=True)}
    requests = [
        [
            request(
                "POST",
                f"/api/v1/matches/{opened[n]['id']}/commands",
                json.dumps(move).encode(),
                JSON
                | {
                    "Authorization": f"Bearer {opened[n]['seat']['token']}",
                    "Idempotency-Key": f"bench-{n}-{index}",
                },
            )
            for index, (n, move) in enumerate(queue)
        ]
        for queue in queues
    ]
    _await_read_side(port)
    result = run(port, requests, rate=rate)
    assert result.statuses == {200: len(result.latencies)}, result.statuses
    return result


def _await_read_side(port: int) -> None:
    """Return when the read models show the matches just created: catching up with them is not a part of the moves."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=10) as answer:
            if not any(json.load(answer)["lag"].values()):
                return
        time.sleep(0.05)
    raise TimeoutError("the read models do not catch up")


def tell(name: str, results: list[Result]) -> None:
    """The best of several results."""
    best = max(results, key=lambda result: result.rate)
    p50, p99 = best.percentile(0.5), best.percentile(0.99)
    print(f"  {name:<34} {best.rate:8.0f} /s   p50 {p50:5.1f} ms   p99 {p99:5.1f} ms")


def compare(kind: str, noops: dict[str, int], goal: float) -> None:
    """Moves on one kind of database, through one HTTP process and through two, against each no-op; they take turns, so
    that all see the same machine.
    """
    with ExitStack() as stack:
        services = {
            f"{kind}, {name}": stack.enter_context(service(stack.enter_context(configured(kind)), number))
            for number, name in enumerate(("one process", "two processes"), 1)
        }
        for port in services.values():
            measure_moves(port, 2_000, 1)  # warm up
        moves: dict[str, list[Result]] = {name: [] for name in services}
        plain: dict[str, list[Result]] = {name: [] for name in noops}
        for turn in range(TURNS):
            for name, noop in noops.items():
                plain[name].append(measure_noop(noop, MOVES))
            for name, port in services.items():
                moves[name].append(measure_moves(port, MOVES, 100_000 * (turn + 1)))
        for name, results in plain.items():
            tell(f"no-op, {name}", results)
        for name, port in services.items():
            tell(f"moves, {name}", moves[name])
            for other, results in plain.items():
                tell_ratio(f"moves as a share of the no-op, {other}", moves[name], results, goal)
            tell_paced(port, median(result.rate for result in moves[name]) / 2)


def tell_ratio(name: str, moves: list[Result], plain: list[Result], goal: float) -> None:
    ratios = sorted(move.rate / noop.rate for noop, move in zip(plain, moves, strict=True))
    shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"    {name}: {shown}; median {median(ratios):.2f} (goal {goal})")


def tell_paced(port: int, rate: float) -> None:
    """The latency of moves that come at a given rate; the median of several runs."""
    paced = [
        measure_moves(port, MOVES // 2, 100_000 * (TURNS + turn + 1), rate) for turn in range(PACED_TURNS)
    ]
    p50s, p99s = ([result.percentile(share) for result in paced] for share in (0.5, 0.99))
    shown = ", ".join(f"{p99:.1f}" for p99 in sorted(p99s))
    p50, p99 = median(p50s), median(p99s)
    print(f"    {rate:.0f} moves a second: p50 {p50:.1f} ms   p99 {shown}; median {p99:.1f} ms (goal 10)")


def main() -> None:
    print("Durable moves over HTTP, 20 matches at once, load on the same cores")
    with stock_noop(1) as one, stock_noop(2) as two, own_noop() as own:
        noops = {"gunicorn, one process": one, "gunicorn, two processes": two, "the service's server": own}
        for noop in noops.values():
            measure_noop(noop, 2_000)  # warm up
        for kind, goal in zip(KINDS, GOALS, strict=True):
            print(f" {kind}")
            compare(kind, noops, goal)


if __name__ == "__main__":
    main()
