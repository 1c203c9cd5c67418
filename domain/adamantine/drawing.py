"""The table as lines of text: 80 columns, no colour; the own side, if one is seen, below the other."""

import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from domain.adamantine import playing
from domain.adamantine.combat import missing
from domain.adamantine.effects import STATS
from domain.adamantine.standing import (
    danger_level,
    danger_of,
    explored_room,
    monster_damage,
    monster_health,
    next_in_queue,
)
from domain.adamantine.state import AdamantineState, Exploration, Laid, Piece, Player, Room
from domain.adamantine.wording import FACE_DOWN, Wording, counted, first_up, seen_state
from domain.game import Scene

WIDTH = 80  # columns
SET_UP = ("drawing", "bringing", "champions", "classes", "shuffling")
LEGEND = "(2/1 gold/danger of a hero card; d2 danger of a dungeon card; 3/2 health/damage of a monster; * turned up)"

Seen = Mapping[str, Any]


def draw(words: Wording, scene: Scene) -> list[str]:
    table = scene.table
    assert table is not None
    state = seen_state(scene)
    order = sorted(table["players"], key=lambda player: ("hero_hand" in player, player["seat"]))
    lines = [line for player in order for line in _player(words, scene, state, player)]
    if table["turns"]:
        lines += wrapped(LEGEND, " ")
    if state.exploration is not None:
        lines += _exploration(words, scene, state, state.exploration)
    return [*lines, *wrapped(_decision(words, scene, state))]


def wrapped(text: str, indent: str = "  ", head: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=head,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _entries(title: str, entries: Iterable[str]) -> list[str]:
    """Entries after a title; none is broken where it fits a line."""
    glued = [entry.replace(" ", "\0") if len(entry) < WIDTH - 8 else entry for entry in entries]
    text = f"{title}: {', '.join(glued) or 'nothing'}"
    return [line.replace("\0", " ") for line in wrapped(text, "    ", "  ")]


# --- a player ----------------------------------------------------------------------------------------------


def _player(words: Wording, scene: Scene, state: AdamantineState, seen: Seen) -> list[str]:
    player = state.players[seen["seat"]]
    deck = f" with {words.name(player.deck)}" if player.deck else ""
    title = f"{player.seat} {scene.name(player.seat)}{deck}"
    turn = (
        " (whose turn it is)" if state.turn == player.seat and state.turns and state.phase != "over" else ""
    )
    head = f"--- {title}{turn} "
    lines = [head.ljust(WIDTH, "-")[:WIDTH]]
    if player.champion is None:
        return [*lines, "  no champion yet"]
    left = max(0, seen["health"] - player.wounds)
    wounds = f" ({counted(player.wounds, 'wound')})" if player.wounds else ""
    name = words.name(player.champion.card)
    lines += wrapped(
        f"{name}: health {left} of {seen['health']}{wounds}, danger level {seen['danger_level']}",
        "    ",
        "  ",
    )
    lines += wrapped(_statistics(seen["statistics"]), "    ", "    ")
    lines += _entries("In play", _in_play(words, player.in_play))
    lines += _rooms(words, player, own="hero_hand" in seen)
    for half, hand in (("Hero", player.hero_hand), ("Dungeon", player.dungeon_hand)):
        if hand:
            shown = [f"#{card.handle} {words.name(card.card)} {words.values(card.card)}" for card in hand]
            lines += _entries(f"{half} hand", shown)
    counts = [
        f"{half} hand {seen[f'{half}_hand_count']}, deck {seen[f'{half}_deck_count']}, "
        f"discard {len(seen[f'{half}_discard'])}"
        for half in ("hero", "dungeon")
    ]
    return [*lines, f"  {first_up('; '.join(counts))}"]


def _statistics(statistics: Seen) -> str:
    """Statistics in combat; where they differ, against traps."""
    parts = []
    for stat in STATS:
        combat, check = statistics["combat"][stat], statistics["check"][stat]
        parts.append(f"{stat} {combat}" + (f" ({check} against traps)" if check != combat else ""))
    return ", ".join(parts)


def _in_play(words: Wording, pieces: Iterable[Piece]) -> list[str]:
    shown = []
    for piece in pieces:
        used = " (used)" if piece.used else ""
        shown.append(f"#{piece.handle} {words.name(piece.card)} {words.values(piece.card)}{used}")
    return shown


def _rooms(words: Wording, player: Player, *, own: bool) -> list[str]:
    """Rooms whose cards are seen one by one; the others together, by how many cards they have."""
    rooms = [room for room in player.rooms if not room.encounter]
    if not rooms:
        return ["  Rooms: none"]
    known: list[str] = []
    dark: dict[int, list[str]] = {}
    for room in rooms:
        if room.cards and all(laid.card == FACE_DOWN for laid in room.cards):
            dark.setdefault(len(room.cards), []).append(str(room.handle))
        else:
            known.append(
                f"{room.handle} [{' + '.join(_laid(words, laid) for laid in room.cards) or 'empty'}]{_marks(room, own)}"
            )
    lines = _entries("Rooms", known) if known else []
    for size, numbers in sorted(dark.items()):
        lines += _entries(f"Rooms of {counted(size, 'face-down card')}", numbers)
    return lines


def _laid(words: Wording, laid: Laid) -> str:
    return f"{words.name(laid.card)} {words.values(laid.card)}".rstrip() + ("*" if laid.up else "")


def _marks(room: Room, own: bool) -> str:
    marks = ["explored today"] if room.explored else []
    if room.seen and not all(laid.up for laid in room.cards):
        marks.append("looked at" if own else "you looked")
    return f" {', '.join(marks)}" if marks else ""


# --- an exploration ----------------------------------------------------------------------------------------


def _exploration(words: Wording, scene: Scene, state: AdamantineState, now: Exploration) -> list[str]:
    room = explored_room(state)
    explorer = state.players[now.explorer]
    where = (
        f"meets {scene.name(now.owner)}'s random encounter"
        if room.encounter
        else f"explores room {now.room} of {scene.name(now.owner)}"
    )
    lines = wrapped(
        f"EXPLORATION: {words.champion(scene, explorer)} {where}, danger {danger_of(words.box, room.cards)}."
    )
    for laid in room.cards:
        lines += wrapped(
            f"#{laid.handle} {words.name(laid.card)}, {_here(words, state, now, laid)}", "      ", "  "
        )
    said = [f"fights with {now.statistic}"] if now.statistic else []
    said += [f"{now.damage} damage to divide"] if now.damage else []
    said += [f"{now.gold} reward gold"] if now.gold else []
    said += [
        f"{change.amount:+d} {change.statistic or 'in every statistic'}"
        + (" in this room" if change.lasting else " now")
        for change in now.changes
    ]
    said += [f"each monster deals {now.shield} less to the champion"] if now.shield else []
    return lines + wrapped(f"So far: {', '.join(said)}.", "    ", "  ") if said else lines


def _here(words: Wording, state: AdamantineState, now: Exploration, laid: Laid) -> str:
    """A card of the room that is explored, with its values as they are here."""
    box, card = words.box, laid.card
    if card not in box.monsters:
        return f"{words.numbers(card)}. {words.text(card)}"
    lacks = missing(box, state)[laid.handle]
    most = monster_health(box, now, card)
    health = (
        f"health {most}" if lacks == most else f"health {most}, lacks {lacks} to die" if lacks else "dies"
    )
    damage = monster_damage(box, state, laid)
    reward = box.monsters[card].reward
    return (
        f"monster, danger {box.danger[card]}, {health}, damage {damage}, reward {reward}. {words.text(card)}"
    )


# --- the decision ------------------------------------------------------------------------------------------


def _decision(words: Wording, scene: Scene, state: AdamantineState) -> str:
    assert scene.table is not None
    when = "Set-up"
    if state.turns:
        phase = "day" if state.phase in ("dawn", "day") else "night"
        when = f"Turn {state.turns}"
        if state.turn >= 0 and state.phase != "over":
            when += f", {scene.name(state.turn)}'s {phase}"
    if state.phase == "over":
        return f"{when}. The match is over."
    pending = scene.table["pending"]
    if pending is None:
        return f"{when}. Nobody decides now."
    return f"{when}. {scene.name(pending['seat'])} decides: {question(words, scene, state)}."


def question(words: Wording, scene: Scene, state: AdamantineState) -> str:
    """What the seat that decides is asked."""
    assert scene.table is not None
    pending = scene.table["pending"]
    return ASKED[pending["decision"]](words, state, pending)


def _payment(words: Wording, state: AdamantineState, pending: Seen) -> str:
    choice = state.choice
    if choice is None or not choice.card:
        return "what to sacrifice for a card"
    player = state.players[choice.seat]
    paid = playing.gold_of(words.box, player, choice.picks)
    chosen = f" ({words.ones(state, choice.picks)} so far)" if choice.picks else ""
    return (
        f"what to sacrifice for {words.one(state, choice.card)}, {pending['cost'] - paid} gold still{chosen}"
    )


def _aim(words: Wording, state: AdamantineState, _: Seen) -> str:
    choice = state.choice
    if choice is None or not choice.card:
        return "which room to aim at"
    return f"which room to aim {words.one(state, choice.card)} at"


def _laying(words: Wording, state: AdamantineState, _: Seen) -> str:
    choice = state.choice
    assert choice is not None
    chosen = ""
    if choice.picks:
        danger = sum(words.box.danger[words.card_of(state, handle)] for handle in choice.picks)
        level = danger_level(words.box, state.players[1 - choice.seat])
        chosen = f" ({words.ones(state, choice.picks)} so far, danger {danger}; the other's danger level is {level})"
    if choice.what == "room":
        return f"which cards the new room has, in their order{chosen}"
    return f"at most {counted(choice.limit, 'monster or event', 'monsters and events')} for the encounter{chosen}"


def _discarding(words: Wording, state: AdamantineState, pending: Seen) -> str:
    assert state.cursor is not None
    return (
        f"what to discard for {words.name(state.cursor.card)}, {counted(pending['cards_owed'], 'card')} still"
    )


def _trimming(words: Wording, state: AdamantineState, _: Seen) -> str:
    now = state.exploration
    assert now is not None
    level = danger_level(words.box, state.players[now.explorer])
    danger = sum(
        words.box.danger[laid.card] for laid in explored_room(state).cards if laid.handle not in now.picks
    )
    chosen = f" ({words.ones(state, now.picks)} so far)" if now.picks else ""
    return f"what to discard, as danger {danger} is over the danger level of {level}{chosen}"


def _dividing(_: Wording, state: AdamantineState, pending: Seen) -> str:
    now = state.exploration
    assert now is not None
    return f"how to divide {counted(pending['damage'] - len(now.picks), 'point')} of damage"


def _striking(words: Wording, state: AdamantineState, _: Seen) -> str:
    monster = next_in_queue(state)
    return (
        f"who takes {words.one(state, monster.handle)}'s {monster_damage(words.box, state, monster)} damage"
    )


def _reward(_: Wording, state: AdamantineState, __: Seen) -> str:
    gold = state.exploration.gold if state.exploration else 0
    return f"what to play for {gold} reward gold"


def _checks(words: Wording, state: AdamantineState, _: Seen) -> str:
    trap = next_in_queue(state)
    return f"what to use against {words.one(state, trap.handle)}"


def _plain(text: str) -> Callable[[Wording, AdamantineState, Seen], str]:
    return lambda *_: text


ASKED: dict[str, Callable[[Wording, AdamantineState, Seen], str]] = {
    "bringing": _plain("which deck to play"),
    "champions": _plain("which champion"),
    "classes": _plain("which basic class"),
    "day": _plain("what to do by day"),
    "night": _plain("what to do by night"),
    "possess": _plain("whether another champion follows the dead one"),
    "payment": _payment,
    "aim": _aim,
    "room": _laying,
    "encounter": _laying,
    "discard": _discarding,
    "trimming": _trimming,
    "combat": _plain("which statistic to fight with"),
    "dividing": _dividing,
    "striking": _striking,
    "reward": _reward,
    "checks": _checks,
}
