"""What the effects of abilities and cards do, and what has to be chosen for them.

`perform` walks through effects with the picks made so far. It works on a state that is thrown away while a
choice is open, and on the real one when the choice is completed, so what was offered is what happens.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.adellos import effects as vocabulary
from domain.adellos.board import (
    change_player,
    free_in_castle,
    put,
    reach,
    restock,
    stock,
    to_supply,
)
from domain.adellos.box import Box, Ground
from domain.adellos.effects import Performed, Target
from domain.adellos.standing import immune
from domain.adellos.state import AdellosState, Combat, Modifier, Owed, Played, Unit

Pick = int | str
NO_MORE = ""


class Ask(Struct, frozen=True):
    """What has to be chosen next. `may_finish`: choosing no more is possible."""

    what: Literal["field", "kind", "seat"]
    options: tuple[Pick, ...]
    may_finish: bool = False


class _Wanted(Exception):
    def __init__(self, ask: Ask) -> None:
        self.ask = ask


class Doer(Struct):
    """Who performs effects, from which field (-1: a card), and the picks not used yet."""

    box: Box
    ground: Ground
    seat: int
    field: int
    picks: Iterator[Pick]

    def pick(
        self, what: Literal["field", "kind", "seat"], options: Sequence[Pick], finish: bool = False
    ) -> Pick:
        for pick in self.picks:
            return pick
        raise _Wanted(Ask(what, tuple(options), finish))

    def may_finish(self, times: int, turn: int) -> bool:
        """Whether target number `turn` of up to `times` may be left out; an ability is used on one at least."""
        return turn > 0 or (times > 1 and self.field < 0)

    def pick_field(self, options: Sequence[int]) -> int:
        return int(self.pick("field", options))


def perform(
    box: Box, state: AdellosState, seat: int, field: int, effects: Sequence[Performed], picks: Sequence[Pick]
) -> tuple[AdellosState, Ask | None]:
    """`state` after the effects, or the first question the picks leave open. The impossible is skipped."""
    doer = Doer(box, box.ground(state.options), seat, field, iter(picks))
    try:
        for effect in effects:
            state = _perform(doer, state, effect)
    except _Wanted as wanted:
        return state, wanted.ask
    return state, None


def _perform(doer: Doer, state: AdellosState, effect: Performed) -> AdellosState:
    seat = doer.seat
    match effect:
        case vocabulary.Gold():
            return change_player(state, seat, gold=max(0, state.players[seat].gold + effect.amount))
        case vocabulary.ActionPoints():
            if seat != state.turn:
                return state  # only the turn's player has any (AE-5)
            return replace(state, ap=max(0, state.ap + effect.amount))
        case vocabulary.Draw():
            if not state.deck or hand_full(state, seat):
                return state
            return replace(state, owed=(*state.owed, Owed(seat, cards=effect.amount)))
        case vocabulary.Aura():
            return _aura(doer, state, effect)
        case vocabulary.Counters():
            return _on_units(doer, state, effect.target, effect.times, effect)
        case vocabulary.Convert() | vocabulary.ReturnUnit() | vocabulary.Remove():
            return _on_units(doer, state, effect.target, effect.times, effect)
        case vocabulary.PlaceToken():
            return _place_token(doer, state, effect.token)
        case vocabulary.HireFree():
            return _hire_free(doer, state, effect.worth)
        case vocabulary.MoveUnit():
            return _move(doer, state, effect)
        case vocabulary.SwapUnits():
            return _swap(doer, state, effect.target)
        case vocabulary.Exchange():
            return _exchange(doer, state, effect)
        case vocabulary.Cancel():
            return _cancel(state, seat, effect.what)
        case vocabulary.Look():
            others = [player.seat for player in state.players if player.alive and player.seat != seat]
            return replace(state, owed=(*state.owed, Owed(seat, look=int(doer.pick("seat", others)))))
        case vocabulary.CopyNoble():
            return _copy(doer, state)
        case vocabulary.NoIncome():
            return state  # it says what the start of a turn leaves out


def hand_full(state: AdellosState, seat: int) -> bool:
    """Whether the player may draw no more (option `hand_limit`, AE-11)."""
    limit = state.options.hand_limit
    return limit is not None and len(state.players[seat].hand) >= limit


# --- units aimed at ----------------------------------------------------------------------------------------


def candidates(doer: Doer, state: AdellosState, target: Target) -> list[int]:
    """The fields of the units that `target` allows."""
    board, neighbours, seat = state.board, doer.ground.neighbours, doer.seat
    kinds = doer.box.matching(target.of)
    fields: Sequence[int] = range(len(board))
    if target.near == "adjacent":
        fields = sorted(neighbours[doer.field])
    elif target.near == "fighting":
        fields = _fighters(state)
    found = []
    for field in fields:
        unit = board[field]
        if unit is None or (unit.seat == seat) != (target.whose == "own") or unit.kind not in kinds:
            continue
        kind = doer.box.kinds[unit.kind]
        if kind.noble and not target.nobles:
            continue
        if target.worth is not None and kind.worth > target.worth and not kind.noble:
            continue
        if target.counters is not None and bool(unit.counters) != target.counters:
            continue
        if target.near == "touching" and not any(
            near is not None and near.seat == seat and not near.counters
            for near in (board[other] for other in neighbours[field])
        ):
            continue
        found.append(field)
    return found


def _fighters(state: AdellosState) -> tuple[int, ...]:
    return (state.combat.attacker, state.combat.defender) if state.combat else ()


def _on_units(
    doer: Doer,
    state: AdellosState,
    target: Target,
    times: int,
    effect: vocabulary.Counters | vocabulary.Convert | vocabulary.ReturnUnit | vocabulary.Remove,
) -> AdellosState:
    """Do `effect` to up to `times` different units."""
    done: list[int] = []
    for turn in range(times):
        options = [field for field in candidates(doer, state, target) if field not in done]
        if isinstance(effect, vocabulary.Counters):
            options = [field for field in options if _takes_counters(doer, state, field, effect.amount)]
        if not options:
            break
        pick = (
            options[0]
            if target.near == "fighting"
            else doer.pick("field", options, doer.may_finish(times, turn))
        )
        if pick == NO_MORE:
            break
        field = int(pick)
        done.append(field)
        unit = state.board[field]
        assert unit is not None
        match effect:
            case vocabulary.Counters():
                counters = max(0, unit.counters + effect.amount)
                changed = replace(unit, counters=counters, keep=unit.keep and counters > 0)
                state = put(doer.ground, state, (field, changed))
            case vocabulary.Convert():
                state = put(doer.ground, state, (field, _converted(doer, state, unit)))
            case vocabulary.ReturnUnit():
                state = put(doer.ground, to_supply(doer.box, state, unit), (field, None))
            case vocabulary.Remove():
                state = put(doer.ground, state, (field, None))
    return state


def _takes_counters(doer: Doer, state: AdellosState, field: int, amount: int) -> bool:
    unit = state.board[field]
    assert unit is not None
    return unit.counters > 0 if amount < 0 else not immune(doer.box, state, unit.seat)


def _converted(doer: Doer, state: AdellosState, unit: Unit) -> Unit:
    """The unit under its new controller; its origin stays (supply), its counters fall off for the Pope."""
    counters = 0 if immune(doer.box, state, doer.seat) else unit.counters
    return replace(unit, seat=doer.seat, counters=counters, keep=False)


# --- the other effects -------------------------------------------------------------------------------------


def _aura(doer: Doer, state: AdellosState, effect: vocabulary.Aura) -> AdellosState:
    seat = doer.seat
    if effect.reach == "everywhere":
        seats = [
            player.seat
            for player in state.players
            if player.alive and (player.seat == seat) == (effect.whose == "own")
        ]
        new = tuple(Modifier(one, effect.value, effect.amount, effect.of) for one in seats)
        return replace(state, modifiers=state.modifiers + new)
    if effect.reach == "combat":
        return _in_combat(state, seat, effect)
    assert effect.target is not None
    options = candidates(doer, state, effect.target)
    if not options:
        return state
    field = doer.pick_field(options)
    unit = state.board[field]
    assert unit is not None
    changed = replace(unit, **{effect.value: getattr(unit, effect.value) + effect.amount})
    return put(doer.ground, state, (field, changed))


def _in_combat(state: AdellosState, seat: int, effect: vocabulary.Aura) -> AdellosState:
    """Only the attacker's attack and the defender's defence count in a combat."""
    combat = state.combat
    if combat is None or not combat.played:
        return state
    attacking = (combat.seats[0] == seat) == (effect.whose == "own")
    if attacking != (effect.value == "attack"):
        return state
    last = combat.played[-1]
    last = replace(last, **{effect.value: getattr(last, effect.value) + effect.amount})
    return replace(state, combat=replace(combat, played=(*combat.played[:-1], last)))


def _place_token(doer: Doer, state: AdellosState, token: str) -> AdellosState:
    place = doer.box.tokens.index(token)
    free = free_in_castle(doer.ground, state, doer.seat)
    if not state.tokens[place] or not free:
        return state
    field = doer.pick_field(free)
    tokens = (*state.tokens[:place], state.tokens[place] - 1, *state.tokens[place + 1 :])
    return put(doer.ground, state, (field, Unit(token, doer.seat)), tokens=tokens)


def _hire_free(doer: Doer, state: AdellosState, worth: int) -> AdellosState:
    player = state.players[doer.seat]
    free = free_in_castle(doer.ground, state, doer.seat)
    kinds = [
        kind.id
        for kind in doer.box.units[player.faction]
        if kind.worth <= worth and stock(doer.box, player, kind.id)
    ]
    if not free or not kinds:
        return state
    kind = str(doer.pick("kind", kinds))
    field = doer.pick_field(free)
    state = restock(doer.box, state, doer.seat, kind, -1)
    return put(doer.ground, state, (field, Unit(kind, doer.seat, doer.seat)))


def _move(doer: Doer, state: AdellosState, effect: vocabulary.MoveUnit) -> AdellosState:
    options = [
        field
        for field in candidates(doer, state, effect.target)
        if not _bears_counters(state, field) and reach(doer.ground, state.board, field, effect.distance)
    ]
    if not options:
        return state
    field = options[0] if effect.target.near == "fighting" else doer.pick_field(options)
    to = doer.pick_field(reach(doer.ground, state.board, field, effect.distance))
    return relocate(doer.ground, state, {field: to})


def _swap(doer: Doer, state: AdellosState, target: Target) -> AdellosState:
    options = [field for field in candidates(doer, state, target) if not _bears_counters(state, field)]
    if len(options) < 2:
        return state
    one = doer.pick_field(options)
    other = doer.pick_field([field for field in options if field != one])
    return relocate(doer.ground, state, {one: other, other: one})


def _bears_counters(state: AdellosState, field: int) -> bool:
    unit = state.board[field]
    return unit is not None and unit.counters > 0


def relocate(ground: Ground, state: AdellosState, ways: dict[int, int]) -> AdellosState:
    """Units taken from fields to fields, all at once. A combat goes with its fighters."""
    emptied = dict.fromkeys(ways)
    changes = emptied | {to: state.board[field] for field, to in ways.items()}
    combat = state.combat
    if combat is not None:
        combat = replace(
            combat,
            attacker=ways.get(combat.attacker, combat.attacker),
            defender=ways.get(combat.defender, combat.defender),
        )
    return put(ground, state, *changes.items(), combat=combat)


def _exchange(doer: Doer, state: AdellosState, effect: vocabulary.Exchange) -> AdellosState:
    done: list[int] = []
    for turn in range(effect.times):
        player = state.players[doer.seat]
        kinds = [
            kind.id
            for kind in doer.box.units[player.faction]
            if kind.worth == effect.into and stock(doer.box, player, kind.id)
        ]
        options = [
            field
            for field in candidates(doer, state, Target(whose="own", worth=effect.worth))
            if field not in done and _worth(doer.box, state, field) == effect.worth
        ]
        if not kinds or not options:
            break
        pick = doer.pick("field", options, doer.may_finish(effect.times, turn))
        if pick == NO_MORE:
            break
        field = int(pick)
        kind = str(doer.pick("kind", kinds))
        done.append(field)
        unit = state.board[field]
        assert unit is not None
        state = restock(doer.box, to_supply(doer.box, state, unit), doer.seat, kind, -1)
        state = put(doer.ground, state, (field, Unit(kind, doer.seat, doer.seat)))  # without counters (AE-10)
    return state


def _worth(box: Box, state: AdellosState, field: int) -> int:
    unit = state.board[field]
    return box.kinds[unit.kind].worth if unit is not None else 0


def _cancel(state: AdellosState, seat: int, what: str) -> AdellosState:
    combat = state.combat
    if combat is None:
        return state
    if what == "combat":
        return replace(state, combat=replace(combat, broken=True))
    played = list(combat.played)
    for place in range(len(played) - 1, -1, -1):
        if played[place].seat != seat and not played[place].cancelled:
            played[place] = replace(played[place], cancelled=True)
            return replace(state, combat=replace(combat, played=tuple(played)))
    return state


def _copy(doer: Doer, state: AdellosState) -> AdellosState:
    unused = unused_nobles(doer.box, state)
    if not unused:
        return state
    noble = str(doer.pick("kind", unused))
    state = change_player(state, doer.seat, copied=noble)
    if immune(doer.box, state, doer.seat):
        state = without_counters(doer.ground, state, doer.seat)
    return state


def unused_nobles(box: Box, state: AdellosState) -> list[str]:
    """The nobles nobody chose at set-up."""
    chosen = [player.noble for player in state.players]
    return [noble.id for noble in box.pack.nobles if noble.id not in chosen]


def without_counters(ground: Ground, state: AdellosState, seat: int) -> AdellosState:
    """The player's units without Time Counters."""
    freed = [
        (field, replace(unit, counters=0, keep=False))
        for field, unit in enumerate(state.board)
        if unit is not None and unit.seat == seat and unit.counters
    ]
    return put(ground, state, *freed)


def joined(combat: Combat, seat: int, card: str) -> Combat:
    """The combat with a card played in it, before what the card does."""
    return replace(combat, played=(*combat.played, Played(seat, card)), asked=_other(combat, seat), passes=0)


def _other(combat: Combat, seat: int) -> int:
    return combat.seats[1] if seat == combat.seats[0] else combat.seats[0]
