"""Small builders: a table of Adellos in words, and chance that refuses to be drawn from."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain.adellos import ADELLOS
from domain.adellos.commands import (
    ChooseField,
    ChooseKind,
    ChooseNoble,
    ChooseSeat,
    EndTurn,
    FinishChoice,
    Pass,
    TickTimeCounters,
    UseAbility,
)
from domain.adellos.effects import Income
from domain.adellos.options import AdellosOptions
from domain.adellos.rules import Rules
from domain.adellos.standing import ATTACK, DEFENCE, MOVEMENT, value
from domain.adellos.state import AdellosState, Unit
from domain.chance import SealedChance

RULES = ADELLOS.rules
assert isinstance(RULES, Rules)
BOX = RULES.box
INCOME = sum(effect.amount for effect in BOX.abilities["income"].standing if isinstance(effect, Income))
HOMES = ("b2", "h2", "h8", "b8")  # the middle of each castle, clockwise
CASTLES = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}


def at(name: str) -> int:
    """The number of a field of the house board: `a1` is the first corner, `e5` the tower."""
    return (int(name[1:]) - 1) * 9 + ord(name[0]) - ord("a")


def table(
    units: str = "",
    nobles: str = "prince-konrad merchant-pinkerton",
    *,
    hands: Sequence[str] = (),
    gold: Sequence[int] = (),
    turn: int = 0,
    ap: int = 3,
    deck: str = "",
    options: AdellosOptions | None = None,
) -> AdellosState:
    """Seat `turn` is to act in its turn.

    `units` is `FIELD SEAT KIND[+COUNTERS]`, comma separated. A noble not named there stands in the middle of
    its castle. Supplies are what is left of the faction's tiles, but never less than nothing.
    """
    names = nobles.split()
    factions = tuple(BOX.kinds[noble].faction for noble in names)
    if options is None:
        options = AdellosOptions()
    state = RULES.initial(replace(options, factions=()), len(names))
    board: list[Unit | None] = [None] * 81
    noble_at = [at(HOMES[castle]) for castle in CASTLES[len(names)]]
    for entry in filter(None, (part.strip() for part in units.split(","))):
        field, seat, kind = entry.split()
        kind, _, counters = kind.partition("+")
        assert kind in BOX.kinds, kind
        origin = -1 if BOX.kinds[kind].token else int(seat)
        board[at(field)] = Unit(kind, int(seat), origin, int(counters or 0))
        if kind in names:
            noble_at[int(seat)] = at(field)
    for seat, field in enumerate(noble_at):
        board[field] = board[field] or Unit(names[seat], seat, seat)
    players = []
    for player in state.players:
        seat = player.seat
        on_board = [unit.kind for unit in board if unit is not None and unit.seat == seat]
        supply = tuple(
            max(0, tile.count - on_board.count(tile.id)) for tile in BOX.factions[factions[seat]].units
        )
        hand = tuple(sorted(hands[seat].split())) if seat < len(hands) else ()
        coins = gold[seat] if seat < len(gold) else 0
        players.append(
            replace(
                player,
                faction=factions[seat],
                noble=names[seat],
                noble_at=noble_at[seat],
                supply=supply,
                hand=hand,
                gold=coins,
            )
        )
    return replace(
        state,
        phase="turn",
        players=tuple(players),
        board=tuple(board),
        deck=tuple(deck.split()),
        shuffled=True,
        first=0,
        turn=turn,
        turns=1,
        ap=ap,
    )


def begin(factions: tuple[str, ...], seats: int | None = None, **options: object) -> AdellosState:
    """A match that has just begun: the starting seat is to choose its noble."""
    chosen_options = AdellosOptions(factions=factions, **{"first_seat": 0} | options)
    number = seats or len(factions)
    events = RULES.start(chosen_options, number, SealedChance(bytes(32)))
    return fold(RULES.initial(chosen_options, number), events)


def chosen(factions: tuple[str, ...], nobles: tuple[str, ...], **options: object) -> AdellosState:
    """A match whose nobles are chosen and not yet placed."""
    return do(begin(factions, **options), *map(ChooseNoble, nobles))


def with_hand(state: AdellosState, seat: int, *cards: str) -> AdellosState:
    """`state` with another hand for one seat."""
    players = list(state.players)
    players[seat] = replace(players[seat], hand=tuple(sorted(cards)))
    return replace(state, players=tuple(players))


class NoChance:
    """Fails the test if anything is drawn."""

    def shuffle(self, label: str, items: Sequence[Any]) -> tuple[int, tuple[Any, ...]]:
        raise AssertionError(f"{label} was shuffled")

    def roll(self, label: str, sides: int) -> tuple[int, int]:
        raise AssertionError(f"{label} was rolled")


def fold(state: AdellosState, events: Sequence[Any], rules: Any = RULES) -> AdellosState:
    for event in events:
        state = rules.evolve(state, event)
    return state


def do(state: AdellosState, *commands: Any) -> AdellosState:
    """The table after commands, each given by the seat that is to act."""
    for command in commands:
        seat = RULES.to_act(state)[0]
        state = fold(state, RULES.decide(state, command, seat, NoChance()))
    return state


def pick(*targets: str | int) -> list[Any]:
    """Targets as commands: a field name, a kind, a seat number, `.` for no more."""
    made: list[Any] = []
    for target in targets:
        if isinstance(target, int):
            made.append(ChooseSeat(target))
        elif target == ".":
            made.append(FinishChoice())
        elif len(target) == 2:
            made.append(ChooseField(at(target)))
        else:
            made.append(ChooseKind(target))
    return made


def settle(state: AdellosState) -> AdellosState:
    """Both pass until the combat is over."""
    while state.combat is not None:
        state = do(state, Pass())
    return state


def tick(state: AdellosState) -> AdellosState:
    """The system takes the counters off; the next turn starts."""
    return fold(state, RULES.decide(state, TickTimeCounters(), None, NoChance()))


def pass_turn(state: AdellosState) -> AdellosState:
    """The turn ends without action points left, the counters are taken off, the next turn starts."""
    return tick(do(replace(state, ap=0), EndTurn()))


def resign(state: AdellosState, seat: int) -> AdellosState:
    return fold(state, RULES.resign(state, seat, NoChance()))


def use(field: str, ability: str) -> UseAbility:
    return UseAbility(at(field), ability)


def unit(state: AdellosState, field: str) -> Unit | None:
    return state.board[at(field)]


def kind(state: AdellosState, field: str) -> str | None:
    there = unit(state, field)
    return there.kind if there else None


def values(state: AdellosState, field: str) -> tuple[int, int, int]:
    """Attack, defence and movement of the unit on a field."""
    ground = BOX.ground(state.options)
    attack, defence, movement = (
        value(BOX, ground, state, at(field), which) for which in (ATTACK, DEFENCE, MOVEMENT)
    )
    return attack, defence, movement


def gained(state: AdellosState, field: str) -> tuple[int, int, int]:
    """What attack, defence and movement of the unit on a field are above those printed on it."""
    unit = state.board[at(field)]
    assert unit is not None
    attack, defence, movement = (
        now - printed for now, printed in zip(values(state, field), BOX.kinds[unit.kind].values, strict=True)
    )
    return attack, defence, movement


def supply(state: AdellosState, seat: int, name: str) -> int:
    return state.players[seat].supply[BOX.place[name]]


def legal(state: AdellosState) -> list[Any]:
    return list(RULES.legal(state, RULES.to_act(state)[0]))


def targets(state: AdellosState) -> set[Any]:
    """What the open choice offers."""
    found: set[Any] = set()
    for command in legal(state):
        for name in ("field", "kind", "seat"):
            if type(command).__name__.startswith("Choose") and hasattr(command, name):
                found.add(getattr(command, name))
    return found
