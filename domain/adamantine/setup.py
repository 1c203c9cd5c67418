"""Before play: decks, who starts, champion and first class, shuffling."""

from typing import Literal

from msgspec.structs import replace

from domain.adamantine.box import Box
from domain.adamantine.commands import BringDeck, ChooseChampion, ChooseClass
from domain.adamantine.decks import cards_of, own_deck, ready_deck
from domain.adamantine.events import ChampionChosen, ClassChosen, DeckBrought, DeckShuffled, FirstSeatDrawn
from domain.adamantine.options import AdamantineOptions
from domain.adamantine.state import NOBODY, AdamantineState, Phase, Piece, Player
from domain.adamantine.table import change_player, put_player
from domain.chance import Chance
from domain.game import Event, IllegalCommand

SEATS = 2
SHUFFLED: tuple[tuple[int, Literal["hero", "dungeon"]], ...] = (
    (0, "hero"),
    (0, "dungeon"),
    (1, "hero"),
    (1, "dungeon"),
)


def initial(box: Box, options: AdamantineOptions, seats: int) -> AdamantineState:
    """The empty table. Raises IllegalCommand for options that don't fit the players or the content."""
    if seats != SEATS:
        raise IllegalCommand("two-players", "Adamantine is for two players.")
    if options.first_seat is not None and not 0 <= options.first_seat < SEATS:
        raise IllegalCommand("unknown-seat", "There is no such seat.")
    if options.decks and len(options.decks) != SEATS:
        raise IllegalCommand("decks-not-for-seats", "There must be one deck for each seat, or none.")
    if options.decks and options.bring_decks:
        raise IllegalCommand("decks-brought", "Either the options name the decks or the seats bring them.")
    players = tuple(Player(seat) for seat in range(SEATS))
    if not options.bring_decks:
        names = options.decks or tuple(box.decks)[:SEATS]
        players = tuple(_with_deck(box, player, deck) for player, deck in zip(players, names, strict=True))
    state = AdamantineState(options=options, phase="drawing", players=players)
    return state if options.first_seat is None else _started(state, options.first_seat)


def _with_deck(box: Box, player: Player, name: str) -> Player:
    lists = ready_deck(box, name)
    return replace(player, deck=name, hero_deck=cards_of(lists.hero), dungeon_deck=cards_of(lists.dungeon))


def _started(state: AdamantineState, seat: int) -> AdamantineState:
    phase: Phase = "bringing" if state.options.bring_decks else "champions"
    return replace(state, first=seat, turn=seat, phase=phase)


def draw_first_seat(chance: Chance) -> FirstSeatDrawn:
    index, seat = chance.roll("first seat", SEATS)
    return FirstSeatDrawn(draw=index, seat=seat - 1)


def shuffle(state: AdamantineState, chance: Chance) -> Event:
    seat, deck = SHUFFLED[state.shuffles]
    player = state.players[seat]
    cards = player.hero_deck if deck == "hero" else player.dungeon_deck
    index, order = chance.shuffle(f"{deck} deck of seat {seat}", cards)
    return DeckShuffled(draw=index, seat=seat, deck=deck, cards=len(order), order=order)


# --- decisions ---------------------------------------------------------------------------------------------


def bring_deck(box: Box, command: BringDeck, seat: int) -> DeckBrought:
    if (command.cards is None) == (not command.deck):
        raise IllegalCommand("one-deck", "A ready deck is named, or lists are given.")
    lists = ready_deck(box, command.deck) if command.cards is None else own_deck(box, command.cards)
    return DeckBrought(seat=seat, cards=lists)


def champions(box: Box, player: Player) -> list[str]:
    """The champions of the own hero deck."""
    return sorted({card for card in player.hero_deck if card in box.champions})


def classes(box: Box, player: Player) -> list[str]:
    """The basic classes of the own hero deck."""
    return sorted({card for card in player.hero_deck if box.kinds[card] == "class"})


def choose_champion(box: Box, state: AdamantineState, command: ChooseChampion, seat: int) -> ChampionChosen:
    if command.champion not in champions(box, state.players[seat]):
        raise IllegalCommand("no-such-champion", "That is no champion of the own hero deck.")
    return ChampionChosen(seat=seat, champion=command.champion)


def choose_class(box: Box, state: AdamantineState, command: ChooseClass, seat: int) -> ClassChosen:
    if command.hero_class not in classes(box, state.players[seat]):
        raise IllegalCommand("no-such-class", "That is no basic class of the own hero deck.")
    return ClassChosen(seat=seat, hero_class=command.hero_class)


# --- what events do ----------------------------------------------------------------------------------------


def first_seat_drawn(state: AdamantineState, event: FirstSeatDrawn) -> AdamantineState:
    return _started(state, event.seat)


def deck_brought(state: AdamantineState, event: DeckBrought) -> AdamantineState:
    state = change_player(
        state,
        event.seat,
        secret=True,
        hero_deck=cards_of(event.cards.hero),
        dungeon_deck=cards_of(event.cards.dungeon),
    )
    return _to_next(state, "bringing", "champions")


def champion_chosen(state: AdamantineState, event: ChampionChosen) -> AdamantineState:
    piece = Piece(state.handles + 1, event.champion)
    player = replace(_without(state.players[event.seat], event.champion), champion=piece)
    return replace(put_player(state, player), handles=piece.handle, phase="classes")


def class_chosen(state: AdamantineState, event: ClassChosen) -> AdamantineState:
    piece = Piece(state.handles + 1, event.hero_class)
    player = replace(_without(state.players[event.seat], event.hero_class), in_play=(piece,))
    state = replace(put_player(state, player), handles=piece.handle)
    return _to_next(state, "champions", "shuffling")


def _without(player: Player, card: str) -> Player:
    deck = list(player.hero_deck)
    deck.remove(card)
    return replace(player, hero_deck=tuple(deck))


def _to_next(state: AdamantineState, here: Phase, after: Phase) -> AdamantineState:
    """Set-up passes from the starting seat to the other, then to the next step."""
    if state.turn == state.first:
        return replace(state, phase=here, turn=1 - state.first)
    return replace(state, phase=after, turn=NOBODY if after == "shuffling" else state.first)


def deck_shuffled(state: AdamantineState, event: DeckShuffled) -> AdamantineState:
    if event.deck == "hero":
        state = change_player(state, event.seat, hero_deck=event.order)
    else:
        state = change_player(state, event.seat, dungeon_deck=event.order)
    done = state.shuffles + 1
    if done < len(SHUFFLED):
        return replace(state, shuffles=done)
    return replace(state, shuffles=done, phase="dawn", turn=state.first)
