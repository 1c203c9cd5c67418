"""Durable moves over HTTP on SQLite against a no-op flask-smorest POST with the same server, in one run.

20 matches at once, random legal moves planned beforehand (numbered deals are the same here as in the service);
the load generator shares the machine's cores with the server.
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchmarks.load import Result, request, run
from domain.chance import SealedChance, deal_seed
from domain.registry import GAMES

CONNECTIONS = 20
MOVES = 12_000
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
def noop_server() -> Iterator[int]:
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    listener.set_inheritable(True)
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.noop", str(listener.fileno())], pass_fds=(listener.fileno(),)
    )
    try:
        yield listener.getsockname()[1]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=10)
        listener.close()


@contextmanager
def service(folder: Path) -> Iterator[int]:
    environment = {
        key: value for key, value in os.environ.items() if key not in ("REDIS_URL", "LEDGERTOP_DATABASE_URL")
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "ledgertop", "--data", str(folder), "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline().rsplit(":", 1)[1])
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=10)


def measure_noop(port: int, moves: int) -> Result:
    body = json.dumps(
        {"type": "control", "target": "savage", "payment": ["ace-of-leaves", "origin"]}
    ).encode()
    one = request("POST", "/noop", body, JSON)
    return run(port, [[one] * (moves // CONNECTIONS)] * CONNECTIONS)


def measure_moves(port: int, moves: int, first_deal: int) -> Result:
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
    result = run(port, requests)
    assert result.statuses == {200: len(result.latencies)}, result.statuses
    return result


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, service(Path(folder)) as port, noop_server() as noop_port:
        measure_noop(noop_port, 2_000)  # warm up
        measure_moves(port, 2_000, 1)
        noop, moves = [], []
        for turn in range(3):  # alternate, so that both see the same machine
            noop.append(measure_noop(noop_port, MOVES))
            moves.append(measure_moves(port, MOVES, 100_000 * (turn + 1)))
    ratios = sorted(move.rate / plain.rate for plain, move in zip(noop, moves, strict=True))
    print("Durable moves over HTTP, SQLite (synchronous=FULL), 20 matches at once, load on the same cores")
    for name, results in (("no-op POST", noop), ("moves", moves)):
        best = max(results, key=lambda result: result.rate)
        p50, p99 = best.percentile(0.5), best.percentile(0.99)
        print(f"  {name:<10} {best.rate:8.0f} /s   p50 {p50:5.1f} ms   p99 {p99:5.1f} ms")
    shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"  ratio of each pair {shown}; median {ratios[1]:.2f} (goal 0.5)")


if __name__ == "__main__":
    main()
