"""The facts the rulebook and the makers give, held against the house pack."""

from collections import Counter
from pathlib import Path

import pytest

from domain.adellos import ADELLOS, content
from domain.adellos.content.house_pack import HOUSE
from domain.adellos.effects import CheaperAbility, Convert, Draw, Exchange, Income
from domain.adellos.pack import content_of
from services.packs import python_text, read_pack
from tests.domain.adellos.table import BOX

FOLDER = Path(content.__file__).parent
UNITS = {unit.id: unit for faction in HOUSE.factions for unit in faction.units}
NOBLES = {
    "Clergy": ["Pope Anicetus IV", "Arch Paladin Mathias", "Conquistadora Lucía"],
    "Royal Army": ["Jester Caspar", "General Iron Fist", "Prince Konrad"],
    "Scum": ["Merchant Pinkerton", "Battle Maiden Evelyn", "Rebels' Favorite Dana"],
    "Undead": ["Zombie-Lord", "Vampirelord Darkuhla", "Lich-Baron Kynoth"],
}


def test_the_value_in_the_domain_is_what_the_json_files_say() -> None:
    pack = read_pack(FOLDER / "house")
    assert pack == HOUSE
    assert (FOLDER / "house_pack.py").read_text(encoding="utf-8") == python_text(pack)


def test_the_packs_hash_is_the_games_content() -> None:
    assert ADELLOS.content == content_of(HOUSE)
    assert len(bytes.fromhex(ADELLOS.content)) == 32


def test_four_factions_of_30_tiles_ten_units_three_tiles_each() -> None:
    assert [faction.name for faction in HOUSE.factions] == list(NOBLES)
    for faction in HOUSE.factions:
        assert len(faction.units) == 10
        assert all(unit.count == 3 for unit in faction.units)


def test_twelve_nobles_three_a_faction() -> None:
    names = {faction.id: faction.name for faction in HOUSE.factions}
    found: dict[str, list[str]] = {}
    for noble in HOUSE.nobles:
        found.setdefault(names[noble.faction], []).append(noble.name)
    assert found == NOBLES


def test_ten_tokens_with_the_paladin_and_64_cards_at_least_20_different() -> None:
    assert sum(token.count for token in HOUSE.tokens) == 10
    assert "Paladin" in [token.name for token in HOUSE.tokens]
    assert sum(card.count for card in HOUSE.cards) == 64
    assert len(HOUSE.cards) >= 20
    assert {card.when for card in HOUSE.cards} == {"own_turn", "combat", "next_turn"}


@pytest.mark.parametrize(
    "name",
    [
        "Soldier",
        "Field Marshal",
        "Steel Colossus",
        "Bandit",
        "Bandit Captain",
        "Rogue",
        "Zombie",
        "Zombie Squad",
        "Vampire",
    ],
)
def test_units_the_rulebook_names(name: str) -> None:
    assert name in [unit.name for unit in UNITS.values()]


def test_a_soldier_costs_3_gold() -> None:
    assert UNITS["soldier"].gold == 3


def test_abilities_the_rulebook_names() -> None:
    sheet = {ability.name: ability for ability in HOUSE.abilities}
    assert isinstance(sheet["Income"].standing[0], Income)
    assert isinstance(sheet["Ancient Wisdom"].standing[0], Draw)
    assert isinstance(sheet["Missionizing"].performed[0], Convert)
    assert UNITS["bandit-captain"].ability == sheet["Leadership"].id
    for name in ("field-marshal", "steel-colossus"):
        assert any(BOX.kinds[name].adjacent)


def test_call_to_arms_as_printed() -> None:
    card = BOX.cards["call-to-arms"]
    assert card.when == "own_turn"
    assert card.effects == (Exchange(worth=1, into=2, times=3),)


def test_every_faction_has_income_wisdom_and_units_worth_1_and_2() -> None:
    for faction in HOUSE.factions:
        abilities = [unit.ability for unit in faction.units]
        assert {"income", "ancient-wisdom"} <= set(abilities)
        assert {1, 2} <= {kind.worth for kind in BOX.units[faction.id]}


def test_undead_start_with_3_gold_and_are_summoned_the_others_with_5_and_hired() -> None:
    for faction in HOUSE.factions:
        assert faction.gold == (3 if faction.id == "undead" else 5)
        summoned = [unit.id for unit in faction.units if unit.counters]
        assert bool(summoned) == (faction.id == "undead")


def test_lucia_makes_missionizing_3_gold_cheaper() -> None:
    assert BOX.abilities["conquistadora-lucia"].standing == (CheaperAbility("missionizing", 3),)


def test_the_board_is_symmetric_with_four_castles_in_the_corners() -> None:
    board = HOUSE.boards[0]
    fields = {(field.x, field.y): field for field in board.fields}
    assert len(fields) == 81
    assert fields[4, 4].tower
    for (x, y), field in fields.items():
        turned = fields[8 - y, x]  # a quarter clockwise
        assert field.tower == turned.tower
        assert len(field.neighbours) == len(turned.neighbours)
        castle = None if field.castle is None else (field.castle + 1) % 4
        assert turned.castle == castle
        near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & set(fields)
        assert {(board.fields[n].x, board.fields[n].y) for n in field.neighbours} == near
    castles = Counter(field.castle for field in board.fields if field.castle is not None)
    assert castles == {0: 9, 1: 9, 2: 9, 3: 9}
    assert fields[0, 0].castle == 0


def test_every_text_can_be_read_in_full() -> None:
    assert all(ability.text.endswith(".") for ability in HOUSE.abilities)
    assert all(card.text.endswith(".") for card in HOUSE.cards)
