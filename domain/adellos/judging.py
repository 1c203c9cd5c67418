"""What bots think with: an imagined table and how good it is for a seat."""

from msgspec.structs import replace

from domain.adellos.box import Box, Ground
from domain.adellos.state import AdellosState
from domain.chance import Chance

WIN = 10_000.0


def imagine(state: AdellosState, seat: int, chance: Chance) -> AdellosState:
    """The cards the seat doesn't know, shuffled among the other hands and the deck."""
    unknown = sorted(
        [*state.deck, *(card for player in state.players if player.seat != seat for card in player.hand)]
    )
    cards = chance.shuffle("imagine", unknown)[1]
    players = []
    for player in state.players:
        if player.seat != seat and player.hand:
            player = replace(player, hand=tuple(sorted(cards[: len(player.hand)])))
            cards = cards[len(player.hand) :]
        players.append(player)
    return replace(state, players=tuple(players), deck=cards)


def evaluate(box: Box, ground: Ground, state: AdellosState, seat: int) -> float:
    """What the seat's units, gold and cards are worth, how close they are to the enemy nobles, less the others'."""
    if state.phase == "over":
        return WIN if state.winner == seat else 0.0 if state.winner < 0 else -WIN
    raise NotImplementedError
