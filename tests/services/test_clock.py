"""P24: what the wall clock does changes no deadline."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledgertop.config import Config
from ledgertop.wiring import build, newest_time, open_tables
from services.clock import Machine, SteadyClock, this_machine
from services.store.sql import Database
from tests.house import HOUR, ROOT, SECOND, START, House

HOURS = HOUR * SECOND


class FakeMachine:
    """A machine whose wall clock can be set."""

    def __init__(self, boot: str | None = "run1") -> None:
        self.boot = boot
        self.wall = START
        self.elapsed = 5 * SECOND

    def pass_time(self, microseconds: int) -> None:
        self.wall += microseconds
        self.elapsed += microseconds

    def clock(self, database: Database, newest: int = 0) -> SteadyClock:
        machine = Machine(self.boot, lambda: self.wall, lambda: self.elapsed)
        return SteadyClock(database, lambda: newest, machine)


@pytest.fixture
def tables(house: House) -> Iterator[Database]:
    database = open_tables(house.config)
    yield database
    database.close()


@pytest.mark.parametrize("jump", [2 * HOURS, -2 * HOURS])
def test_P24_a_jump_of_the_wall_clock_changes_nothing(tables: Database, jump: int) -> None:
    machine = FakeMachine()
    clock = machine.clock(tables)
    assert clock.now() == START
    machine.wall += jump
    machine.pass_time(3)
    assert clock.now() == START + 3
    assert clock.astray() == jump


@pytest.mark.parametrize("jump", [2 * HOURS, -2 * HOURS])
def test_P24_a_process_started_after_a_jump_agrees_with_those_before(tables: Database, jump: int) -> None:
    machine = FakeMachine()
    before = machine.clock(tables)
    before.now()
    machine.wall += jump
    assert machine.clock(tables).now() == before.now()


def test_P24_a_machine_started_anew_takes_the_wall_clock_but_never_goes_back_behind_the_log(
    tables: Database,
) -> None:
    FakeMachine().clock(tables).now()
    later = FakeMachine("run2")
    later.wall += 5 * HOURS
    assert later.clock(tables).now() == START + 5 * HOURS
    behind = FakeMachine("run3")
    behind.wall -= 2 * HOURS
    assert behind.clock(tables, newest=START + 7).now() == START + 7


def test_P24_without_a_name_for_the_run_a_process_keeps_its_own_anchor(tables: Database) -> None:
    machine = FakeMachine(None)
    clock = machine.clock(tables)
    clock.now()
    machine.wall += HOURS
    assert clock.now() == START
    assert machine.clock(tables).now() == START + HOURS


def test_the_newest_event_tells_the_time_of_the_log(house: House) -> None:
    assert newest_time(house.service.store) == 0
    house.clock.go(7)
    house.open(deal=1)
    assert newest_time(house.service.store) == house.clock.now()


def test_P24_processes_of_this_machine_agree(tmp_path: Path) -> None:
    """Two real processes with the real counter, the second with a wall clock that is two hours ahead."""
    config = Config(tmp_path, None, None, HOUR, b"k" * 32)
    service = build(config, migrate=True)
    if this_machine().boot is None:
        pytest.fail("Linux names the run of the machine")
    script = (
        "import sys, time, services.clock; from pathlib import Path; from ledgertop.config import Config\n"
        "from ledgertop.wiring import build\n"
        "services.clock._wall = lambda: time.time_ns() // 1000 + 7_200_000_000\n"
        "service = build(Config(Path(sys.argv[1]), None, None, 3600, b'k' * 32))\n"
        "print(service.clock.now()); service.close()"
    )
    before = service.clock.now()
    said = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert before < int(said.stdout) < service.clock.now()
    service.close()
