"""Matches of several seats at the command line: against bots, hot-seat, through pipes and on a terminal."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.adellos import ADELLOS
from ledgertop.config import load
from ledgertop.wiring import build
from services.looking import Caller
from services.wishes import Order
from tests.cli.running import Ledgertop

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
SCHOLARS = (
    *("--factions", "royal-army", "--factions", "clergy", "--first-seat", "0"),  # each can draw cards
    "--gold-rush",  # and pay for who draws them
)
SET_UP = (
    "choose noble general iron fist\nchoose noble pope anicetus iv\nplace noble a1\nhire court scholar b2\nend\n"
    "place noble i9\nhire scribe h8\nend\n"
)


def adellos(ledgertop: Ledgertop, *words: str, feed: str = "") -> list[Any]:
    result = ledgertop.run("play", "adellos", "--json", *words, feed=feed)
    assert result.code == 0, result.err
    return result.objects


def positions(said: list[Any]) -> list[Any]:
    return [one for one in said if one["is"] == "position"]


def resume_words(text: str) -> list[str]:
    return text.strip().splitlines()[-1].split("ledgertop ")[1].split()


# --- against bots ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "bot"), [(2, "greedy"), (3, "random"), (4, "greedy")])
def test_a_whole_match_through_a_pipe_against_bots(ledgertop: Ledgertop, players: int, bot: str) -> None:
    result = ledgertop.process(
        "play", "adellos", "--players", str(players), "--bot", bot, "--name", "ann", "--turn-limit", "16",
        feed="1\n" * 400,
    )  # fmt: skip
    assert result.code == 0
    assert result.err == ""
    assert "\x1b" not in result.out
    assert re.search(r"The match is over: .*(wins|drawn)", result.out)
    said = " ".join(result.out.split())
    assert re.search(rf"{bot} bot( \d)? moves the \w[^.]* from [a-i]\d to [a-i]\d \(\d AP\)\.", said)
    assert max(len(line) for line in result.out.splitlines() if "--token" not in line) <= 80
    match = result.out.split()[1]
    assert ledgertop.run("verify", match, "--json").object["ok"]
    watched = ledgertop.run("watch", match).out
    assert "Seat 1 is taken by a bot." in watched
    assert "ann's turn ends" in watched
    replayed = ledgertop.run("replay", match).out
    assert replayed.count("[0Name] noble") == len(watched.splitlines())
    assert "The match ends: " in replayed


def test_bots_alone_play_a_match_to_its_end(ledgertop: Ledgertop) -> None:
    result = ledgertop.run("play", "adellos", "--bots", "2")
    assert result.code == 0, result.err
    assert re.search(r"The match is over: greedy bot( 2)? wins \((last noble|bonus field)\)", result.out)
    match = result.out.split()[1]
    record = ledgertop.data / "record.ndjson"
    assert ledgertop.run("export", match, "-o", str(record)).code == 0
    assert ledgertop.run("verify", str(record)).code == 0


def test_who_plays_is_told_by_the_seats(shared: Ledgertop) -> None:
    said = adellos(shared, "--players", "4", "--name", "ann", "--bot", "random", "--bot", "greedy")
    seats = [(seat["name"], seat["kind"]) for seat in positions(said)[0]["view"]["seats"]]
    assert seats == [
        ("ann", "person"), ("random bot", "bot"), ("greedy bot", "bot"), ("greedy bot 2", "bot"),
    ]  # fmt: skip
    assert [seat["bot"] for seat in said[0]["seats"]] == [None, "random", "greedy", "greedy"]
    said = adellos(shared, "--players", "3", "--name", "ann", "--name", "Ann")
    assert [seat["name"] for seat in said[0]["seats"]] == ["ann", "Ann 2", "greedy bot"]


def test_json_gives_one_position_for_the_seat_that_decides(shared: Ledgertop) -> None:
    said = adellos(shared, "--name", "ann", "--turn-limit", "6", feed="1\n" * 120)
    assert said[0]["is"] == "opened"
    assert said[-1]["is"] == "ended"
    assert set(said[-1]["outcome"]) >= {"result", "reason", "scores"}
    for one in positions(said)[:-1]:
        assert one["seat"] == 0
        assert one["view"]["to_act"] == [0]
        assert one["legal"]
        assert "hand" not in one["view"]["state"]["players"][1]
    versions = [event["version"] for one in said if one["is"] == "events" for event in one["events"]]
    assert versions == list(range(versions[0], versions[-1] + 1))
    assert all(one["seat"] == 0 for one in said if one["is"] == "events")


def test_who_resigns_leaves_and_the_bots_play_on(ledgertop: Ledgertop) -> None:
    result = ledgertop.run("play", "adellos", "--name", "ann", "--players", "3", feed="1\nresign\n")
    assert result.code == 0
    assert "ann resigns and leaves with every unit." in result.out
    assert "0 ann: out of the match" in result.out
    assert re.search(r"The match is over: greedy bot( 2)? wins", result.out)


def test_a_left_match_is_resumed_with_every_seat(ledgertop: Ledgertop) -> None:
    left = ledgertop.run(
        "play", "adellos", "--players", "3", "--bot", "random", *("--name", "ann"), feed="1\n"
    )
    assert left.code == 0
    words = resume_words(left.out)
    assert words.count("--token") == 3
    assert words.count("--bot") == 2
    said = adellos(ledgertop, *words[2:], feed="1\n1\n")
    assert [(seat["name"], seat["bot"]) for seat in said[0]["seats"]] == [
        ("ann", None), ("random bot", "random"), ("random bot 2", "random"),
    ]  # fmt: skip
    assert said[-1]["is"] == "left"
    assert positions(said)[-1]["view"]["version"] > positions(said)[0]["view"]["version"]


def test_ctrl_c_leaves_and_exits_with_130(ledgertop: Ledgertop) -> None:
    with subprocess.Popen(
        ledgertop.command("play", "adellos", "--json"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ledgertop.environment(PYTHONUNBUFFERED="1"),
    ) as process:
        assert process.stdout is not None
        opened = json.loads(process.stdout.readline())
        while json.loads(process.stdout.readline())["is"] != "position":
            pass
        process.send_signal(signal.SIGINT)
        left = json.loads(process.stdout.readline())
        assert process.wait(10) == 130
    assert left == {**opened, "is": "left"}


def test_bots_agree_to_a_rewind(shared: Ledgertop) -> None:
    said = adellos(
        shared, "--players", "3", "--name", "ann", *SCHOLARS, "--factions", "scum", feed="1\n1\nrewind 9\n"
    )
    kinds = [event["type"] for one in said if one["is"] == "events" for event in one["events"]]
    at = kinds.index("rewind_proposed")
    assert kinds[at : at + 4] == ["rewind_proposed", "rewind_agreed", "rewind_agreed", "rewound"]
    assert positions(said)[-1]["view"]["rewound"]


# --- typing ------------------------------------------------------------------------------------------------


def test_commands_are_typed_by_names_of_fields_and_units(shared: Ledgertop) -> None:
    feed = SET_UP + "move general iron fist z1\nmove b2 to c2\nattack c2 c1\nmove c2 d2\nmove d2 e2\n"
    said = adellos(shared, "--hot-seat", *SCHOLARS, feed=feed)
    told = [event for one in said if one["is"] == "events" for event in one["events"]]
    hired = [event["data"] for event in told if event["type"] == "unit_hired" and event["by"] == "seat:0"]
    assert (hired[0]["unit"], hired[0]["field"]) == ("court-scholar", 10)
    moved = list(
        dict.fromkeys(
            (event["data"]["field"], event["data"]["to"]) for event in told if event["type"] == "unit_moved"
        )
    )
    assert moved == [(10, 11), (11, 12), (12, 13)]
    refused = [(one["rule"], one["reason"]) for one in said if one["is"] == "refused"]
    assert refused == [
        ("not-understood", "Nothing is called 'general-iron-fist' here."),
        ("no-enemy-there", "No enemy unit stands there."),
    ]


def test_fields_are_named_by_the_board_that_is_played_on(shared: Ledgertop) -> None:
    said = adellos(shared, "--board", "duel", "--hot-seat", feed="1\n1\nplace noble a2\n")
    told = [event for one in said if one["is"] == "events" for event in one["events"]]
    placed = [event["data"]["field"] for event in told if event["type"] == "noble_placed"]
    assert placed in ([9], [])  # a2 is in the castle of seat 0 only
    refused = [one["rule"] for one in said if one["is"] == "refused"]
    assert placed or refused == ["not-own-castle"]


def test_questions_about_the_table_are_answered(shared: Ledgertop) -> None:
    feed = (
        SET_UP
        + "look a1\nlook b2\nability ancient wisdom\ncard parry\nunit steel colossus\nsupply\nlog 3\nlook z9\ncard\n"
    )
    out = shared.run(
        "play", "adellos", "--hot-seat", "--name", "ann", "--name", "bob", *SCHOLARS, feed=feed
    ).out
    kinds = ADELLOS.rules.box.kinds
    general, colossus = kinds["general-iron-fist"].values, kinds["steel-colossus"].values
    for text in (
        "a1: The castle of ann. Next to it: b1, a2.",
        f"ann's General Iron Fist on a1, now attack {general[0]}, defence {general[1]}, movement {general[2]}.",
        "Iron Discipline: Your Soldiers have +1 attack.",
        "Printed on: Scribe, Court Scholar, Fortune Teller, Crypt Keeper.",
        "Parry (0 AP, played in a combat by the defender)",
        f"Steel Colossus, unit of Royal Army. Printed: attack {colossus[0]}, defence {colossus[1]},",
        "Supply of ann, Royal Army (attack/defence/movement):",
        "Not possible: There is nothing called 'z9'.",
    ):
        assert text in out, text
    assert "[0Fist]" in out
    assert " 0CoSc" in out
    said = adellos(shared, "--hot-seat", *SCHOLARS, feed=SET_UP + "look a1\n")
    assert said[-2]["is"] == "explained"


# --- several people at one terminal ------------------------------------------------------------------------


def sections(out: str) -> Iterator[tuple[str, str]]:
    """Who sat before the screen, and what was printed for them."""
    first, *rest = re.split(r"^Pass the terminal to (\w+), press Enter$", out, flags=re.MULTILINE)
    yield "ann", first
    yield from zip(rest[::2], rest[1::2], strict=True)


def test_P11_what_is_printed_for_one_person_tells_nothing_hidden_of_another(shared: Ledgertop) -> None:
    out = shared.run(
        "play", "adellos", "--hot-seat", "--name", "ann", "--name", "bob", *SCHOLARS, feed=SET_UP + "1\n" * 60
    ).out
    seen: dict[str, str] = {"ann": "", "bob": ""}
    for who, text in sections(out):
        seen[who] += text
    for who, other in (("ann", "bob"), ("bob", "ann")):
        assert f"Hand of {who}: " in seen[who]
        assert re.search(rf"{who} draws (?!an event card)", seen[who])
        assert f"{other} draws an event card." in seen[who]
        assert f"Hand of {other}" not in seen[who]
        assert not re.search(rf"{other} draws (?!an event card)", seen[who])
        assert f"{other} wants to" not in seen[who]


def test_P11_the_position_of_a_seat_holds_nothing_hidden_of_another(shared: Ledgertop) -> None:
    said = adellos(shared, "--hot-seat", *SCHOLARS, feed=SET_UP + "1\n" * 40)
    assert {one["seat"] for one in positions(said)} == {0, 1}
    for one in positions(said):
        players = one["view"]["state"]["players"]
        assert one["view"]["to_act"] == [one["seat"]]
        assert [player["seat"] for player in players if "hand" in player] == [one["seat"]]
    for one in said:
        for event in one["events"] if one["is"] == "events" else ():
            if event["type"] == "card_drawn":
                assert ("card" in event["data"]) == (event["data"]["seat"] == one["seat"])


def test_a_rewind_is_asked_of_the_others_at_the_terminal(shared: Ledgertop) -> None:
    feed = SET_UP + "rewind 9\nmove a1 a2\nrefuse\nrewind 9\nagree\n"
    said = adellos(shared, "--hot-seat", *SCHOLARS, feed=feed)
    asked = [one for one in said if one["is"] == "asked"]
    assert [one["proposal"]["seat"] for one in asked] == [0, 0]
    assert [one["rule"] for one in said if one["is"] == "refused"] == ["not-now"]
    kinds = {event["type"] for one in said if one["is"] == "events" for event in one["events"]}
    assert {"rewind_refused", "rewind_agreed", "rewound"} <= kinds


def test_a_seat_may_pass_in_every_combat_without_being_asked(shared: Ledgertop) -> None:
    said = adellos(shared, "--hot-seat", *SCHOLARS, feed=SET_UP + "always-pass\nalways-pass\n")
    assert [one["always_pass"] for one in said if one["is"] == "ordered"] == [True, False]
    assert positions(said)[-1]["seat"] == 0


class Terminal:
    """`play` on a terminal of its own."""

    def __init__(self, ledgertop: Ledgertop, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            ledgertop.command("play", "adellos", *words),
            stdin=theirs,
            stdout=theirs,
            env=ledgertop.environment(TERM="xterm", COLUMNS="80"),
        )
        os.close(theirs)

    def until(self, text: str) -> str:
        seen = b""
        end = time.monotonic() + 30
        while text.encode() not in seen:
            assert time.monotonic() < end, seen.decode()
            if select.select([self.ours], [], [], 0.2)[0]:
                seen += os.read(self.ours, 65536)
        return seen.decode().replace("\r\n", "\n")

    def type(self, line: str) -> None:
        os.write(self.ours, f"{line}\n".encode())

    def close(self) -> int:
        code = self.process.wait(20)
        os.close(self.ours)
        return code


def test_on_a_terminal_the_screen_is_wiped_before_it_is_passed_on(ledgertop: Ledgertop) -> None:
    terminal = Terminal(ledgertop, "--hot-seat", "--name", "ann", "--name", "bob", *SCHOLARS)
    terminal.until("> ")
    terminal.type("choose noble general iron fist")
    handed = terminal.until("Pass the terminal to bob, press Enter")
    assert CLEAR in handed
    assert "Version" not in handed.partition(CLEAR)[2]
    assert "chooses" not in handed
    terminal.type("")
    shown = terminal.until("> ")
    assert CLEAR in shown
    assert "ann chooses General Iron Fist." in shown
    assert "bob decides: which noble?" in shown
    terminal.type("quit")
    assert "--resume" in terminal.until("--resume")
    assert terminal.close() == 0


def test_somebody_elsewhere_is_waited_for(ledgertop: Ledgertop) -> None:
    said = adellos(ledgertop, "--hot-seat", "--name", "ann", "--name", "bob", *SCHOLARS, feed="1\n")
    match, seats = said[0]["match"], said[0]["seats"]
    with subprocess.Popen(
        ledgertop.command("play", "adellos", "--json", "--resume", match, "--token", seats[0]["token"]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ledgertop.environment(PYTHONUNBUFFERED="1"),
    ) as ann:
        assert ann.stdout is not None
        assert ann.stdin is not None
        assert json.loads(ann.stdout.readline())["is"] == "opened"
        assert json.loads(ann.stdout.readline()) == {"is": "waiting", "for": ["bob"]}
        service = build(load(ledgertop.data, {}), migrate=False)
        try:
            commands = service.looking.legal(match, Caller(seats[1]["token"]))["commands"]
            service.matches.act(match, seats[1]["token"], commands[0], Order())
        finally:
            service.close()
        events, position = (json.loads(ann.stdout.readline()) for _ in range(2))
        assert [event["type"] for event in events["events"]] == ["noble_chosen"]
        assert (position["seat"], position["view"]["to_act"]) == (0, [0])
        ann.stdin.close()
        assert ann.wait(10) == 0


# --- what is refused ---------------------------------------------------------------------------------------


def test_what_cannot_be_played_has_its_exit_code(shared: Ledgertop, tmp_path: Path) -> None:
    token = adellos(shared)[0]["token"]
    match = adellos(shared)[0]["match"]
    codes = {
        ("--players", "5"): 2,
        ("--players", "1"): 2,
        ("--bots", "3"): 2,
        ("--hot-seat", "--bots", "1"): 2,
        ("--bot", "clever"): 2,
        ("--deal", "7"): 2,
        ("--name", "a", "--name", "b", "--name", "c"): 2,
        ("--factions", "elves", "--factions", "scum"): 1,
        ("--board", "duel", "--players", "4"): 1,
        ("--resume", match): 2,
        ("--token", token): 2,
        ("--resume", match, "--token", token): 2,
        ("--resume", "m_none", "--token", token): 3,
    }
    for words, code in codes.items():
        result = shared.run("play", "adellos", *words)
        assert (result.code, result.out) == (code, ""), (words, result)
        assert result.err
        assert "Traceback" not in result.err
    assert not list(tmp_path.iterdir())


def test_simulating_several_seats(shared: Ledgertop) -> None:
    words = ("simulate", "adellos", "-n", "4", "--players", "3", "--seed", "5", "--turn-limit", "12")
    counted = shared.run(*words, "--json").object
    assert list(counted) == [
        "game", "bot", "players", "matches", "plays", "wins_by_faction", "wins_by_seat", "ends", "median_turns",
        "plays_per_s",
    ]  # fmt: skip
    assert list(counted["ends"]) == ["last_noble", "bonus_field", "resigned", "cut"]
    again = shared.run(*words, "--json").object
    assert counted | {"plays_per_s": 0} == again | {"plays_per_s": 0}
    text = shared.run(*words).out
    assert "4 matches of Adellos by the random bot, 3 players, seed 5" in text
    assert "wins by faction" in text
    assert shared.run("simulate", "adellos", "--players", "5").code == 2
    assert shared.run("simulate", "adaman", "--players", "1").code == 2
