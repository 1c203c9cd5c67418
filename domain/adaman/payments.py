"""Which resource cards can pay for which target.

A set of cards is a bit mask here; whoever asks gets card ids. Both caches are there for speed alone.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import overload

from domain.adaman.commands import ControlCard
from domain.adaman.content.decktet import CARDS, VALUE

Payment = tuple[str, ...]

BIT: dict[str, int] = {card: 1 << place for place, card in enumerate(CARDS)}
_CARD: dict[int, str] = {bit: card for card, bit in BIT.items()}

# For each target the cards that share a suit with it.
MATCHING: dict[str, int] = {
    target.id: sum(BIT[card.id] for card in CARDS.values() if set(card.suits) & set(target.suits))
    for target in CARDS.values()
}

# What a target asks for: the cards that match it and, above their bits, the rank sum it takes.
_ALL = len(CARDS)
_ANY_SUM = 15 << _ALL
_ASKS: dict[str, int] = {card: VALUE[card] << _ALL | MATCHING[card] for card in CARDS}


class Plays(Sequence[ControlCard]):
    """Every way to control a card, each built only when it is looked at."""

    __slots__ = ("_length", "_plays")

    def __init__(self, found: list[tuple[str, tuple[Payment, ...]]], length: int) -> None:
        self._plays = found
        self._length = length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> ControlCard: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ControlCard]: ...
    def __getitem__(self, index: int | slice) -> ControlCard | Sequence[ControlCard]:
        if isinstance(index, slice):
            return tuple(self)[index]
        left = index if index >= 0 else index + self._length
        if left >= 0:
            for target, paid in self._plays:
                if left < len(paid):
                    return ControlCard(target, paid[left])
                left -= len(paid)
        raise IndexError(index)

    def __iter__(self) -> Iterator[ControlCard]:
        return (ControlCard(target, payment) for target, paid in self._plays for payment in paid)


@lru_cache(maxsize=16)
def plays(targets: tuple[str, ...], resources: tuple[str, ...]) -> Plays:
    """Every way to control one of `targets`, in their order; small payments first, cards in table order."""
    held = _ANY_SUM
    for card in resources:
        held |= BIT[card]
    found = []
    length = 0
    for target in targets:
        asked = held & _ASKS[target]
        paid = _known.get(asked)
        if paid is None:
            paid = _payments(asked)
        if paid:
            found.append((target, paid))
            length += len(paid)
    return Plays(found, length)


# Payments found before, by what was asked. A plain dict: keeping an order of use costs more than it saves.
_known: dict[int, tuple[Payment, ...]] = {}
_KNOWN_AT_MOST = 1 << 16


def _payments(asked: int) -> tuple[Payment, ...]:
    """Every set of the cards whose bits are set that comes to the rank sum above these bits.

    Cards beyond what is needed are allowed (AD-2).
    """
    need = asked >> _ALL
    cards = asked ^ need << _ALL
    sets: list[tuple[Payment, int]] = [((), 0)]
    while cards:
        bit = cards & -cards
        cards ^= bit
        card = _CARD[bit]
        value = VALUE[card]
        sets += [((*payment, card), total + value) for payment, total in sets]
    enough = [payment for payment, total in sets if payment and total >= need]
    enough.sort(key=len)
    if len(_known) >= _KNOWN_AT_MOST:
        _known.clear()
    found = _known[asked] = tuple(enough)
    return found
