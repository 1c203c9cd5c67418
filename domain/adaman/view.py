"""What of Adaman may be seen, and how it reads in a terminal.

Suits are told apart by letter and sign, personalities by a star: nothing depends on colour. Ranks are shown as
what they count (Ace 1; Crown, Pawn and Court 10), so that payments can be added up. Rows fit a terminal's width.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.adaman.content.decktet import CARDS
from domain.adaman.events import AdamanEvent
from domain.adaman.rules import ROW, choices
from domain.adaman.state import AdamanState
from domain.game import Viewer, redact_fields

SUIT_SIGNS = {"moons": "M☾", "suns": "S☀", "waves": "W≈", "leaves": "L♣", "wyrms": "Y§", "knots": "K⌘"}
WIDTH = 80  # columns
LEGEND = "M☾ Moons  S☀ Suns  W≈ Waves  L♣ Leaves  Y§ Wyrms  K⌘ Knots  ★ personality"


def observe(state: AdamanState, viewer: Viewer) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "capital": list(state.capital),
        "palace": list(state.palace),
        "resources": list(state.resources),
        "discard": list(state.discard),
        "deck_count": len(state.deck),
        "pending": _pending(state),
    }
    if viewer.kind in ("auditor", "system"):
        seen["deck"] = list(state.deck)
    return seen


def _pending(state: AdamanState) -> dict[str, Any] | None:
    if not state.choosing:
        return None
    return {
        "decision": "resolve_excuse",
        "seat": 0,
        "deadline": None,
        "row": state.excuse,
        "choices": list(choices(state)),
    }


def redact(event: AdamanEvent, viewer: Viewer) -> dict[str, Any]:
    return redact_fields(event, viewer)


def show(observed: Mapping[str, Any]) -> list[str]:
    lines = [
        *_row("Palace", observed["palace"], f"({len(observed['palace'])} of {ROW}, a sixth ends the match)"),
        *_row("Capital", observed["capital"]),
        *_row("Resources", observed["resources"]),
        f"Deck       {observed['deck_count']} cards, discard {len(observed['discard'])}",
        LEGEND,
    ]
    pending = observed["pending"]
    if pending:
        lines.append(
            f"The Excuse was turned up in the {pending['row']}: choose the card that takes its place."
        )
    return lines


def _row(title: str, cards: Sequence[str], note: str = "") -> list[str]:
    """A row of cards, on as many lines as it takes."""
    parts = [card_text(card) for card in cards] or ["empty"]
    if note:
        parts[-1] += f"  {note}"
    lines = [f"{title:<10} {parts[0]}"]
    for part in parts[1:]:
        if len(lines[-1]) + len(" | ") + len(part) <= WIDTH:
            lines[-1] += f" | {part}"
        else:
            lines.append(f"{'':<10} {part}")
    return lines


def card_text(card: str) -> str:
    """A card as `Savage★ 3 L♣Y§`: name, star of a personality, rank, suits by letter and sign."""
    suits = "".join(SUIT_SIGNS[suit] for suit in CARDS[card].suits)
    return f"{_short(card)} {suits}".strip()


def _short(card: str) -> str:
    """A card as `Savage★ 3`. The Excuse has no rank."""
    printed = CARDS[card]
    star = "★" if printed.personality else ""
    return f"{printed.name}{star} {printed.value or ''}".strip()


def _names(cards: Sequence[str]) -> str:
    return ", ".join(card_text(card) for card in cards)


def _control(verb: str, command: Mapping[str, Any]) -> str:
    return f"{verb} {_short(command['target'])} with {', '.join(map(_short, command['payment']))}"


def tell(kind: str, data: Mapping[str, Any]) -> str:
    match kind:
        case "deck_shuffled":
            return f"The deck of {data['cards']} cards is shuffled (draw {data['draw']})."
        case "cards_dealt":
            return f"Dealt {_dealt(data['dealt'])}."
        case "card_controlled":
            return f"{_control('Controlled', data)}."
        case "excuse_turned_up":
            return f"The Excuse turns up in the {data['row']}."
        case "excuse_resolved":
            return f"{card_text(data['card'])} moves to the {data['to']}; the Excuse is discarded."
        case "excuse_discarded":
            return f"The Excuse turns up in the {data['row']} with nothing to choose and is discarded."
        case _:
            return kind.replace("_", " ").capitalize() + "."


def _dealt(dealt: Sequence[Mapping[str, str]]) -> str:
    rows: dict[str, list[str]] = {}
    for one in dealt:
        rows.setdefault(one["row"], []).append(one["card"])
    return "; ".join(f"to the {row} {_names(cards)}" for row, cards in rows.items())


def ask(command: Mapping[str, Any]) -> str:
    if command["type"] == "control":
        return _control("Control", command)
    return f"Move {card_text(command['card'])} and discard the Excuse"
