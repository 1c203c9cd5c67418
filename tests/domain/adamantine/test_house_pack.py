"""What the design asks of the house pack, and that every text says what its effects do."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.adamantine import ADAMANTINE, content
from domain.adamantine.content.house_pack import HOUSE
from domain.adamantine.decks import deck_faults
from domain.adamantine.options import DeckList
from domain.adamantine.pack import content_of
from services.packs.adamantine import read_pack
from services.packs.shared import python_text
from tests.domain.adamantine.table import BOX

FOLDER = Path(content.__file__).parent
CARDS: tuple[Any, ...] = (*HOUSE.champions, *HOUSE.heroes, *HOUSE.monsters, *HOUSE.traps, *HOUSE.events)


def test_the_value_in_the_domain_is_what_the_json_files_say() -> None:
    pack = read_pack(FOLDER / "house")
    assert pack == HOUSE
    assert (FOLDER / "house_pack.py").read_text(encoding="utf-8") == python_text(pack)


def test_the_packs_hash_is_the_games_content() -> None:
    assert ADAMANTINE.content == content_of(HOUSE)
    assert len(bytes.fromhex(ADAMANTINE.content)) == 32


def test_the_catalogue_is_as_large_as_promised() -> None:
    assert len(HOUSE.champions) >= 6
    assert len(HOUSE.heroes) >= 40
    assert len(BOX.dungeon) >= 45
    assert {card.kind for card in HOUSE.heroes} == {"item", "feat", "class", "prestige", "ally"}
    assert {entry["part"] for entry in ADAMANTINE.catalogue} == {
        "champions", "heroes", "monsters", "traps", "events", "decks",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["Bugbear", "Goblin", "Spear Trap", "Displacer Beast"])
def test_dungeon_cards_the_rulebook_names(name: str) -> None:
    assert name in [card.name for card in BOX.dungeon.values()]


@pytest.mark.parametrize("name", ["Buckler", "Shortsword"])
def test_items_the_rulebook_names_at_2_gold(name: str) -> None:
    (card,) = [card for card in HOUSE.heroes if card.name == name]
    assert (card.kind, card.gold) == ("item", 2)


def test_four_ready_decks_may_be_played_and_differ_in_most_cards() -> None:
    assert len(HOUSE.decks) == 4
    for deck in HOUSE.decks:
        assert deck_faults(BOX, DeckList(deck.hero, deck.dungeon)) == []
        assert (sum(deck.hero.values()), sum(deck.dungeon.values())) == (60, 60)
        for other in HOUSE.decks:
            if other is not deck:
                shared = sum(min(count, other.hero.get(card, 0)) for card, count in deck.hero.items())
                shared += sum(min(count, other.dungeon.get(card, 0)) for card, count in deck.dungeon.items())
                assert shared <= 60


def test_every_card_is_in_a_ready_deck() -> None:
    played = {card for deck in HOUSE.decks for card in (*deck.hero, *deck.dungeon)}
    assert played == {*BOX.hero_cards, *BOX.dungeon}


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_a_cards_text_can_be_read_in_full_and_names_its_numbers(card: Any) -> None:
    assert card.text.endswith(".")
    words = {
        "one": "1",
        "two": "2",
        "once": "1",
        "twice": "2",
        "top card": "1",
        "a monster": "1",
        "the trap": "1",
    }
    text = card.text.lower()
    for word, digit in words.items():
        text = text.replace(word, f"{word} {digit}")
    numbers = re.findall(r"\d+", text)
    for amount in amounts(msgspec.to_builtins(card)):
        assert str(abs(amount)) in numbers, (card.text, amount)


def amounts(value: Any) -> list[int]:
    """The numbers of a card's effects."""
    found: list[int] = []
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("amount", "cards", "toughness") or ("effect" in value and isinstance(item, int)):
                found.append(item)
            elif isinstance(item, list | dict):
                found += amounts(item)
    elif isinstance(value, list):
        for item in value:
            found += amounts(item)
    return found
