"""What a deck may hold (AM-2), and the decks the seats play with."""

from collections.abc import Iterator, Mapping
from itertools import permutations

from msgspec.structs import replace

from domain.adamantine.box import Box
from domain.adamantine.options import AdamantineOptions, DeckList
from domain.game import IllegalCommand

SIZE = 60
COPIES = 4


def deck_faults(box: Box, deck: DeckList) -> list[str]:
    """Everything that is wrong with a deck, as sentences; nothing if it may be played."""
    return [*_half_faults(box, "hero", deck.hero), *_half_faults(box, "dungeon", deck.dungeon)]


def _half_faults(box: Box, half: str, counts: Mapping[str, int]) -> Iterator[str]:
    known = box.hero_cards if half == "hero" else box.dungeon
    size = sum(counts.values())
    if size != SIZE:
        yield f"The {half} deck has {size} card{'' if size == 1 else 's'}, not {SIZE}."
    for card, count in sorted(counts.items()):
        if card not in known:
            yield f"The {half} deck has an unknown card {card!r}."
            continue
        unique = card in box.champions or bool(getattr(known[card], "unique", False))
        most = 1 if unique else COPIES
        if count < 1:
            yield f"The {half} deck has {count} of {known[card].name}; leave it out instead."
        elif count > most:
            yield f"The {half} deck has {count} of {known[card].name}, at most {most} may be."
    if half == "hero":
        held = [card for card, count in counts.items() if count > 0]
        if not any(card in box.champions for card in held):
            yield "The hero deck has no champion."
        if not any(box.kinds.get(card) == "class" for card in held):
            yield "The hero deck has no basic class."


def ready_deck(box: Box, name: str) -> DeckList:
    """The lists of a ready deck. Raises IllegalCommand for one the content doesn't have."""
    if name not in box.decks:
        raise IllegalCommand("unknown-deck", "The content has no such ready deck.")
    ready = box.decks[name]
    return DeckList(ready.hero, ready.dungeon)


def own_deck(box: Box, lists: DeckList) -> DeckList:
    """The lists of a deck of one's own. Raises IllegalCommand with every fault of a wrong one (AM-2)."""
    if faults := deck_faults(box, lists):
        raise IllegalCommand("AM-2", " ".join(faults))
    return lists


def pairings(box: Box, options: AdamantineOptions) -> list[AdamantineOptions]:
    """The options with every pair of different ready decks, each at either seat; as they are if they name decks."""
    if options.decks or options.bring_decks:
        return [options]
    return [replace(options, decks=pair) for pair in permutations(box.decks, 2)]


def cards_of(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The cards of a list one by one, by name."""
    return tuple(card for card in sorted(counts) for _ in range(counts[card]))
