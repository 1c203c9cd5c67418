"""The table of a match of Adellos."""

from typing import Annotated, Literal

from msgspec import Struct

from domain.adellos.effects import Value
from domain.adellos.options import AdellosOptions
from domain.game import hidden, owned, public

Phase = Literal["drawing", "agreeing", "nobles", "placing", "turn", "ticking", "ticked", "over"]
Reason = Literal["last_noble", "bonus_field", "sudden_death", "resigned", "turn_limit"]

NOWHERE = -1
NOBODY = -1


class Unit(Struct, frozen=True, gc=False):
    """A unit, noble or token on a field."""

    kind: Annotated[str, public("what it is")]
    seat: Annotated[int, public("the seat that controls it")]
    origin: Annotated[int, public("the seat whose supply it came from; -1 for a token")] = NOBODY
    counters: Annotated[int, public("Time Counters on it", unit="counters")] = 0
    keep: Annotated[bool, public("its counters are left alone when the turn ends")] = False
    used: Annotated[int, public("times its limited ability was used this turn")] = 0
    attack: Annotated[int, public("change of its attack until the turn ends")] = 0
    defence: Annotated[int, public("change of its defence until the turn ends")] = 0
    movement: Annotated[int, public("change of its movement until the turn ends")] = 0


class InFront(Struct, frozen=True, gc=False):
    """A card that lies in front of a player until the player's turn starts."""

    card: Annotated[str, public("the card")]
    by: Annotated[int, public("seat that played it")]


class Player(Struct, frozen=True, gc=False):
    seat: Annotated[int, public("number of the seat")]
    castle: Annotated[int, public("number of the own castle")]
    faction: Annotated[str, public("faction; empty until drawn")] = ""
    noble: Annotated[str, public("noble; empty until chosen")] = ""
    noble_at: Annotated[int, public("field of the noble; -1 if it is on none")] = NOWHERE
    alive: Annotated[bool, public("whether the player is still in the match")] = True
    agreed: Annotated[bool | None, public("whether the seat agreed to trading")] = None
    gold: Annotated[int, public("gold", unit="gold")] = 0
    hand: Annotated[tuple[str, ...], owned("event cards in hand, sorted")] = ()
    supply: Annotated[tuple[int, ...], public("tiles left of each unit of the faction", unit="tiles")] = ()
    front: Annotated[tuple[InFront, ...], public("cards that will be applied to the next turn")] = ()
    holding: Annotated[bool, public("the bonus field is held since the own turn ended")] = False
    held: Annotated[int, public("own turns in a row that began with the bonus field held", unit="turns")] = 0
    summons: Annotated[int, public("summons made this turn")] = 0
    copied: Annotated[str, public("noble whose ability is copied until the turn ends; empty if none")] = ""


class Modifier(Struct, frozen=True, gc=False):
    """A change of a value of one player's units until the turn ends."""

    seat: Annotated[int, public("whose units")]
    value: Annotated[Value, public("which value")]
    amount: Annotated[int, public("by how much")]
    of: Annotated[tuple[str, ...], public("units or traits it is limited to; all if empty")] = ()


class Played(Struct, frozen=True, gc=False):
    """A card played in the combat that goes on."""

    seat: Annotated[int, public("who played it")]
    card: Annotated[str, public("the card")]
    attack: Annotated[int, public("change of the attacker's attack")] = 0
    defence: Annotated[int, public("change of the defender's defence")] = 0
    cancelled: Annotated[bool, public("another card cancelled it")] = False


class Combat(Struct, frozen=True, gc=False):
    attacker: Annotated[int, public("field of the attacker")]
    defender: Annotated[int, public("field of the unit attacked")]
    seats: Annotated[tuple[int, int], public("seats of attacker and defender")]
    asked: Annotated[int, public("seat that plays a card or passes")]
    passes: Annotated[int, public("passes in succession")] = 0
    broken: Annotated[bool, public("a card broke it off")] = False
    played: Annotated[tuple[Played, ...], public("cards played, oldest first")] = ()


class Choice(Struct, frozen=True, gc=False):
    """Something that is being aimed by `seat`. A card is played already; the rest only the seat itself knows."""

    seat: Annotated[int, public("who chooses")]
    hire: Annotated[str, owned("unit to be hired; empty if none")] = ""
    card: Annotated[str, public("card that is played; empty if none")] = ""
    field: Annotated[int, owned("field of the unit whose ability is used; -1 if none")] = NOWHERE
    ability: Annotated[str, owned("ability to be used; empty if none")] = ""
    picks: Annotated[tuple[int | str, ...], owned("what was chosen so far; an empty text is `no more`")] = ()


class Owed(Struct, frozen=True, gc=False):
    """Event cards a player still has to draw, or a hand the player still has to see."""

    seat: Annotated[int, public("who draws or looks")]
    cards: Annotated[int, public("how many", unit="cards")] = 0
    look: Annotated[int, public("whose hand; -1 for a draw")] = NOBODY


class AdellosState(Struct, frozen=True, gc=False):
    options: Annotated[AdellosOptions, public("the match's options")]
    phase: Annotated[Phase, public("what is going on")]
    players: Annotated[tuple[Player, ...], public("the players by seat")]
    board: Annotated[tuple[Unit | None, ...], public("what stands on each field")]
    tokens: Annotated[tuple[int, ...], public("tokens left of each kind", unit="tiles")]
    deck: Annotated[tuple[str, ...], hidden("event cards not yet drawn, next card first")]
    shuffled: Annotated[bool, public("whether the deck has been shuffled")] = False
    first: Annotated[int, public("the starting seat; -1 until drawn")] = NOBODY
    turn: Annotated[int, public("the seat whose turn or set-up it is; -1 before")] = NOBODY
    turns: Annotated[int, public("turns begun", unit="turns")] = 0
    ap: Annotated[int, public("action points left", unit="AP")] = 0
    combat: Annotated[Combat | None, public("the combat that goes on")] = None
    choice: Annotated[Choice | None, public("what is being aimed")] = None
    modifiers: Annotated[tuple[Modifier, ...], public("changes of values until the turn ends")] = ()
    owed: Annotated[tuple[Owed, ...], public("cards still to be drawn")] = ()
    trading: Annotated[bool, public("gifts are allowed")] = False
    winner: Annotated[int, public("the seat that has won; -1 while nobody has")] = NOBODY
    reason: Annotated[Reason | None, public("what ended the match")] = None
