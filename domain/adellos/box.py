"""A pack made ready for play: its components by name, and tables worked out once."""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from domain.adellos.effects import VALUES, ActionPoints, Aura, Draw, Effect, Income, Standing
from domain.adellos.options import AdellosOptions
from domain.adellos.pack import Ability, Board, EventCard, Pack, content_of
from domain.game import IllegalCommand

OWN_TURN_EFFECTS = (Income, Draw, ActionPoints)


class StandingAura(Struct, frozen=True, gc=False):
    """A standing change of a value; `kinds` are the units it can fall on."""

    amount: int
    own: bool
    kinds: frozenset[str]


class Kind(Struct, frozen=True):
    """Anything that can stand on a field: a unit, noble or token."""

    id: str
    name: str
    faction: str
    noble: bool
    token: bool
    gold: int
    counters: int
    worth: int
    values: tuple[int, int, int]  # attack, defence, movement
    traits: tuple[str, ...]
    abilities: tuple[Ability, ...]
    standing: tuple[Standing, ...]
    adjacent: tuple[tuple[StandingAura, ...], ...] = ((), (), ())  # by value
    everywhere: tuple[tuple[StandingAura, ...], ...] = ((), (), ())  # by value
    resources: bool = False  # gives gold, cards or action points at the start of a turn
    active: tuple[Ability, ...] = ()


class Judged(NamedTuple):
    """A kind of units as bots judge it."""

    worth: float
    attack: int
    movement: int
    presses: bool  # it goes for the enemy rather than stay at home


class Ground(Struct, frozen=True, eq=False):
    """A board as tables by field. Made once a board and never changed; equal only to itself, for speed."""

    board: Board
    size: int
    neighbours: tuple[tuple[int, ...], ...]
    castle_of: tuple[int, ...]  # -1: none
    castles: tuple[tuple[int, ...], ...]
    tower: int  # -1: none
    distance: tuple[tuple[int, ...], ...]


class Box:
    """The components of one pack. Never changed after it is made."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.content = content_of(pack)
        self.grounds = {board.id: _ground(board) for board in pack.boards}
        self.abilities = {ability.id: ability for ability in pack.abilities}
        self.factions = {faction.id: faction for faction in pack.factions}
        self.cards: dict[str, EventCard] = {card.id: card for card in pack.cards}
        self.deck = tuple(card.id for card in pack.cards for _ in range(card.count))
        self.kinds = _kinds(pack, self.abilities)
        self.nobles = {
            faction.id: tuple(noble.id for noble in pack.nobles if noble.faction == faction.id)
            for faction in pack.factions
        }
        self.units = {
            faction.id: tuple(self.kinds[unit.id] for unit in faction.units) for faction in pack.factions
        }
        self.place = {
            kind.id: place for kinds in self.units.values() for place, kind in enumerate(kinds)
        }  # of a unit in its faction's supply
        self.tokens = tuple(token.id for token in pack.tokens)
        # For each value the kinds that change it: most change none, so this is for speed.
        self.radiating = tuple(
            {kind.id: kind.adjacent[which] for kind in self.kinds.values() if kind.adjacent[which]}
            for which in range(len(VALUES))
        )
        self.ruling = tuple(
            {kind.id: kind.everywhere[which] for kind in self.kinds.values() if kind.everywhere[which]}
            for which in range(len(VALUES))
        )
        self.judged = {kind.id: _judged(kind) for kind in self.kinds.values()}
        self._matching: dict[tuple[str, ...], frozenset[str]] = {}

    def ground(self, options: AdellosOptions) -> Ground:
        """The board played on. Raises IllegalCommand for one the pack doesn't have."""
        name = options.board or self.pack.boards[0].id
        if name not in self.grounds:
            raise IllegalCommand("unknown-board", "The content has no such board.")
        return self.grounds[name]

    def matching(self, of: tuple[str, ...]) -> frozenset[str]:
        """The kinds that `of` names by id or trait; all if it is empty."""
        found = self._matching.get(of)
        if found is None:
            found = self._matching[of] = _matching(self.kinds.values(), of)
        return found


def _judged(kind: Kind) -> Judged:
    attack, defence, points = kind.values
    ability = 9.0 if kind.resources else 1.5 if kind.abilities else 0.0
    strength = 0.35 * (attack * attack + defence * defence)  # of two fighters the stronger wins all
    worth = strength + 0.7 * (points - 1) + ability
    return Judged(worth, attack, points, not kind.resources)


def _matching(kinds: Iterable[Kind], of: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        kind.id for kind in kinds if not of or kind.id in of or any(trait in of for trait in kind.traits)
    )


def _kinds(pack: Pack, sheet: dict[str, Ability]) -> dict[str, Kind]:
    """Every kind by id, with its auras ready."""

    def kind(tile: object, values: tuple[int, int, int], **more: object) -> Kind:
        ability = getattr(tile, "ability", None)
        abilities = (sheet[ability],) if ability else ()
        standing = tuple(effect for one in abilities for effect in one.standing)
        fields = {"faction": "", "noble": False, "token": False, "gold": 0, "counters": 0, "worth": 0} | more
        return Kind(
            id=tile.id,  # type: ignore[attr-defined]
            name=tile.name,  # type: ignore[attr-defined]
            values=values,
            traits=getattr(tile, "traits", ()),
            abilities=abilities,
            standing=standing,
            **fields,  # type: ignore[arg-type]
        )

    bare = [
        kind(
            unit,
            (unit.attack, unit.defence, unit.move),
            faction=faction.id,
            gold=unit.gold,
            counters=unit.counters,
            worth=unit.gold or unit.counters,  # AE-10
        )
        for faction in pack.factions
        for unit in faction.units
    ]
    bare += [
        kind(noble, (noble.attack, noble.defence, noble.move), faction=noble.faction, noble=True)
        for noble in pack.nobles
    ]
    bare += [
        kind(token, (token.attack, token.defence, token.move), token=True, worth=token.worth)
        for token in pack.tokens
    ]
    return {one.id: _with_tables(one, bare) for one in bare}


def _with_tables(kind: Kind, kinds: list[Kind]) -> Kind:
    def auras(reach: str) -> tuple[tuple[StandingAura, ...], ...]:
        return tuple(
            tuple(
                StandingAura(effect.amount, effect.whose == "own", _matching(kinds, effect.of))
                for effect in kind.standing
                if isinstance(effect, Aura) and effect.reach == reach and effect.value == value
            )
            for value in VALUES
        )

    effects: tuple[Effect, ...] = kind.standing
    return Kind(
        **{
            name: getattr(kind, name)
            for name in Kind.__struct_fields__
            if name not in ("adjacent", "everywhere", "resources", "active")
        },
        adjacent=auras("adjacent"),
        everywhere=auras("everywhere"),
        resources=any(isinstance(effect, OWN_TURN_EFFECTS) for effect in effects),
        active=tuple(ability for ability in kind.abilities if ability.performed),
    )


def _ground(board: Board) -> Ground:
    neighbours = tuple(field.neighbours for field in board.fields)
    castle_of = tuple(-1 if field.castle is None else field.castle for field in board.fields)
    return Ground(
        board=board,
        size=len(neighbours),
        neighbours=neighbours,
        castle_of=castle_of,
        castles=tuple(
            tuple(field for field, castle in enumerate(castle_of) if castle == number)
            for number in range(max(castle_of) + 1)
        ),
        tower=next((field.id for field in board.fields if field.tower), -1),
        distance=tuple(_distances(start, neighbours) for start in range(len(neighbours))),
    )


def _distances(start: int, neighbours: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    found = {start: 0}
    edge = [start]
    for field in edge:
        for other in neighbours[field]:
            if other not in found:
                found[other] = found[field] + 1
                edge.append(other)
    return tuple(found.get(field, len(neighbours)) for field in range(len(neighbours)))
