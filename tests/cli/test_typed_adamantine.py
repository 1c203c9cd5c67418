"""Every legal command of Adamantine can be typed by the names of its cards."""

from typing import Any

import msgspec

from domain.adamantine import ADAMANTINE
from domain.game import Scene, at_seat
from ledgertop.cli.typed import typed_command
from services.codec import plain
from tests.domain.adamantine.random_play import BOX, moments

NARRATOR = ADAMANTINE.narrator


def faces(table: dict[str, Any]) -> dict[int, str]:
    """What the cards and rooms in sight are called."""
    found: dict[int, str] = {}
    for player in table["players"]:
        in_play = [*player["in_play"], *([player["champion"]] if player["champion"] else [])]
        laid = [card for room in player["rooms"] for card in room["cards"]]
        for card in (*player.get("hero_hand", ()), *player.get("dungeon_hand", ()), *in_play, *laid):
            found[card["handle"]] = BOX.name(card["card"]) if "card" in card else f"#{card['handle']}"
        for room in player["rooms"]:
            found[room["handle"]] = f"room {room['handle']}"
    return found


def line_of(command: dict[str, Any], names: dict[int, str]) -> str:
    words = [command["type"].replace("_", " ")]
    for name, value in command.items():
        if name in ("card", "room", "target") and value:
            words.append(names[value])
        elif name == "points" or (isinstance(value, str) and name != "type"):
            words.append(BOX.name(value) if isinstance(value, str) else str(value))
    return " ".join(words)


def test_every_legal_command_is_typed_by_names() -> None:
    assert NARRATOR is not None
    kinds = set()
    for seed in range(10):
        for moment in moments(seed):
            for seat in ADAMANTINE.rules.to_act(moment.state):
                table = ADAMANTINE.view.observe(moment.state, at_seat(seat))
                names, seen = NARRATOR.names(Scene(table, ("ann", "bob"))), faces(table)
                legal = [plain(one) for one in ADAMANTINE.rules.legal(moment.state, seat)]
                for command in legal:
                    line = line_of(command, seen)
                    typed = typed_command(ADAMANTINE, legal, line, names)
                    assert typed is not None
                    body, left = typed
                    kinds.add(command["type"])
                    assert left == [], (line, left)
                    assert body in legal, (line, body)
                    assert line_of(body, seen) == line


def test_the_shorter_words_mean_the_same() -> None:
    statistic = {"type": "choose_statistic", "statistic": "might"}
    for line in ("stat might", "fight with might", "choose statistic might", "choose might"):
        assert typed_command(ADAMANTINE, [statistic], line, {}) == (statistic, [])
    assert typed_command(ADAMANTINE, [{"type": "finish"}], "done", {}) == ({"type": "finish"}, [])
    ends: list[dict[str, Any]] = [{"type": "end_night"}]
    assert typed_command(ADAMANTINE, ends, "end", {}) == ({"type": "end_night"}, [])
    room = typed_command(ADAMANTINE, [{"type": "build_room"}], "build goblin, spear trap", {"goblin": (4, 5)})
    assert room == ({"type": "build_room"}, [(4, 5), "spear", "trap"])


def test_of_several_things_with_a_name_the_one_that_can_be_chosen_is_meant() -> None:
    legal = [{"type": "sacrifice", "card": 7}, {"type": "use", "card": 8, "target": 9}]
    names = {"shortsword": (3, 7), "wand": (2, 8), "goblin": (5, 9, "goblin")}
    assert typed_command(ADAMANTINE, legal, "sacrifice shortsword", names) == (legal[0], [])
    assert typed_command(ADAMANTINE, legal, "use wand on goblin", names) == (legal[1], [])
    body, _ = typed_command(ADAMANTINE, legal, "play shortsword", names) or ({}, [])
    assert msgspec.to_builtins(body) == {"type": "play_card", "card": 3}
