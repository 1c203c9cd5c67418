"""How Adellos reads in a terminal: `domain.game.Narrator`."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.adellos import drawing, explaining, telling
from domain.adellos.box import Box
from domain.adellos.explaining import price_of, slug
from domain.adellos.movement import SWAP_AP
from domain.adellos.wording import Wording
from domain.game import Scene

Command = Mapping[str, Any]


class Narrator:
    topics = explaining.TOPICS

    def __init__(self, box: Box) -> None:
        self._words = Wording(box)

    def show(self, scene: Scene) -> list[str]:
        return drawing.draw(self._words, scene)

    def tell(self, kind: str, data: Mapping[str, Any], before: Scene) -> str:
        return telling.tell(self._words, kind, data, before)

    def quiet(self, kind: str, data: Mapping[str, Any]) -> bool:
        return kind in telling.AIMING or (kind == "counters_ticked" and not data["fields"])

    def ask(self, command: Command, scene: Scene) -> tuple[str, str]:
        return ASKED[command["type"]](self._words, command, scene)

    def names(self, scene: Scene) -> Mapping[str, Any]:
        box = self._words.box
        known: dict[str, Any] = {"yes": True, "no": False}
        for parts in (box.kinds, box.cards, box.abilities):
            known |= {slug(part.name): part.id for part in parts.values()}
            known |= {name: name for name in parts}
        known |= {name: field for field, name in enumerate(self._words.fields(scene))}
        for seat, name in enumerate(scene.names):
            known.setdefault(slug(name), seat)
        return known

    def explain(self, topic: str, about: str, scene: Scene) -> list[str] | None:
        return explaining.explain(self._words, topic, about, scene)


# --- commands ----------------------------------------------------------------------------------------------

GO_ON, HIRE, SUMMON, CARDS, GIFTS, COUNTERS = (
    "Go on",
    "Hire",
    "Summon",
    "Event cards",
    "Gifts",
    "Time Counters",
)


def _agree(_: Wording, command: Command, __: Scene) -> tuple[str, str]:
    return "Gifts of gold and cards, if everybody agrees", "agree" if command["agree"] else "decline"


def _noble(words: Wording, command: Command, _: Scene) -> tuple[str, str]:
    kind = words.box.kinds.get(command["noble"])
    text = " ".join(ability.text for ability in kind.abilities) if kind else ""
    return "Choose a noble", f"{words.kind(command['noble'])}. {text}".strip()


def _place(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    return "Place the noble", words.field(scene, command["field"])


def _hire(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    kind = words.box.kinds.get(command["unit"])
    if kind is None:
        return HIRE, command["unit"]
    price = price_of(kind, scene).replace(" gold", " G").partition(" Time Counter")[0]
    if kind.counters:
        return SUMMON, f"{kind.name} +{price}"
    return HIRE, f"{kind.name} {price}"


def _unit(words: Wording, scene: Scene, field: int) -> str:
    """The heading of what a unit can do."""
    unit = words.standing(scene, field)
    if unit is None:
        return f"The unit on {words.field(scene, field)}"
    values = "/".join(str(unit[value]) for value in ("attack", "defence", "movement"))
    return f"{words.kind(unit['kind'])} on {words.field(scene, field)} ({values})"


def _move(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    return _unit(words, scene, command["field"]), f"to {words.field(scene, command['to'])}"


def _swap(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    other = words.at(scene, command["other"])
    return _unit(words, scene, command["field"]), f"swap with {other} ({SWAP_AP} AP)"


def _attack(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    target = words.standing(scene, command["target"])
    defence = f", defence {target['defence']}" if target else ""
    return _unit(words, scene, command["field"]), f"attack {words.whose(scene, command['target'])}{defence}"


def _use(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    ability = words.box.abilities.get(command["ability"])
    text = f". {ability.text}" if ability else ""
    return _unit(words, scene, command["field"]), f"use {words.ability(command['ability'])}{text}"


def _keep(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    unit = words.standing(scene, command["field"])
    does = "don't keep" if unit and unit["keep"] else "keep"
    return f"{COUNTERS} when the turn ends", f"{does} those of {words.at(scene, command['field'])}"


def _play(words: Wording, command: Command, _: Scene) -> tuple[str, str]:
    card = words.box.cards.get(command["card"])
    if card is None:
        return CARDS, command["card"]
    return CARDS, f"{card.name} ({card.ap} AP): {card.text}"


def _give_gold(_: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    return GIFTS, f"1 gold to {scene.name(command['to'])}"


def _give_card(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    return GIFTS, f"{words.card(command['card'])} to {scene.name(command['to'])}"


def _question(words: Wording, scene: Scene) -> str:
    pending = scene.table["pending"] if scene.table else None
    if not pending or "choice" not in pending:
        return "Choose"
    text = drawing.decision(words, scene).rstrip(".")
    return text[:1].upper() + text[1:]


def _choose_field(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    field = command["field"]
    said = words.whose(scene, field) if words.standing(scene, field) else words.field(scene, field)
    return _question(words, scene), said


def _choose_kind(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    return _question(words, scene), words.kind(command["kind"])


def _choose_seat(words: Wording, command: Command, scene: Scene) -> tuple[str, str]:
    return _question(words, scene), scene.name(command["seat"])


def _said(heading: str, text: str) -> Callable[[Wording, Command, Scene], tuple[str, str]]:
    return lambda *_: (heading, text)


ASKED: dict[str, Callable[[Wording, Command, Scene], tuple[str, str]]] = {
    "agree_trading": _agree,
    "choose_noble": _noble,
    "place_noble": _place,
    "end_set_up": _said(GO_ON, "end the set-up"),
    "hire": _hire,
    "move": _move,
    "swap": _swap,
    "attack": _attack,
    "use_ability": _use,
    "play_card": _play,
    "keep_counter": _keep,
    "give_gold": _give_gold,
    "give_card": _give_card,
    "pass": _said(GO_ON, "pass"),
    "end_turn": _said(GO_ON, "end the turn"),
    "choose_field": _choose_field,
    "choose_kind": _choose_kind,
    "choose_seat": _choose_seat,
    "finish_choice": _said("Or", "no more"),
    "cancel_choice": _said("Or", "take it back (cancel)"),
}
