"""Risky rules written down a second time, naively and from the pack alone, and played in lock-step."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.adellos import ADELLOS
from domain.adellos import commands as c
from domain.adellos.effects import VALUES, ActionPoints, Aura, Draw, Gold, Immunity, Income, NoIncome
from domain.adellos.events import CountersTicked, TurnEnded, TurnStarted
from domain.adellos.options import AdellosOptions
from domain.adellos.state import AdellosState, Unit
from domain.chance import SealedChance
from domain.game import SPECTATOR, Game
from tests.domain.adellos.random_play import accepted
from tests.domain.adellos.second_pack import SECOND

FLAGS = (
    "sudden_death",
    "protecting_walls",
    "obstructing_walls",
    "gold_rush",
    "paved_with_gold",
    "middle_seat_gold",
    "may_forfeit_ap",
)


class Naive:
    """What the design says of one position, worked out the slow way."""

    def __init__(self, game: Game, state: AdellosState) -> None:
        self.pack = game.rules.box.pack
        self.state = state
        name = state.options.board or self.pack.boards[0].id
        self.fields = next(board for board in self.pack.boards if board.id == name).fields
        self.tiles: dict[str, Any] = {tile.id: tile for tile in (*self.pack.nobles, *self.pack.tokens)}
        self.tiles |= {tile.id: tile for faction in self.pack.factions for tile in faction.units}
        self.sheet = {ability.id: ability for ability in self.pack.abilities}
        self.noble_ids = {noble.id for noble in self.pack.nobles}

    def units(self, seat: int) -> list[tuple[int, Unit]]:
        return [(f, u) for f, u in enumerate(self.state.board) if u is not None and u.seat == seat]

    def able_nobles(self) -> list[tuple[int, str]]:
        """Seats and the nobles whose abilities they have, copies included."""
        found = []
        for unit in self.state.board:
            if unit is not None and unit.kind in self.noble_ids and not unit.counters:
                found.append((unit.seat, unit.kind))
                copied = self.state.players[unit.seat].copied
                found += [(unit.seat, copied)] if copied else []
        return found

    def named(self, kind: str, of: tuple[str, ...]) -> bool:
        return not of or kind in of or bool(set(getattr(self.tiles[kind], "traits", ())) & set(of))

    def effects(self, kind: str) -> tuple[Any, ...]:
        ability = self.tiles[kind].ability
        return self.sheet[ability].standing if ability else ()

    def sum_of(self, field: int, value: str) -> int:
        unit = self.state.board[field]
        assert unit is not None
        printed = {"attack": "attack", "defence": "defence", "movement": "move"}[value]
        total: int = getattr(self.tiles[unit.kind], printed) + getattr(unit, value)
        giving = [
            (near.seat, effect)
            for other in self.fields[field].neighbours
            if (near := self.state.board[other]) is not None and not near.counters
            for effect in self.effects(near.kind)
            if isinstance(effect, Aura) and effect.reach == "adjacent"
        ]
        giving += [
            (seat, effect)
            for seat, noble in self.able_nobles()
            for effect in self.effects(noble)
            if isinstance(effect, Aura) and effect.reach == "everywhere"
        ]
        for seat, effect in giving:
            whose = "own" if seat == unit.seat else "enemy"
            if effect.value == value and effect.whose == whose and self.named(unit.kind, effect.of):
                total += effect.amount
        for change in self.state.modifiers:
            if change.seat == unit.seat and change.value == value and self.named(unit.kind, change.of):
                total += change.amount
        return total

    def ways(self, field: int) -> dict[int, int]:
        """Every walk there is, its goal and its cost."""
        unit = self.state.board[field]
        assert unit is not None
        enemies = {p.castle for p in self.state.players if p.alive and p.seat != unit.seat}
        walks, found = [(field,)], dict[int, int]()
        for _ in range(max(0, self.sum_of(field, "movement"))):
            walks = [
                (*walk, other)
                for walk in walks
                for other in self.fields[walk[-1]].neighbours
                if self.state.board[other] is None and other not in walk
            ]
            for walk in walks:
                enters = any(
                    self.fields[to].castle in enemies and self.fields[to].castle != self.fields[was].castle
                    for was, to in pairwise(walk)
                )
                price = 2 if enters and self.state.options.obstructing_walls else 1
                found[walk[-1]] = min(price, found.get(walk[-1], 2))
        return found

    def board_actions(self) -> set[Any]:
        seat, ap = self.state.turn, self.state.ap
        found: set[Any] = set()
        for field, unit in self.units(seat):
            if unit.counters:
                continue
            found |= {c.Move(field, to) for to, price in self.ways(field).items() if price <= ap}
            for other in self.fields[field].neighbours:
                near = self.state.board[other]
                if near is not None and near.seat != seat and ap >= 1:
                    found.add(c.Attack(field, other))
                if near is not None and near.seat == seat and not near.counters and ap >= 2:
                    found.add(c.Swap(min(field, other), max(field, other)))
        return found

    def strengths(self) -> tuple[int, int]:
        combat = self.state.combat
        assert combat is not None
        played = [one for one in combat.played if not one.cancelled]
        attack = self.sum_of(combat.attacker, "attack") + sum(one.attack for one in played)
        defence = self.sum_of(combat.defender, "defence") + sum(one.defence for one in played)
        if self.state.options.protecting_walls:
            mine = self.state.players[combat.seats[1]].castle
            inside = self.fields[combat.defender].castle == mine
            defence += inside and self.fields[combat.attacker].castle != mine
        return max(0, attack), max(0, defence)

    def tower_holder(self) -> int | None:
        unit = self.state.board[next(field.id for field in self.fields if field.tower)]
        return None if unit is None or unit.counters else unit.seat

    def turn_start(self, seat: int, held_before: bool) -> tuple[int, int, int]:
        """Action points, gold gained and cards drawn at the start of the seat's turn."""
        player = self.state.players[seat]
        cards = {card.id: card for card in self.pack.cards}
        front = [effect for one in player.front for effect in cards[one.card].effects]
        given = [e for _, u in self.units(seat) if not u.counters for e in self.effects(u.kind)]
        gold = player.gold
        for effect in front:
            gold = max(0, gold + effect.amount) if isinstance(effect, Gold) else gold
        if not any(isinstance(effect, NoIncome) for effect in front):
            gold += sum(effect.amount for effect in given if isinstance(effect, Income))
        if self.state.options.paved_with_gold and self.tower_holder() == seat:
            gold += 2
        ap = 3 + sum(e.amount for e in (*given, *front) if isinstance(e, ActionPoints)) + held_before
        return max(0, ap), gold - player.gold, sum(e.amount for e in given if isinstance(e, Draw))


def scattered(game: Game, rng: Random, players: int) -> AdellosState:
    """A match in its first turn whose units, counters, gold and hands lie all over the place."""
    rules = game.rules
    options = AdellosOptions(
        **{flag: rng.random() < 0.4 for flag in FLAGS}, hand_limit=rng.choice((None, None, 3)), turn_limit=25
    )
    if players == 2 and len(game.rules.box.pack.boards) > 1 and rng.random() < 0.3:
        options = replace(options, board=game.rules.box.pack.boards[1].id)
    chance = SealedChance(rng.randbytes(32))
    state = rules.initial(options, players)
    for event in rules.start(options, players, chance):
        state = rules.evolve(state, event)
    while state.phase != "turn":
        (seat,) = rules.to_act(state)
        for event in rules.decide(state, rng.choice(rules.legal(state, seat)), seat, chance):
            state = rules.evolve(state, event)
    board = list(state.board)
    people, deck = [], list(state.deck)
    for player in state.players:
        supply = list(player.supply)
        for place, kind in enumerate(rules.box.units[player.faction]):
            while supply[place] and rng.random() < 0.5:
                free = [field for field, unit in enumerate(board) if unit is None]
                if len(free) < len(board) // 3:
                    break
                supply[place] -= 1
                counters = rng.choice((0, 0, 0, 1, 2))
                immune = any(isinstance(e, Immunity) for e in rules.box.kinds[player.noble].standing)
                board[rng.choice(free)] = Unit(kind.id, player.seat, player.seat, 0 if immune else counters)
        hand, deck = deck[:4], deck[4:]
        people.append(replace(player, supply=tuple(supply), hand=tuple(sorted(hand)), gold=rng.randrange(9)))
    return replace(state, board=tuple(board), players=tuple(people), deck=tuple(deck))


class Tower:
    """Bonus-field counting by looking at the tower after each event."""

    def __init__(self, players: int) -> None:
        self.since_end = [False] * players
        self.turns = [0] * players
        self.needed = {2: 5, 3: 4, 4: 3}[players]


def check(game: Game, state: AdellosState) -> None:
    naive = Naive(game, state)
    rules, box = game.rules, game.rules.box
    if state.phase == "turn" and state.combat is None and state.choice is None:
        expected = naive.board_actions()
        legal = rules.legal(state, state.turn)
        assert {one for one in legal if isinstance(one, c.Move | c.Attack | c.Swap)} == expected
        may_end = state.options.may_forfeit_ap or not expected
        assert accepted(rules, state, c.EndTurn(), state.turn) == may_end == (c.EndTurn() in legal)
    shown = {unit["field"]: unit for unit in game.view.observe(state, SPECTATOR)["units"]}
    for field, unit in enumerate(state.board):
        if unit is not None:
            assert [shown[field][name] for name in VALUES] == [
                max(0, naive.sum_of(field, name)) for name in VALUES
            ]
            assert not (unit.counters and any(isinstance(e, Immunity) for e in powers(naive, unit.seat)))
            assert box.kinds[unit.kind].noble == (state.players[unit.seat].noble_at == field)


def powers(naive: Naive, seat: int) -> list[Any]:
    return [
        effect for owner, noble in naive.able_nobles() if owner == seat for effect in naive.effects(noble)
    ]


def play(game: Game, seed: int, players: int) -> None:
    """A random match in lock-step."""
    rng = Random(seed)
    rules = game.rules
    chance = SealedChance(rng.randbytes(32))
    state = scattered(game, rng, players)
    tower = Tower(players)
    while rules.outcome(state) is None:
        check(game, state)
        if due := rules.due(state):
            events = rules.decide(state, due, None, chance)
        else:
            (seat,) = rules.to_act(state)
            if rng.random() < 0.004:
                leaving = rng.choice([player.seat for player in state.players if player.alive])
                events = rules.resign(state, leaving, chance)
            else:
                legal = rules.legal(state, seat)
                wanted = [one for one in legal if isinstance(one, c.Attack | c.PlayCard | c.UseAbility)]
                command = rng.choice(wanted if wanted and rng.random() < 0.4 else legal)
                events = rules.decide(state, command, seat, chance)
        for event in events:
            before, state = state, rules.evolve(state, event)
            observe(game, tower, before, event, state)


def observe(game: Game, tower: Tower, before: AdellosState, event: Any, after: AdellosState) -> None:
    """Count along, and hold what an event says against the naive rules."""
    naive = Naive(game, before)
    if isinstance(event, TurnStarted):
        seat = event.seat
        held = tower.since_end[seat]
        assert (event.ap, event.gold, event.cards) == naive.turn_start(seat, held)
        tower.turns[seat] = tower.turns[seat] + 1 if held else 0
        assert event.held == tower.turns[seat]
        assert (after.reason == "bonus_field") == (tower.turns[seat] >= tower.needed)
        tower.since_end[seat] = False
    elif isinstance(event, CountersTicked):
        for field, unit in enumerate(before.board):
            if unit is not None and (left := after.board[field]) is not None:
                ticking = unit.seat == event.seat and unit.counters > 0 and not unit.keep
                assert left.counters == unit.counters - ticking
        tower.since_end[event.seat] = True
    elif isinstance(event, TurnEnded):
        assert all(u is None or not (u.used or u.attack or u.defence or u.movement) for u in after.board)
    elif type(event).__name__ in ("CombatEnded", "UnitDefeated") and event.attack is not None:
        assert (event.attack, event.defence) == naive.strengths()
        assert (event.attack > event.defence) == (type(event).__name__ == "UnitDefeated")
    holder = Naive(game, after).tower_holder()
    tower.since_end = [since and holder == seat for seat, since in enumerate(tower.since_end)]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", [ADELLOS, SECOND], ids=["house", "second"])
def test_the_rules_do_what_their_naive_twin_does(game: Game, players: int) -> None:
    for seed in range(3):
        play(game, seed, players)
