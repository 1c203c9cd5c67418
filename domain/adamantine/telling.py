"""What happens in a match as sentences, from what its viewer saw of the table before."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.adamantine import effects as v
from domain.adamantine.playing import GOES_WITH_CHAMPION
from domain.adamantine.standing import total
from domain.adamantine.state import AdamantineState
from domain.adamantine.telling_rooms import IN_ROOMS, too_dangerous
from domain.adamantine.wording import Wording, counted, listed, seen_state, who
from domain.game import Scene

Data = Mapping[str, Any]
CHOOSING = frozenset({"choice_begun", "card_picked", "choice_cancelled"})


def tell(words: Wording, kind: str, data: Data, scene: Scene) -> str:
    return TOLD[kind](words, data, scene, seen_state(scene))


# --- set-up ------------------------------------------------------------------------------------------------


def _first_seat_drawn(_: Wording, data: Data, scene: Scene, __: AdamantineState) -> str:
    return f"{who(data, scene)} is drawn to start (draw {data['draw']})."


def _deck_brought(words: Wording, data: Data, scene: Scene, _: AdamantineState) -> str:
    lists = data.get("cards")
    if not lists:
        return f"{who(data, scene)} brings a deck that nobody else sees."
    halves = [
        f"{half}: {listed(words.several(card, number) for card, number in lists[half].items())}"
        for half in ("hero", "dungeon")
    ]
    return f"{who(data, scene)} brings a deck: {'; '.join(halves)}."


def _champion_chosen(words: Wording, data: Data, scene: Scene, _: AdamantineState) -> str:
    return f"{who(data, scene)} takes {words.name(data['champion'])} as champion: {words.numbers(data['champion'])}."


def _class_chosen(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    hero_class = data["hero_class"]
    begins = f"{words.whose(data, scene, state)} begins as {words.name(hero_class)}"
    return f"{begins}: {words.text(hero_class) or 'its text is not known.'}"


def _deck_shuffled(_: Wording, data: Data, scene: Scene, __: AdamantineState) -> str:
    deck = f"{data['deck']} deck of {counted(data['cards'], 'card')}"
    return f"{who(data, scene)}'s {deck} is shuffled (draw {data['draw']})."


# --- a turn ------------------------------------------------------------------------------------------------


def _drawn(words: Wording, data: Data, kind: str) -> str:
    """`2 hero cards drawn: Buckler and Sage`."""
    cards = f": {words.cards(data['cards'])}" if data.get("cards") else ""
    return f"{counted(data['drawn'], f'{kind} card')} drawn{cards}"


def _day_begun(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    player = state.players[data["seat"]]
    hand = scene.table["players"][data["seat"]]["hero_hand_count"] if scene.table else 0
    drawn = _drawn(words, data, "hero")
    if not data["drawn"]:
        drawn = "the hand is full already" if hand else "no hero card is left to draw"
    return f"Turn {state.turns + 1}, day {player.days + 1} of {scene.name(player.seat)}: {drawn}."


def _day_ended(_: Wording, data: Data, scene: Scene, __: AdamantineState) -> str:
    return f"{who(data, scene)}'s day ends."


def _night_begun(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    left = f"{words.cards(data['discarded'])} of the last night discarded, " if data["discarded"] else ""
    days = state.players[data["seat"]].days
    return f"Night {days} of {who(data, scene)}: {left}{_drawn(words, data, 'dungeon')}."


def _night_failed(_: Wording, data: Data, scene: Scene, __: AdamantineState) -> str:
    loser = who(data, scene)
    return f"Night falls and {loser} has no dungeon card left to draw: {loser} has lost."


def _night_ended(_: Wording, data: Data, scene: Scene, __: AdamantineState) -> str:
    return f"{who(data, scene)}'s night and turn end."


def _searched(words: Wording, data: Data, scene: Scene, _: AdamantineState) -> str:
    other = scene.name(1 - data["seat"])
    found = f"{words.cards(data['cards'])} go to the discard" if data["cards"] else "nothing is left there"
    if len(data["cards"]) == 1:
        found = f"{words.cards(data['cards'])} goes to the discard"
    return f"{who(data, scene)} searches {other}'s dungeon, a {data['die']} (draw {data['draw']}): {found}."


# --- what is put together ----------------------------------------------------------------------------------


def _choice_begun(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    if data["what"] == "room":
        return f"{who(data, scene)} begins to build a room."
    card = words.one(state, data["card"]) if data.get("card") else "a card"
    if data["what"] == "aim":
        return f"{who(data, scene)} takes up {card} and looks for a room to aim it at."
    return f"{who(data, scene)} wants to play {card} and looks for what to sacrifice."


def _card_picked(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    """Only its owner is told which card."""
    name, choice, now = who(data, scene), state.choice, state.exploration
    card = words.one(state, data["card"]) if "card" in data else ""
    if choice is not None:
        match choice.what:
            case "payment":
                wanted = f" for {words.one(state, choice.card)}" if choice.card else ""
                return f"{name} wants to sacrifice {card or 'a card'}{wanted}."
            case "room":
                return f"{name} puts {card or 'a card'} into the new room."
        return f"{name} picks {card or 'a card'} for the encounter."
    if state.cursor is not None:
        return f"{name} wants to discard {card or 'a card'} for {words.name(state.cursor.card)}."
    if now is not None and now.step == "trimming":
        return f"{name} wants to discard {card or 'a card'} of room {now.room}."
    if "times" not in data:
        return f"{name} assigns damage to a monster."
    return f"{name} assigns {data['times']} damage to {card}."


TAKEN_BACK = {
    "room": "the room",
    "payment": "the payment",
    "encounter": "all that was picked",
    "aim": "what was being aimed",
}


def _choice_cancelled(_: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    taken = "what was chosen"
    if state.choice is not None:
        what = state.choice.what
        taken = TAKEN_BACK[what]
    elif state.exploration is not None and state.exploration.step == "dividing":
        taken = "the damage assigned"
    return f"{who(data, scene)} takes back {taken}."


def _room_built(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    room = f"room {state.handles + 1}"
    cards = f": {words.cards(data['cards'])}" if data.get("cards") else ""
    return f"{who(data, scene)} builds {room} with {counted(data['size'], 'card')}{cards}."


def _encounter_rolled(_: Wording, data: Data, scene: Scene, __: AdamantineState) -> str:
    die = f"a {data['die']} (draw {data['draw']})"
    return f"{who(data, scene)} rolls {die} for a random encounter: at most {counted(data['die'], 'card')}."


def _encounter_laid(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    if not data["cards"]:
        return f"{who(data, scene)} lays no card: nobody is met tonight."
    other = state.players[1 - data["seat"]]
    met = f"{who(data, scene)} lays {words.cards(data['cards'])} in the way of {words.champion(scene, other)}"
    return f"{met}{too_dangerous(words, scene, state, data['cards'], data['seat'])}."


# --- hero cards --------------------------------------------------------------------------------------------


def _card_played(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    gold, gone = data["gold"], data["sacrificed"]
    paid = [f"for {gold} reward gold"] if gold else []
    paid += [f"by sacrificing {words.ones(state, gone)}"] if gone else []
    return f"{who(data, scene)} plays {words.name(data['card'])} {' and '.join(paid) or 'free'}."


def _ability_used(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    target = data["target"]
    at = f" on room {target}" if words.room(state, target) else f" on {words.one(state, target)}"
    return f"{who(data, scene)} uses {words.one(state, data['card'])}{at if target else ''}."


def _effect_performed(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    card, part = data["card"], data["part"]
    known = card in words.box.hero_cards or card in words.box.dungeon
    effect = words.box.effects(card, part)[data["number"]] if known else None
    return f"{words.name(card)}: {_does(words, effect, data['seat'], scene, state)}."


def _does(words: Wording, effect: v.Effect | None, seat: int, scene: Scene, state: AdamantineState) -> str:
    who, player = scene.name(seat), state.players[seat]
    champion = words.champion(scene, player)
    match effect:
        case v.Heal(amount=amount):
            healed = min(amount, player.wounds)
            return f"{champion} loses {counted(healed, 'wound')}" if healed else f"{champion} has no wound"
        case v.Harm(amount=amount, whom=whom):
            seats = (seat, 1 - seat) if whom == "both" else (seat,)
            return listed(_harmed(words, amount, one, scene, state) for one in seats)
        case v.SearchAgain():
            return f"{who} may search once more today"
        case v.Boost(amount=amount, statistic=stat):
            return f"{champion} has +{amount} {stat or 'in every statistic'} now"
        case v.Curse(amount=amount, statistic=stat):
            return f"{champion} has -{amount} {stat or 'in every statistic'} in this room"
        case v.Shield(amount=amount):
            return f"each monster deals {amount} less to {champion} in this room"
        case v.Smite():
            target = state.cursor.target if state.cursor else 0
            return f"{words.one(state, target) if target else 'the monster aimed at'} is beaten"
        case v.Disarm():
            return f"{champion} passes the trap without a roll"
        case v.Gold(amount=amount):
            return f"{who} gets {amount} reward gold"
        case v.Rage(amount=amount):
            return f"each monster of the room deals {amount} more"
        case v.Toughen(amount=amount):
            return f"each monster of the room has {amount} more health"
        case v.Leave():
            return f"{champion} leaves the room"
        case v.Lose(kind=kind):
            return f"{who} has no {'card' if kind == 'any' else kind} in play to lose"
        case v.Forget():
            return f"{who} has no hero card in hand to lose"
    return f"nothing more happens to {champion}"


def _harmed(words: Wording, amount: int, seat: int, scene: Scene, state: AdamantineState) -> str:
    player = state.players[seat]
    ward = min(amount, total(words.box, player, "ward"))
    kept = f" ({ward} warded off)" if ward else ""
    return f"{words.champion(scene, player)} takes {counted(amount - ward, 'wound')}{kept}"


def _hero_cards_drawn(words: Wording, data: Data, scene: Scene, _: AdamantineState) -> str:
    if not data["drawn"]:
        return f"{who(data, scene)} has no hero card left to draw."
    return f"For {who(data, scene)}: {_drawn(words, data, 'hero')}."


def _dungeon_cards_discarded(words: Wording, data: Data, scene: Scene, _: AdamantineState) -> str:
    deck = f"{who(data, scene)}'s dungeon deck"
    if not data["cards"]:
        return f"{deck} has no card left to lose."
    return f"The top of {deck} goes to the discard: {words.cards(data['cards'])}."


def _room_seen(words: Wording, data: Data, scene: Scene, _: AdamantineState) -> str:
    seen = f": {words.cards(data['cards'])}" if "cards" in data else ""
    return f"{who(data, scene)} looks at the cards of room {data['room']}{seen}."


def _champion_possessed(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    player = state.players[data["seat"]]
    gone = [piece.card for piece in player.in_play if words.box.kinds.get(piece.card) in GOES_WITH_CHAMPION]
    with_it = f"; {words.cards(gone)} {'goes' if len(gone) == 1 else 'go'} with the old one" if gone else ""
    new = words.name(data["champion"])
    return f"The demon leaves {words.champion(scene, player)} for {new}, who is unwounded{with_it}."


def _champion_slain(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    return f"{words.whose(data, scene, state)} is dead, and no other champion follows."


def _seat_resigned(_: Wording, data: Data, scene: Scene, __: AdamantineState) -> str:
    return f"{who(data, scene)} resigns."


TOLD: dict[str, Callable[[Wording, Data, Scene, AdamantineState], str]] = {
    **IN_ROOMS,
    "first_seat_drawn": _first_seat_drawn,
    "deck_brought": _deck_brought,
    "champion_chosen": _champion_chosen,
    "class_chosen": _class_chosen,
    "deck_shuffled": _deck_shuffled,
    "day_begun": _day_begun,
    "day_ended": _day_ended,
    "night_begun": _night_begun,
    "night_failed": _night_failed,
    "night_ended": _night_ended,
    "choice_begun": _choice_begun,
    "card_picked": _card_picked,
    "choice_cancelled": _choice_cancelled,
    "card_played": _card_played,
    "ability_used": _ability_used,
    "effect_performed": _effect_performed,
    "hero_cards_drawn": _hero_cards_drawn,
    "dungeon_cards_discarded": _dungeon_cards_discarded,
    "room_seen": _room_seen,
    "searched": _searched,
    "champion_possessed": _champion_possessed,
    "champion_slain": _champion_slain,
    "room_built": _room_built,
    "encounter_rolled": _encounter_rolled,
    "encounter_laid": _encounter_laid,
    "seat_resigned": _seat_resigned,
}
