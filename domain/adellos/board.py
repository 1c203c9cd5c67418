"""Where units stand and can go: every change of the board goes through `put`."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain.adellos.box import Box, Ground
from domain.adellos.state import AdellosState, Player, Unit

Squares = Sequence[Unit | None]


def put(ground: Ground, state: AdellosState, *changes: tuple[int, Unit | None], **more: Any) -> AdellosState:
    """`state` with other units on some fields. Keeps track of nobles and of who holds the bonus field."""
    board = list(state.board)
    players: tuple[Player, ...] = more.pop("players", state.players)
    tower = False
    for field, unit in changes:
        board[field] = unit
        tower = tower or field == ground.tower
        if unit is not None and unit.kind == players[unit.seat].noble:
            players = with_player(players, replace(players[unit.seat], noble_at=field))
    if tower:
        held_by = holder(ground, board)
        for player in players:
            if player.holding and player.seat != held_by:
                players = with_player(players, replace(player, holding=False))  # a break (AE-7)
    return replace(state, board=tuple(board), players=players, **more)


def holder(ground: Ground, board: Squares) -> int:
    """The seat whose able unit stands on the bonus field, or -1."""
    unit = board[ground.tower] if ground.tower >= 0 else None
    return -1 if unit is None or unit.counters else unit.seat


def with_player(players: tuple[Player, ...], player: Player) -> tuple[Player, ...]:
    changed = list(players)
    changed[player.seat] = player
    return tuple(changed)


def change_player(state: AdellosState, seat: int, **changes: Any) -> AdellosState:
    """`state` with fields of one player changed."""
    return replace(state, players=with_player(state.players, replace(state.players[seat], **changes)))


def unit_at(state: AdellosState, field: int) -> Unit | None:
    """The unit on a field; none for a number that is no field."""
    return state.board[field] if 0 <= field < len(state.board) else None


def reach(ground: Ground, board: Squares, field: int, points: int) -> list[int]:
    """The free fields a unit gets to with so many movement points, nearest first."""
    neighbours = ground.neighbours
    edge = [other for other in neighbours[field] if board[other] is None] if points > 0 else []
    if points <= 1 or not edge:
        return edge
    found = edge
    seen = {field, *edge}
    for _ in range(points - 1):
        further = []
        for near in edge:
            for other in neighbours[near]:
                if other not in seen and board[other] is None:
                    seen.add(other)
                    further.append(other)
        if not further:
            break
        found = found + further
        edge = further
    return found


def reach_with_prices(ground: Ground, state: AdellosState, field: int, points: int) -> dict[int, int]:
    """The free fields a unit gets to and the AP each costs, with the option `obstructing_walls` (AE-15)."""
    unit = state.board[field]
    assert unit is not None
    walls = {player.castle for player in state.players if player.alive and player.seat != unit.seat}
    castle_of, board = ground.castle_of, state.board
    prices: dict[int, int] = {}
    edge = [field]
    for _ in range(points):  # the ways that enter no enemy castle
        further: list[int] = []
        for near in edge:
            for other in ground.neighbours[near]:
                entering = castle_of[other] != castle_of[near] and castle_of[other] in walls
                if not entering and other not in prices and board[other] is None:
                    prices[other] = 1
                    further.append(other)
        edge = further
    for other in reach(ground, board, field, points):
        prices.setdefault(other, 2)
    return prices


def free_in_castle(ground: Ground, state: AdellosState, seat: int) -> list[int]:
    """The fields where the player can place what is hired: none while the noble is elsewhere."""
    player = state.players[seat]
    if player.noble_at < 0 or ground.castle_of[player.noble_at] != player.castle:
        return []
    return [field for field in ground.castles[player.castle] if state.board[field] is None]


def to_supply(box: Box, state: AdellosState, unit: Unit) -> AdellosState:
    """`state` with one more tile in the supply the unit came from; it is lost if its player is out."""
    if box.kinds[unit.kind].token:
        place = box.tokens.index(unit.kind)
        tokens = (*state.tokens[:place], state.tokens[place] + 1, *state.tokens[place + 1 :])
        return replace(state, tokens=tokens)
    if not state.players[unit.origin].alive:
        return state
    return restock(box, state, unit.origin, unit.kind, 1)


def restock(box: Box, state: AdellosState, seat: int, kind: str, tiles: int) -> AdellosState:
    """`state` with the player's supply of a unit changed."""
    supply = list(state.players[seat].supply)
    supply[box.place[kind]] += tiles
    return change_player(state, seat, supply=tuple(supply))


def stock(box: Box, player: Player, kind: str) -> int:
    """Tiles of a unit in the player's supply; 0 for another faction's."""
    if kind not in box.place or box.kinds[kind].faction != player.faction:
        return 0
    return player.supply[box.place[kind]] if player.supply else 0
