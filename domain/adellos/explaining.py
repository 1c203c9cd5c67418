"""What is printed on the components, in full, and what it comes to now."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from domain.adellos.box import Kind
from domain.adellos.drawing import wrapped
from domain.adellos.pack import Ability, EventCard, Field
from domain.adellos.wording import Wording, counted
from domain.game import Scene

TOPICS: Mapping[str, str] = {
    "look FIELD": "what is on a field, with its whole text and its values now",
    "unit NAME": "a unit, noble or token: price, printed values, ability",
    "ability NAME": "an ability's text, what it costs now, and who has it",
    "card NAME": "an event card's text, cost and time",
    "supply SEAT": "the units a player can still hire or summon",
}
WHEN = {"own_turn": "in the own turn", "combat": "in a combat", "next_turn": "on an opponent's next turn"}


def slug(name: str) -> str:
    return "-".join(name.lower().split())


def explain(words: Wording, topic: str, about: str, scene: Scene) -> list[str] | None:
    return EXPLAINED[topic](words, slug(about), scene)


def _found(names: Iterable[tuple[str, str]], about: str) -> str | None:
    """The id of what is called so, or the only one whose name begins so."""
    named = [(one, slug(name)) for one, name in names]
    exact = [one for one, name in named if about in (one, name)]
    begun = [one for one, name in named if about and (name.startswith(about) or one.startswith(about))]
    return exact[0] if exact else begun[0] if len(begun) == 1 else None


def _look(words: Wording, about: str, scene: Scene) -> list[str] | None:
    board = words.board(scene)
    names = words.fields(scene)
    if board is None or about not in names:
        return None
    number = names.index(about)
    field = board.fields[number]
    near = ", ".join(words.field(scene, other) for other in field.neighbours)
    what = "The tower (bonus field)" if field.tower else _castle(field, scene)
    unit = words.standing(scene, number)
    lines = wrapped(f"{about}: {what}. Next to it: {near}.")
    if unit is None:
        return [*lines, "Nothing stands there."]
    kind = words.box.kinds[unit["kind"]]
    lines += wrapped(f"{words.whose(scene, number)}, now {_values(unit)}.")
    if unit["counters"]:
        kept = ", to be kept when the turn ends" if unit["keep"] else ""
        lines += wrapped(
            f"It bears {counted(unit['counters'], 'Time Counter')}{kept}: it can do nothing and can be attacked."
        )
    if unit["origin"] not in (None, unit["seat"]):
        lines += wrapped(f"It came from {scene.name(unit['origin'])}'s supply.")
    return lines + _kind(words, kind, scene)


def _castle(field: Field, scene: Scene) -> str:
    if field.castle is None:
        return "Open ground"
    players = scene.table["players"] if scene.table else ()
    owners = [scene.name(player["seat"]) for player in players if player["castle"] == field.castle]
    return f"The castle of {owners[0]}" if owners else "A castle nobody has"


def _values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {values[name]}" for name in ("attack", "defence", "movement"))


def _unit(words: Wording, about: str, scene: Scene) -> list[str] | None:
    found = _found(((kind.id, kind.name) for kind in words.box.kinds.values()), about)
    return None if found is None else _kind(words, words.box.kinds[found], scene)


def _kind(words: Wording, kind: Kind, scene: Scene) -> list[str]:
    what = "noble" if kind.noble else "token" if kind.token else "unit"
    faction = f" of {words.faction(kind.faction)}" if kind.faction else ""
    printed = _values(dict(zip(("attack", "defence", "movement"), kind.values, strict=True)))
    price = f" Price: {price_of(kind, scene)}." if kind.gold or kind.counters else ""
    lines = wrapped(f"{kind.name}, {what}{faction}. Printed: {printed}.{price}")
    for ability in kind.abilities:
        lines += _of_ability(ability, scene)
    return lines


def price_of(kind: Kind, scene: Scene) -> str:
    """A unit's price as it is for the player of its faction: `3 gold`, `2 Time Counters`."""
    if not kind.counters:
        return f"{kind.gold} gold"
    counters = kind.counters
    for player in scene.table["players"] if scene.table else ():
        if player["faction"] == kind.faction:
            counters = player["prices"].get(kind.id, {}).get("counters", counters)
    printed = "" if counters == kind.counters else f" (printed: {kind.counters})"
    gold = f" and {kind.gold} gold" if kind.gold else ""
    return counted(counters, "Time Counter") + gold + printed


def _ability(words: Wording, about: str, scene: Scene) -> list[str] | None:
    box = words.box
    found = _found(((ability.id, ability.name) for ability in box.abilities.values()), about)
    if found is None:  # the ability of a unit that is named
        kind = _found(((kind.id, kind.name) for kind in box.kinds.values()), about)
        return None if kind is None else _kind(words, box.kinds[kind], scene)
    lines = _of_ability(box.abilities[found], scene)
    having = ", ".join(
        kind.name for kind in box.kinds.values() if any(one.id == found for one in kind.abilities)
    )
    return lines + wrapped(f"Printed on: {having or 'nothing'}.")


def _of_ability(ability: Ability, scene: Scene) -> list[str]:
    lines = wrapped(f"{ability.name}: {ability.text}")
    for player in scene.table["players"] if scene.table else ():
        price = player["ability_prices"].get(ability.id, ability.gold)
        if price != ability.gold:
            lines += wrapped(f"For {scene.name(player['seat'])} it costs {price} gold now.")
    return lines


def _card(words: Wording, about: str, _: Scene) -> list[str] | None:
    found = _found(((card.id, card.name) for card in words.box.cards.values()), about)
    return None if found is None else of_card(words.box.cards[found])


def of_card(card: EventCard) -> list[str]:
    side = "" if card.side == "either" else f" by the {card.side}"
    lines = wrapped(f"{card.name} ({card.ap} AP, played {WHEN[card.when]}{side}): {card.text}")
    return [*lines, f"The deck began with {counted(card.count, 'copy', 'copies')} of it."]


def _supply(words: Wording, about: str, scene: Scene) -> list[str] | None:
    table = scene.table
    if table is None:
        return None
    names = [slug(scene.name(seat)) for seat in range(len(table["players"]))]
    seat: int | None = int(about) if about.isdigit() else names.index(about) if about in names else None
    if not about:
        seat = table["pending"]["seat"] if table["pending"] else None
    if seat is None or not 0 <= seat < len(names):
        return None
    player = table["players"][seat]
    if not player["supply"]:
        return [f"{scene.name(seat)} has no faction yet."]
    lines = [f"Supply of {scene.name(seat)}, {words.faction(player['faction'])} (attack/defence/movement):"]
    for name, tiles in player["supply"].items():
        kind = words.box.kinds[name]
        values = "/".join(map(str, kind.values))
        text = " ".join(f"{ability.name}: {ability.text}" for ability in kind.abilities)
        line = f"{tiles}x {kind.name:<15} {values:<6} {price_of(kind, scene)}"
        lines += wrapped(f"  {line}{'. ' if text else ''}{text}", " " * 29)
    return lines


EXPLAINED: dict[str, Callable[[Wording, str, Scene], list[str] | None]] = {
    "look": _look,
    "unit": _unit,
    "ability": _ability,
    "card": _card,
    "supply": _supply,
}
