"""Before play: factions and starting seat, trading, nobles, first purchases."""

from msgspec.structs import replace

from domain.adellos.board import change_player, put, with_player
from domain.adellos.box import Box, Ground
from domain.adellos.commands import AgreeTrading, ChooseNoble, PlaceNoble
from domain.adellos.effects import StartingGold
from domain.adellos.events import (
    DeckShuffled,
    FactionsDrawn,
    FirstSeatDrawn,
    NobleChosen,
    NoblePlaced,
    SetUpEnded,
    TradingAnswered,
)
from domain.adellos.options import AdellosOptions
from domain.adellos.state import NOBODY, AdellosState, Phase, Player, Unit
from domain.chance import Chance
from domain.game import Event, IllegalCommand

MIDDLE_SEAT = 1  # of three players
MIDDLE_SEAT_GOLD = 2


def initial(box: Box, options: AdellosOptions, seats: int) -> AdellosState:
    """The empty board. Raises IllegalCommand for options that don't fit the players or the content."""
    ground = box.ground(options)
    castles = ground.board.castles.get(str(seats))
    if castles is None:
        raise IllegalCommand("board-not-for-players", "This board isn't made for so many players.")
    if options.factions:
        if len(options.factions) != seats:
            raise IllegalCommand(
                "factions-not-for-seats", "There must be one faction for each seat, or none."
            )
        if any(faction not in box.factions for faction in options.factions):
            raise IllegalCommand("unknown-faction", "The content has no such faction.")
    if options.first_seat is not None and not 0 <= options.first_seat < seats:
        raise IllegalCommand("unknown-seat", "There is no such seat.")
    state = AdellosState(
        options=options,
        phase="drawing",
        players=tuple(Player(seat, castle) for seat, castle in enumerate(castles)),
        board=(None,) * ground.size,
        tokens=tuple(token.count for token in box.pack.tokens),
        deck=box.deck,
        first=NOBODY if options.first_seat is None else options.first_seat,
    )
    return _with_factions(box, state, options.factions) if options.factions else state


def _with_factions(box: Box, state: AdellosState, factions: tuple[str, ...]) -> AdellosState:
    options = state.options
    players = []
    for player, faction in zip(state.players, factions, strict=True):
        gold = box.factions[faction].gold * (2 if options.gold_rush else 1)
        if options.middle_seat_gold and len(factions) == 3 and player.seat == MIDDLE_SEAT:
            gold += MIDDLE_SEAT_GOLD
        supply = tuple(unit.count for unit in box.factions[faction].units)
        players.append(replace(player, faction=faction, gold=gold, supply=supply))
    return replace(state, players=tuple(players))


def draw(box: Box, state: AdellosState, chance: Chance) -> Event:
    """What is drawn next before anybody decides."""
    if not state.players[0].faction:
        index, order = chance.shuffle("factions", [faction.id for faction in box.pack.factions])
        return FactionsDrawn(draw=index, factions=order[: len(state.players)])
    if state.first == NOBODY:
        index, seat = chance.roll("first seat", len(state.players))
        return FirstSeatDrawn(draw=index, seat=seat - 1)
    index, cards = chance.shuffle("event cards", state.deck)
    return DeckShuffled(draw=index, cards=len(cards), order=cards)


# --- decisions ---------------------------------------------------------------------------------------------


def agree(command: AgreeTrading, seat: int) -> TradingAnswered:
    return TradingAnswered(seat=seat, agree=command.agree)


def choose_noble(box: Box, state: AdellosState, command: ChooseNoble, seat: int) -> NobleChosen:
    if command.noble not in box.nobles[state.players[seat].faction]:
        raise IllegalCommand("not-own-noble", "That is none of the faction's nobles.")
    return NobleChosen(seat=seat, noble=command.noble)


def place_noble(ground: Ground, state: AdellosState, command: PlaceNoble, seat: int) -> NoblePlaced:
    player = state.players[seat]
    if player.noble_at >= 0:
        raise IllegalCommand("noble-placed", "The noble stands on the board.")
    if command.field not in ground.castles[player.castle]:
        raise IllegalCommand("not-own-castle", "The noble is placed in the own castle.")
    return NoblePlaced(seat=seat, field=command.field)


def end(state: AdellosState, seat: int) -> SetUpEnded:
    if state.players[seat].noble_at < 0:
        raise IllegalCommand("noble-not-placed", "The noble has to be placed first.")
    return SetUpEnded(seat=seat)


# --- what events do ----------------------------------------------------------------------------------------


def factions_drawn(box: Box, state: AdellosState, event: FactionsDrawn) -> AdellosState:
    return _with_factions(box, state, event.factions)


def deck_shuffled(state: AdellosState, event: DeckShuffled) -> AdellosState:
    phase: Phase = "agreeing" if state.options.trading else "nobles"
    return replace(state, deck=event.order, shuffled=True, phase=phase, turn=state.first)


def trading_answered(state: AdellosState, event: TradingAnswered) -> AdellosState:
    return to_next(change_player(state, event.seat, agreed=event.agree))


def noble_chosen(box: Box, state: AdellosState, event: NobleChosen) -> AdellosState:
    player = state.players[event.seat]
    gold = player.gold + sum(
        effect.amount for effect in box.kinds[event.noble].standing if type(effect) is StartingGold
    )
    player = replace(player, noble=event.noble, gold=gold)
    return to_next(replace(state, players=with_player(state.players, player)))


def noble_placed(ground: Ground, state: AdellosState, event: NoblePlaced) -> AdellosState:
    noble = Unit(state.players[event.seat].noble, event.seat, event.seat)
    return put(ground, state, (event.field, noble))


def to_next(state: AdellosState) -> AdellosState:
    """Set-up passes to the next seat, after the last one to the next step (AE-12)."""
    seats = len(state.players)
    seat = state.turn
    while True:
        seat = (seat + 1) % seats
        if seat == state.first:
            return _next_step(state)
        if state.players[seat].alive:
            return replace(state, turn=seat)


def _next_step(state: AdellosState) -> AdellosState:
    first = state.first
    while not state.players[first].alive:
        first = (first + 1) % len(state.players)
    if state.phase == "agreeing":
        trading = all(player.agreed for player in state.players if player.alive)
        return replace(state, phase="nobles", turn=first, trading=trading)
    if state.phase == "nobles":
        return replace(state, phase="placing", turn=first)
    return replace(state, phase="ticked", turn=NOBODY)
