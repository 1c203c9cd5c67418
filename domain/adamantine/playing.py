"""Playing hero cards: prices, sacrifices one at a time, prerequisites; possession (AM-5)."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from domain.adamantine.box import FREE_COST, Box
from domain.adamantine.commands import PlayCard, Possess, Sacrifice
from domain.adamantine.events import CardPicked, CardPlayed, ChampionPossessed, ChoiceBegun
from domain.adamantine.exploring import onward
from domain.adamantine.pack import HeroCard
from domain.adamantine.standing import held, price
from domain.adamantine.state import AdamantineState, Choice, Held, Piece, Player
from domain.adamantine.table import brought_into_play, discarded_from_play, put_player
from domain.game import Event, IllegalCommand

GOES_WITH_CHAMPION = ("class", "prestige", "feat")


def reward(state: AdamantineState, seat: int) -> int:
    """Reward gold the seat may spend now."""
    exploration = state.exploration
    if exploration is None or exploration.step != "reward" or exploration.explorer != seat:
        return 0
    return exploration.gold


def cost(box: Box, state: AdamantineState, seat: int, card: Held) -> int:
    """What has to be sacrificed for a card, in gold: nothing on the first day for cheap cards (AM-3)."""
    player = state.players[seat]
    full = price(box, player, card.card)
    if card.handle in player.free and state.exploration is None and full <= FREE_COST:
        return 0
    return max(0, full - reward(state, seat))


def lacking(box: Box, player: Player, card: str) -> list[str]:
    """The classes a prestige class asks for that are not in play."""
    hero = box.heroes[card]
    return [name for name in hero.needs if all(piece.card != name for piece in player.in_play)]


def worth(box: Box, player: Player) -> int:
    """What all that could be sacrificed brings, in gold."""
    gear = box.gear
    return sum([gear[piece.card].gold for piece in player.in_play])


def playable(box: Box, state: AdamantineState, seat: int) -> list[int]:
    """Handles of the cards in hand that can be played now."""
    player = state.players[seat]
    wealth = worth(box, player)
    return [
        card.handle
        for card in player.hero_hand
        if card.card in box.heroes
        and (cost(box, state, seat, card) <= wealth)
        and not (box.heroes[card.card].needs and lacking(box, player, card.card))
    ]


def play_card(box: Box, state: AdamantineState, command: PlayCard, seat: int) -> Event:
    player = state.players[seat]
    card = held(player.hero_hand, command.card)
    if card is None:
        raise IllegalCommand("card-not-in-hand", "There is no such hero card in the own hand.")
    hero = box.hero_cards[card.card]
    if not isinstance(hero, HeroCard):
        raise IllegalCommand("champion-not-played", "A champion comes into play by possession only.")
    if missing := lacking(box, player, card.card):
        names = ", ".join(box.name(name) for name in missing)
        raise IllegalCommand("prestige-needs-class", f"{hero.name} needs {names} in play.")
    needed = cost(box, state, seat, card)
    if needed > worth(box, player):
        raise IllegalCommand("payment-too-small", f"{hero.name} costs more than can be sacrificed.")
    if needed:
        return ChoiceBegun(seat=seat, what="payment", card=card.handle)
    return _played(box, state, seat, card, ())


def _played(
    box: Box, state: AdamantineState, seat: int, card: Held, sacrificed: tuple[int, ...]
) -> CardPlayed:
    gold = min(reward(state, seat), price(box, state.players[seat], card.card))
    return CardPlayed(seat=seat, card=card.card, held=card.handle, sacrificed=sacrificed, gold=gold)


# --- paying ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def may_add(needed: int, paid: tuple[int, ...], rest: tuple[int, ...]) -> bool:
    """Whether `paid` can be completed from `rest` to a payment without a superfluous card."""
    smallest = min(paid)
    here = sum(paid)
    if here >= needed:
        return here - smallest < needed
    for least in {value for value in (*rest, smallest) if 0 < value <= smallest}:
        sums = 1 << here
        for value in rest:
            if value >= least:
                sums |= sums << value
        if (sums >> needed) & ((1 << least) - 1):
            return True
    return False


def cost_of_choice(box: Box, state: AdamantineState, choice: Choice) -> int:
    """What has to be sacrificed in all for the card that is being paid for, in gold."""
    card = held(state.players[choice.seat].hero_hand, choice.card)
    assert card is not None
    return cost(box, state, choice.seat, card)


def payable(box: Box, state: AdamantineState, choice: Choice) -> list[int]:
    """Handles of the cards that can be sacrificed next."""
    player = state.players[choice.seat]
    needed = cost_of_choice(box, state, choice)
    gear = box.gear
    values = {piece.handle: gear[piece.card].gold for piece in player.in_play}
    paid = [values[handle] for handle in choice.picks]
    rest = {handle: value for handle, value in values.items() if value and handle not in choice.picks}
    pool = sorted(rest.values())
    fits: dict[int, bool] = {}
    for value in pool:
        if value not in fits:
            others = list(pool)
            others.remove(value)
            fits[value] = may_add(needed, tuple(sorted((*paid, value))), tuple(others))
    return [handle for handle, value in rest.items() if fits[value]]


def sacrifice(box: Box, state: AdamantineState, command: Sacrifice, choice: Choice) -> Event:
    if command.card not in payable(box, state, choice):
        raise IllegalCommand("not-for-this-payment", "That card can't be part of this payment.")
    player = state.players[choice.seat]
    card = held(player.hero_hand, choice.card)
    assert card is not None
    picks = (*choice.picks, command.card)
    if gold_of(box, player, picks) >= cost(box, state, choice.seat, card):
        return _played(box, state, choice.seat, card, picks)
    return CardPicked(seat=choice.seat, card=command.card)


def gold_of(box: Box, player: Player, handles: Sequence[int]) -> int:
    gear = box.gear
    return sum([gear[piece.card].gold for piece in player.in_play if piece.handle in handles])


def card_played(box: Box, state: AdamantineState, event: CardPlayed) -> AdamantineState:
    state = replace(state, choice=None)
    if event.gold and state.exploration is not None:
        exploration = replace(state.exploration, gold=state.exploration.gold - event.gold)
        state = replace(state, exploration=exploration)
    state = brought_into_play(state, event.seat, event.held, event.card)
    if event.sacrificed:
        state = discarded_from_play(box, state, event.seat, event.sacrificed)
    return onward(box, state)


# --- possession --------------------------------------------------------------------------------------------


def champions_in_hand(box: Box, player: Player) -> list[int]:
    return [card.handle for card in player.hero_hand if card.card in box.champions]


def possess(box: Box, state: AdamantineState, command: Possess, seat: int) -> ChampionPossessed:
    card = held(state.players[seat].hero_hand, command.card)
    if card is None or card.card not in box.champions:
        raise IllegalCommand("no-champion-in-hand", "That is no champion of the own hand.")
    return ChampionPossessed(seat=seat, champion=card.card, held=card.handle)


def possessed(box: Box, state: AdamantineState, event: ChampionPossessed) -> AdamantineState:
    """The new champion is unwounded; classes, prestige classes and feats go with the old one."""
    player = state.players[event.seat]
    assert player.champion is not None
    gone = [piece.card for piece in player.in_play if box.kinds[piece.card] in GOES_WITH_CHAMPION]
    player = replace(
        player,
        champion=Piece(state.handles + 1, event.champion),
        wounds=0,
        in_play=tuple(piece for piece in player.in_play if box.kinds[piece.card] not in GOES_WITH_CHAMPION),
        hero_hand=tuple(card for card in player.hero_hand if card.handle != event.held),
        hero_discard=(*player.hero_discard, player.champion.card, *gone),
    )
    return replace(put_player(state, player), handles=state.handles + 1)
