"""The table of a match of Adamantine.

Every card that comes into a hand, into play or into a room gets the next handle, a number counted up in public.
A card that goes from one to the other gets a new one, so no handle says what a card is or how long it was held.
"""

from typing import Annotated, Literal

from msgspec import Struct

from domain.adamantine.options import AdamantineOptions
from domain.game import hidden, owned, public

Phase = Literal[
    "drawing", "bringing", "champions", "classes", "shuffling", "dawn", "day", "dusk", "night", "over"
]
Step = Literal[
    "trimming",
    "events",
    "combat",
    "rolling",
    "dividing",
    "striking",
    "reward",
    "checks",
    "checking",
    "ending",
]
Part = Literal["use", "event", "success", "failure", "strike"]
Reason = Literal["champion_slain", "no_cards_at_night", "resigned", "turn_limit"]

NOBODY = -1
HANDLE = public("handle")


class Held(Struct, frozen=True, gc=False):
    """A card in a hand."""

    handle: Annotated[int, HANDLE]
    card: Annotated[str, public("what it is")]


class Piece(Struct, frozen=True, gc=False):
    """A hero card in play."""

    handle: Annotated[int, HANDLE]
    card: Annotated[str, public("what it is")]
    used: Annotated[int, public("times its ability was used this turn")] = 0


class Laid(Struct, frozen=True, gc=False):
    """A card in a room. The view shows its face to the owner, to who has looked, and once it is turned up."""

    handle: Annotated[int, HANDLE]
    card: Annotated[str, hidden("what it is")]
    up: Annotated[bool, public("whether it is turned up")] = False


class Room(Struct, frozen=True, gc=False):
    handle: Annotated[int, HANDLE]
    cards: Annotated[tuple[Laid, ...], public("its cards in the order they were laid")]
    explored: Annotated[bool, public("it was explored today (AM-4)")] = False
    seen: Annotated[bool, public("the opponent has looked at its cards")] = False
    encounter: Annotated[bool, public("it is a random encounter")] = False


class Player(Struct, frozen=True, gc=False):
    seat: Annotated[int, public("number of the seat")]
    deck: Annotated[str, public("ready deck played; empty if the seat has lists of its own")] = ""
    secret: Annotated[bool, public("what the decks hold is known to the seat alone")] = False
    hero_deck: Annotated[tuple[str, ...], hidden("hero cards not yet drawn, next card first")] = ()
    dungeon_deck: Annotated[tuple[str, ...], hidden("dungeon cards not yet drawn, next card first")] = ()
    hero_hand: Annotated[tuple[Held, ...], owned("hero cards in hand")] = ()
    dungeon_hand: Annotated[tuple[Held, ...], owned("dungeon cards in hand")] = ()
    champion: Annotated[Piece | None, public("the champion")] = None
    wounds: Annotated[int, public("the champion's wounds", unit="health")] = 0
    in_play: Annotated[tuple[Piece, ...], public("the other hero cards in play")] = ()
    hero_discard: Annotated[tuple[str, ...], public("discarded hero cards, oldest first")] = ()
    dungeon_discard: Annotated[tuple[str, ...], public("discarded dungeon cards, oldest first")] = ()
    rooms: Annotated[tuple[Room, ...], public("the own rooms")] = ()
    days: Annotated[int, public("own days begun", unit="days")] = 0
    free: Annotated[tuple[int, ...], owned("handles of the first day's cards (AM-3)")] = ()
    searches: Annotated[int, public("searches left today")] = 0
    explorations: Annotated[int, public("explorations made today")] = 0
    encounters: Annotated[int, public("random encounters rolled tonight")] = 0


class Choice(Struct, frozen=True, gc=False):
    """A payment, a room or an encounter that is being put together, or an ability being aimed at a room."""

    seat: Annotated[int, public("who chooses")]
    what: Annotated[Literal["payment", "room", "encounter", "aim"], public("what is put together")]
    card: Annotated[int, owned("handle of the card to be paid for or used; 0 if none")] = 0
    picks: Annotated[tuple[int, ...], owned("handles chosen so far")] = ()
    limit: Annotated[int, public("cards an encounter may have", unit="cards")] = 0


class Cursor(Struct, frozen=True, gc=False):
    """Effects of a card that are being performed one after the other."""

    seat: Annotated[int, public("whose champion they are about")]
    card: Annotated[str, public("the card")]
    part: Annotated[Part, public("which of its effects")]
    done: Annotated[int, public("effects performed")] = 0
    target: Annotated[int, public("handle aimed at; 0 if none")] = 0


class Change(Struct, frozen=True, gc=False):
    """A change of a statistic in this room; of all four if it names none."""

    amount: Annotated[int, public("the change")]
    statistic: Annotated[str, public("the statistic; empty for every one")] = ""
    lasting: Annotated[bool, public("until the room is left, not for this combat or check only")] = False


class Exploration(Struct, frozen=True, gc=False):
    """An opponent's champion in a room, or in an encounter."""

    explorer: Annotated[int, public("whose champion explores")]
    owner: Annotated[int, public("whose room it is")]
    room: Annotated[int, public("handle of the room")]
    step: Annotated[Step, public("what is going on")]
    queue: Annotated[tuple[int, ...], public("monsters still to strike, or traps still to check")] = ()
    statistic: Annotated[str, public("statistic named for the combat")] = ""
    damage: Annotated[int, public("damage to divide", unit="damage")] = 0
    picks: Annotated[
        tuple[int, ...], hidden("handles chosen so far, one for each card or point of damage")
    ] = ()
    gold: Annotated[int, public("reward gold", unit="gold")] = 0
    changes: Annotated[tuple[Change, ...], public("changes of statistics")] = ()
    shield: Annotated[int, public("each monster deals so much less", unit="damage")] = 0
    rage: Annotated[int, public("each monster deals so much more", unit="damage")] = 0
    toughness: Annotated[int, public("each monster has so much more health", unit="health")] = 0


class AdamantineState(Struct, frozen=True, gc=False):
    options: Annotated[AdamantineOptions, public("the match's options")]
    phase: Annotated[Phase, public("what is going on")]
    players: Annotated[tuple[Player, ...], public("the players by seat")]
    first: Annotated[int, public("the starting seat; -1 until drawn")] = NOBODY
    turn: Annotated[int, public("the seat whose turn or set-up it is; -1 before")] = NOBODY
    turns: Annotated[int, public("turns begun", unit="turns")] = 0
    shuffles: Annotated[int, public("decks shuffled", unit="decks")] = 0
    handles: Annotated[int, public("handles given out")] = 0
    choice: Annotated[Choice | None, public("what is being put together")] = None
    cursor: Annotated[Cursor | None, public("effects being performed")] = None
    exploration: Annotated[Exploration | None, public("the exploration that goes on")] = None
    dying: Annotated[tuple[int, ...], public("seats whose champion has just died")] = ()
    lost: Annotated[tuple[int, ...], public("seats whose champion was not replaced")] = ()
    winner: Annotated[int, public("the seat that has won; -1 while nobody has")] = NOBODY
    reason: Annotated[Reason | None, public("what ended the match")] = None
