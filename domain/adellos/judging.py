"""What bots think with: an imagined table and how good it is for a seat."""

from collections import Counter
from functools import lru_cache

from msgspec.structs import replace

from domain.adellos import choices, movement
from domain.adellos.board import holder
from domain.adellos.box import Box, Ground
from domain.adellos.combat import strengths
from domain.adellos.events import AbilityUsed, CardAimed, UnitHired
from domain.adellos.performing import NO_MORE, Pick
from domain.adellos.state import NOBODY, AdellosState, Choice, Combat
from domain.chance import Chance

WIN = 10_000.0
NOBLE = 300.0  # what a player's end is worth beside the player's units
GOLD, CARD, ACTION_POINT = 0.8, 1.5, 0.2
FORWARD = 0.3  # for each point of attack and field nearer to an enemy noble
DANGER, NEAR_DANGER = 60.0, 3.0  # an enemy that could strike the own noble, now or soon
LOOKS = 6  # targets of an open choice that are looked at, spread over all there are
PATIENCE = 90  # turns after which the bonus field draws bots, more each turn
URGE = 0.08  # for each such turn and each field the nearest unit is from it
SIEGE = 0.8  # for each field nearer a unit that can is to the enemy on the bonus field
HELD, HELD_BY_OTHERS = 3.0, 6.0  # the bonus field, times the square of the turns in a row


def imagine(box: Box, state: AdellosState, seat: int, chance: Chance) -> AdellosState:
    """The cards the seat doesn't know, shuffled among the other hands and the deck."""
    cards = chance.shuffle("imagine", _unknown(box, state, seat))[1]
    players = []
    for player in state.players:
        if player.seat != seat and player.hand:
            size = len(player.hand)
            player = replace(player, hand=tuple(sorted(cards[:size])))
            cards = cards[size:]
        players.append(player)
    choice = state.choice
    if choice is not None and choice.seat != seat:
        choice = Choice(choice.seat, card=choice.card) if choice.card else None
    return replace(state, players=tuple(players), deck=cards[: len(state.deck)], choice=choice)


def _unknown(box: Box, state: AdellosState, seat: int) -> list[str]:
    """The cards that may be in the deck and in other hands, as far as the seat knows; sorted.

    Cards go with a player who leaves the match, unseen by the others: from then on any card that isn't in sight may
    still be there (P11).
    """
    if all(player.alive for player in state.players):
        hands = [card for player in state.players if player.seat != seat for card in player.hand]
        return sorted([*state.deck, *hands])
    in_sight = [*state.players[seat].hand]
    in_sight += [lying.card for player in state.players for lying in player.front]
    if state.combat is not None:
        in_sight += [played.card for played in state.combat.played]
    elif state.choice is not None and state.choice.card:
        in_sight.append(state.choice.card)
    return sorted((Counter(box.deck) - Counter(in_sight)).elements())


def evaluate(box: Box, ground: Ground, state: AdellosState, seat: int) -> float:
    """Units, gold and cards of the seat, how close it is to enemy nobles, less what the others have."""
    if state.phase == "over":
        return WIN if state.winner == seat else 0.0 if state.winner < 0 else -WIN
    if state.choice is not None and state.choice.seat == seat:
        return _best_completion(box, ground, state, state.choice)
    me = state.players[seat]
    if not me.alive:
        return -WIN
    enemies = [player for player in state.players if player.alive and player.seat != seat]
    total = GOLD * me.gold + CARD * (len(me.hand) + sum(o.cards for o in state.owed if o.seat == seat))
    total += ACTION_POINT * state.ap if state.turn == seat else 0.0
    total -= NOBLE * len(enemies)
    share = 1.0 / max(1, len(enemies))
    for enemy in enemies:
        total -= CARD * len(enemy.hand) * share * 0.5
    goals = [enemy.noble_at for enemy in enemies if enemy.noble_at >= 0]
    if holder(ground, state.board) not in (seat, NOBODY):
        goals.append(ground.tower)  # whoever holds it has to be driven away
    total += _units(box, ground, state, seat, goals, share)
    total += _tower(ground, state, seat)
    if state.combat is not None:
        total += _expected(box, ground, state, seat, state.combat)
    return total


def _units(box: Box, ground: Ground, state: AdellosState, seat: int, goals: list[int], share: float) -> float:
    kinds, weights = box.kinds, box.weights
    noble_at = state.players[seat].noble_at
    to_noble = ground.distance[noble_at] if noble_at >= 0 else None
    to_goals = _nearest(ground, tuple(goals)) if goals else None
    defence = kinds[state.players[seat].noble].values[1] if noble_at >= 0 else 0
    besieged = _tower_defence(box, ground, state, seat)
    to_tower = ground.distance[ground.tower]
    nearest = ground.size
    total = 0.0
    for field, unit in enumerate(state.board):
        if unit is None:
            continue
        if unit.seat != seat:
            total -= weights[unit.kind] * share
            if to_noble is not None and kinds[unit.kind].values[0] > defence and not unit.counters:
                if to_noble[field] == 1:
                    total -= DANGER
                elif to_noble[field] <= 3:
                    total -= NEAR_DANGER
        elif field == noble_at:
            if ground.castle_of[field] != state.players[seat].castle:
                total -= 15.0
        else:
            total += weights[unit.kind] - 0.3 * unit.counters
            if unit.keep:
                total -= 0.5
            if besieged and kinds[unit.kind].values[0] > besieged:
                total += SIEGE * max(0, 8 - to_tower[field])
            if to_tower[field] < nearest and not unit.counters:
                nearest = to_tower[field]
            if to_goals and not kinds[unit.kind].resources:
                total -= FORWARD * (0.5 + kinds[unit.kind].values[0]) * to_goals[field]
    total -= (
        URGE * max(0, state.turns - PATIENCE) * min(nearest, 16)
    )  # or nobody ever wins where no attack can succeed
    return total


@lru_cache(maxsize=4096)
def _nearest(ground: Ground, goals: tuple[int, ...]) -> tuple[int, ...]:
    """For each field how far the nearest goal is."""
    return tuple(min(one) for one in zip(*(ground.distance[goal] for goal in goals), strict=True))


def _tower_defence(box: Box, ground: Ground, state: AdellosState, seat: int) -> int:
    """Printed defence of the enemy unit that holds the bonus field; 0 if none does."""
    unit = state.board[ground.tower] if ground.tower >= 0 else None
    return 0 if unit is None or unit.seat == seat else box.kinds[unit.kind].values[1]


def _tower(ground: Ground, state: AdellosState, seat: int) -> float:
    held_by = holder(ground, state.board)
    if held_by < 0:
        return 0.0
    turns = (1 + state.players[held_by].held) ** 2
    return HELD * turns if held_by == seat else -HELD_BY_OTHERS * turns


def _expected(box: Box, ground: Ground, state: AdellosState, seat: int, combat: Combat) -> float:
    """How the combat would end as it stands."""
    if combat.broken or seat not in combat.seats:
        return 0.0
    attack, defence = strengths(box, ground, state, combat)
    unit = state.board[combat.defender]
    assert unit is not None
    if attack <= defence:
        return -0.1 if seat == combat.seats[0] else 0.0
    prize = NOBLE if box.kinds[unit.kind].noble else box.weights[unit.kind]
    if combat.defender == ground.tower and not unit.counters:
        prize += HELD_BY_OTHERS * (1 + state.players[unit.seat].held) ** 2
    return 0.9 * prize if seat == combat.seats[0] else -0.9 * prize


def _best_completion(box: Box, ground: Ground, state: AdellosState, choice: Choice) -> float:
    """What an open choice is worth: the best way to complete it."""
    ask = choices.ask_of(box, ground, state, choice)
    if ask is None:
        return evaluate(box, ground, _after(box, ground, state, choice), choice.seat)
    options: list[Pick] = list(ask.options)
    if choice.hire:
        options = [_foremost(ground, state, choice.seat, options)]
    options = options[:: 1 + len(options) // LOOKS]
    if ask.may_finish:
        options.append(NO_MORE)
    return max(
        _best_completion(box, ground, state, replace(choice, picks=(*choice.picks, pick))) for pick in options
    )


def _foremost(ground: Ground, state: AdellosState, seat: int, fields: list[Pick]) -> Pick:
    nobles = [one.noble_at for one in state.players if one.alive and one.seat != seat and one.noble_at >= 0]
    return min(fields, key=lambda field: min([ground.distance[int(field)][at] for at in nobles], default=0))


def _after(box: Box, ground: Ground, state: AdellosState, choice: Choice) -> AdellosState:
    event = choices.completed(box, state, choice)
    if isinstance(event, UnitHired):
        return movement.hired(box, ground, state, event)
    if isinstance(event, CardAimed):
        return choices.card_aimed(box, ground, state, event)
    assert isinstance(event, AbilityUsed)
    return choices.ability_used(box, ground, state, event)
