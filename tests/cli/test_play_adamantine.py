"""Adamantine at the command line: whole matches through pipes, cards by their names, decks of one's own."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from domain.adamantine import ADAMANTINE
from tests.cli.running import Ledgertop, Result
from tests.cli.test_play_several import positions, resume_words, sections

BOX = ADAMANTINE.rules.box
PEOPLE = ("--hot-seat", "--name", "ann", "--name", "bob", "--first-seat", "0")
SET_UP = "choose garrod the unbowed\nchoose fighter\nchoose needle tam\nchoose rogue\n"


def played(ledgertop: Ledgertop, *words: str, feed: str = "") -> Result:
    result = ledgertop.run("play", "adamantine", *words, feed=feed)
    assert result.code == 0, result.err
    return result


def said(ledgertop: Ledgertop, *words: str, feed: str = "") -> list[Any]:
    return played(ledgertop, "--json", *words, feed=feed).objects


def events(told: list[Any]) -> list[Any]:
    return [event for one in told if one["is"] == "events" for event in one["events"]]


class Duel:
    """A hot-seat match that is left and resumed between its lines, so that they can name what was drawn."""

    def __init__(self, ledgertop: Ledgertop, *words: str) -> None:
        self._ledgertop = ledgertop
        self._told: list[Any] = []
        self._resume = [*words]
        self.give("")

    def give(self, lines: str) -> list[Any]:
        """What is said to some lines."""
        self._told = said(self._ledgertop, *self._resume, feed=lines)
        opened = self._told[0]
        self._resume = ["--resume", opened["match"]]
        for seat in opened["seats"]:
            self._resume += ["--token", seat["token"]]
        return self._told

    @property
    def position(self) -> Any:
        return positions(self._told)[-1]

    @property
    def mine(self) -> Any:
        return self.position["view"]["state"]["players"][self.position["seat"]]

    def refused(self) -> list[str]:
        return [one["reason"] for one in self._told if one["is"] == "refused"]


def duel(ledgertop: Ledgertop, *words: str) -> Duel:
    """The first day of ann with Iron Vow; bob has Silent Knives."""
    made = Duel(ledgertop, *PEOPLE, *words)
    made.give(SET_UP)
    return made


# --- whole matches -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_a_whole_match_through_a_pipe_against_a_bot(ledgertop: Ledgertop, bot: str) -> None:
    result = ledgertop.process(
        "play", "adamantine", "--bot", bot, "--name", "ann", "--turn-limit", "6", feed="1\n" * 300
    )
    assert result.code == 0
    assert result.err == ""
    assert "\x1b" not in result.out
    assert re.search(r"The match is over: .*(wins|drawn)", result.out)
    assert f"{bot} bot builds room" in result.out or f"{bot} bot's night and turn end." in result.out
    assert max(len(line) for line in result.out.splitlines() if "--token" not in line) <= 80
    match = result.out.split()[1]
    assert ledgertop.run("verify", match, "--json").object["ok"]
    watched = ledgertop.run("watch", match).out
    assert "Seat 1 is taken by a bot." in watched
    assert "ann's day ends." in watched
    replayed = ledgertop.run("replay", match).out
    assert replayed.count("with Iron Vow") == len(watched.splitlines())
    assert "The match ends: " in replayed


def test_bots_alone_play_with_the_decks_that_are_named(ledgertop: Ledgertop) -> None:
    out = played(ledgertop, "--bots", "2", "--decks", "wild-host, ember-circle").out
    assert re.search(r"The match is over: greedy bot( 2)? wins \((champion slain|no cards at night)\)", out)
    assert "--- 0 greedy bot with Wild Host" in out
    assert "--- 1 greedy bot 2 with Ember Circle" in out
    record = ledgertop.data / "record.ndjson"
    assert ledgertop.run("export", out.split()[1], "-o", str(record)).code == 0
    assert ledgertop.run("verify", str(record)).code == 0


def test_who_resigns_has_lost(shared: Ledgertop) -> None:
    out = played(shared, "--name", "ann", feed="1\n1\nresign\n").out
    assert "ann resigns." in out
    assert "The match is over: greedy bot wins (resigned), scores 0, 1." in out


def test_a_left_match_is_resumed(shared: Ledgertop) -> None:
    left = played(shared, "--name", "ann", "--bot", "random", "--first-seat", "0", feed="1\n1\n")
    words = resume_words(left.out)
    assert (words.count("--token"), words.count("--bot")) == (2, 1)
    told = said(shared, *words[2:], feed="end day\n")
    assert told[-1]["is"] == "left"
    assert [event["type"] for event in events(told)][:2] == ["day_ended", "night_begun"]


# --- typing ------------------------------------------------------------------------------------------------


def test_cards_are_typed_by_their_names(shared: Ledgertop) -> None:
    table = duel(shared)
    before = table.mine
    free = [
        card["card"]
        for card in before["hero_hand"]
        if card["card"] in BOX.heroes
        and BOX.heroes[card["card"]].gold <= 5
        and not BOX.heroes[card["card"]].needs
    ]
    names = [BOX.name(card) for card in free]
    table.give("".join(f"play {name.upper()}\n" for name in names))
    assert table.refused() == []
    assert [piece["card"] for piece in table.mine["in_play"]][1:] == free
    table.give("play no such thing\nexplore 999\nstat might\nplay\nfoo\n")
    assert [reason.split(".")[0] for reason in table.refused()] == [
        "Nothing is called 'no' here",
        "The opponent has no such room",
        "That is not for the day",
        "`card` is missing",
        "'foo' is no command; `help` lists them",
    ]


def test_a_room_is_built_by_one_line(shared: Ledgertop) -> None:
    table = duel(shared)
    table.give("end day\n")
    first, second, third = (card["card"] for card in table.mine["dungeon_hand"][:3])
    told = table.give(f"build {BOX.name(first)}, {BOX.name(second)}\n")
    built = [event["data"] for event in events(told) if event["type"] == "room_built"]
    assert [built[0]["cards"], table.refused()] == [[first, second], []]
    told = table.give(f"build\nlay {BOX.name(third)}\nshow\ndone\n")
    assert [event["type"] for event in events(told)][-3:] == ["choice_begun", "card_picked", "room_built"]
    assert [len(room["cards"]) for room in table.mine["rooms"]] == [2, 1]
    table.give("build\ncancel\nbuild dragon's lair\n")
    assert table.refused()
    assert len(table.mine["rooms"]) == 2


def test_rooms_are_explored_by_their_numbers(shared: Ledgertop) -> None:
    table = duel(shared)
    table.give("end day\n")
    hand = [card["card"] for card in table.mine["dungeon_hand"]]
    table.give(f"build {BOX.name(hand[0])}\nend night\n")
    number = table.position["view"]["state"]["players"][0]["rooms"][0]["handle"]
    assert "card" not in table.position["view"]["state"]["players"][0]["rooms"][0]["cards"][0]
    told = table.give(f"look room {number}\nexplore room {number}\n")
    assert (
        next(one["lines"] for one in told if one["is"] == "explained")[0] == f"Room {number} of ann, 1 card:"
    )
    explored = [event["data"] for event in events(told) if event["type"] == "room_explored"]
    assert explored[0]["cards"] == hand[:1]


def test_a_card_is_paid_for_on_the_same_line(shared: Ledgertop) -> None:
    """Whatever is dear in the hand, or the next hand, is paid with what was free on the first day."""
    for _ in range(12):
        table = duel(shared)
        state = table.mine
        dear = [card["card"] for card in state["hero_hand"] if BOX.gear[card["card"]].gold > 5]
        cheap = [
            card["card"]
            for card in state["hero_hand"]
            if card["card"] in BOX.heroes and not BOX.heroes[card["card"]].needs
            and 3 <= BOX.gear[card["card"]].gold <= 5 and not BOX.gear[card["card"]].cheaper
        ]  # fmt: skip
        if dear and BOX.gear[dear[0]].gold == 6 and len(set(cheap)) > 1 and not BOX.heroes[dear[0]].needs:
            table.give("".join(f"play {BOX.name(card)}\n" for card in cheap))
            legal = [one for one in table.position["legal"] if one["type"] == "play_card"]
            handle = next(card["handle"] for card in table.mine["hero_hand"] if card["card"] == dear[0])
            assert {"type": "play_card", "card": handle} in legal
            first, second = list(dict.fromkeys(cheap))[:2]
            told = table.give(f"play {BOX.name(dear[0])} with {BOX.name(first)} and {BOX.name(second)}\n")
            kinds = [event["type"] for event in events(told)]
            assert kinds[:3] == ["choice_begun", "card_picked", "card_played"], table.refused()
            return


def test_help_lists_commands_questions_and_words(shared: Ledgertop) -> None:
    out = played(shared, feed="help\ncard buck\ndeck\ndiscards\nalways-pass\n").out
    for text in ("stat STATISTIC", "build-room", "card NAME", "deck NAME", "discards WHO"):
        assert f"  {text}" in out
    assert "combats, unasked" not in out
    assert "'always-pass' is no command" in out
    assert "Buckler, item, 2 gold, danger 1." in out
    assert "Iron Vow (iron-vow): " in out


# --- several people at one terminal ------------------------------------------------------------------------


def test_P11_what_is_printed_for_one_person_tells_nothing_hidden_of_another(shared: Ledgertop) -> None:
    night = "end day\nbuild\n1\n1\ndone\nend night\n"
    out = played(
        shared, *PEOPLE, "--decks", "iron-vow,silent-knives", feed=SET_UP + night * 6 + "1\n" * 40
    ).out
    seen: dict[str, str] = {"ann": "", "bob": ""}
    for who, text in sections(out):
        seen[who] += text
    for who, other in (("ann", "bob"), ("bob", "ann")):
        assert re.search(rf"of {who}: \d hero cards? drawn: ", seen[who].replace("\n  ", " "))
        assert re.search(rf"of {other}: \d hero cards? drawn\.", seen[who].replace("\n  ", " "))
        assert not re.search(rf"of {other}: [^.]*drawn:", seen[who])
        assert re.search(rf"{other} builds room \d+ with 2 cards\.", seen[who])
        assert not re.search(rf"{other} puts |{other} wants to", seen[who])


def test_P11_the_position_of_a_seat_holds_nothing_hidden_of_another(shared: Ledgertop) -> None:
    told = said(shared, *PEOPLE, feed=SET_UP + "end day\nbuild\n1\ndone\nend night\n" * 4)
    assert {one["seat"] for one in positions(told)} == {0, 1}
    for one in positions(told):
        other = one["view"]["state"]["players"][1 - one["seat"]]
        assert "hero_hand" not in other
        assert "dungeon_hand" not in other
        assert not any("card" in laid and not laid["up"] for room in other["rooms"] for laid in room["cards"])


# --- decks of one's own ------------------------------------------------------------------------------------


def deck_file(folder: Path, name: str, **changes: Any) -> str:
    ready = BOX.decks["wild-host"]
    file = folder / f"{name}.json"
    file.write_text(json.dumps({"hero": dict(ready.hero), "dungeon": dict(ready.dungeon)} | changes))
    return str(file)


def test_a_deck_of_ones_own_is_brought_from_a_file_and_stays_secret(
    shared: Ledgertop, tmp_path: Path
) -> None:
    own = deck_file(tmp_path, "own")
    told = said(shared, "--name", "ann", "--deck", own, feed="1\n")
    brought = [event["data"] for event in events(told) if event["type"] == "deck_brought"]
    assert ["cards" in data for data in sorted(brought, key=lambda data: data["seat"])] == [True, False]
    champions = [one["champion"] for one in positions(told)[0]["legal"]]
    assert champions == sorted(card for card in BOX.decks["wild-host"].hero if card in BOX.champions)
    watched = shared.run("watch", told[0]["match"], "--json").out if told[-1]["is"] == "ended" else ""
    assert "wolfhound" not in watched


def test_two_people_bring_decks_or_choose_ready_ones(shared: Ledgertop, tmp_path: Path) -> None:
    own = deck_file(tmp_path, "own")
    both = said(shared, *PEOPLE, "--deck", own, "--deck", own)
    assert positions(both)[0]["legal"][0]["type"] == "choose_champion"
    one = said(shared, *PEOPLE, "--deck", own, feed="bring silent knives\n")
    assert positions(one)[0]["legal"][0]["type"] == "bring_deck"
    assert positions(one)[-1]["legal"][0]["type"] == "choose_champion"
    lists = json.loads(Path(own).read_text())
    typed = json.dumps({"type": "bring_deck", "cards": lists})
    none = said(shared, *PEOPLE, "--bring-decks", feed=f"bring iron vow\n{typed}\n")
    assert positions(none)[-1]["legal"][0]["type"] == "choose_champion"


def test_a_wrong_deck_is_answered_with_every_fault_at_once(shared: Ledgertop, tmp_path: Path) -> None:
    wrong = deck_file(
        tmp_path, "wrong", dungeon={"goblin": 5, "unheard-of": 1}, hero={"buckler": 4, "shortsword": 0}
    )
    result = shared.run("play", "adamantine", "--deck", wrong)
    assert (result.code, result.out) == (1, "")
    for fault in (
        "The hero deck has 4 cards, not 60.",
        "The hero deck has 0 of Shortsword; leave it out instead.",
        "The hero deck has no champion.",
        "The hero deck has no basic class.",
        "The dungeon deck has 6 cards, not 60.",
        "The dungeon deck has 5 of Goblin, at most 4 may be.",
        "The dungeon deck has an unknown card 'unheard-of'.",
    ):
        assert f"- {fault}" in result.err
    typed = json.dumps({"type": "bring_deck", "cards": json.loads(Path(wrong).read_text())})
    refused = [
        one for one in said(shared, *PEOPLE, "--bring-decks", feed=f"{typed}\n") if one["is"] == "refused"
    ]
    assert refused[0]["rule"] == "AM-2"
    assert "no champion" in refused[0]["reason"]
    assert "5 of Goblin" in refused[0]["reason"]


def test_what_is_no_deck_is_refused(shared: Ledgertop, tmp_path: Path) -> None:
    for name, text in (("text", "a deck"), ("empty", "null"), ("list", "[]"), ("half", '{"hero": {}}')):
        file = tmp_path / f"{name}.json"
        file.write_text(text)
        result = shared.run("play", "adamantine", "--deck", str(file))
        assert result.code == 1, name
        assert f"{file} can't be brought:" in result.err


# --- what is refused ---------------------------------------------------------------------------------------


def test_what_cannot_be_played_has_its_exit_code(shared: Ledgertop, tmp_path: Path) -> None:
    own = deck_file(tmp_path, "own")
    codes = {
        ("--players", "2"): 2,
        ("--bots", "3"): 2,
        ("--deal", "7"): 2,
        ("--deck", str(tmp_path / "missing.json")): 2,
        ("--deck", own, "--deck", own, "--deck", own): 2,
        ("--deck", own, "--resume", "m_x", "--token", "t"): 2,
        ("--deck", own, "--decks", "iron-vow,wild-host"): 1,
        ("--decks", "iron-vow"): 1,
        ("--decks", "iron-vow,elves"): 1,
        ("--resume", "m_nothing", "--token", "t"): 3,
    }
    for words, code in codes.items():
        assert shared.run("play", "adamantine", *words).code == code, words


# --- simulating --------------------------------------------------------------------------------------------


def test_simulate_tells_exactly_what_is_promised(shared: Ledgertop) -> None:
    words = ("simulate", "adamantine", "-n", "12", "--bot", "random", "--seed", "5")
    counted = shared.run(*words, "--json").object
    assert list(counted) == [
        "game", "bot", "decks", "matches", "plays", "wins_by_deck", "wins_by_starting_seat", "ends", "median_turns",
        "plays_per_s",
    ]  # fmt: skip
    assert list(counted["ends"]) == ["champion_slain", "no_cards_at_night", "resigned", "cut"]
    assert counted["decks"] == list(counted["wins_by_deck"]) == sorted(BOX.decks)
    assert counted | {"plays_per_s": 0} == shared.run(*words, "--json").object | {"plays_per_s": 0}
    two = shared.run(*words, "--decks", "wild-host,iron-vow", "--json").object
    assert two["decks"] == ["iron-vow", "wild-host"]
    text = shared.run(*words).out
    assert "12 matches of Adamantine by the random bot, seed 5" in text
    for line in ("  wins by deck", "    began ", "    2. to play ", "    no cards at night "):
        assert line in text
    assert shared.run(*words, "--decks", "wild-host").code == 1
    assert shared.run("simulate", "adamantine", "--players", "2").code == 2
