"""What happens in a match as sentences, from what its viewer saw of the table before."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.adellos import effects
from domain.adellos.movement import SWAP_AP
from domain.adellos.wording import Wording, counted, listed
from domain.game import Scene

Data = Mapping[str, Any]
AIMING = frozenset({"choice_begun", "target_chosen", "choice_cancelled"})


def tell(words: Wording, kind: str, data: Data, scene: Scene) -> str:
    return TOLD[kind](words, data, scene)


# --- set-up ------------------------------------------------------------------------------------------------


def _factions_drawn(words: Wording, data: Data, scene: Scene) -> str:
    shares = [f"{scene.name(seat)} gets {words.faction(one)}" for seat, one in enumerate(data["factions"])]
    return f"The factions are drawn (draw {data['draw']}): {listed(shares)}."


def _first_seat_drawn(_: Wording, data: Data, scene: Scene) -> str:
    return f"{scene.name(data['seat'])} is drawn to start (draw {data['draw']})."


def _deck_shuffled(_: Wording, data: Data, __: Scene) -> str:
    return f"The {counted(data['cards'], 'event card')} are shuffled (draw {data['draw']})."


def _trading_answered(_: Wording, data: Data, scene: Scene) -> str:
    return f"{scene.name(data['seat'])} {'agrees to' if data['agree'] else 'wants no'} gifts between players."


def _noble_chosen(words: Wording, data: Data, scene: Scene) -> str:
    return f"{scene.name(data['seat'])} chooses {words.kind(data['noble'])}."


def _noble_placed(words: Wording, data: Data, scene: Scene) -> str:
    player = scene.table["players"][data["seat"]] if scene.table else {"noble": ""}
    noble = words.kind(player["noble"]) or "the noble"
    return f"{scene.name(data['seat'])} places {noble} on {words.field(scene, data['field'])}."


def _set_up_ended(_: Wording, data: Data, scene: Scene) -> str:
    return f"{scene.name(data['seat'])} is ready to begin."


# --- turns -------------------------------------------------------------------------------------------------


def _turn_started(words: Wording, data: Data, scene: Scene) -> str:
    parts = [f"{data['ap']} AP"]
    if data["gold"]:
        parts.append(f"{abs(data['gold'])} gold {'received' if data['gold'] > 0 else 'lost'}")
    if data["cards"]:
        parts.append(f"{counted(data['cards'], 'event card')} to draw")
    if data["held"]:
        parts.append(f"the tower held for {counted(data['held'], 'turn')}")
    front = scene.table["players"][data["seat"]]["front"] if scene.table else ()
    if front:
        parts.append(f"{words.cards(one['card'] for one in front)} in force")
    return f"{scene.name(data['seat'])}'s turn begins: {', '.join(parts)}."


def _card_drawn(words: Wording, data: Data, scene: Scene) -> str:
    card = words.card(data["card"]) if "card" in data else "an event card"
    return f"{scene.name(data['seat'])} draws {card}."


def _draw_skipped(_: Wording, data: Data, scene: Scene) -> str:
    why = "the deck is empty or the hand full"
    if scene.table:
        why = "the hand is full" if scene.table["deck_count"] else "the deck is empty"
    return f"{scene.name(data['seat'])} can't draw {counted(data['cards'], 'event card')}: {why}."


def _unit_hired(words: Wording, data: Data, scene: Scene) -> str:
    counters = f" with {counted(data['counters'], 'Time Counter')}" if data["counters"] else ""
    kind = words.box.kinds.get(data["unit"])
    does, price = "hires", f" for {data['gold']} gold"
    if kind is not None and kind.counters:
        does, price = "summons", price if data["gold"] else ""
    where = words.field(scene, data["field"])
    return f"{scene.name(data['seat'])} {does} {words.a(data['unit'])} on {where}{price}{counters}."


def _unit_moved(words: Wording, data: Data, scene: Scene) -> str:
    unit = words.standing(scene, data["field"])
    there = words.field(scene, data["to"])
    if unit is None:
        return f"The unit on {words.field(scene, data['field'])} moves to {there} ({data['ap']} AP)."
    name, here = words.the(unit["kind"]), words.field(scene, data["field"])
    return f"{scene.name(unit['seat'])} moves {name} from {here} to {there} ({data['ap']} AP)."


def _units_swapped(words: Wording, data: Data, scene: Scene) -> str:
    unit = words.standing(scene, data["field"])
    who = scene.name(unit["seat"]) if unit else "Somebody"
    one, other = (words.at(scene, data[name]) for name in ("field", "other"))
    return f"{who} swaps {one} and {other} ({SWAP_AP} AP)."


def _counter_kept(words: Wording, data: Data, scene: Scene) -> str:
    does = "keeps its Time Counters" if data["keep"] else "loses a Time Counter after all"
    return f"{_first_up(words.whose(scene, data['field']))} {does} when the turn ends."


def _turn_ended(_: Wording, data: Data, scene: Scene) -> str:
    lapsed = f"; {data['lapsed']} AP lapse" if data["lapsed"] else ""
    return f"{scene.name(data['seat'])}'s turn ends{lapsed}."


def _counters_ticked(words: Wording, data: Data, scene: Scene) -> str:
    who = scene.name(data["seat"])
    if not data["fields"]:
        return f"{who} has no Time Counter to take off."
    units = []
    for field in data["fields"]:
        unit = words.standing(scene, field)
        left = f" ({unit['counters'] - 1} left)" if unit else ""
        units.append(f"{words.at(scene, field)}{left}")
    return f"{who} takes a Time Counter off {listed(units)}."


def _seat_resigned(_: Wording, data: Data, scene: Scene) -> str:
    return f"{scene.name(data['seat'])} resigns and leaves with every unit."


# --- combat ------------------------------------------------------------------------------------------------


def _combat_begun(words: Wording, data: Data, scene: Scene) -> str:
    attacker, defender = (words.whose(scene, data[name]) for name in ("attacker", "defender"))
    return f"{_first_up(attacker)} attacks {defender}."


def _passed(_: Wording, data: Data, scene: Scene) -> str:
    return f"{scene.name(data['seat'])} plays no card and passes."


def _unit_defeated(words: Wording, data: Data, scene: Scene) -> str:
    unit = words.standing(scene, data["field"])
    where = words.field(scene, data["field"])
    owner = f"{scene.name(unit['seat'])}'s " if unit else ""
    fallen = (
        f"{owner}{words.kind(data['unit'])} on {where} is defeated, {data['attack']} to {data['defence']}"
    )
    kind = words.box.kinds.get(data["unit"])
    if unit is None or kind is None or not kind.noble:
        return f"{_first_up(fallen)}."
    return f"{_first_up(fallen)}: {scene.name(unit['seat'])} is out, with every unit."


def _combat_ended(_: Wording, data: Data, __: Scene) -> str:
    if data.get("attack") is None:
        return "The combat is broken off."
    return f"The attack fails, {data['attack']} to {data['defence']}: nobody is defeated."


# --- cards and abilities -----------------------------------------------------------------------------------


def _card_played(words: Wording, data: Data, scene: Scene) -> str:
    ap = f" ({data['ap']} AP)" if data["ap"] else ""
    return f"{scene.name(data['seat'])} plays {words.card(data['card'])}{ap}."


def _card_aimed(words: Wording, data: Data, scene: Scene) -> str:
    card, who = words.box.cards.get(data["card"]), scene.name(data["seat"])
    if card is not None and card.when == "next_turn":
        return f"{who} lays {card.name} in front of {scene.name(int(data['picks'][0]))}."
    aimed = _picks(words, scene, card.effects if card else (), data["picks"]) or ": nothing is left to aim at"
    return f"{who} aims {words.card(data['card'])}{aimed}."


def _ability_used(words: Wording, data: Data, scene: Scene) -> str:
    ability = words.box.abilities.get(data["ability"])
    paid = [f"{data['gold']} gold"] if data["gold"] else []
    paid += [f"{data['ap']} AP"] if data["ap"] else []
    price = f" ({', '.join(paid)})" if paid else ""
    aimed = _picks(words, scene, ability.performed if ability else (), data["picks"])
    user = _first_up(words.whose(scene, data["field"]))
    by = "" if words.standing(scene, data["field"]) else f" for {scene.name(data['seat'])}"
    return f"{user} uses {words.ability(data['ability'])}{by}{price}{aimed}."


def _picks(words: Wording, scene: Scene, performed: Sequence[Any], picks: Sequence[int | str]) -> str:
    """What was chosen, in order. A number is a field, but for the effect that looks at a player's hand."""
    looks = [place for place, effect in enumerate(performed) if isinstance(effect, effects.Look)]
    said = []
    for place, pick in enumerate(picks):
        if pick == "":
            said.append("no more")
        elif isinstance(pick, str):
            said.append(words.kind(pick))
        elif looks and place == (0 if looks[0] == 0 else len(picks) - 1):
            said.append(scene.name(pick))
        else:
            unit = words.standing(scene, pick)
            said.append(words.whose(scene, pick) if unit else words.field(scene, pick))
    return f": {', '.join(said)}" if said else ""


def _hand_seen(words: Wording, data: Data, scene: Scene) -> str:
    looks = f"{scene.name(data['seat'])} looks at {scene.name(data['of'])}'s hand"
    if "hand" not in data:
        return f"{looks}."
    return f"{looks}: {words.cards(data['hand']) or 'it is empty'}."


def _choice_begun(words: Wording, data: Data, scene: Scene) -> str:
    who = scene.name(data["seat"])
    if "hire" not in data:
        return f"{who} is choosing."
    if data["hire"]:
        return f"{who} wants to place {words.a(data['hire'])}."
    return f"{who} wants to use {words.ability(data['ability'])} of {words.at(scene, data['field'])}."


def _target_chosen(words: Wording, data: Data, scene: Scene) -> str:
    who = scene.name(data["seat"])
    if "pick" not in data:
        return f"{who} chooses a target."
    pick = data["pick"]
    pending = scene.table["pending"] if scene.table else None
    if pick == "":
        return f"{who} wants no more targets."
    if isinstance(pick, str):
        return f"{who} chooses {words.a(pick)}."
    if pending and pending.get("ask", {}).get("what") == "seat":
        return f"{who} chooses {scene.name(pick)}."
    return f"{who} chooses {words.at(scene, pick)}."


def _choice_cancelled(_: Wording, data: Data, scene: Scene) -> str:
    return f"{scene.name(data['seat'])} takes that back."


def _gold_given(_: Wording, data: Data, scene: Scene) -> str:
    return f"{scene.name(data['seat'])} gives {scene.name(data['to'])} 1 gold."


def _card_given(words: Wording, data: Data, scene: Scene) -> str:
    card = words.card(data["card"]) if "card" in data else "an event card"
    return f"{scene.name(data['seat'])} gives {scene.name(data['to'])} {card}."


def _first_up(text: str) -> str:
    """A sentence's beginning; names stay as their owners write them."""
    return f"T{text[1:]}" if text.startswith("the ") else text


TOLD: dict[str, Callable[[Wording, Data, Scene], str]] = {
    "factions_drawn": _factions_drawn,
    "first_seat_drawn": _first_seat_drawn,
    "deck_shuffled": _deck_shuffled,
    "trading_answered": _trading_answered,
    "noble_chosen": _noble_chosen,
    "noble_placed": _noble_placed,
    "set_up_ended": _set_up_ended,
    "turn_started": _turn_started,
    "card_drawn": _card_drawn,
    "draw_skipped": _draw_skipped,
    "unit_hired": _unit_hired,
    "unit_moved": _unit_moved,
    "units_swapped": _units_swapped,
    "counter_kept": _counter_kept,
    "turn_ended": _turn_ended,
    "counters_ticked": _counters_ticked,
    "seat_resigned": _seat_resigned,
    "combat_begun": _combat_begun,
    "passed": _passed,
    "unit_defeated": _unit_defeated,
    "combat_ended": _combat_ended,
    "card_played": _card_played,
    "card_aimed": _card_aimed,
    "ability_used": _ability_used,
    "hand_seen": _hand_seen,
    "choice_begun": _choice_begun,
    "target_chosen": _target_chosen,
    "choice_cancelled": _choice_cancelled,
    "gold_given": _gold_given,
    "card_given": _card_given,
}
