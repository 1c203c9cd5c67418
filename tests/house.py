"""A service to test, and the few words tests need about it."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from eventsourcing.persistence import IntegrityError, StoredEvent

import projections
from domain.game import Event
from domain.match import MatchCreated, RuleSet, SeatTaken
from ledgertop.config import Config
from ledgertop.wiring import build, open_views
from projections import ReadSide
from projections.projection import Projection
from services.archive import Afterwards
from services.codec import encode_recorded
from services.identifiers import new_event_id, new_salt
from services.looking import Caller
from services.service import Service
from services.store.port import Entry, EventStore
from services.store.recorders import PostgresRecorder
from services.store.sql import Database
from services.wishes import Answer, CreateMatch, Opened, Order, Sit

ROOT = Path(__file__).parent.parent
HOUR = 3600
SECOND = 1_000_000
START = 1_800_000_000 * SECOND


class FakeClock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> int:
        return self.time

    def go(self, seconds: float) -> None:
        self.time += int(seconds * SECOND)


@dataclass
class House:
    config: Config
    clock: FakeClock
    service: Service
    views: Database
    read_side: ReadSide

    def open(self, name: str = "ann", key: str | None = None, **wish: Any) -> Opened:
        """Create a match of Adaman and sit down. A sealed one that is lost in its set-up is dealt again."""
        while True:
            opened = self.service.opening.create(CreateMatch("adaman", sit=Sit(name), **wish), Order(key))
            if key or "deal" in wish or self.status(opened.id) == "running":
                return opened

    def legal(self, opened: Opened) -> list[dict[str, Any]]:
        legal = self.service.looking.legal(opened.id, Caller(token_of(opened)))
        commands: list[dict[str, Any]] = legal["commands"]
        return commands

    def play(self, opened: Opened, moves: int = 1_000) -> int:
        """Play the first legal command until the end, at most `moves` times; returns the last position."""
        position = opened.position
        for _ in range(moves):
            legal = self.legal(opened)
            if not legal:
                break
            position = self.act(opened, legal[0]).position
        return position

    def act(self, opened: Opened, command: dict[str, Any], order: Order | None = None) -> Answer:
        return self.service.matches.act(opened.id, token_of(opened), command, order or Order())

    def resign(self, opened: Opened) -> int:
        return self.act(opened, {"type": "resign"}).position

    def catch_up(self) -> None:
        self.read_side.runner().catch_up()

    def player(self, name: str = "ann") -> str:
        return self.service.people.find(name)

    def status(self, match: str) -> str:
        return str(self.service.ledger.history(match).match.status)


def open_house(stack: ExitStack, folder: Path, database_url: str | None, *, idle_limit: int = HOUR) -> House:
    config = Config(
        data=folder, database_url=database_url, redis_url=None, idle_limit=idle_limit, server_key=b"k" * 32
    )
    clock = FakeClock()
    service = build(config, migrate=True, clock=clock)
    views = open_views(config)
    stack.callback(views.close)
    stack.callback(service.close)
    stack.enter_context(_ledgers_closed())
    return House(config, clock, service, views, projections.open_read_side(service.store, views))


@contextmanager
def _ledgers_closed() -> Iterator[None]:
    """Ledgers that a test makes besides are done with the store before it is closed."""
    made: list[Afterwards] = []
    init = Afterwards.__init__

    def noted(self: Afterwards) -> None:
        init(self)
        made.append(self)

    with patch.object(Afterwards, "__init__", noted):
        try:
            yield
        finally:
            for one in made:
                one.close()


@contextmanager
def pages_of(every: int) -> Iterator[None]:
    """Snapshots at every so many versions, so that short matches have many."""
    with ExitStack() as stack:
        for module in ("snapshots", "archive", "ledger"):
            stack.enter_context(patch(f"services.{module}.EVERY", every))
        yield


def before_commits(store: EventStore, then: Callable[[], None]) -> None:
    """Have `then` called between the writing and the commit of each append of this store, which takes the several steps
    it takes where one of a group is refused; else there is nothing between the two."""
    recorder = store._recorder  # type: ignore[attr-defined]
    step = "_store_rows" if isinstance(recorder, PostgresRecorder) else "_insert_events"
    write = getattr(recorder, step)

    def written(*args: Any, **kwargs: Any) -> Any:
        result = write(*args, **kwargs)
        then()
        return result

    def insert_events(rows: Sequence[StoredEvent]) -> Any:
        (positions,) = recorder._insert_by_rows([rows])
        if positions is None:
            raise IntegrityError
        return positions

    setattr(recorder, step, written)
    recorder.insert_events = insert_events


def token_of(opened: Opened) -> str:
    assert opened.seat is not None
    return opened.seat.token


def entry(stream: str, version: int, event: Event, *, command: str = "c", at: int = START) -> Entry:
    """One fact in an envelope."""
    return Entry(
        stream=stream,
        version=version,
        id=new_event_id(),
        at=at,
        by="system:test",
        command=command,
        digest="d",
        cause=None,
        rules="adaman/1",
        salt=new_salt(),
        event=event,
    )


def created(**changes: Any) -> MatchCreated:
    fields: dict[str, Any] = {
        "game": "adaman",
        "rules": RuleSet("1", "content"),
        "options": {},
        "seats": 1,
        "deal": 1,
        "commitment": None,
        "spectators": True,
        "idle_limit": HOUR,
    }
    return MatchCreated(**(fields | changes))


def seated(player: str = "p_x") -> SeatTaken:
    return SeatTaken(seat=0, player=player, kind="person", token="t")


def insert_raw(house: House, row: Entry, *, topic: str | None = None, data: bytes | None = None) -> None:
    """Put a row into the store's table behind its back: no check, no wake-up."""
    values = (row.stream, row.version, topic or row.event.TOPIC, data or encode_recorded(row))
    columns = "(originator_id, originator_version, topic, state)"
    with raw_connection(house) as run:
        run(f"INSERT INTO stored_events {columns} VALUES (?, ?, ?, ?)", *values)


@contextmanager
def raw_connection(house: House) -> Iterator[Callable[..., list[Any]]]:
    """Another program's way to the event table; the function runs one statement and gives its rows."""
    import sqlite3

    import psycopg

    if house.config.database_url:
        with psycopg.connect(house.config.database_url, autocommit=True) as connection:

            def run(sql: str, *values: Any) -> list[Any]:
                return _rows(connection.execute(sql.replace("?", "%s"), values))  # type: ignore[call-overload]

            yield run
    else:
        file = sqlite3.connect(house.config.data / "ledger.sqlite3", isolation_level=None)
        try:
            yield lambda sql, *values: file.execute(sql, values).fetchall()
        finally:
            file.close()


def _rows(cursor: Any) -> list[Any]:
    return list(cursor.fetchall()) if cursor.description else []


def dump(database: Database, projection: Projection) -> dict[str, list[tuple[Any, ...]]]:
    """The live rows of a projection, without their generation."""
    from projections.projection import key, live_rows

    found = {}
    with database.reading() as sql:
        for table in projection.tables:
            rows = sql.rows(f"SELECT * FROM {table} WHERE {live_rows(key(projection))}")
            values = [[value for name, value in sorted(row.items()) if name != "generation"] for row in rows]
            found[table] = sorted(map(tuple, values), key=repr)
    return found


def dump_all(house: House) -> dict[str, list[tuple[Any, ...]]]:
    return {table: rows for one in projections.PROJECTIONS for table, rows in dump(house.views, one).items()}


def eventually(true: Callable[[], Any], within: float = 10.0) -> Any:
    """Wait until something holds; what it gave."""
    deadline = time.monotonic() + within
    while not (found := true()):
        assert time.monotonic() < deadline, "it did not become true in time"
        time.sleep(0.02)
    return found


@contextmanager
def running(work: Callable[[threading.Event], object]) -> Iterator[threading.Event]:
    """Run `work(stop)` beside the test; it must end within 2 s of `stop`."""
    stop = threading.Event()
    thread = threading.Thread(target=work, args=(stop,))
    thread.start()
    try:
        yield stop
    finally:
        stop.set()
        thread.join(5)
    assert not thread.is_alive()


@contextmanager
def another_process(house: House, script: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A Python process with `config` and `arguments` at hand; `hear` what it says, let it `go` on."""
    setting = {
        "data": str(house.config.data),
        "database_url": house.config.database_url,
        "arguments": [str(one) for one in arguments],
    }
    head = (
        "import json, sys; from pathlib import Path; from ledgertop.config import Config\n"
        "given = json.loads(sys.argv[1]); arguments = given['arguments']\n"
        "config = Config(Path(given['data']), given['database_url'], None, 3600, b'k' * 32)\n"
        "def say(line): print(line, flush=True)\n"
        "def await_go(): say('ready'); sys.stdin.readline()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", head + script, json.dumps(setting)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def hear(process: subprocess.Popen[str]) -> str:
    """The next line another process says."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()
