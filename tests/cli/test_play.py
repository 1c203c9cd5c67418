"""Playing at the command line, through a pipe as a program or a screen reader does it."""

import json
import os
import pty
import re
import signal
import subprocess

from tests.cli.running import Ledgertop


def test_a_whole_match_is_played_through_a_pipe_by_choosing_numbers(ledgertop: Ledgertop) -> None:
    result = ledgertop.process("play", "adaman", "--deal", "7", feed="1\n" * 100)
    assert result.code == 0
    assert result.err == ""
    assert re.search(r"The match is over: (won|lost|lost utterly), score \d+\.", result.out)
    assert "Palace" in result.out
    assert "L♣ Leaves" in result.out
    match = result.out.split()[1]
    assert ledgertop.run("verify", match, "--json").object["ok"]


def test_no_escape_sequences_in_a_pipe(ledgertop: Ledgertop) -> None:
    for words in (
        ("play", "adaman", "--deal", "7"),
        ("doctor",),
        ("--help",),
        ("simulate", "adaman", "-n", "5"),
    ):
        for environment in ({}, {"TERM": "xterm-256color", "CLICOLOR": "1"}):
            result = ledgertop.process(*words, feed="help\nhint\n1\nmore\n", **environment)
            assert result.code == 0
            assert "\x1b" not in result.out + result.err


def test_everything_but_what_is_to_be_copied_fits_80_columns(ledgertop: Ledgertop) -> None:
    played = ledgertop.run(
        "play", "adaman", "--deal", "27", "--excuse", "--pawns", "--courts",
        feed="help\nmore\nhint\ncontrol\nundo\n" + "1\nmore\n" * 30,
    )  # fmt: skip
    assert played.code == 0
    assert max(len(line) for line in played.out.splitlines() if "--token" not in line) <= 80


def test_a_left_match_is_resumed(ledgertop: Ledgertop) -> None:
    left = ledgertop.process("play", "adaman", "--deal", "7", "--name", "ann", feed="1\n")
    assert left.code == 0
    words = left.out.strip().splitlines()[-1].split("ledgertop ")[1].split()
    assert words[:3] == ["play", "adaman", "--resume"]
    again = ledgertop.run(*words, "--json", feed="resign\n")
    assert again.code == 0
    assert again.objects[1]["view"]["version"] == 7
    assert again.objects[-1]["outcome"]["result"] == "resigned"


def test_ctrl_c_leaves_the_match_and_exits_with_130(ledgertop: Ledgertop) -> None:
    process = subprocess.Popen(
        ledgertop.command("play", "adaman", "--deal", "7", "--json"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ledgertop.environment(PYTHONUNBUFFERED="1"),
    )
    assert process.stdout is not None
    assert process.stdin is not None
    opened = json.loads(process.stdout.readline())
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    left = json.loads(process.stdout.readline())
    assert process.wait(10) == 130
    assert left == {"is": "left", "match": opened["match"], "token": opened["token"]}
    process.stdin.close()
    process.stdout.close()


def test_on_a_terminal_there_is_a_prompt(ledgertop: Ledgertop) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        ledgertop.command("play", "adaman", "--deal", "7"),
        stdin=theirs,
        stdout=subprocess.PIPE,
        env=ledgertop.environment(),
    )
    os.close(theirs)
    os.write(ours, b"quit\n")
    out, _ = process.communicate(timeout=30)
    os.close(ours)
    assert process.returncode == 0
    assert "\n> " in out.decode()


def test_minimal_payments_come_first_and_more_shows_all(shared: Ledgertop) -> None:
    _, first, everything, _ = shared.play("--deal", "7", feed="more\n")
    assert len(first["legal"]) > first["plainest"] > 0
    assert everything["plainest"] == len(first["legal"])
    plain = first["legal"][: first["plainest"]]
    for command in first["legal"][first["plainest"] :]:
        assert any(
            one["target"] == command["target"] and set(one["payment"]) < set(command["payment"])
            for one in plain
        )


def test_commands_can_be_typed_in_words(shared: Ledgertop) -> None:
    for line in (
        "control merchant with betrayal and ace-of-leaves",
        "Control the Merchant with Ace of Leaves, Betrayal",
        '{"type": "control", "target": "merchant", "payment": ["betrayal", "ace-of-leaves"]}',
    ):
        events = shared.play("--deal", "7", feed=f"{line}\n")[2]["events"]
        assert events[0]["data"]["target"] == "merchant"
        assert sorted(events[0]["data"]["payment"]) == ["ace-of-leaves", "betrayal"]


def test_errors_name_the_rule(shared: Ledgertop) -> None:
    lines = {
        "control savage with ace-of-leaves": "target-not-on-table",
        "control bard with end": "payment-no-common-suit",
        "control nobody with end": "unknown-card",
        "control": "not-understood",
        "resolve-excuse end": "no-choice-pending",
        "undo": "undo-reveals",
        "rewind 99": "no-such-version",
        "rewind": "not-understood",
        "99": "not-understood",
        "0": "not-understood",
        "dance": "not-understood",
        "{": "not-understood",
        '{"type": "control"}': "not-understood",
    }
    said = shared.play("--deal", "7", feed="\n".join(lines))
    assert [one["rule"] for one in said if one["is"] == "refused"] == list(lines.values())
    text = shared.run("play", "adaman", "--deal", "7", feed="control bard with end\n").out
    assert "Not possible: End shares no suit with Bard. (payment-no-common-suit)" in text


def test_a_rewind_goes_back(shared: Ledgertop) -> None:
    said = shared.play("--deal", "7", feed="1\nrewind 5\n")
    first, last = said[1]["view"], said[-2]["view"]
    assert last["state"] == first["state"]
    assert last["rewound"]


def test_hints_can_be_followed_to_the_end(ledgertop: Ledgertop) -> None:
    with subprocess.Popen(
        ledgertop.command("play", "adaman", "--deal", "7", "--json"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ledgertop.environment(PYTHONUNBUFFERED="1"),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        hints = []
        for line in process.stdout:
            said = json.loads(line)
            if said["is"] == "position" and said["legal"]:
                process.stdin.write(b"hint\nhint\n")
            elif said["is"] == "hint":
                hints.append(said)
                if len(hints) % 2 == 0:
                    assert hints[-1] == hints[-2]
                    process.stdin.write(json.dumps(said["command"]).encode() + b"\n")
            process.stdin.flush()
    assert process.returncode == 0
    assert said["is"] == "ended"
    assert hints


def test_options_come_from_the_game(shared: Ledgertop) -> None:
    words = (
        "--excuse",
        "--courts",
        "--extra-personalities",
        "watchman",
        "--extra-personalities",
        "light-keeper",
    )
    view = shared.play(*words, "--final-deal")[1]["view"]
    assert view["options"] == {
        "excuse": True,
        "pawns": False,
        "courts": True,
        "extra_personalities": ["watchman", "light-keeper"],
        "final_deal": True,
    }
    assert view["commitment"]
    described = shared.run("play", "adaman", "--help").out
    for option in (
        "--excuse",
        "--pawns",
        "--courts",
        "--extra-personalities",
        "--final-deal",
        "--deal",
        "--name",
    ):
        assert option in described


def test_what_cannot_be_played_has_its_exit_code(shared: Ledgertop) -> None:
    said = shared.play("--deal", "7")
    match, token = said[0]["match"], said[0]["token"]
    codes = {
        ("play", "chess"): 3,
        ("play", "adaman", "--resume", "m_none", "--token", token): 3,
        ("play", "adaman", "--resume", match, "--token", "lt_seat_wrong"): 2,
        ("play", "adaman", "--resume", match): 2,
        ("play", "adaman", "--extra-personalities", "bard"): 2,
        ("play", "adaman", "--name", ""): 2,
        ("play", "adaman", "--deal", "0"): 1,
        ("play", "adaman", "--what"): 2,
    }
    for words, code in codes.items():
        result = shared.run(*words)
        assert (result.code, result.out) == (code, ""), (words, result)
        assert result.err
        assert "Traceback" not in result.err
