"""Adaman once more, slowly and without the rules module: what the real rules are compared with.

It knows the printed cards only. A position is a dict of lists; nothing is cached, no bit is set.
"""

from itertools import chain, combinations
from typing import Any

from domain.adaman.content.decktet import CARDS

Position = dict[str, Any]


def position(data: Position) -> Position:
    """A position from a data file: rows of card ids, the deck with its next card first."""
    rows = {
        row: list(data["table"].get(row, [])) for row in ("capital", "palace", "resources", "deck", "discard")
    }
    return rows | {"final_deal": data.get("final_deal", False), "choosing": data.get("choosing")}


def is_personality(card: str) -> bool:
    return "personality" in CARDS[card].types


def moves(at: Position) -> list[tuple[str, ...]]:
    """("resolve", card) or ("control", target, payment…), each payment as a sorted tuple."""
    if len(at["palace"]) > 5:
        return []
    if at["choosing"]:
        other = "resources" if at["choosing"] == "capital" else "capital"
        return [("resolve", card) for card in at[other]]
    if not any(is_personality(card) for card in [*at["capital"], *at["palace"], *at["deck"]]):
        return []
    found = []
    sizes = range(1, len(at["resources"]) + 1)
    for payment in chain.from_iterable(combinations(at["resources"], size) for size in sizes):
        for target in [*at["capital"], *at["palace"]]:
            shares = [set(CARDS[card].suits) & set(CARDS[target].suits) for card in payment]
            if all(shares) and sum(CARDS[card].value for card in payment) >= CARDS[target].value:
                found.append(("control", target, *sorted(payment)))
    return found


def after(at: Position, move: tuple[str, ...]) -> Position:
    now = {key: list(value) if isinstance(value, list) else value for key, value in at.items()}
    if move[0] == "control":
        target, payment = move[1], move[2:]
        now["capital" if target in now["capital"] else "palace"].remove(target)
        for card in payment:
            now["resources"].remove(card)
            now["discard"].append(card)
        now["discard" if is_personality(target) else "resources"].append(target)
        waiting = [*now["capital"], *now["palace"], *now["deck"]]
        if not any(is_personality(card) for card in waiting) and not now["final_deal"]:
            return now
    else:
        row, other = ("capital", "resources") if now["choosing"] == "capital" else ("resources", "capital")
        now[other].remove(move[1])
        now["palace" if row == "resources" and is_personality(move[1]) else row].append(move[1])
        now[row].remove("excuse")
        now["discard"].append("excuse")
        now["choosing"] = None
    deal(now)
    return now


def deal(now: Position) -> None:
    while now["deck"] and len(now["palace"]) <= 5:
        row = "capital" if len(now["capital"]) < 5 else "resources"
        if len(now[row]) >= 5:
            return
        card = now["deck"].pop(0)
        if card == "excuse":
            other = "resources" if row == "capital" else "capital"
            if now[other]:
                now[row].append(card)
                now["choosing"] = row
                return
            now["discard"].append(card)
        elif row == "resources" and is_personality(card):
            now["palace"].append(card)
        else:
            now[row].append(card)


def perft(at: Position, depth: int) -> int:
    """How many sequences of `depth` moves there are."""
    found = moves(at)
    if depth == 1:
        return len(found)
    return sum(perft(after(at, move), depth - 1) for move in found)
