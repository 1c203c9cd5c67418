"""Small builders: a table of Adaman in words, and chance that tells or refuses."""

from collections.abc import Sequence
from typing import Any

from domain.adaman import rules
from domain.adaman.content.decktet import PERSONALITIES
from domain.adaman.events import Row
from domain.adaman.options import AdamanOptions
from domain.adaman.state import AdamanState
from domain.chance import SealedChance, deal_seed
from domain.game import Outcome

OPTIONS: dict[str, AdamanOptions] = {
    "basic": AdamanOptions(),
    "excuse": AdamanOptions(excuse=True),
    "pawns": AdamanOptions(pawns=True),
    "courts": AdamanOptions(courts=True),
    "extra-personalities": AdamanOptions(extra_personalities=("light-keeper", "watchman", "consul")),
    "final-deal": AdamanOptions(final_deal=True),
    "everything": AdamanOptions(
        excuse=True, pawns=True, courts=True, extra_personalities=("consul",), final_deal=True
    ),
}


def table(
    capital: str = "",
    palace: str = "",
    resources: str = "",
    deck: str = "",
    discard: str = "",
    *,
    final_deal: bool = False,
    choosing: bool = False,
) -> AdamanState:
    """The named cards and no others are in play; nothing waits to be shuffled."""
    rows = [tuple(names.split()) for names in (capital, palace, resources, deck, discard)]
    waiting = [card for row in rows[:4] for card in row if card in PERSONALITIES]
    excuse: Row | None = "capital" if "excuse" in rows[0] else "resources" if "excuse" in rows[2] else None
    return AdamanState(
        deck=rows[3],
        uncontrolled=len(waiting),
        final_deal=final_deal,
        capital=rows[0],
        palace=rows[1],
        resources=rows[2],
        discard=rows[4],
        shuffled=True,
        excuse=excuse,
        choosing=choosing,
    )


class NoChance:
    """Fails the test if anything is drawn."""

    def shuffle(self, label: str, items: Sequence[Any]) -> tuple[int, tuple[Any, ...]]:
        raise AssertionError(f"{label} was shuffled")

    def roll(self, label: str, sides: int) -> tuple[int, int]:
        raise AssertionError(f"{label} was rolled")


class Stacked:
    """A shuffle that puts the named cards on top and leaves the others in the order of the printed table."""

    def __init__(self, top: str) -> None:
        self.top = tuple(top.split())

    def shuffle(self, label: str, items: Sequence[Any]) -> tuple[int, tuple[Any, ...]]:
        assert set(self.top) <= set(items), "a card on top is not in the deck"
        return 0, (*self.top, *(card for card in items if card not in self.top))

    def roll(self, label: str, sides: int) -> tuple[int, int]:
        raise AssertionError(f"{label} was rolled")


def fold(state: AdamanState, events: Sequence[Any]) -> AdamanState:
    for event in events:
        state = rules.evolve(state, event)
    return state


def play(state: AdamanState, command: Any) -> AdamanState:
    """The table after a command that draws nothing."""
    return fold(state, rules.decide(state, command, 0, NoChance()))


def set_up(top: str, options: AdamanOptions = OPTIONS["basic"]) -> AdamanState:
    """The table after setting up with the named cards on top of the deck."""
    return fold(rules.initial(options, 1), rules.start(options, 1, Stacked(top)))


def deal(number: int, options: AdamanOptions = OPTIONS["basic"]) -> tuple[AdamanState, SealedChance]:
    """A numbered deal after its set-up, and its chance."""
    chance = SealedChance(deal_seed("adaman", number))
    return fold(rules.initial(options, 1), rules.start(options, 1, chance)), chance


def result(state: AdamanState) -> str | None:
    outcome: Outcome | None = rules.outcome(state)
    return outcome.result if outcome else None
