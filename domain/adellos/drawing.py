"""The table as lines of text: 80 columns, no colour, nobles in a frame of their own."""

import textwrap
from collections.abc import Mapping
from typing import Any

from domain.adellos.pack import Board, Field
from domain.adellos.wording import Wording, counted, letters
from domain.game import Scene

WIDTH = 80  # columns
MARGIN = 3  # of a row's number
CELL = 8  # columns of a field where there is room
NARROWEST = 5
CODE = 4  # letters of a unit's name

Seen = Mapping[str, Any]


def draw(words: Wording, scene: Scene) -> list[str]:
    table = scene.table
    assert table is not None
    lines = _board(words, table)
    lines += [line for player in table["players"] for line in _player(words, scene, player)]
    if table["tokens"] and table["players"][0]["faction"]:
        tokens = ", ".join(f"{left} {words.kind(token)}" for token, left in table["tokens"].items())
        lines += wrapped(f"Event cards in the deck: {table['deck_count']}. Tokens left: {tokens}.")
    lines += [
        line
        for player in table["players"]
        if player.get("hand")
        for line in wrapped(f"Hand of {scene.name(player['seat'])}: {words.cards(player['hand'])}")
    ]
    lines += _modifiers(words, scene)
    if table["combat"]:
        lines += wrapped(_combat(words, scene, table["combat"]))
    return [*lines, *wrapped(_decision(words, scene))]


def wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


# --- the board ---------------------------------------------------------------------------------------------


def _board(words: Wording, table: Seen) -> list[str]:
    """Two lines a row: who stands where, and attack/defence/movement."""
    board = words.box.grounds[table["board"]].board
    units = {unit["field"]: unit for unit in table["units"]}
    owner = {player["castle"]: player["seat"] for player in table["players"] if player["alive"]}
    across = max(field.x for field in board.fields) + 1
    width = min(CELL, (WIDTH - MARGIN) // across)
    if width < NARROWEST:
        return _listed(words, table, board)
    codes = _codes(words, width)
    rows: dict[int, list[Field]] = {}
    for field in board.fields:
        rows.setdefault(field.y, []).append(field)
    lines = [" " * MARGIN + "".join(letters(x).center(width) for x in range(across)).rstrip()]
    for y in sorted(rows):
        above, below = [f"{y + 1:>2} "], [" " * MARGIN]
        cells = {field.x: _cell(field, units.get(field.id), owner, codes, width) for field in rows[y]}
        for x in range(across):
            top, bottom = cells.get(x, ("", ""))
            above.append(top.ljust(width))
            below.append(bottom.ljust(width))
        lines += ["".join(above).rstrip(), "".join(below).rstrip()]
    return [*lines, *wrapped(LEGEND, "")]


LEGEND = (
    "[0Name] noble, 0Name unit, by seat; +2 Time Counters; 4/2/1 attack, defence and movement now; "
    ":0: castle of seat 0; ### tower, # on the tower"
)


def _cell(
    field: Field, unit: Seen | None, owner: Mapping[int, int], codes: Mapping[str, str], width: int
) -> tuple[str, str]:
    if unit is None:
        ground = (
            "###" if field.tower else "·" if field.castle is None else f":{owner.get(field.castle, ':')}:"
        )
        return ground.center(width), ""
    counters = f"+{unit['counters']}" if unit["counters"] else ""
    room = width - 2 - len(counters) - (1 if unit["noble"] else 0)
    name = f"{unit['seat']}{codes[unit['kind']][:room]}{counters}"
    values = "/".join(str(unit[value]) for value in ("attack", "defence", "movement"))
    tower = "#" if field.tower else ""
    if unit["noble"]:
        return f"[{name}]", f"[{values}]{tower}"
    return f" {name}", f" {values}{tower}"


def _codes(words: Wording, width: int) -> dict[str, str]:
    """A few letters for each kind, no two alike: `Sold`, `FiMa` for Field Marshal."""
    codes: dict[str, str] = {}
    for kind in words.box.kinds.values():
        parts = [part for part in kind.name.replace("-", " ").split() if part[0].isupper()]
        if kind.noble:  # titles stand before names, numbers after them
            parts = [part for part in parts if len(part) > 2][-1:] or parts[:1]
        short = parts[0][:CODE] if len(parts) == 1 else parts[0][:2] + parts[-1][:2]
        tries = [short, *(short[: CODE - 1] + str(number) for number in range(1, 10))]
        codes[kind.id] = next((one for one in tries if one not in codes.values()), kind.id[:width])
    return codes


def _listed(words: Wording, table: Seen, board: Board) -> list[str]:
    """A board too wide for the screen: what stands on it."""
    scene = Scene(table)
    lines = [f"{board.name} is too wide to be drawn in {WIDTH} columns. On it stand:"]
    for unit in table["units"]:
        values = "/".join(str(unit[value]) for value in ("attack", "defence", "movement"))
        frame = "[{}]" if unit["noble"] else " {} "
        counters = f" +{unit['counters']}" if unit["counters"] else ""
        name = frame.format(f"{unit['seat']} {words.kind(unit['kind'])}")
        lines.append(f"{words.field(scene, unit['field']):>5} {name} {values}{counters}")
    return lines


# --- beside the board --------------------------------------------------------------------------------------


def _player(words: Wording, scene: Scene, player: Seen) -> list[str]:
    assert scene.table is not None
    head = f"{player['seat']} {scene.name(player['seat'])}:"
    if not player["alive"]:
        return [f"{head} out of the match"]
    parts = [words.faction(player["faction"]) or "no faction yet"]
    parts.append(words.kind(player["noble"]) or "no noble yet")
    parts += [f"{player['gold']} gold", counted(player["hand_count"], "card")]
    if player["copied"]:
        parts.append(f"copies {words.kind(player['copied'])}")
    if player["held"]:
        parts.append(f"tower held {player['held']} of {scene.table['turns_to_hold']} turns")
    if player["holding"]:
        parts.append("tower held now")
    if player["front"]:
        parts.append(f"in front: {words.cards(one['card'] for one in player['front'])}")
    return wrapped(f"{head} {' · '.join(parts)}", "    ")


def _modifiers(words: Wording, scene: Scene) -> list[str]:
    assert scene.table is not None
    lines = []
    for one in scene.table["modifiers"]:
        of = " or ".join(words.kind(part) for part in one["of"]) or "units"
        lines += wrapped(
            f"Until the turn ends {scene.name(one['seat'])}'s {of} have {one['amount']:+d} {one['value']}."
        )
    return lines


def _combat(words: Wording, scene: Scene, combat: Seen) -> str:
    attacker, defender = (words.whose(scene, combat[name]) for name in ("attacker", "defender"))
    text = f"COMBAT: {attacker} attacks {defender}"
    if "attack" in combat:
        text += f": attack {combat['attack']}, defence {combat['defence']}"
    played = [
        f"{scene.name(one['seat'])} {words.card(one['card'])}{' (cancelled)' if one['cancelled'] else ''}"
        for one in combat["played"]
    ]
    return f"{text}. Played: {', '.join(played) or 'no card'}."


def _decision(words: Wording, scene: Scene) -> str:
    table = scene.table
    assert table is not None
    pending = table["pending"]
    turn = f"Turn {table['turns']}" if table["turns"] else "Set-up"
    if table["turn"] is not None and table["turns"]:
        turn += f", {scene.name(table['turn'])}'s: {table['ap']} AP left"
    if table["phase"] == "over":
        return f"{turn}. The match is over."
    if pending is None:
        return f"{turn}. Nobody decides now."
    if pending["seat"] is None:
        return f"{turn}. The Time Counters are to be taken off."
    return f"{turn}. {scene.name(pending['seat'])} decides: {decision(words, scene)}"


DECISIONS = {
    "agreeing": "gifts of gold and cards in this match?",
    "nobles": "which noble?",
    "turn": "what to do.",
    "combat": "play a card or pass.",
}


def decision(words: Wording, scene: Scene) -> str:
    """What the seat that decides is asked."""
    assert scene.table is not None
    pending = scene.table["pending"]
    what: str = pending["decision"]
    if what == "placing":
        player = scene.table["players"][pending["seat"]]
        return (
            "where to place the noble." if player["noble_at"] < 0 else "what to hire before the first turn."
        )
    if what != "choose":
        return DECISIONS.get(what, what)
    choice, ask = pending["choice"], pending.get("ask")
    if ask is None:
        return f"a target for {words.card(choice['card'])}." if choice["card"] else "a target."
    nth = f" ({len(choice['picks']) + 1}.)" if choice["picks"] else ""
    if choice["hire"]:
        return f"where to place {words.the(choice['hire'])}."
    if choice["card"]:
        return f"{WHAT[ask['what']]} for {words.card(choice['card'])}{nth}."
    return f"{WHAT[ask['what']]} for {words.ability(choice['ability'])}{nth}."


WHAT = {"field": "a field", "kind": "a unit", "seat": "a player"}
