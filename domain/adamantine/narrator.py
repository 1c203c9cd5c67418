"""How Adamantine reads in a terminal: `domain.game.Narrator`."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.adamantine import drawing, explaining, playing, telling
from domain.adamantine.box import Box
from domain.adamantine.combat import missing
from domain.adamantine.effects import STATS
from domain.adamantine.standing import (
    danger_of,
    held,
    monster_damage,
    next_in_queue,
    rolled,
    room_of,
    statistic,
    total,
)
from domain.adamantine.state import AdamantineState
from domain.adamantine.wording import FACE_DOWN, Wording, counted, seen_state, slug, zones
from domain.game import Scene

Command = Mapping[str, Any]
Listed = tuple[str, str]  # heading, text


class Narrator:
    topics = explaining.TOPICS

    def __init__(self, box: Box) -> None:
        self._words = Wording(box)

    def show(self, scene: Scene) -> list[str]:
        return drawing.draw(self._words, scene)

    def tell(self, kind: str, data: Mapping[str, Any], before: Scene) -> str:
        return telling.tell(self._words, kind, data, before)

    def quiet(self, kind: str, data: Mapping[str, Any]) -> bool:  # noqa: ARG002
        return kind in telling.CHOOSING

    def ask(self, command: Command, scene: Scene) -> Listed:
        return ASKED[command["type"]](self._words, command, scene, seen_state(scene))

    def names(self, scene: Scene) -> Mapping[str, Any]:
        """Cards in sight by name and by `#` with their handles, all others with their ids; rooms as `room 22`."""
        box, state = self._words.box, seen_state(scene)
        meant: dict[str, list[Any]] = {}
        for player in sorted(state.players, key=lambda player: not _own(scene, player.seat)):
            for zone in zones(player):
                for card in zone:
                    meant.setdefault(f"#{card.handle}", []).append(card.handle)
                    if card.card != FACE_DOWN:
                        meant.setdefault(slug(box.name(card.card)), []).append(card.handle)
            for room in player.rooms:
                meant.setdefault(f"room-{room.handle}", []).append(room.handle)
        for parts in (box.hero_cards, box.dungeon, box.decks):
            for part in parts.values():
                meant.setdefault(slug(part.name), []).append(part.id)
                if part.id != slug(part.name):
                    meant[part.id] = meant[slug(part.name)]
        return {name: values[0] if len(values) == 1 else tuple(values) for name, values in meant.items()}

    def explain(self, topic: str, about: str, scene: Scene) -> list[str] | None:
        return explaining.explain(self._words, topic, about, scene)


def _own(scene: Scene, seat: int) -> bool:
    """Whether the table is seen from this seat."""
    return scene.table is not None and "hero_hand" in scene.table["players"][seat]


# --- commands ----------------------------------------------------------------------------------------------

GO_ON, PLAY, USE, EXPLORE, SEARCH, POSSESS, LAY, TAKEN, OR = (
    "Go on",
    "Play",
    "Use",
    "Explore",
    "Search",
    "Possess another champion",
    "Lay",
    "Takes the damage",
    "Or",
)


def _printed(words: Wording, card: str) -> str:
    return f"{words.name(card)}, {words.numbers(card)}. {words.text(card)}"


def _bring(words: Wording, command: Command, _: Scene, __: AdamantineState) -> Listed:
    deck = words.box.decks.get(command["deck"])
    return "Bring a deck", f"{deck.name}: {deck.text}" if deck else "a deck of your own"


def _choose_champion(words: Wording, command: Command, _: Scene, __: AdamantineState) -> Listed:
    return "Choose a champion", _printed(words, command["champion"])


def _choose_class(words: Wording, command: Command, _: Scene, __: AdamantineState) -> Listed:
    return "Choose a basic class", _printed(words, command["hero_class"])


def _play(words: Wording, command: Command, scene: Scene, state: AdamantineState) -> Listed:
    seat = _deciding(scene)
    card = held(state.players[seat].hero_hand, command["card"])
    if card is None:
        return PLAY, words.one(state, command["card"])
    cost = playing.cost(words.box, state, seat, card)
    reward = playing.reward(state, seat)
    heading = f"Play for {reward} reward gold" if reward else "Play, for sacrifices of so much gold"
    price = f"{cost} gold{' more' if reward else ''}" if cost else "free"
    printed = words.numbers(card.card)
    kind, danger = printed.split(", ", 1)[0], printed.rsplit(", ", 1)[-1]
    about = f"{kind}, {danger}" if price in printed else printed
    return heading, f"{words.one(state, card.handle)} ({price}; {about}): {words.text(card.card)}"


def _deciding(scene: Scene) -> int:
    pending = scene.table["pending"] if scene.table else None
    return pending["seat"] if pending else 0


def _sacrifice(words: Wording, command: Command, _: Scene, state: AdamantineState) -> Listed:
    card = words.card_of(state, command["card"])
    worth = words.box.gear[card].gold if card in words.box.gear else 0
    return "Sacrifice", f"{words.one(state, command['card'])} ({worth} gold)"


def _use(words: Wording, command: Command, _: Scene, state: AdamantineState) -> Listed:
    target = command["target"]
    room = words.room(state, target)
    at = f" on room {target}" if room else f" on {words.one(state, target)}" if target else ""
    return (
        USE,
        f"{words.one(state, command['card'])}{at}: {words.text(words.card_of(state, command['card']))}",
    )


def _explore(words: Wording, command: Command, scene: Scene, state: AdamantineState) -> Listed:
    owner = 1 - _deciding(scene)
    room = room_of(state.players[owner], command["room"])
    heading = f"Explore a room of {scene.name(owner)}"
    if room is None:
        return heading, f"room {command['room']}"
    if any(laid.card == FACE_DOWN for laid in room.cards):
        return heading, f"room {room.handle} ({counted(len(room.cards), 'card')})"
    cards = words.cards(laid.card for laid in room.cards)
    return heading, f"room {room.handle}: {cards}, danger {danger_of(words.box, room.cards)}"


def _search(words: Wording, _: Command, scene: Scene, state: AdamantineState) -> Listed:
    seat = _deciding(scene)
    more = total(words.box, state.players[seat], "searching")
    cards = f"a die{f' and {more}' if more else ''} of cards"
    return SEARCH, f"{scene.name(1 - seat)}'s dungeon: {cards} go from the dungeon deck to the discard"


def _possess(words: Wording, command: Command, _: Scene, state: AdamantineState) -> Listed:
    return POSSESS, _printed(words, words.card_of(state, command["card"]))


def _lay(words: Wording, command: Command, _: Scene, state: AdamantineState) -> Listed:
    card = words.card_of(state, command["card"])
    text = f"{words.one(state, command['card'])}, {words.numbers(card)}. {words.text(card)}"
    return LAY, text


def _choose_statistic(words: Wording, command: Command, _: Scene, state: AdamantineState) -> Listed:
    stat = command["statistic"]
    if state.exploration is None or stat not in STATS:
        return "Fight with", str(stat)
    return "Fight with, and the die", f"{stat} ({rolled(words.box, state, stat):+d} damage)"


def _assign(words: Wording, command: Command, _: Scene, state: AdamantineState) -> Listed:
    handle, points = command["card"], command["points"]
    lacks = missing(words.box, state).get(handle, 0) if state.exploration else 0
    left = "and it dies" if points >= lacks else f"it lacks {lacks}"
    return "Damage", f"{points} to {words.one(state, handle)}, {left}"


def _take(words: Wording, command: Command, _: Scene, state: AdamantineState) -> Listed:
    now, handle = state.exploration, command["card"]
    name = words.one(state, handle)
    if now is None:
        return TAKEN, name
    player = state.players[now.explorer]
    damage = monster_damage(words.box, state, next_in_queue(state))
    if player.champion is not None and handle == player.champion.handle:
        damage = max(0, damage - total(words.box, player, "armour") - now.shield)
        return TAKEN, f"{name}, {counted(damage, 'wound')}"
    guard = words.box.gear[words.card_of(state, handle)].guard
    return TAKEN, f"{name}, {'who falls' if damage >= guard else 'who holds out'}"


def _roll(words: Wording, _: Command, __: Scene, state: AdamantineState) -> Listed:
    now = state.exploration
    if now is None:
        return GO_ON, "roll"
    trap = words.box.traps[next_in_queue(state).card]
    value = statistic(words.box, state.players[now.explorer], trap.statistic, now, combat=False)
    return (
        GO_ON,
        f"roll against {trap.name} ({trap.statistic} {trap.value}): {trap.statistic} {value} and the die",
    )


def _discard(words: Wording, command: Command, _: Scene, state: AdamantineState) -> Listed:
    card = words.card_of(state, command["card"])
    return "Discard", f"{words.one(state, command['card'])} ({words.numbers(card)})"


def _finish(_: Wording, __: Command, ___: Scene, state: AdamantineState) -> Listed:
    if state.choice is None:
        return OR, "play nothing more"
    if not state.choice.picks:
        return OR, "lay nothing: there is no encounter"
    return OR, f"finish: the {state.choice.what} is complete"


def _said(heading: str, text: str) -> Callable[[Wording, Command, Scene, AdamantineState], Listed]:
    return lambda *_: (heading, text)


ASKED: dict[str, Callable[[Wording, Command, Scene, AdamantineState], Listed]] = {
    "bring_deck": _bring,
    "choose_champion": _choose_champion,
    "choose_class": _choose_class,
    "play_card": _play,
    "sacrifice": _sacrifice,
    "use": _use,
    "explore": _explore,
    "search": _search,
    "possess": _possess,
    "decline": _said(OR, "let no other follow, and lose"),
    "end_day": _said(GO_ON, "end the day"),
    "build_room": _said("Build", "a room"),
    "random_encounter": _said("Build", "a random encounter (roll for it)"),
    "lay_card": _lay,
    "end_night": _said(GO_ON, "end the night and the turn"),
    "choose_statistic": _choose_statistic,
    "assign_damage": _assign,
    "take_damage": _take,
    "roll_check": _roll,
    "discard": _discard,
    "finish": _finish,
    "cancel": _said(OR, "take it back (cancel)"),
}
