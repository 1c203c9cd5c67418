"""What a player of Adamantine asks for. Cards are named by their handles: numbers that say nothing about faces."""

from typing import Annotated

from domain.adamantine.effects import Stat
from domain.adamantine.options import DeckList
from domain.game import Command, public

IN_HAND = public("handle of a card of the own hand")


class BringDeck(Command, frozen=True, gc=False, tag="bring_deck"):
    """Bring a deck: a ready one by its name, or one's own lists."""

    deck: Annotated[str, public("a ready deck's id; empty with lists of one's own")] = ""
    cards: Annotated[DeckList | None, public("the lists; none with a ready deck")] = None


class ChooseChampion(Command, frozen=True, gc=False, tag="choose_champion"):
    """Take a champion out of the own hero deck."""

    champion: Annotated[str, public("the champion")]


class ChooseClass(Command, frozen=True, gc=False, tag="choose_class"):
    """Take a basic class out of the own hero deck."""

    hero_class: Annotated[str, public("the class")]


class PlayCard(Command, frozen=True, gc=False, tag="play_card"):
    """Play a hero card; what is sacrificed for it is chosen next."""

    card: Annotated[int, IN_HAND]


class Sacrifice(Command, frozen=True, gc=False, tag="sacrifice"):
    """Sacrifice a card in play for what is being played."""

    card: Annotated[int, public("handle of an own card in play")]


class Use(Command, frozen=True, gc=False, tag="use"):
    """Use a card's ability. The room it looks into is chosen next, with its handle as target."""

    card: Annotated[int, public("handle of an own card in play")]
    target: Annotated[int, public("handle of a room or monster it is aimed at; 0 if at none")] = 0


class Explore(Command, frozen=True, gc=False, tag="explore"):
    """Explore one of the opponent's rooms."""

    room: Annotated[int, public("handle of the room")]


class Search(Command, frozen=True, gc=False, tag="search"):
    """Search the opponent's dungeon."""


class Possess(Command, frozen=True, gc=False, tag="possess"):
    """Sacrifice the champion for another."""

    card: Annotated[int, IN_HAND]


class Decline(Command, frozen=True, gc=False, tag="decline"):
    """Let no other champion follow."""


class EndDay(Command, frozen=True, gc=False, tag="end_day"):
    """End the own day."""


class BuildRoom(Command, frozen=True, gc=False, tag="build_room"):
    """Build a room; its cards are chosen next."""


class RandomEncounter(Command, frozen=True, gc=False, tag="random_encounter"):
    """Roll for a random encounter; its cards are chosen next."""

    ALSO = ("encounter",)


class LayCard(Command, frozen=True, gc=False, tag="lay_card"):
    """Lay a dungeon card for what is being built."""

    card: Annotated[int, IN_HAND]


class EndNight(Command, frozen=True, gc=False, tag="end_night"):
    """End the own night and turn."""


class ChooseStatistic(Command, frozen=True, gc=False, tag="choose_statistic"):
    """Name the statistic to fight with."""

    ALSO = ("stat", "fight")

    statistic: Annotated[Stat, public("the statistic")]


class AssignDamage(Command, frozen=True, gc=False, tag="assign_damage"):
    """Give a monster one point of the damage, or all it lacks to die."""

    card: Annotated[int, public("handle of the monster")]
    points: Annotated[int, public("points of damage", unit="damage")] = 1


class TakeDamage(Command, frozen=True, gc=False, tag="take_damage"):
    """Say who takes a monster's damage: the champion, or an ally whose card says so."""

    card: Annotated[int, public("handle of the champion or ally")]


class RollCheck(Command, frozen=True, gc=False, tag="roll_check"):
    """Roll against the trap, using nothing more."""


class Discard(Command, frozen=True, gc=False, tag="discard"):
    """Discard a card where a rule or an effect asks for it."""

    card: Annotated[int, public("handle of the card")]


class Finish(Command, frozen=True, gc=False, tag="finish"):
    """Choose or play no more cards."""

    COMPLETES = True
    ALSO = ("done",)


class Cancel(Command, frozen=True, gc=False, tag="cancel"):
    """Take back what was chosen; nothing has happened."""

    TAKES_BACK = True


COMMANDS: tuple[type[Command], ...] = (
    BringDeck,
    ChooseChampion,
    ChooseClass,
    PlayCard,
    Sacrifice,
    Use,
    Explore,
    Search,
    Possess,
    Decline,
    EndDay,
    BuildRoom,
    RandomEncounter,
    LayCard,
    EndNight,
    ChooseStatistic,
    AssignDamage,
    TakeDamage,
    RollCheck,
    Discard,
    Finish,
    Cancel,
)
