"""What happens in a match of Adellos.

A command leads to one event that says all that was decided; what it costs and changes follows from it and the
content. What the rules add (cards drawn, how a combat ends, the next turn) are events of their own.
"""

from typing import Annotated

from domain.game import Event, hidden, owned, public

SEAT = public("the seat")
DRAW = public("index of the draw in the match's chance")
PICKS = public("targets in the order they were chosen; an empty text is `no more`")
AP = public("action points spent", unit="AP")


class FactionsDrawn(Event, frozen=True, gc=False):
    TOPIC = "adellos.factions_drawn.1"
    REVEALS = True

    draw: Annotated[int, DRAW]
    factions: Annotated[tuple[str, ...], public("faction of each seat")]


class FirstSeatDrawn(Event, frozen=True, gc=False):
    TOPIC = "adellos.first_seat_drawn.1"
    REVEALS = True

    draw: Annotated[int, DRAW]
    seat: Annotated[int, public("the starting seat")]


class DeckShuffled(Event, frozen=True, gc=False):
    TOPIC = "adellos.deck_shuffled.1"
    REVEALS = True

    draw: Annotated[int, DRAW]
    cards: Annotated[int, public("size of the deck", unit="cards")]
    order: Annotated[tuple[str, ...], hidden("the whole deck, next card first")]


class TradingAnswered(Event, frozen=True, gc=False):
    TOPIC = "adellos.trading_answered.1"

    seat: Annotated[int, SEAT]
    agree: Annotated[bool, public("whether the seat agrees to gifts")]


class NobleChosen(Event, frozen=True, gc=False):
    TOPIC = "adellos.noble_chosen.1"

    seat: Annotated[int, SEAT]
    noble: Annotated[str, public("the noble")]


class NoblePlaced(Event, frozen=True, gc=False):
    TOPIC = "adellos.noble_placed.1"

    seat: Annotated[int, SEAT]
    field: Annotated[int, public("its field")]


class SetUpEnded(Event, frozen=True, gc=False):
    TOPIC = "adellos.set_up_ended.1"

    seat: Annotated[int, SEAT]


class TurnStarted(Event, frozen=True, gc=False):
    """Cards in front are applied and gone, resources received, action points counted."""

    TOPIC = "adellos.turn_started.1"

    seat: Annotated[int, SEAT]
    ap: Annotated[int, public("action points of the turn", unit="AP")]
    gold: Annotated[int, public("gold received, or lost if negative", unit="gold")]
    cards: Annotated[int, public("event cards to draw", unit="cards")]
    held: Annotated[int, public("own turns in a row that began with the bonus field held", unit="turns")]


class CardDrawn(Event, frozen=True, gc=False):
    TOPIC = "adellos.card_drawn.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    card: Annotated[str, owned("the card")]


class DrawSkipped(Event, frozen=True, gc=False):
    """The deck is empty or the hand is full: nothing is drawn."""

    TOPIC = "adellos.draw_skipped.1"

    seat: Annotated[int, SEAT]
    cards: Annotated[int, public("cards not drawn", unit="cards")]


class UnitHired(Event, frozen=True, gc=False):
    TOPIC = "adellos.unit_hired.1"

    seat: Annotated[int, SEAT]
    unit: Annotated[str, public("the unit")]
    field: Annotated[int, public("its field")]
    gold: Annotated[int, public("gold paid", unit="gold")]
    counters: Annotated[int, public("Time Counters laid on it", unit="counters")]


class UnitMoved(Event, frozen=True, gc=False):
    TOPIC = "adellos.unit_moved.1"

    field: Annotated[int, public("where it stood")]
    to: Annotated[int, public("where it stands")]
    ap: Annotated[int, AP]


class UnitsSwapped(Event, frozen=True, gc=False):
    TOPIC = "adellos.units_swapped.1"

    field: Annotated[int, public("field of one unit")]
    other: Annotated[int, public("field of the other")]


class CombatBegun(Event, frozen=True, gc=False):
    TOPIC = "adellos.combat_begun.1"

    attacker: Annotated[int, public("field of the attacker")]
    defender: Annotated[int, public("field of the unit attacked")]


class Passed(Event, frozen=True, gc=False):
    TOPIC = "adellos.passed.1"

    seat: Annotated[int, SEAT]


class UnitDefeated(Event, frozen=True, gc=False):
    """The defender leaves the game; with a noble its player does."""

    TOPIC = "adellos.unit_defeated.1"

    field: Annotated[int, public("field of the unit")]
    unit: Annotated[str, public("the unit")]
    attack: Annotated[int, public("attack it was defeated with")]
    defence: Annotated[int, public("its defence")]


class CombatEnded(Event, frozen=True, gc=False):
    """Nothing leaves the game. Both values are none where the combat was broken off."""

    TOPIC = "adellos.combat_ended.1"

    attack: Annotated[int | None, public("attack of the attacker")] = None
    defence: Annotated[int | None, public("defence of the defender")] = None


class CardPlayed(Event, frozen=True, gc=False):
    """The card is shown and paid for. What needs no target happens at once, the rest when it is aimed."""

    TOPIC = "adellos.card_played.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    card: Annotated[str, public("the card")]
    ap: Annotated[int, AP]


class CardAimed(Event, frozen=True, gc=False):
    """All targets of the played card are chosen: what it does happens."""

    TOPIC = "adellos.card_aimed.1"

    seat: Annotated[int, SEAT]
    card: Annotated[str, public("the card")]
    picks: Annotated[tuple[int | str, ...], PICKS] = ()


class AbilityUsed(Event, frozen=True, gc=False):
    TOPIC = "adellos.ability_used.1"

    seat: Annotated[int, SEAT]
    field: Annotated[int, public("field of the unit")]
    ability: Annotated[str, public("the ability")]
    gold: Annotated[int, public("gold paid", unit="gold")]
    ap: Annotated[int, AP]
    picks: Annotated[tuple[int | str, ...], PICKS] = ()


class HandSeen(Event, frozen=True, gc=False):
    """`seat` looked at the hand of `of`."""

    TOPIC = "adellos.hand_seen.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    of: Annotated[int, public("whose hand")]
    hand: Annotated[tuple[str, ...], owned("the cards")]


class ChoiceBegun(Event, frozen=True, gc=False):
    TOPIC = "adellos.choice_begun.1"

    seat: Annotated[int, SEAT]
    hire: Annotated[str, owned("unit to be hired")] = ""
    field: Annotated[int, owned("field of the unit whose ability is used")] = -1
    ability: Annotated[str, owned("ability to be used")] = ""


class TargetChosen(Event, frozen=True, gc=False):
    TOPIC = "adellos.target_chosen.1"

    seat: Annotated[int, SEAT]
    pick: Annotated[int | str, owned("the target; an empty text is `no more`")]


class ChoiceCancelled(Event, frozen=True, gc=False):
    TOPIC = "adellos.choice_cancelled.1"

    seat: Annotated[int, SEAT]


class CounterKept(Event, frozen=True, gc=False):
    TOPIC = "adellos.counter_kept.1"

    field: Annotated[int, public("field of the unit")]
    keep: Annotated[bool, public("whether its counters are left alone")]


class GoldGiven(Event, frozen=True, gc=False):
    TOPIC = "adellos.gold_given.1"

    seat: Annotated[int, public("who gives")]
    to: Annotated[int, public("who gets")]


class CardGiven(Event, frozen=True, gc=False):
    """The giver sees which card here, the receiver in the hand."""

    TOPIC = "adellos.card_given.1"
    REVEALS = True

    seat: Annotated[int, public("who gives")]
    to: Annotated[int, public("who gets")]
    card: Annotated[str, owned("the card")]


class TurnEnded(Event, frozen=True, gc=False):
    TOPIC = "adellos.turn_ended.1"
    AWAITS_SYSTEM = True

    seat: Annotated[int, SEAT]
    lapsed: Annotated[int, public("action points that lapsed", unit="AP")] = 0


class CountersTicked(Event, frozen=True, gc=False):
    TOPIC = "adellos.counters_ticked.1"

    seat: Annotated[int, SEAT]
    fields: Annotated[tuple[int, ...], public("fields of the units that lost a Time Counter")]


class SeatResigned(Event, frozen=True, gc=False):
    TOPIC = "adellos.seat_resigned.1"

    seat: Annotated[int, SEAT]


EVENTS: tuple[type[Event], ...] = (
    FactionsDrawn,
    FirstSeatDrawn,
    DeckShuffled,
    TradingAnswered,
    NobleChosen,
    NoblePlaced,
    SetUpEnded,
    TurnStarted,
    CardDrawn,
    DrawSkipped,
    UnitHired,
    UnitMoved,
    UnitsSwapped,
    CombatBegun,
    Passed,
    UnitDefeated,
    CombatEnded,
    CardPlayed,
    CardAimed,
    AbilityUsed,
    HandSeen,
    ChoiceBegun,
    TargetChosen,
    ChoiceCancelled,
    CounterKept,
    GoldGiven,
    CardGiven,
    TurnEnded,
    CountersTicked,
    SeatResigned,
)
