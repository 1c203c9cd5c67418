"""Packs: what is refused, and that the message names the file, the entry and the rule."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.adellos import content
from services.packs import PackFault, read_pack

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


def unit(value: Any, name: str) -> dict[str, Any]:
    return next(one for faction in value["factions"] for one in faction["units"] if one["id"] == name)


def test_the_house_pack_is_read(folder: Path) -> None:
    assert read_pack(folder).name == "house"


def test_the_second_pack_is_read() -> None:
    pack = read_pack(Path(__file__).parents[1] / "domain" / "adellos" / "pack_two")
    assert (pack.name, len(pack.boards[0].fields)) == ("second", 19)


FAULTS: dict[str, tuple[str, Change, str, str]] = {
    # name: file, change, entry, rule
    "unknown effect": (
        "cards",
        lambda value: entry(value, "cards", "tithe")["effects"].append({"effect": "explode"}),
        "cards.tithe.effects.1",
        "unknown effect 'explode'",
    ),
    "standing effect performed": (
        "cards",
        lambda value: entry(value, "cards", "tithe").update(effects=[{"effect": "income", "amount": 1}]),
        "cards.tithe.effects.0",
        "unknown effect 'income'",
    ),
    "effect without a parameter": (
        "cards",
        lambda value: entry(value, "cards", "tithe").update(effects=[{"effect": "gold"}]),
        "cards.tithe.effects.0",
        "missing required field `amount`",
    ),
    "effect with a wrong parameter": (
        "abilities",
        lambda value: entry(value, "abilities", "income")["standing"][0].update(amount="much"),
        "abilities.income.standing.0",
        "Expected `int`",
    ),
    "missing field": (
        "nobles",
        lambda value: entry(value, "nobles", "prince-konrad").pop("attack"),
        "nobles.prince-konrad.attack",
        "Missing data",
    ),
    "unknown field": (
        "tokens",
        lambda value: entry(value, "tokens", "paladin").update(colour="red"),
        "tokens.paladin.colour",
        "Unknown field",
    ),
    "value out of range": (
        "factions",
        lambda value: unit(value, "soldier").update(attack=-1),
        "factions.royal-army.units.soldier.attack",
        "must be 0 to 99",
    ),
    "not a whole number": (
        "factions",
        lambda value: unit(value, "soldier").update(attack=2.9),
        "factions.royal-army.units.soldier.attack",
        "Not a valid integer",
    ),
    "two prices": (
        "factions",
        lambda value: unit(value, "soldier").update(counters=2),
        "factions.royal-army.units.soldier",
        "a price in gold or in Time Counters",
    ),
    "not 30 tiles": (
        "factions",
        lambda value: unit(value, "soldier").update(count=4),
        "royal-army",
        "has 31 unit tiles, not 30",
    ),
    "not 3 nobles": (
        "nobles",
        lambda value: value["nobles"].pop(0),
        "clergy",
        "has 2 nobles, not 3",
    ),
    "not 10 tokens": (
        "tokens",
        lambda value: entry(value, "tokens", "paladin").update(count=6),
        "tokens",
        "are 11, not 10",
    ),
    "not 64 cards": (
        "cards",
        lambda value: entry(value, "cards", "tithe").update(count=1),
        "cards",
        "are 62, not 64",
    ),
    "too few factions": (
        "factions",
        lambda value: value["factions"].pop(),
        "factions",
        "fewer than 4",
    ),
    "id twice": (
        "cards",
        lambda value: entry(value, "cards", "tithe").update(id="mud"),
        "mud",
        "given twice",
    ),
    "bad id": (
        "cards",
        lambda value: value["cards"][0].update(id="Call To Arms"),
        "cards.Call To Arms.id",
        "an id is",
    ),
    "unknown ability": (
        "factions",
        lambda value: unit(value, "soldier").update(ability="flying"),
        "soldier",
        "unknown ability 'flying'",
    ),
    "unknown ability of a noble": (
        "nobles",
        lambda value: entry(value, "nobles", "zombie-lord").update(ability="flying"),
        "zombie-lord",
        "unknown ability 'flying'",
    ),
    "unknown trait": (
        "abilities",
        lambda value: entry(value, "abilities", "leadership")["standing"][0].update(of=["pirate"]),
        "leadership",
        "unknown unit or trait 'pirate'",
    ),
    "unknown token": (
        "cards",
        lambda value: entry(value, "cards", "muster")["effects"][0].update(token="dragon"),
        "muster",
        "unknown token 'dragon'",
    ),
    "unknown ability made cheaper": (
        "abilities",
        lambda value: entry(value, "abilities", "conquistadora-lucia")["standing"][0].update(ability="x"),
        "conquistadora-lucia",
        "unknown ability 'x'",
    ),
    "aura everywhere of a unit": (
        "abilities",
        lambda value: entry(value, "abilities", "command")["standing"][0].update(reach="everywhere"),
        "command",
        "only a noble's aura",
    ),
    "ability without effect": (
        "abilities",
        lambda value: entry(value, "abilities", "income").pop("standing"),
        "abilities.income",
        "at least one effect",
    ),
    "costless ability without limit": (
        "abilities",
        lambda value: entry(value, "abilities", "healing").update(ap=0),
        "healing",
        "works once a turn",
    ),
    "loop that gives back action points": (
        "abilities",
        lambda value: entry(value, "abilities", "healing").update(
            performed=[{"effect": "action_points", "amount": 1}]
        ),
        "healing",
        "must be limited per turn",
    ),
    "a noble converted": (
        "abilities",
        lambda value: entry(value, "abilities", "missionizing")["performed"][0]["target"].update(nobles=True),
        "missionizing",
        "no effect but combat removes",
    ),
    "cost of what stands": (
        "abilities",
        lambda value: entry(value, "abilities", "income").update(gold=1),
        "income",
        "only what is performed",
    ),
    "reveal before a target": (
        "cards",
        lambda value: entry(value, "cards", "muster").update(
            effects=[{"effect": "draw", "amount": 1}, {"effect": "token", "token": "militia"}]
        ),
        "muster",
        "come last",
    ),
    "combat effect in the own turn": (
        "cards",
        lambda value: entry(value, "cards", "retreat").update(when="own_turn", side="either"),
        "retreat",
        "cancel is for a combat",
    ),
    "next turn that converts": (
        "cards",
        lambda value: entry(value, "cards", "desertion").update(when="next_turn"),
        "desertion",
        "a card for a next turn",
    ),
    "an ability made free without limit": (
        "abilities",
        lambda value: entry(value, "abilities", "conquistadora-lucia")["standing"][0].update(
            ability="merchant-pinkerton"
        ),
        "conquistadora-lucia",
        "makes 'merchant-pinkerton' free",
    ),
    "a defender that pays": (
        "cards",
        lambda value: entry(value, "cards", "parry").update(ap=1),
        "parry",
        "AE-5",
    ),
    "no such timing": (
        "cards",
        lambda value: entry(value, "cards", "parry").update(when="sometimes"),
        "cards.parry.when",
        "no such timing",
    ),
    "board not connected": (
        "boards",
        lambda value: cut_off(value["boards"][0]),
        "house",
        "not connected",
    ),
    "one-way neighbour": (
        "boards",
        lambda value: value["boards"][0]["fields"][0]["neighbours"].append(40),
        "house",
        "not the other way round",
    ),
    "neighbour that is no field": (
        "boards",
        lambda value: value["boards"][0]["fields"][0]["neighbours"].append(99),
        "house",
        "no other field",
    ),
    "two towers": (
        "boards",
        lambda value: value["boards"][0]["fields"][39].update(tower=True),
        "house",
        "one bonus field",
    ),
    "castles that are not there": (
        "boards",
        lambda value: value["boards"][0]["castles"].update({"2": [0, 7]}),
        "house",
        "2 players need 2 different castles",
    ),
    "fields out of order": (
        "boards",
        lambda value: value["boards"][0]["fields"].reverse(),
        "house",
        "numbered from 0",
    ),
}


def cut_off(board: dict[str, Any]) -> None:
    corner = board["fields"][0]
    for other in corner["neighbours"]:
        board["fields"][other]["neighbours"].remove(0)
    corner["neighbours"] = []


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_with_file_entry_and_rule(name: str, folder: Path) -> None:
    file, change, where, rule = FAULTS[name]
    fault = refused(folder, file, change)
    assert (fault.file, fault.entry) == (f"{file}.json", where)
    assert rule in fault.rule
    assert str(fault) == f"{fault.file}: {fault.entry}: {fault.rule}"


def test_a_missing_file_is_told(folder: Path) -> None:
    (folder / "tokens.json").unlink()
    with pytest.raises(PackFault, match=r"tokens\.json: file: is missing"):
        read_pack(folder)


@pytest.mark.parametrize("text", ["[]", "{", '{"name": "a", "name": "b"}', '{"name": NaN}'])
def test_a_file_that_is_no_strict_json_object_is_refused(folder: Path, text: str) -> None:
    (folder / "pack.json").write_text(text, encoding="utf-8")
    with pytest.raises(PackFault, match=r"pack\.json: "):
        read_pack(folder)
