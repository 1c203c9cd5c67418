"""Watching, replaying, exporting and verifying at the command line."""

import json
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from domain.game import Scene
from domain.registry import GAMES
from ledgertop.cli.text import event_text
from tests.cli.running import Ledgertop


@pytest.fixture(scope="module")
def ended(shared: Ledgertop) -> str:
    return shared.whole_match("--deal", "7")


@pytest.fixture(scope="module")
def running(shared: Ledgertop) -> str:
    return shared.sealed_match(feed="1\n")[0]


def test_replay_shows_every_version(shared: Ledgertop, ended: str) -> None:
    shown = shared.run("replay", ended, "--json").objects
    assert [one["version"] for one in shown] == list(range(1, len(shown) + 1))
    assert [one["view"]["version"] for one in shown] == [one["event"]["version"] for one in shown]
    text = shared.run("replay", ended).out
    assert text.count("Palace ") == len(shown)
    assert "The match ends: " in text


def test_replay_shows_one_version(shared: Ledgertop, ended: str) -> None:
    assert shared.run("replay", ended, "--at", "5", "--json").object["view"]["version"] == 5
    assert shared.run("replay", ended, "--at", "999").code == 3
    assert shared.run("replay", ended, "--at", "0").code == 2
    assert shared.run("replay", "m_none").code == 3


def test_replay_steps_through_a_pipe(shared: Ledgertop, ended: str) -> None:
    assert len(shared.process("replay", ended, "--step", "--json", feed="\n\n").objects) == 3
    assert len(shared.run("replay", ended, "--step", "--json", feed="\nq\n\n").objects) == 2
    assert len(shared.run("replay", ended, "--step", "--json", feed="\n" * 999).objects) > 10


def test_P11_replay_and_watch_tell_nothing_hidden(shared: Ledgertop, running: str) -> None:
    for words in (("replay", running, "--json"),):
        for one in shared.run(*words).objects:
            assert "order" not in one["event"]["data"]
            assert "deck" not in one["view"]["state"]
            assert "token" not in one["event"]["data"]


def test_watch_shows_an_ended_match_and_stops(shared: Ledgertop, ended: str) -> None:
    events = shared.run("watch", ended, "--json").objects
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert shared.run("watch", ended, "--after", "3", "--json").objects == events[3:]
    assert len(shared.run("watch", ended).out.splitlines()) == len(events)


def test_watch_follows_a_match_live_until_its_end(ledgertop: Ledgertop) -> None:
    opened = ledgertop.play("--deal", "7")[0]
    process = subprocess.Popen(
        ledgertop.command("watch", opened["match"], "--json"),
        stdout=subprocess.PIPE,
        env=ledgertop.environment(PYTHONUNBUFFERED="1"),
    )
    assert process.stdout is not None
    first = [json.loads(process.stdout.readline()) for _ in range(5)]
    ledgertop.play("--resume", opened["match"], "--token", opened["token"], feed="resign\n")
    rest = [json.loads(line) for line in process.stdout]
    assert process.wait(10) == 0
    assert [event["type"] for event in first + rest][-1] == "ended"
    process.stdout.close()


def test_ctrl_c_ends_watching_with_130(shared: Ledgertop, running: str) -> None:
    process = subprocess.Popen(
        shared.command("watch", running),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shared.environment(PYTHONUNBUFFERED="1"),
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert err == b""


def test_P9_an_exported_record_is_verified_offline(shared: Ledgertop, ended: str, tmp_path: Path) -> None:
    file = tmp_path / "match.ndjson"
    told = shared.run("export", ended, "-o", str(file), "--json").object
    assert told["bytes"] == file.stat().st_size
    assert shared.run("export", ended).out.encode() == file.read_bytes()
    elsewhere = Ledgertop(tmp_path / "nothing")
    report = elsewhere.process("verify", str(file), "--json")
    assert report.code == 0
    assert (report.object["ok"], report.object["complete"]) == (True, True)
    again = elsewhere.process("verify", str(file), "--json", PYTHONHASHSEED="7")
    assert again.object == report.object  # P6
    assert not elsewhere.data.exists()
    assert elsewhere.run("verify", "-", feed=file.read_bytes()).code == 0


def test_P19_a_cut_or_changed_record_is_faulty(shared: Ledgertop, ended: str, tmp_path: Path) -> None:
    record = shared.run("export", ended).out.encode()
    file = tmp_path / "match.ndjson"
    for damaged in (record[:-1], record[: len(record) // 2], record.replace(b'"won"', b'"lost"') + b" ", b""):
        file.write_bytes(damaged)
        report = shared.run("verify", str(file), "--json")
        assert report.code == 1
        assert not report.object["ok"]
        assert "FAULTS FOUND" in shared.run("verify", str(file)).out


def test_P10_a_running_match_is_verified_as_far_as_it_goes(shared: Ledgertop, running: str) -> None:
    report = shared.run("verify", running)
    assert report.code == 0
    assert "no fault found so far (running)" in report.out
    assert "1 pending" in report.out
    exported = shared.run("export", running)
    assert "hidden" in exported.err


def test_P9_verify_finds_what_was_changed_in_the_database(ledgertop: Ledgertop) -> None:
    good, bad, broken = (ledgertop.whole_match("--deal", str(deal)) for deal in (1, 2, 3))
    assert ledgertop.run("verify", "--all").code == 0
    with closing(sqlite3.connect(ledgertop.data / "ledger.sqlite3")) as connection, connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        change = "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = ?"
        state = "SELECT state FROM stored_events WHERE originator_id = ? AND originator_version = 6"
        (stored,) = connection.execute(state, (bad,)).fetchone()
        data = json.loads(stored)
        data["by"] = "seat:1"
        connection.execute(
            change, (json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode(), bad, 6)
        )
        connection.execute(change, (b"{}", broken, 6))
    result = ledgertop.process("verify", "--all", "--json")
    assert result.code == 1
    *reports, summary = result.objects
    assert {report["match"]: report["ok"] for report in reports} == {good: True, bad: False, broken: False}
    assert summary == {"matches": 3, "faulty": 2, "ok": False}
    assert ledgertop.run("verify", good).code == 0
    assert ledgertop.run("verify", bad).code == 1
    assert ledgertop.run("verify", broken).code == 1
    doctor = ledgertop.run("doctor", "--json")
    assert doctor.code == 1
    assert [c["check"] for c in doctor.object["checks"] if c["level"] == "fault"] == ["log"]


def test_verify_and_export_have_exit_codes(shared: Ledgertop) -> None:
    codes = {
        ("verify", "m_none"): 3,
        ("verify",): 2,
        ("verify", "m_none", "--all"): 2,
        ("export", "m_none"): 3,
        ("watch", "m_none"): 3,
    }
    for words, code in codes.items():
        result = shared.run(*words)
        assert (result.code, result.out) == (code, ""), (words, result)
        assert "Traceback" not in result.err


def test_the_clock_is_told_of_in_sentences() -> None:
    scene = Scene(None, ("ann", "bob"))

    def told(event: str, /, **data: Any) -> str:
        return event_text(GAMES["adellos"], {"type": event, "data": data}, scene)

    assert told("clock_chosen", kind="days", seconds=86_400, increment=0) == "Each decision has 86400 s."
    assert "5 s more" in told("clock_chosen", kind="fischer", seconds=60, increment=5)
    by = told("clock_set", awaited=[1], deadline=1_800_000_000_000_000, remaining=[0, 0])
    assert by == "bob to decide by 2027-01-15 08:00:00."
    assert told("clock_set", awaited=[], deadline=None, remaining=[0, 0]) == "No clock runs."
