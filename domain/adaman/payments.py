"""Which sets of resource cards can pay for which target.

A set of cards is a bit mask here; whoever asks gets card ids.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from domain.adaman.content.decktet import CARDS, VALUE

BIT: dict[str, int] = {card: 1 << place for place, card in enumerate(CARDS)}

# For each target the cards that share a suit with it.
MATCHING: dict[str, int] = {
    target.id: sum(BIT[card.id] for card in CARDS.values() if set(card.suits) & set(target.suits))
    for target in CARDS.values()
}


def mask_of(cards: Iterable[str]) -> int:
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


@lru_cache(maxsize=1 << 16)
def payments(target: str, matching: int) -> tuple[tuple[str, ...], ...]:
    """Every payment for `target` from resource cards that match it, small ones first, each in table order.

    Cards beyond what is needed are allowed (AD-2).
    """
    cards = [card for card, bit in BIT.items() if matching & bit]
    return tuple(
        payment
        for size in range(1, len(cards) + 1)
        for payment in combinations(cards, size)
        if sum(VALUE[card] for card in payment) >= VALUE[target]
    )
