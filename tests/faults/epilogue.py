"""What must hold after every fault.

Versions are contiguous; replay gives the same digest under two hash seeds; the verifier finds no fault; each
acknowledged command is there exactly once; projections rebuilt equal incremental; no secret is in the logs.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import projections
from domain.match import Match
from ledgertop.config import Config
from ledgertop.wiring import build, open_views
from services.audit import verify
from services.codec import plain
from services.record import stored
from services.service import Service
from services.store.port import Damaged, Entry
from services.tokens import Keys
from tests.house import ROOT, dump

BATCH = 1_000
REPLAY_SECONDS = 600  # for all matches of a long run

REPLAY = """
import json, sys
from pathlib import Path
from ledgertop.config import Config
from ledgertop.wiring import open_store
from services.ledger import Ledger
from services.record import match_digest
given = json.loads(sys.stdin.read())
store = open_store(Config(Path(given["data"]), given["database_url"], None, 3600, b"k" * 32))
ledger = Ledger(store)
print(json.dumps({name: match_digest(ledger.history(name).match) for name in given["matches"]}))
store.close()
"""


class Acknowledged(NamedTuple):
    """A command that was answered: under which key, and the version its answer told."""

    match: str
    key: str
    version: int


def epilogue(
    config: Config,
    acknowledged: Iterable[Acknowledged] = (),
    *,
    logs: Iterable[Path] = (),
    secrets: Iterable[str] = (),
    damaged: frozenset[str] = frozenset(),
) -> None:
    """Assert all of it. Nothing else may be writing. `damaged` are matches that the fault was about."""
    with closing(build(config)) as service, closing(open_views(config)) as views:
        matches = demand_contiguous(service, damaged)
        demand_acknowledged(service, Keys(config.server_key), acknowledged)
        for match in matches:
            report = verify(stored(service.store, match))
            assert report.ok, (match, report.findings)
        demand_equal_replays(config, sorted(matches))
        demand_rebuilt_equals_incremental(service, views)
        known = [config.server_key.hex(), *secrets, *hidden(service, matches)]
    for log in logs:
        demand_no_secret(log.read_text(), known)


def demand_contiguous(service: Service, damaged: frozenset[str] = frozenset()) -> dict[str, list[Entry]]:
    """All matches with their entries: each has versions 1, 2, 3 … in the order of positions."""
    matches: dict[str, list[Entry]] = defaultdict(list)
    position = 0
    while found := service.store.scan(position, BATCH):
        for one in found:
            assert one.position > position
            position = one.position
            if isinstance(one, Damaged):
                assert one.stream in damaged, one
            elif one.entry.stream not in damaged:
                matches[one.entry.stream].append(one.entry)
    for name, entries in matches.items():
        assert [entry.version for entry in entries] == list(range(1, len(entries) + 1)), name
        spans = [entry.command for entry in entries]
        starts = [index for index, command in enumerate(spans) if index == 0 or spans[index - 1] != command]
        assert len(starts) == len({spans[index] for index in starts}), f"{name}: a command stands there twice"
    return matches


def demand_acknowledged(service: Service, keys: Keys, acknowledged: Iterable[Acknowledged]) -> None:
    for one in acknowledged:
        written = service.ledger.history(one.match).of_command(keys.command_id(one.key))
        assert written, f"an acknowledged command is missing: {one}"
        assert written[-1].version == one.version, one


def demand_equal_replays(config: Config, matches: list[str]) -> None:
    given = json.dumps({"data": str(config.data), "database_url": config.database_url, "matches": matches})
    replays = [
        subprocess.Popen(
            [sys.executable, "-c", REPLAY],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    first, second = (json.loads(replay.communicate(given, timeout=REPLAY_SECONDS)[0]) for replay in replays)
    assert first == second
    assert sorted(first) == matches


def demand_rebuilt_equals_incremental(service: Service, views: Any) -> None:
    read_side = projections.open_read_side(service.store, views)
    read_side.runner().catch_up()
    incremental = {one.name: dump(views, one) for one in projections.PROJECTIONS}
    for one in projections.PROJECTIONS:
        list(read_side.rebuild(one.name))
    assert {one.name: dump(views, one) for one in projections.PROJECTIONS} == incremental


def hidden(service: Service, matches: Iterable[str]) -> list[str]:
    """What nobody may read anywhere: sealed seeds, and what lies face down in matches that run."""
    found = []
    for name in matches:
        match = service.ledger.history(name).match
        if match.created.deal is None:
            found.append(service.seeds.of(match).hex())
        if match.status == "running":
            found += face_down(match)
    return found


def face_down(match: Match) -> list[str]:
    """The cards of a deck, as any text that told them would spell them."""
    state = plain(match.state)
    deck = state.get("deck") if isinstance(state, dict) else None
    return [f'"{card}"' for card in deck or () if isinstance(card, str)]


def demand_no_secret(text: str, secrets: Iterable[str]) -> None:
    assert "lt_seat_" not in text
    for secret in secrets:
        assert secret not in text, f"a secret of {len(secret)} characters was written"


def with_key_of(folder: Path, database_url: str | None = None) -> Config:
    """The settings of a service that was started in this data folder."""
    from ledgertop.config import load

    return replace(load(folder, {}), database_url=database_url)
