"""One match for each deck option as a person reads it: a change here is one that players notice.

To write the texts anew: REWRITE=1 python -m pytest tests/domain/adaman/test_golden.py
"""

import os
from pathlib import Path

import msgspec
import pytest

from domain.adaman import rules, view
from domain.adaman.content.decktet import EXTENDED
from domain.adaman.options import AdamanOptions
from domain.chance import SealedChance, deal_seed
from domain.game import at_seat
from tests.domain.adaman.table import OPTIONS

GOLDEN = Path(__file__).parent / "golden"
DEALS = {"excuse": 20, "everything": 27}  # deals in which the Excuse turns up
ME = at_seat(0)


def playthrough(options: AdamanOptions, number: int) -> str:
    """A numbered deal in which every play is the legal command whose index is its own number times seven."""
    chance = SealedChance(deal_seed("adaman", number))
    state = rules.initial(options, 1)
    events = rules.start(options, 1, chance)
    lines = [f"Deal {number}"]
    played = 0
    while True:
        for event in events:
            lines.append("- " + view.tell(event.type_name(), view.redact(event, ME)))
            state = rules.evolve(state, event)
        lines += ["", *view.show(view.observe(state, ME)), ""]
        legal = rules.legal(state, 0)
        if not legal:
            break
        played += 1
        command = legal[7 * played % len(legal)]
        lines.append(f"> {view.ask(msgspec.to_builtins(command))}")
        events = rules.decide(state, command, 0, chance)
    outcome = rules.outcome(state)
    assert outcome is not None
    lines.append(f"{outcome.result}, score {outcome.score}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", OPTIONS)
def test_a_match_reads_as_it_always_did(name: str) -> None:
    file = GOLDEN / f"{name}.txt"
    text = playthrough(OPTIONS[name], DEALS.get(name, 7))
    if os.environ.get("REWRITE"):
        file.write_text(text)
    assert file.read_text() == text


def test_the_texts_show_what_each_deck_option_adds() -> None:
    texts = {name: (GOLDEN / f"{name}.txt").read_text() for name in OPTIONS}
    assert "and discard the Excuse" in texts["excuse"]
    assert "and discard the Excuse" in texts["everything"]
    for option in ("pawns", "courts"):
        rank = option.capitalize().removesuffix("s")
        assert any(card.name in texts[option] for card in EXTENDED if card.rank == rank)
    assert "Consul" in texts["extra-personalities"]
