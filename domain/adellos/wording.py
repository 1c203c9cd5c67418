"""What fields, units, cards and players are called, from what somebody sees of the table."""

from collections.abc import Iterable, Mapping
from typing import Any

from domain.adellos.box import Box
from domain.adellos.pack import Board
from domain.game import Scene

LETTERS = 26


def _field_names(board: Board) -> tuple[str, ...]:
    """The fields of a board by column and row, `e5`; by number where two fields share a place."""
    places = [f"{letters(field.x)}{field.y + 1}" for field in board.fields]
    return tuple(place if places.count(place) == 1 else str(number) for number, place in enumerate(places))


def letters(column: int) -> str:
    """A column as letters: a … z, aa, ab …"""
    text = chr(ord("a") + column % LETTERS)
    return text if column < LETTERS else letters(column // LETTERS - 1) + text


def counted(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def listed(parts: Iterable[str]) -> str:
    """`a, b and c`."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


class Wording:
    def __init__(self, box: Box) -> None:
        self.box = box
        self._fields = {board.id: _field_names(board) for board in box.pack.boards}

    def board(self, scene: Scene) -> Board | None:
        return self.box.grounds[scene.table["board"]].board if scene.table else None

    def fields(self, scene: Scene) -> tuple[str, ...]:
        """What the fields of the board are called, in their order."""
        return self._fields[scene.table["board"]] if scene.table else ()

    def field(self, scene: Scene, field: int) -> str:
        names = self.fields(scene)
        return names[field] if 0 <= field < len(names) else f"field {field}"

    def standing(self, scene: Scene, field: int) -> Mapping[str, Any] | None:
        """The unit on a field, as the table shows it."""
        units = scene.table["units"] if scene.table else ()
        return next((unit for unit in units if unit["field"] == field), None)

    def kind(self, kind: str) -> str:
        return self.box.kinds[kind].name if kind in self.box.kinds else kind

    def card(self, card: str) -> str:
        return self.box.cards[card].name if card in self.box.cards else card

    def ability(self, ability: str) -> str:
        return self.box.abilities[ability].name if ability in self.box.abilities else ability

    def faction(self, faction: str) -> str:
        return self.box.factions[faction].name if faction in self.box.factions else faction

    def cards(self, cards: Iterable[str]) -> str:
        """Cards with how many there are of each: `Ambush×2, Parry`."""
        numbers: dict[str, int] = {}
        for card in cards:
            numbers[card] = numbers.get(card, 0) + 1
        return ", ".join(
            self.card(card) + (f"×{number}" if number > 1 else "") for card, number in numbers.items()
        )

    def a(self, kind: str) -> str:
        """`a Soldier`, `an Ogre`, `Prince Konrad`."""
        name = self.kind(kind)
        if self._noble(kind):
            return name
        return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"

    def the(self, kind: str) -> str:
        return self.kind(kind) if self._noble(kind) else f"the {self.kind(kind)}"

    def _noble(self, kind: str) -> bool:
        return kind in self.box.kinds and self.box.kinds[kind].noble

    def at(self, scene: Scene, field: int) -> str:
        """`the Soldier on e5`, or the field where nothing is known to stand there."""
        unit = self.standing(scene, field)
        where = self.field(scene, field)
        return f"{self.the(unit['kind'])} on {where}" if unit else where

    def whose(self, scene: Scene, field: int) -> str:
        """`ann's Soldier on e5`."""
        unit = self.standing(scene, field)
        where = self.field(scene, field)
        if unit is None:
            return f"the unit on {where}"
        return f"{scene.name(unit['seat'])}'s {self.kind(unit['kind'])} on {where}"
