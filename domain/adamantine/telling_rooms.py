"""What happens in rooms and encounters as sentences, from what its viewer saw of the table before."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.adamantine import effects as v
from domain.adamantine.combat import guards
from domain.adamantine.performing import effect_at
from domain.adamantine.standing import danger_level, danger_of, statistic, total
from domain.adamantine.state import AdamantineState, Exploration, Room
from domain.adamantine.wording import FACE_DOWN, Wording, who
from domain.game import Scene

Data = Mapping[str, Any]
ELSEWHERE = Exploration(0, 1, 0, "ending")  # where no exploration is seen to go on


# --- in a room ---------------------------------------------------------------------------------------------


def _room_explored(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    room = words.room(state, data["room"])
    known = room is not None and all(laid.up for laid in room.cards)
    limit = "" if known else too_dangerous(words, scene, state, data["cards"], 1 - data["seat"])
    found = words.cards(data["cards"])
    return f"{words.whose(data, scene, state)} explores room {data['room']}: {found}{limit}."


def too_dangerous(words: Wording, scene: Scene, state: AdamantineState, cards: Any, owner: int) -> str:
    """What the danger limit asks of the owner of cards just turned up (AM-6)."""
    danger = sum(words.box.danger.get(card, 0) for card in cards)
    level = danger_level(words.box, state.players[1 - owner])
    if danger <= level or not scene.table:
        return ""
    return f". Danger {danger} is over the danger level of {level}, so {scene.name(owner)} has to discard"


def _room_trimmed(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    now = state.exploration or ELSEWHERE
    gone = words.ones(state, data["cards"]) if data["cards"] else "nothing"
    room = words.room(state, now.room)
    left = [laid for laid in room.cards if laid.handle not in data["cards"]] if room else []
    danger = f"danger {danger_of(words.box, tuple(left))} is left" if left else "the room is empty now"
    return f"{who(data, scene)} discards {gone} of {_place(words, state)}; {danger}."


def _place(words: Wording, state: AdamantineState) -> str:
    now = state.exploration or ELSEWHERE
    room = words.room(state, now.room)
    return "the encounter" if room is not None and room.encounter else f"room {now.room}"


def _event_resolved(words: Wording, data: Data, _: Scene, state: AdamantineState) -> str:
    card = words.card_of(state, data["card"])
    return f"Event, {words.one(state, data['card'])}: {words.text(card) or 'it happens.'}"


def _statistic_chosen(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    stat, player = data["statistic"], state.players[data["seat"]]
    if stat not in v.STATS:
        return f"{words.whose(data, scene, state)} fights."
    value = statistic(words.box, player, stat, state.exploration, combat=True)
    return f"{words.champion(scene, player)} fights with {stat} {value}."


def _damage_rolled(words: Wording, data: Data, _: Scene, state: AdamantineState) -> str:
    monsters = words.cards(laid.card for laid in _monsters(words, state))
    die = f"A {data['die']} is rolled (draw {data['draw']})"
    return f"{die}: {data['damage']} damage against {monsters}."


def _monsters(words: Wording, state: AdamantineState) -> list[Any]:
    room = words.room(state, (state.exploration or ELSEWHERE).room)
    return [laid for laid in room.cards if laid.card in words.box.monsters] if room else []


def _damage_divided(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    beaten = data["beaten"]
    if not beaten:
        return f"{who(data, scene)}'s damage beats no monster."
    plunder = total(words.box, state.players[data["seat"]], "plunder")
    cards = [words.card_of(state, handle) for handle in beaten]
    gold = sum(words.box.monsters[card].reward + plunder for card in cards if card in words.box.monsters)
    return f"{who(data, scene)} beats {words.ones(state, beaten)}: {gold} reward gold."


def _monster_struck(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    damage, target = data["damage"], data["target"]
    player = state.players[(state.exploration or ELSEWHERE).explorer]
    monster = words.one(state, data["card"])
    if player.champion is None or target == player.champion.handle:
        hurt = f"deals {damage} to" if damage else "can't hurt"
        return f"{monster} {hurt} {words.champion(scene, player)}{_left(words, scene, player.seat, damage)}."
    piece = next((one for one in guards(words.box, state) if one.handle == target), None)
    falls = piece is not None and damage >= words.box.gear[piece.card].guard
    ally = f"{scene.name(player.seat)}'s {words.one(state, target)}"
    return f"{monster} deals {damage} to {ally}, {'who falls' if falls else 'who holds out'}."


def _left(_: Wording, scene: Scene, seat: int, damage: int) -> str:
    """` (health 9 of 15 left)`."""
    if not scene.table or not damage:
        return ""
    player = scene.table["players"][seat]
    left = max(0, player["health"] - player["wounds"] - damage)
    return f" (health {left} of {player['health']} left)"


def _check_begun(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    queue = (state.exploration or ELSEWHERE).queue
    trap = words.one(state, queue[0]) if queue else "the trap"
    return f"{words.whose(data, scene, state)} faces {trap} with nothing more."


def _check_rolled(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    trap = words.box.traps.get(words.card_of(state, data["card"]))
    player = state.players[(state.exploration or ELSEWHERE).explorer]
    rolled = f"a {data['die']} (draw {data['draw']}) makes {data['total']}"
    name = words.one(state, data["card"])
    if trap is None:
        return f"{name}: {rolled}."
    result = f"equal, and {name} stays"
    if data["total"] > trap.value:
        result = f"success, {name} is passed"
    elif data["total"] < trap.value:
        result = f"failure, {name} stays"
    test = f"{words.champion(scene, player)} against {name} ({trap.statistic} {trap.value})"
    return f"{test}: {rolled}: {result}."


def _reward_ended(_: Wording, data: Data, scene: Scene, __: AdamantineState) -> str:
    lost = f"; {data['lost']} gold {'is' if data['lost'] == 1 else 'are'} lost" if data["lost"] else ""
    return f"{who(data, scene)} plays no more for the reward{lost}."


def _cards_lost(words: Wording, data: Data, scene: Scene, state: AdamantineState) -> str:
    cursor = state.cursor
    if cursor is None:
        return f"{who(data, scene)} discards {words.cards(data['cards'])}."
    where = "the hand" if isinstance(effect_at(words.box, cursor), v.Forget) else "play"
    return (
        f"{words.name(cursor.card)}: {who(data, scene)} discards {words.cards(data['cards'])} from {where}."
    )


def _exploration_ended(words: Wording, data: Data, _: Scene, state: AdamantineState) -> str:
    room = words.room(state, data["room"]) or Room(data["room"], ())
    if room.encounter:
        left = f"; {words.cards(laid.card for laid in room.cards)} discarded" if room.cards else ""
        return f"The random encounter is over{left}."
    cards = words.cards(laid.card for laid in room.cards if laid.card != FACE_DOWN)
    stays = f"stays, turned up: {cards}" if room.cards else "is cleared and gone"
    return f"Room {data['room']} {stays}."


IN_ROOMS: dict[str, Callable[[Wording, Data, Scene, AdamantineState], str]] = {
    "room_explored": _room_explored,
    "room_trimmed": _room_trimmed,
    "event_resolved": _event_resolved,
    "statistic_chosen": _statistic_chosen,
    "damage_rolled": _damage_rolled,
    "damage_divided": _damage_divided,
    "monster_struck": _monster_struck,
    "check_begun": _check_begun,
    "check_rolled": _check_rolled,
    "reward_ended": _reward_ended,
    "cards_lost": _cards_lost,
    "exploration_ended": _exploration_ended,
}
