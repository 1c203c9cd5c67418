"""What bots think with: an imagined table and how good it is for a seat."""

from collections import Counter
from functools import cache, lru_cache

from msgspec.structs import replace

from domain.adellos import choices, movement
from domain.adellos.board import holder
from domain.adellos.box import Box, Ground
from domain.adellos.combat import strengths
from domain.adellos.events import AbilityUsed, CardAimed, UnitHired
from domain.adellos.performing import NO_MORE, Pick
from domain.adellos.standing import DEFENCE, value
from domain.adellos.state import NOBODY, AdellosState, Choice, Combat
from domain.adellos.turn import TURNS_TO_HOLD
from domain.chance import Chance

WIN = 10_000.0
NOBLE = 300.0  # what a player's end is worth beside the player's units
GOLD, PLENTY, SPARE_GOLD = 2.0, 6, 0.8  # gold up to a strong unit's price is worth saving, more is not
CARD, ACTION_POINT = 1.8, 0.2
DELAY = 0.88  # what each Time Counter leaves of a unit's worth
FORWARD = 0.5  # for each point of attack and field nearer to an enemy noble than the own castle is
DANGER = (0.0, 60.0, 14.0, 6.0)  # an enemy that can strike the own noble with 1, 2 or 3 action points
GUARDED = 0.5  # of the danger, if an own unit can strike that enemy with 1 or 2 action points
ABROAD = 15.0  # the own noble outside its castle
LOOKS = 4  # targets of an open choice that are looked at, spread over all there are
PATIENCE = 24  # turns of each player after which the bonus field draws bots, more each turn
ZEAL = 0.03  # of what holding it is worth, for each such turn
URGE = 0.08  # for each such turn and each field the nearest unit is from it
SIEGE = 0.05  # of what the hold costs, for each field nearer a unit is that can break it
HOLDING = (0.0, 48.0, 10.0, 2.0, 1.0, 1.0)  # the bonus field, by the turns it has to be held yet
HELD_BY_OTHERS = (0.0, 250.0, 36.0, 8.0, 4.0, 3.0)
MOST_FIELDS = 1_000  # of a board, and more than any distance on it
THREATENED = 0.15  # of what holding it is worth, if an enemy near can drive the unit away


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
    if state.phase == "nobles" or (state.phase == "placing" and state.players[seat].noble_at < 0):
        return 0.0  # what a noble is good for shows much later: any is as good as another
    if state.choice is not None and state.choice.seat == seat:
        return _best_completion(box, ground, state, state.choice)
    me = state.players[seat]
    if not me.alive:
        return -WIN
    enemies = [player for player in state.players if player.alive and player.seat != seat]
    share = 1.0 / max(1, len(enemies))
    total = GOLD * me.gold if me.gold <= PLENTY else GOLD * PLENTY + SPARE_GOLD * (me.gold - PLENTY)
    total += CARD * len(me.hand) - NOBLE * len(enemies)
    for owed in state.owed:
        if owed.seat == seat:
            total += CARD * owed.cards
    if state.turn == seat:
        total += ACTION_POINT * state.ap
    for enemy in enemies:
        total -= CARD * len(enemy.hand) * share * 0.5
    goals = [enemy.noble_at for enemy in enemies if enemy.noble_at >= 0]
    held_by = holder(ground, state.board)
    if held_by not in (seat, NOBODY):
        goals.append(ground.tower)  # whoever holds it has to be driven away
    total += _units(box, ground, state, seat, tuple(goals), held_by, share)
    if state.combat is not None:
        total += _expected(box, ground, state, seat, state.combat)
    return total


def _units(
    box: Box,
    ground: Ground,
    state: AdellosState,
    seat: int,
    goals: tuple[int, ...],
    held_by: int,
    share: float,
) -> float:
    """Everybody's units, the danger for the own noble, the way to the goals and the bonus field."""
    judged, me = box.judged, state.players[seat]
    noble_at = me.noble_at
    defence = box.kinds[me.noble].values[DEFENCE]
    to_noble = ground.distance[noble_at] if noble_at >= 0 else (ground.size,) * ground.size
    to_goals, home = _ways(ground, goals, me.castle)
    to_tower = ground.distance[ground.tower] if ground.tower >= 0 else to_goals
    guard = value(box, ground, state, ground.tower, DEFENCE) if held_by >= 0 else 0
    tower = _tower(state, seat, held_by) if held_by >= 0 else 0.0
    siege = SIEGE * max(0.0, -tower)
    nearest = 16
    threatened = False
    dangers: list[tuple[int, int]] = []  # fields of enemies near the own noble, and action points they need
    own: list[tuple[int, int, int]] = []  # fields, attack and movement of own able units
    total = theirs = 0.0
    for field, unit in enumerate(state.board):
        if unit is None:
            continue
        worth, attack, movement, presses = judged[unit.kind]
        if unit.seat != seat:
            if unit.counters:
                theirs += worth * DELAY**unit.counters
                continue
            theirs += worth
            if attack > defence and (ap := _strikes(movement)[to_noble[field]]):
                dangers.append((field, ap))
            if held_by == seat and attack > guard and _strikes(movement)[to_tower[field]]:
                threatened = True
        elif field != noble_at:
            if unit.counters:
                total += worth * DELAY**unit.counters
                if unit.keep:
                    total -= 0.5
            else:
                total += worth
                own.append((field, attack, movement))
                if to_tower[field] < nearest:
                    nearest = to_tower[field]
            if presses:
                total += FORWARD * (0.5 + attack) * (home - to_goals[field])
            if siege and attack > guard and to_tower[field] < 8:
                total += siege * (8 - to_tower[field])
    for field, ap in dangers:
        total -= DANGER[ap] * (GUARDED if _guarded(box, ground, state, field, own) else 1.0)
    late = _late(state)
    if noble_at >= 0 and ground.castle_of[noble_at] != me.castle and (own or not late):
        total -= ABROAD
    if late:  # or nobody ever wins where no attack can succeed
        total -= URGE * late * (nearest if own else to_tower[noble_at])
    return total - theirs * share + (THREATENED * tower if threatened else tower)


def _guarded(
    box: Box, ground: Ground, state: AdellosState, field: int, own: list[tuple[int, int, int]]
) -> bool:
    """Whether a unit of `own` can soon strike the enemy on `field`."""
    unit = state.board[field]
    assert unit is not None
    defence = box.kinds[unit.kind].values[DEFENCE]
    distance = ground.distance[field]
    return any(
        attack > defence and 0 < _strikes(movement)[distance[other]] <= 2 for other, attack, movement in own
    )


@cache
def _strikes(movement: int) -> tuple[int, ...]:
    """By distance, the action points with which a unit gets there and attacks; 0 if 3 are not enough."""
    near = [1, 1, *(2,) * movement, *(3,) * movement]
    return (*near, *(0,) * (MOST_FIELDS - len(near)))


@lru_cache(maxsize=4096)
def _ways(ground: Ground, goals: tuple[int, ...], castle: int) -> tuple[tuple[int, ...], int]:
    """For each field how far the nearest goal is; and how far it is from the castle's nearest."""
    if not goals:
        return (0,) * ground.size, 0
    nearest = tuple(min(one) for one in zip(*(ground.distance[goal] for goal in goals), strict=True))
    return nearest, min(nearest[field] for field in ground.castles[castle])


def _late(state: AdellosState) -> int:
    """Turns since the bots lost patience."""
    return max(0, state.turns - PATIENCE * len(state.players))


def _tower(state: AdellosState, seat: int, held_by: int) -> float:
    """What it is worth that the bonus field is held."""
    player = state.players[held_by]
    needed = TURNS_TO_HOLD[len(state.players)]
    if player.holding or state.turn == held_by:
        needed -= player.held
    needed = max(1, min(needed, len(HOLDING) - 1))
    zeal = 1.0 + ZEAL * _late(state)
    return zeal * HOLDING[needed] if held_by == seat else -zeal * HELD_BY_OTHERS[needed]


def _expected(box: Box, ground: Ground, state: AdellosState, seat: int, combat: Combat) -> float:
    """How the combat would end as it stands."""
    if combat.broken or seat not in combat.seats:
        return 0.0
    attack, defence = strengths(box, ground, state, combat)
    unit = state.board[combat.defender]
    assert unit is not None
    if attack <= defence:
        return -0.1 if seat == combat.seats[0] else 0.0
    prize = NOBLE if box.kinds[unit.kind].noble else box.judged[unit.kind].worth
    if combat.defender == ground.tower and not unit.counters:
        prize += abs(_tower(state, seat, unit.seat))
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
