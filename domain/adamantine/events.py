"""What happens in a match of Adamantine.

A command leads to one event that says all that was decided; what the rules add (dice, effects, cards drawn, the
end of an exploration) are events of their own. Each die and each shuffle is one event with its draw.
"""

from typing import Annotated, Literal

from domain.adamantine.effects import Stat
from domain.adamantine.options import DeckList
from domain.adamantine.state import Part
from domain.game import Event, hidden, owned, public

SEAT = public("the seat")
DRAW = public("index of the draw in the match's chance")
DIE = public("value of the die")
ROOM = public("handle of the room")


class FirstSeatDrawn(Event, frozen=True, gc=False):
    TOPIC = "adamantine.first_seat_drawn.1"
    REVEALS = True

    draw: Annotated[int, DRAW]
    seat: Annotated[int, public("the starting seat")]


class DeckBrought(Event, frozen=True, gc=False):
    TOPIC = "adamantine.deck_brought.1"

    seat: Annotated[int, SEAT]
    cards: Annotated[DeckList, owned("how many of each card")]


class ChampionChosen(Event, frozen=True, gc=False):
    TOPIC = "adamantine.champion_chosen.1"

    seat: Annotated[int, SEAT]
    champion: Annotated[str, public("the champion")]


class ClassChosen(Event, frozen=True, gc=False):
    TOPIC = "adamantine.class_chosen.1"

    seat: Annotated[int, SEAT]
    hero_class: Annotated[str, public("the class")]


class DeckShuffled(Event, frozen=True, gc=False):
    TOPIC = "adamantine.deck_shuffled.1"
    REVEALS = True

    draw: Annotated[int, DRAW]
    seat: Annotated[int, SEAT]
    deck: Annotated[Literal["hero", "dungeon"], public("which of the decks")]
    cards: Annotated[int, public("size of the deck", unit="cards")]
    order: Annotated[tuple[str, ...], hidden("the whole deck, next card first")]


class DayBegun(Event, frozen=True, gc=False):
    """A turn starts: the hero hand is filled up."""

    TOPIC = "adamantine.day_begun.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    drawn: Annotated[int, public("hero cards drawn", unit="cards")]
    cards: Annotated[tuple[str, ...], owned("the cards")]


class DayEnded(Event, frozen=True, gc=False):
    TOPIC = "adamantine.day_ended.1"

    seat: Annotated[int, SEAT]


class NightBegun(Event, frozen=True, gc=False):
    """What is left of the dungeon hand is discarded, a new one drawn."""

    TOPIC = "adamantine.night_begun.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    discarded: Annotated[tuple[str, ...], public("dungeon cards of the last night")]
    drawn: Annotated[int, public("dungeon cards drawn", unit="cards")]
    cards: Annotated[tuple[str, ...], owned("the cards")]


class NightFailed(Event, frozen=True, gc=False):
    """No dungeon card is left to draw at the start of the night: the seat has lost."""

    TOPIC = "adamantine.night_failed.1"

    seat: Annotated[int, SEAT]


class NightEnded(Event, frozen=True, gc=False):
    TOPIC = "adamantine.night_ended.1"

    seat: Annotated[int, SEAT]


class ChoiceBegun(Event, frozen=True, gc=False):
    """A payment or a room is begun, or an ability taken up that is aimed at a room."""

    TOPIC = "adamantine.choice_begun.1"

    seat: Annotated[int, SEAT]
    what: Annotated[Literal["payment", "room", "aim"], public("what is put together")]
    card: Annotated[int, owned("handle of the card to be paid for or used; 0 if none")] = 0


class CardPicked(Event, frozen=True, gc=False):
    """A card or point was chosen; nothing has happened yet."""

    TOPIC = "adamantine.card_picked.1"

    seat: Annotated[int, SEAT]
    card: Annotated[int, owned("handle of the card")]
    times: Annotated[int, owned("points of damage, or 1")] = 1


class ChoiceCancelled(Event, frozen=True, gc=False):
    TOPIC = "adamantine.choice_cancelled.1"

    seat: Annotated[int, SEAT]


class CardPlayed(Event, frozen=True, gc=False):
    TOPIC = "adamantine.card_played.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    card: Annotated[str, public("the card")]
    held: Annotated[int, owned("its handle in the hand")]
    sacrificed: Annotated[tuple[int, ...], public("handles of the cards sacrificed for it")] = ()
    gold: Annotated[int, public("reward gold spent", unit="gold")] = 0


class AbilityUsed(Event, frozen=True, gc=False):
    TOPIC = "adamantine.ability_used.1"

    seat: Annotated[int, SEAT]
    card: Annotated[int, public("handle of the card used")]
    target: Annotated[int, public("handle it is aimed at; 0 if at none")] = 0


class EffectPerformed(Event, frozen=True, gc=False):
    """The next effect of a card that is being performed; what it does is printed there."""

    TOPIC = "adamantine.effect_performed.1"

    seat: Annotated[int, public("whose champion it is about")]
    card: Annotated[str, public("the card")]
    part: Annotated[Part, public("which of its effects")]
    number: Annotated[int, public("number of the effect, from 0")]


class HeroCardsDrawn(Event, frozen=True, gc=False):
    """An effect drew hero cards."""

    TOPIC = "adamantine.hero_cards_drawn.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    drawn: Annotated[int, public("hero cards drawn", unit="cards")]
    cards: Annotated[tuple[str, ...], owned("the cards")]


class DungeonCardsDiscarded(Event, frozen=True, gc=False):
    """Cards went from the top of a dungeon deck to its discard."""

    TOPIC = "adamantine.dungeon_cards_discarded.1"
    REVEALS = True

    seat: Annotated[int, public("whose deck")]
    cards: Annotated[tuple[str, ...], public("the cards")]


class RoomSeen(Event, frozen=True, gc=False):
    """`seat` looked at a face-down room."""

    TOPIC = "adamantine.room_seen.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    room: Annotated[int, ROOM]
    cards: Annotated[tuple[str, ...], owned("its cards in the order they were laid")]


class Searched(Event, frozen=True, gc=False):
    TOPIC = "adamantine.searched.1"
    REVEALS = True

    draw: Annotated[int, DRAW]
    seat: Annotated[int, SEAT]
    die: Annotated[int, DIE]
    cards: Annotated[tuple[str, ...], public("cards the opponent moves from the dungeon deck to the discard")]


class ChampionPossessed(Event, frozen=True, gc=False):
    TOPIC = "adamantine.champion_possessed.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    champion: Annotated[str, public("the new champion")]
    held: Annotated[int, owned("its handle in the hand")]


class ChampionSlain(Event, frozen=True, gc=False):
    """A champion is dead and no other follows."""

    TOPIC = "adamantine.champion_slain.1"

    seat: Annotated[int, SEAT]


class RoomBuilt(Event, frozen=True, gc=False):
    TOPIC = "adamantine.room_built.1"

    seat: Annotated[int, SEAT]
    size: Annotated[int, public("number of its cards", unit="cards")]
    cards: Annotated[tuple[str, ...], owned("its cards in the order they were laid")]


class EncounterRolled(Event, frozen=True, gc=False):
    TOPIC = "adamantine.encounter_rolled.1"
    REVEALS = True

    draw: Annotated[int, DRAW]
    seat: Annotated[int, SEAT]
    die: Annotated[int, DIE]


class EncounterLaid(Event, frozen=True, gc=False):
    TOPIC = "adamantine.encounter_laid.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    cards: Annotated[tuple[str, ...], public("its cards in the order they were laid")]


class RoomExplored(Event, frozen=True, gc=False):
    """The champion enters a room; all its cards are turned up."""

    TOPIC = "adamantine.room_explored.1"
    REVEALS = True

    seat: Annotated[int, public("whose champion explores")]
    room: Annotated[int, ROOM]
    cards: Annotated[tuple[str, ...], public("its cards in the order they were laid")]


class RoomTrimmed(Event, frozen=True, gc=False):
    """The owner discarded cards of a room that was too dangerous (AM-6)."""

    TOPIC = "adamantine.room_trimmed.1"

    seat: Annotated[int, public("whose room it is")]
    cards: Annotated[tuple[int, ...], public("handles of the cards discarded")]


class EventResolved(Event, frozen=True, gc=False):
    """An event card comes into force and is discarded; its effects follow."""

    TOPIC = "adamantine.event_resolved.1"

    card: Annotated[int, public("handle of the event card")]


class StatisticChosen(Event, frozen=True, gc=False):
    TOPIC = "adamantine.statistic_chosen.1"

    seat: Annotated[int, SEAT]
    statistic: Annotated[Stat, public("the statistic")]


class DamageRolled(Event, frozen=True, gc=False):
    TOPIC = "adamantine.damage_rolled.1"
    REVEALS = True

    draw: Annotated[int, DRAW]
    die: Annotated[int, DIE]
    damage: Annotated[int, public("damage to divide among the monsters", unit="damage")]


class DamageDivided(Event, frozen=True, gc=False):
    TOPIC = "adamantine.damage_divided.1"

    seat: Annotated[int, SEAT]
    beaten: Annotated[tuple[int, ...], public("handles of the monsters that die")]


class MonsterStruck(Event, frozen=True, gc=False):
    TOPIC = "adamantine.monster_struck.1"

    card: Annotated[int, public("handle of the monster")]
    target: Annotated[int, public("handle of the champion or ally that takes its damage")]
    damage: Annotated[int, public("damage it deals", unit="damage")]


class CheckBegun(Event, frozen=True, gc=False):
    """The explorer uses nothing more against the trap."""

    TOPIC = "adamantine.check_begun.1"

    seat: Annotated[int, SEAT]


class CheckRolled(Event, frozen=True, gc=False):
    TOPIC = "adamantine.check_rolled.1"
    REVEALS = True

    draw: Annotated[int, DRAW]
    card: Annotated[int, public("handle of the trap")]
    die: Annotated[int, DIE]
    total: Annotated[int, public("die and statistic together")]


class RewardEnded(Event, frozen=True, gc=False):
    """Nothing more is played for the reward; what is left is lost (AM-14)."""

    TOPIC = "adamantine.reward_ended.1"

    seat: Annotated[int, SEAT]
    lost: Annotated[int, public("reward gold not spent", unit="gold")]


class CardsLost(Event, frozen=True, gc=False):
    """Cards an effect asked for are discarded, from play or from the hand."""

    TOPIC = "adamantine.cards_lost.1"
    REVEALS = True

    seat: Annotated[int, SEAT]
    handles: Annotated[tuple[int, ...], owned("handles of the cards")]
    cards: Annotated[tuple[str, ...], public("the cards")]


class ExplorationEnded(Event, frozen=True, gc=False):
    """What was not beaten stays; of an encounter nothing does (AM-11)."""

    TOPIC = "adamantine.exploration_ended.1"

    room: Annotated[int, ROOM]


class SeatResigned(Event, frozen=True, gc=False):
    TOPIC = "adamantine.seat_resigned.1"

    seat: Annotated[int, SEAT]


EVENTS: tuple[type[Event], ...] = (
    FirstSeatDrawn,
    DeckBrought,
    ChampionChosen,
    ClassChosen,
    DeckShuffled,
    DayBegun,
    DayEnded,
    NightBegun,
    NightFailed,
    NightEnded,
    ChoiceBegun,
    CardPicked,
    ChoiceCancelled,
    CardPlayed,
    AbilityUsed,
    EffectPerformed,
    HeroCardsDrawn,
    DungeonCardsDiscarded,
    RoomSeen,
    Searched,
    ChampionPossessed,
    ChampionSlain,
    RoomBuilt,
    EncounterRolled,
    EncounterLaid,
    RoomExplored,
    RoomTrimmed,
    EventResolved,
    StatisticChosen,
    DamageRolled,
    DamageDivided,
    MonsterStruck,
    CheckBegun,
    CheckRolled,
    RewardEnded,
    CardsLost,
    ExplorationEnded,
    SeatResigned,
)
