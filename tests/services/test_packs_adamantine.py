"""Packs of Adamantine: what is refused, and that the message names the file, the entry and the rule."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.adamantine import adamantine, content
from domain.adamantine.content.house_pack import HOUSE as HOUSE_PACK
from services.packs import PackFault
from services.packs.adamantine import read_pack

HOUSE = Path(content.__file__).parent / "house"
Change = Callable[[Any], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(HOUSE, tmp_path / "house"))


def refused(folder: Path, file: str, change: Change) -> PackFault:
    path = folder / f"{file}.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(PackFault) as caught:
        read_pack(folder)
    return caught.value


def entry(value: Any, key: str, name: str) -> dict[str, Any]:
    return next(one for one in value[key] if one["id"] == name)


def changed(key: str, name: str, **changes: Any) -> Change:
    return lambda value: entry(value, key, name).update(changes)


FAULTS: dict[str, tuple[str, Change, str, str]] = {
    # name: file, change, entry, rule
    "unknown effect": (
        "events",
        changed("events", "rockfall", effects=[{"effect": "explode"}]),
        "events.rockfall.effects.0",
        "unknown effect 'explode'",
    ),
    "effect of another kind of card": (
        "events",
        changed("events", "rockfall", effects=[{"effect": "armour", "amount": 1}]),
        "events.rockfall.effects.0",
        "unknown effect 'armour'",
    ),
    "effect without a parameter": (
        "traps",
        changed("traps", "pit", failure=[{"effect": "harm"}]),
        "traps.pit.failure.0",
        "missing required field `amount`",
    ),
    "effect with a wrong parameter": (
        "champions",
        changed("champions", "sister-ilvane", standing=[{"effect": "ward", "amount": "much"}]),
        "champions.sister-ilvane.standing.0",
        "Expected `int`",
    ),
    "missing field": (
        "monsters",
        lambda value: entry(value, "monsters", "goblin").pop("health"),
        "monsters.goblin.health",
        "Missing data",
    ),
    "unknown field": (
        "heroes",
        changed("heroes", "buckler", colour="red"),
        "heroes.buckler.colour",
        "Unknown field",
    ),
    "value out of range": (
        "monsters",
        changed("monsters", "goblin", health=0),
        "monsters.goblin.health",
        "must be 1 to 99",
    ),
    "not a whole number": (
        "heroes",
        changed("heroes", "buckler", gold=2.5),
        "heroes.buckler.gold",
        "Not a valid integer",
    ),
    "no such kind": (
        "heroes",
        changed("heroes", "buckler", kind="hat"),
        "heroes.buckler.kind",
        "no such kind",
    ),
    "no such statistic": (
        "traps",
        changed("traps", "pit", statistic="luck"),
        "traps.pit.statistic",
        "no such statistic",
    ),
    "no such time": (
        "heroes",
        lambda value: entry(value, "heroes", "rune-lantern")["ability"].update(time="dusk"),
        "heroes.rune-lantern.ability.time",
        "no such time",
    ),
    "a card that does nothing": (
        "heroes",
        lambda value: entry(value, "heroes", "buckler").pop("standing"),
        "heroes.buckler",
        "a standing effect or an ability",
    ),
    "a class that is used": (
        "heroes",
        changed("heroes", "fighter", ability={"time": "day", "effects": [{"effect": "draw", "cards": 1}]}),
        "heroes.fighter",
        "only items and feats are used",
    ),
    "a prestige class without classes": (
        "heroes",
        lambda value: entry(value, "heroes", "knight").pop("needs"),
        "heroes.knight",
        "a prestige class needs classes",
    ),
    "an event without effect": (
        "events",
        changed("events", "rockfall", effects=[]),
        "events.rockfall.effects",
        "has no effect",
    ),
    "empty text": ("traps", changed("traps", "pit", text=""), "traps.pit.text", "must not be empty"),
    "bad id": ("traps", changed("traps", "pit", id="The Pit"), "traps.The Pit.id", "an id is"),
    "id twice": ("monsters", changed("monsters", "goblin", id="ogre"), "ogre", "given twice"),
    "id twice in two files": ("traps", changed("traps", "pit", id="goblin"), "goblin", "given twice"),
    "needs an unknown class": (
        "heroes",
        changed("heroes", "knight", needs=["jester"]),
        "knight",
        "needs an unknown class 'jester'",
    ),
    "unknown trait": (
        "champions",
        changed(
            "champions", "huntmaster-rook", standing=[{"effect": "slayer", "trait": "fish", "amount": 1}]
        ),
        "huntmaster-rook",
        "unknown trait 'fish'",
    ),
    "cheaper champions": (
        "heroes",
        changed("heroes", "squire", standing=[{"effect": "cheaper", "kind": "champion", "gold": 1}]),
        "squire",
        "champions cost nothing",
    ),
    "combat effect by day": (
        "heroes",
        lambda value: entry(value, "heroes", "ember-wand")["ability"].update(time="day"),
        "ember-wand",
        "smite is not for this time",
    ),
    "day effect against a trap": (
        "heroes",
        lambda value: entry(value, "heroes", "rune-lantern")["ability"].update(time="check"),
        "rune-lantern",
        "scout is not for this time",
    ),
    "an ability aimed at two things": (
        "heroes",
        lambda value: entry(value, "heroes", "ember-wand")["ability"]["effects"].append(
            {"effect": "smite", "health": 1}
        ),
        "ember-wand",
        "aimed at one thing",
    ),
    "disarm before another effect": (
        "heroes",
        lambda value: entry(value, "heroes", "lockpicks")["ability"]["effects"].append(
            {"effect": "boost", "amount": 1}
        ),
        "lockpicks",
        "disarm comes last",
    ),
    "leave before another effect": (
        "events",
        lambda value: entry(value, "events", "collapsing-tunnel")["effects"].reverse(),
        "collapsing-tunnel",
        "leave comes last",
    ),
    "a ready deck that may not be played (AM-2)": (
        "decks",
        lambda value: entry(value, "decks", "iron-vow")["hero"].update({"buckler": 5}),
        "iron-vow",
        "The hero deck has",
    ),
    "a ready deck with an unknown card": (
        "decks",
        lambda value: entry(value, "decks", "iron-vow")["dungeon"].update({"unicorn": 1}),
        "iron-vow",
        "The dungeon deck has",
    ),
    "too few ready decks": (
        "decks",
        lambda value: value.update(decks=value["decks"][:1]),
        "decks",
        "fewer than 2",
    ),
}


def test_the_house_pack_is_read_and_played(folder: Path) -> None:
    assert adamantine(read_pack(folder)).content == adamantine(HOUSE_PACK).content


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_with_file_entry_and_rule(name: str, folder: Path) -> None:
    file, change, where, rule = FAULTS[name]
    fault = refused(folder, file, change)
    assert fault.entry == where
    assert rule in fault.rule
    assert str(fault) == f"{fault.file}: {fault.entry}: {fault.rule}"
    assert fault.file == ("monsters.json" if name == "id twice in two files" else f"{file}.json")


def test_a_missing_file_is_told(folder: Path) -> None:
    (folder / "traps.json").unlink()
    with pytest.raises(PackFault, match=r"traps\.json: file: is missing"):
        read_pack(folder)


def test_a_pack_is_written_as_a_module(folder: Path, tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    command = [sys.executable, "-m", "services.packs", str(folder), str(module), "adamantine"]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[2])
    assert module.read_bytes() == (HOUSE.parent / "house_pack.py").read_bytes()
