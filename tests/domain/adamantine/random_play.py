"""Random matches with random legal decks for property tests."""

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from domain.adamantine import ADAMANTINE
from domain.adamantine.commands import BringDeck, Cancel
from domain.adamantine.decks import COPIES, SIZE
from domain.adamantine.options import AdamantineOptions, DeckList
from domain.adamantine.rules import Rules
from domain.adamantine.state import AdamantineState
from domain.chance import SealedChance
from domain.game import IllegalCommand

RULES = ADAMANTINE.rules
assert isinstance(RULES, Rules)
BOX = RULES.box
OPTIONS = (
    AdamantineOptions(),
    AdamantineOptions(bring_decks=True),
    AdamantineOptions(bring_decks=True, searches_per_day=3),
    AdamantineOptions(explorations_per_day=2, searches_per_day=2, first_seat=1),
)


def random_deck(rng: Random) -> DeckList:
    """A legal deck of random cards."""
    hero = {rng.choice(sorted(BOX.champions)): 1}
    hero[rng.choice(sorted(card for card, kind in BOX.kinds.items() if kind == "class"))] = 1
    return DeckList(_filled(rng, hero, sorted(BOX.hero_cards)), _filled(rng, {}, sorted(BOX.dungeon)))


def _filled(rng: Random, counts: dict[str, int], cards: list[str]) -> dict[str, int]:
    while sum(counts.values()) < SIZE:
        card = rng.choice(cards)
        known = BOX.hero_cards.get(card) or BOX.dungeon[card]
        most = 1 if card in BOX.champions or getattr(known, "unique", False) else COPIES
        if counts.get(card, 0) < most:
            counts[card] = counts.get(card, 0) + 1
    return counts


class Moment:
    """A point of a match: the state, who acted in it, and the events that led on."""

    def __init__(
        self, state: AdamantineState, seat: int | None, command: Any, events: tuple[Any, ...]
    ) -> None:
        self.state = state
        self.seat = seat
        self.command = command
        self.events = events


def moments(seed: int, turns: int = 30) -> Iterator[Moment]:
    """A random match; `state` is the one in which `command` was given. Rarely is something taken back."""
    rng = Random(seed)
    rules = RULES
    options = OPTIONS[rng.randrange(len(OPTIONS))]
    if not options.bring_decks and rng.random() < 0.5:
        options = replace(options, decks=(rng.choice(list(BOX.decks)), rng.choice(list(BOX.decks))))
    chance = SealedChance(rng.randbytes(32))
    state = rules.initial(options, 2)
    events = rules.start(options, 2, chance)
    yield Moment(state, None, None, events)
    for event in events:
        state = rules.evolve(state, event)
    while rules.outcome(state) is None and state.turns < turns:
        (seat,) = rules.to_act(state)
        legal = list(rules.legal(state, seat))
        command = rng.choice(legal)
        if isinstance(command, Cancel) and rng.random() < 0.7:
            command = rng.choice(legal)
        if isinstance(command, BringDeck) and rng.random() < 0.7:
            command = BringDeck(cards=random_deck(rng))
        events = rules.decide(state, command, seat, chance)
        yield Moment(state, seat, command, events)
        for event in events:
            state = rules.evolve(state, event)
    yield Moment(state, None, None, ())


def accepted(state: AdamantineState, command: Any, seat: int | None) -> bool:
    try:
        RULES.decide(state, command, seat, SealedChance(bytes(32)))
    except IllegalCommand:
        return False
    return True
