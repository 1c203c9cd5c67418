"""Simulating and looking after a store at the command line."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ledgertop.cli import COMMANDS, main
from tests.cli.running import Ledgertop
from tests.house import ROOT


def test_simulate_prints_exactly_one_object(ledgertop: Ledgertop) -> None:
    words = ("simulate", "adaman", "-n", "20", "--bot", "greedy", "--seed", "3", "--json")
    first = ledgertop.process(*words).object
    assert list(first) == [
        "game", "bot", "seed", "matches", "plays", "outcomes", "mean_score", "plays_per_s",
    ]  # fmt: skip
    assert set(first["outcomes"]) == {"won", "lost", "lost_utterly"}
    assert sum(first["outcomes"].values()) == first["matches"] == 20
    again = ledgertop.process(*words, PYTHONHASHSEED="7").object
    assert {**again, "plays_per_s": 0} == {**first, "plays_per_s": 0}  # P6
    assert not ledgertop.data.exists()
    assert ledgertop.run("simulate", "adaman", "-n", "0").code == 2
    assert ledgertop.run("simulate", "adaman", "--bot", "genius").code == 2


def test_a_fresh_store_is_well(ledgertop: Ledgertop) -> None:
    ledgertop.play()
    result = ledgertop.run("doctor", "--json")
    assert result.code == 0
    assert result.object["ok"]
    assert {check["check"] for check in result.object["checks"]} >= {
        "python", "data folder", "disk space", "valkey", "database", "projections", "quarantine", "log",
    }  # fmt: skip


def test_doctor_finds_a_missing_seed_and_tells_no_secret(ledgertop: Ledgertop) -> None:
    _, token = ledgertop.sealed_match()
    with closing(sqlite3.connect(ledgertop.data / "tables.sqlite3")) as connection, connection:
        seeds = [seed for (seed,) in connection.execute("SELECT seed FROM seeds")]
    key = (ledgertop.data / "server.key").read_text().strip()
    url = "redis://:hunter2@127.0.0.1:1/0"
    well = ledgertop.run("doctor", REDIS_URL=url)
    assert well.code == 1
    assert "valkey" in well.out
    with closing(sqlite3.connect(ledgertop.data / "tables.sqlite3")) as connection, connection:
        connection.execute("DELETE FROM seeds")
    ill = ledgertop.run("doctor")
    assert ill.code == 1
    assert "lack the seed" in ill.out
    for secret in (*seeds, key, token, "hunter2"):
        assert secret not in well.out + well.err + ill.out + ill.err  # P23


def test_a_database_out_of_reach_is_exit_code_4(ledgertop: Ledgertop) -> None:
    url = "postgresql://nobody:hunter2@127.0.0.1:1/nothing?connect_timeout=1"
    result = ledgertop.run("verify", "--all", LEDGERTOP_DATABASE_URL=url)
    assert result.code == 4
    assert "Traceback" not in result.err
    doctor = ledgertop.run("doctor", LEDGERTOP_DATABASE_URL=url)
    assert doctor.code == 1
    assert "hunter2" not in result.err + doctor.out + doctor.err


def test_settings_that_cannot_be_used_are_usage_errors(ledgertop: Ledgertop) -> None:
    result = ledgertop.run("replay", "m_x", LEDGERTOP_DATABASE_URL="mysql://x")
    assert result.code == 2
    assert "LEDGERTOP_DATABASE_URL" in result.err
    assert ledgertop.run("dance").code == 2


def test_P18_rebuild_fills_a_projection_and_shows_progress_on_stderr(ledgertop: Ledgertop) -> None:
    ledgertop.whole_match("--deal", "7")
    result = ledgertop.run("rebuild", "lobby", "--json")
    assert result.object["projections"] == ["lobby"]
    assert result.object["position"] > 0
    assert "Rebuilding lobby" in result.err
    lag = next(c for c in ledgertop.run("doctor", "--json").object["checks"] if c["check"] == "projections")
    assert "lobby 0 behind" in lag["detail"]
    unknown = ledgertop.run("rebuild", "lobby", "lobbies")
    assert unknown.code == 3
    assert "lobby" in unknown.err


def test_P18_every_projection_is_rebuilt_in_one_go(ledgertop: Ledgertop) -> None:
    ledgertop.whole_match("--deal", "7")
    result = ledgertop.run("rebuild", "--all", "--json").object
    assert result["projections"] == ["due_effects", "lobby", "statistics"]
    named = ledgertop.run("rebuild", "statistics", "lobby", "statistics")
    assert named.out == f"Rebuilt up to position {result['position']}: statistics, lobby.\n"
    assert ledgertop.run("rebuild").code == 2
    assert ledgertop.run("rebuild", "--all", "lobby").code == 2


def test_P28_a_forgotten_name_leaves_the_match_whole(ledgertop: Ledgertop) -> None:
    match = ledgertop.whole_match("--deal", "7", "--name", "Ann")
    assert ledgertop.run("forget", "ann", "--json").object["forgotten"]
    assert ledgertop.run("forget", "ann").code == 3
    shown = ledgertop.run("replay", match, "--at", "5", "--json").object
    assert shown["view"]["seats"][0]["name"] is None
    assert ledgertop.run("verify", match).code == 0


def test_openapi_prints_the_document(ledgertop: Ledgertop) -> None:
    document = json.loads(ledgertop.process("openapi").out)
    assert document["openapi"].startswith("3.1")
    assert document["paths"]
    assert ledgertop.run("openapi", "--json").object == document
    assert not ledgertop.data.exists()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_tells_what_it_does(name: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--data", str(tmp_path), name, "--help"])
    assert result.exit_code == 0, result.output
    assert "Usage:" in result.output


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "http"])
def test_every_command_takes_json_and_is_documented(name: str, tmp_path: Path) -> None:
    words = [name, "adaman"] if name in ("play", "simulate") else [name]
    result = CliRunner().invoke(main, ["--data", str(tmp_path), *words, "--help"])
    assert "--json" in result.output
    assert f"`ledgertop {name}" in (ROOT / "docs" / "cli.md").read_text()


def test_migrate_makes_the_tables_and_says_so(ledgertop: Ledgertop) -> None:
    assert ledgertop.run("migrate", "--json").object == {"migrated": True}
    assert ledgertop.run("migrate").out == "The tables are up to date.\n"


def test_json_can_stand_before_the_command(tmp_path: Path) -> None:
    words = ["--data", str(tmp_path), "--json", "simulate", "adaman", "-n", "2"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["matches"] == 2


def test_options_of_every_kind_of_field_can_be_made() -> None:
    from typing import Annotated, Literal

    from domain.game import Options, fields_of, public
    from ledgertop.cli.games import _option

    class Wishes(Options, frozen=True):
        big: Annotated[bool, public("big or not")] = False
        size: Annotated[int, public("how big", unit="cm")] = 3
        limit: Annotated[int | None, public("how long")] = None
        mode: Annotated[Literal["a", "b"], public("which way")] = "a"
        extras: Annotated[tuple[Literal["x", "y"], ...], public("what else")] = ()

    command = click.Command(
        "try", params=[_option(field) for field in fields_of(Wishes)], callback=lambda **v: v
    )
    words = ["--big", "--size", "4", "--limit", "5", "--mode", "b", "--extras", "x", "--extras", "y"]
    given = command.main(words, standalone_mode=False)
    assert given == {"big": True, "size": 4, "limit": 5, "mode": "b", "extras": ("x", "y")}
