"""kill -9 of a process that appends: before, in the midst of, after an append, and at any time.

No command is torn, and none that was acknowledged is lost (P1, P2).
"""

import json
import os
import random
import signal
import time

import pytest

from tests.faults.chaos import rounds
from tests.faults.epilogue import Acknowledged, epilogue
from tests.house import House, another_process, hear

ROUNDS = rounds(5, 200)
MOMENTS = ("before", "in", "after", "any time", "any time")

# A process that has imported everything starts a fresh one for each round: a service is built after the fork (trap 3).
PLAYERS = """
import os, threading
from itertools import count
from ledgertop.wiring import build
from services.looking import Caller
from services.wishes import CreateMatch, Order, Sit
from tests.house import before_commits

def die(*_, **__):
    os.kill(os.getpid(), 9)

def arrange(store, moment, appends):
    left = count(appends, -1)
    original = store._recorder.insert_events
    def insert_events(rows):
        last = next(left) <= 0
        if last and moment == "before": die()
        result = original(rows)
        if last: die()
        return result
    if moment in ("before", "after"):
        store._recorder.insert_events = insert_events
    if moment == "in":
        before_commits(store, lambda: die() if next(left) <= 0 else None)

def play(service, name):
    for number in count():
        key = f"{name}-{number}"
        opened = service.opening.create(CreateMatch("adaman", sit=Sit(name)), Order(key))
        tell(opened.id, key, opened.version)
        for move in count():
            legal = service.looking.legal(opened.id, Caller(opened.seat.token))
            if not legal["commands"]: break
            order = Order(f"{key}-{move}")
            answer = service.matches.act(opened.id, opened.seat.token, legal["commands"][0], order)
            tell(opened.id, f"{key}-{move}", answer.version)

def tell(*words):
    os.write(1, (json.dumps(words) + "\\n").encode())

say("ready")
for line in sys.stdin:
    moment, appends, name = json.loads(line)
    child = os.fork()
    if child == 0:
        service = build(config)
        arrange(service.store, moment, appends)
        for player in "abc":
            threading.Thread(target=play, args=(service, f"{name}{player}"), daemon=True).start()
        threading.Event().wait(30)
        os._exit(1)
    say(json.dumps({"child": child}))
    os.waitpid(child, 0)
    say("ended")
"""


@pytest.mark.parametrize("seed", [7])
def test_P1_P2_killed_while_appending_nothing_is_torn_or_lost(house: House, seed: int) -> None:
    chance = random.Random(seed)
    acknowledged: list[Acknowledged] = []
    with another_process(house, PLAYERS) as process:
        assert hear(process) == "ready"
        assert process.stdin is not None
        for number in range(ROUNDS):
            moment = MOMENTS[number % len(MOMENTS)]
            process.stdin.write(json.dumps([moment, chance.randrange(3, 40), f"r{number}"]) + "\n")
            process.stdin.flush()
            child = json.loads(hear(process))["child"]
            told = 0
            while (line := hear(process)) != "ended":
                acknowledged.append(Acknowledged(*json.loads(line)))
                told += 1
                if moment == "any time" and told == 3:
                    time.sleep(chance.random() * 0.2)
                    os.kill(child, signal.SIGKILL)
            assert told or moment != "any time"
    assert len(acknowledged) > 5 * ROUNDS
    epilogue(house.config, acknowledged)


def test_the_log_of_a_killed_writer_is_read_by_others_at_once(house: House) -> None:
    """A writer killed with the lock in its hands lets go of it: the next command is not refused."""
    script = """
from tests.house import before_commits, created, entry
from ledgertop.wiring import open_store
import threading
store = open_store(config)
def stay():
    say("holding")
    threading.Event().wait()
before_commits(store, stay)
store.append([entry("m_torn", 1, created())])
"""
    with another_process(house, script) as process:
        assert hear(process) == "holding"
        process.kill()
        process.wait()
    opened = house.open(deal=1)
    assert house.service.store.read("m_torn") == []
    assert house.act(opened, house.legal(opened)[0], None)
    epilogue(house.config)
