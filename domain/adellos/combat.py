"""Combat and what it leads to: defeats, the death of nobles, the end of the match."""

from msgspec.structs import replace

from domain.adellos import turn
from domain.adellos.board import change_player, put, unit_at, with_player
from domain.adellos.box import Box, Ground
from domain.adellos.commands import Attack
from domain.adellos.events import CombatBegun, CombatEnded, Passed, SeatResigned, UnitDefeated
from domain.adellos.movement import own_able
from domain.adellos.setup import to_next
from domain.adellos.standing import ATTACK, DEFENCE, balance
from domain.adellos.state import NOWHERE, AdellosState, Choice, Combat, Owed, Reason
from domain.game import IllegalCommand

ATTACK_AP = 1
REWARD_GOLD = 2
REWARD_CARDS = 1
KILL_GOLD = 2  # option `paved_with_gold`
WALL = 1  # option `protecting_walls`


def attack(ground: Ground, state: AdellosState, command: Attack, seat: int) -> CombatBegun:
    own_able(state, command.field, seat)
    target = unit_at(state, command.target)
    if target is None or target.seat == seat:
        raise IllegalCommand("no-enemy-there", "No enemy unit stands there.")
    if command.target not in ground.neighbours[command.field]:
        raise IllegalCommand("not-adjacent", "Only an adjacent unit can be attacked.")
    if state.ap < ATTACK_AP:
        raise IllegalCommand("too-few-ap", f"An attack costs {ATTACK_AP} AP.")
    return CombatBegun(attacker=command.field, defender=command.target)


def begun(state: AdellosState, event: CombatBegun) -> AdellosState:
    attacker, defender = state.board[event.attacker], state.board[event.defender]
    assert attacker is not None
    assert defender is not None
    combat = Combat(event.attacker, event.defender, (attacker.seat, defender.seat), attacker.seat)
    return replace(state, ap=state.ap - ATTACK_AP, combat=combat)


def passed(state: AdellosState, event: Passed) -> AdellosState:
    combat = state.combat
    assert combat is not None
    attacker, defender = combat.seats
    other = defender if event.seat == attacker else attacker
    return replace(state, combat=replace(combat, asked=other, passes=combat.passes + 1))


def strengths(box: Box, ground: Ground, state: AdellosState, combat: Combat) -> tuple[int, int]:
    """Attack and defence as they stand, with everything that counts."""
    attack = balance(box, ground, state, combat.attacker, ATTACK)
    defence = balance(box, ground, state, combat.defender, DEFENCE)
    for played in combat.played:
        if not played.cancelled:
            attack += played.attack
            defence += played.defence
    if state.options.protecting_walls:
        castle = state.players[combat.seats[1]].castle
        if ground.castle_of[combat.defender] == castle != ground.castle_of[combat.attacker]:
            defence += WALL
    return max(0, attack), max(0, defence)


def goes_on(ground: Ground, state: AdellosState, combat: Combat) -> bool:
    """Whether the two are still adjacent enemies and the attacker able."""
    attacker, defender = state.board[combat.attacker], state.board[combat.defender]
    return (
        attacker is not None
        and defender is not None
        and (attacker.seat, defender.seat) == combat.seats
        and not attacker.counters
        and combat.defender in ground.neighbours[combat.attacker]
    )


def checked(ground: Ground, state: AdellosState) -> AdellosState:
    """`state` after a card: a combat that can't go on is broken off."""
    combat = state.combat
    if combat is None or combat.broken or goes_on(ground, state, combat):
        return state
    return replace(state, combat=replace(combat, broken=True))


def settle(box: Box, ground: Ground, state: AdellosState) -> UnitDefeated | CombatEnded | None:
    """How the combat ends, or None while cards can still be played."""
    combat = state.combat
    assert combat is not None
    if combat.broken:
        return CombatEnded()
    if combat.passes < 2:
        return None
    attack, defence = strengths(box, ground, state, combat)
    if attack <= defence:
        return CombatEnded(attack=attack, defence=defence)
    unit = state.board[combat.defender]
    assert unit is not None
    return UnitDefeated(field=combat.defender, unit=unit.kind, attack=attack, defence=defence)


def ended(state: AdellosState) -> AdellosState:
    return replace(state, combat=None)


def defeated(box: Box, ground: Ground, state: AdellosState, event: UnitDefeated) -> AdellosState:
    combat, unit = state.combat, state.board[event.field]
    assert combat is not None
    assert unit is not None
    victor, loser = combat.seats
    state = put(ground, state, (event.field, None), combat=None)
    if state.options.paved_with_gold:
        state = change_player(state, victor, gold=state.players[victor].gold + KILL_GOLD)
    if not box.kinds[unit.kind].noble:
        return state
    return _noble_fell(ground, state, victor, loser)


def _noble_fell(ground: Ground, state: AdellosState, victor: int, loser: int) -> AdellosState:
    """The victor gets the reward, the loser's units leave the game."""
    lost = state.players[loser]
    state = remove_player(ground, state, loser, "last_noble")
    winner = state.players[victor]
    hand = winner.hand + lost.hand
    if state.options.hand_limit is not None:
        hand = hand[: max(len(winner.hand), state.options.hand_limit)]  # AE-11
    state = change_player(state, victor, gold=winner.gold + REWARD_GOLD + lost.gold, hand=tuple(sorted(hand)))
    if state.options.sudden_death:
        return replace(state, phase="over", winner=victor, reason="sudden_death")
    if state.phase == "over":
        return state
    return replace(state, owed=(*state.owed, Owed(victor, REWARD_CARDS)))


def remove_player(ground: Ground, state: AdellosState, seat: int, reason: Reason) -> AdellosState:
    """A player goes with everything it controls; the last one left has won."""
    leaving = [
        (field, None) for field, unit in enumerate(state.board) if unit is not None and unit.seat == seat
    ]
    player = replace(
        state.players[seat],
        alive=False,
        noble_at=NOWHERE,
        gold=0,
        hand=(),
        front=(),
        holding=False,
        held=0,
        copied="",
    )
    state = put(ground, state, *leaving, players=with_player(state.players, player))
    owed = tuple(one for one in state.owed if one.seat != seat)
    state = replace(state, owed=owed)
    left = [one.seat for one in state.players if one.alive]
    if len(left) == 1:
        return replace(state, phase="over", winner=left[0], reason=reason, combat=None, choice=None, owed=())
    return state


def resigned(ground: Ground, state: AdellosState, event: SeatResigned) -> AdellosState:
    """Nobody gets a reward (AE-6). The match goes on with the others."""
    seat = event.seat
    state = remove_player(ground, state, seat, "resigned")
    if state.phase == "over":
        return state
    combat = state.combat
    if combat is not None and seat in combat.seats:
        combat = replace(combat, broken=True)
    state = replace(state, combat=combat, choice=_still_aimed(state, seat, combat))
    if state.turn != seat:
        return state
    if state.phase == "turn":
        return turn.over(turn.without_changes(replace(state, combat=None)))
    if state.phase == "ticking":
        return turn.over(state)
    if state.phase in ("agreeing", "nobles", "placing"):
        return to_next(state)
    return state


def _still_aimed(state: AdellosState, seat: int, combat: Combat | None) -> Choice | None:
    """What is aimed once `seat` has left: a card played by another is aimed anew, all else is taken back."""
    choice = state.choice
    if choice is None or not choice.card or choice.seat == seat or (combat is not None and combat.broken):
        return None
    return replace(choice, picks=())
