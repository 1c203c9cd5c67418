"""What a player sees and reads."""

import msgspec

from domain.adaman import ADAMAN, rules, view
from domain.adaman.commands import ControlCard
from domain.adaman.content.decktet import CARDS
from domain.adaman.events import (
    CardControlled,
    CardsDealt,
    Dealt,
    DeckShuffled,
    ExcuseDiscarded,
    ExcuseResolved,
    ExcuseTurnedUp,
)
from domain.game import AUDITOR, SPECTATOR, SYSTEM, at_seat
from tests.domain.adaman.table import play, table

ASKED = play(
    table(
        capital="author savage sea end cave",
        resources="pact mountain forest mill origin",
        deck="excuse castle",
    ),
    ControlCard("author", ("pact",)),
)


def test_an_observed_state_has_exactly_its_documented_keys() -> None:
    state = table(capital="author", palace="bard", resources="mill", deck="sea end", discard="cave")
    assert view.observe(state, SPECTATOR) == {
        "capital": ["author"],
        "palace": ["bard"],
        "resources": ["mill"],
        "discard": ["cave"],
        "deck_count": 2,
        "pending": None,
    }


def test_a_pending_choice_is_observed_with_its_row_and_choices() -> None:
    seen = view.observe(ASKED, at_seat(0))
    assert seen["pending"] == {
        "decision": "resolve_excuse",
        "seat": 0,
        "deadline": None,
        "row": "capital",
        "choices": ["mountain", "forest", "mill", "origin"],
    }
    assert seen == msgspec.json.decode(msgspec.json.encode(seen))


def test_P11_only_auditor_and_system_see_the_deck() -> None:
    assert view.observe(ASKED, AUDITOR)["deck"] == ["castle"]
    assert view.observe(ASKED, SYSTEM)["deck"] == ["castle"]
    assert "deck" not in view.observe(ASKED, SPECTATOR)


def test_rows_keep_the_order_of_their_cards() -> None:
    assert view.observe(ASKED, SPECTATOR)["capital"] == ["savage", "sea", "end", "cave", "excuse"]


def test_a_card_is_read_by_name_rank_and_suits_with_letters_and_a_personality_by_its_star() -> None:
    assert view.card_text("savage") == "Savage★ 3 L♣Y§"
    assert view.card_text("ace-of-moons") == "Ace of Moons 1 M☾"
    assert view.card_text("harvest") == "Harvest 10 M☾S☀L♣"
    assert view.card_text("excuse") == "Excuse"
    texts = [view.card_text(card) for card in CARDS]
    assert len(set(texts)) == len(texts)


def test_rows_fit_a_terminal_of_80_columns_however_long_the_names() -> None:
    longest = sorted(CARDS, key=lambda card: -len(view.card_text(card)))[:6]
    state = table(capital=" ".join(longest[:5]), palace=" ".join(longest), resources=" ".join(longest[1:6]))
    shown = view.show(view.observe(state, SPECTATOR))
    assert max(map(len, shown)) <= 80
    for card in longest:
        assert view.card_text(card) in "\n".join(shown)


def test_suits_are_told_apart_by_letter_and_by_sign() -> None:
    signs = view.SUIT_SIGNS.values()
    assert len({sign[0] for sign in signs}) == len({sign[1] for sign in signs}) == 6


def test_every_kind_of_event_has_a_line() -> None:
    told = {
        view.tell(event.type_name(), view.redact(event, SPECTATOR))
        for event in (
            DeckShuffled(draw=0, cards=36, order=("sea",)),
            CardsDealt(dealt=(Dealt("sea", "capital"), Dealt("bard", "palace"))),
            CardControlled(target="author", payment=("pact", "mountain")),
            ExcuseTurnedUp(row="capital"),
            ExcuseResolved(card="sea", to="capital"),
            ExcuseDiscarded(row="capital"),
        )
    }
    assert told == {
        "The deck of 36 cards is shuffled (draw 0).",
        "Dealt to the capital Sea 10 W≈; to the palace Bard★ 10 S☀.",
        "Controlled Author★ 2 with Pact 9, Mountain 4.",
        "The Excuse turns up in the capital.",
        "Sea 10 W≈ moves to the capital; the Excuse is discarded.",
        "The Excuse turns up in the capital with nothing to choose and is discarded.",
    }


def test_every_legal_command_has_a_line_of_its_own() -> None:
    for state in (ASKED, table(capital="author sea", resources="pact mountain cave")):
        lines = [view.ask(msgspec.to_builtins(command)) for command in rules.legal(state, 0)]
        assert len(lines) == len(set(lines)) > 1


def test_functions_are_looked_up_late_through_the_registered_game() -> None:
    assert ADAMAN.rules is rules
    assert ADAMAN.view is view
