"""The closed vocabulary of effects from which every card of a pack is built.

A *standing* effect holds while its card is in play or lies in a room; a *performed* one happens when an ability is
used, an event resolves, a trap is passed or failed, or a monster strikes. A new effect is a class here, its line in
one of the unions, and what it does in `standing.py` or `performing.py`; a pack can't invent one.
"""

from typing import Literal

from msgspec import Struct

Stat = Literal["might", "agility", "wits", "will"]
STATS: tuple[Stat, ...] = ("might", "agility", "wits", "will")
Kind = Literal["champion", "item", "feat", "class", "prestige", "ally"]


class Effect(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="effect"):
    """One effect of a card. Its tag is its `effect` in the pack's JSON."""


# --- standing, on hero cards -------------------------------------------------------------------------------


class Bonus(Effect, frozen=True, gc=False, tag="bonus"):
    """A statistic of the champion is higher: always, in combat only, or against traps only."""

    statistic: Stat
    amount: int
    when: Literal["always", "combat", "check"] = "always"


class Vigour(Effect, frozen=True, gc=False, tag="vigour"):
    """The champion has more health."""

    amount: int


class Armour(Effect, frozen=True, gc=False, tag="armour"):
    """Each monster deals so much less to the champion."""

    amount: int


class Ward(Effect, frozen=True, gc=False, tag="ward"):
    """Traps and events harm the champion so much less."""

    amount: int


class Slayer(Effect, frozen=True, gc=False, tag="slayer"):
    """More damage in a combat in which there is a monster of the trait."""

    trait: str
    amount: int


class Guard(Effect, frozen=True, gc=False, tag="guard"):
    """May take a monster's damage in the champion's place; is discarded by that much or more."""

    toughness: int


class Cheaper(Effect, frozen=True, gc=False, tag="cheaper"):
    """Hero cards of a kind cost less gold, not below 0."""

    kind: Kind
    gold: int


class Plunder(Effect, frozen=True, gc=False, tag="plunder"):
    """Each beaten card gives more reward gold."""

    gold: int


class Insight(Effect, frozen=True, gc=False, tag="insight"):
    """By day the hero hand is filled up to more cards."""

    cards: int


class Searching(Effect, frozen=True, gc=False, tag="searching"):
    """A search moves more cards."""

    cards: int


class Stealth(Effect, frozen=True, gc=False, tag="stealth"):
    """The danger level is lower, not below 0."""

    amount: int


# --- standing, on monsters ---------------------------------------------------------------------------------


class Hardened(Effect, frozen=True, gc=False, tag="hardened"):
    """The damage rolled against its room is lower if it is rolled with this statistic."""

    statistic: Stat
    amount: int


class Weakness(Effect, frozen=True, gc=False, tag="weakness"):
    """The damage rolled against its room is higher if it is rolled with this statistic."""

    statistic: Stat
    amount: int


class Horde(Effect, frozen=True, gc=False, tag="horde"):
    """It deals more for each other monster left in the room."""

    amount: int


# --- performed ---------------------------------------------------------------------------------------------


class Heal(Effect, frozen=True, gc=False, tag="heal"):
    """The champion loses wounds."""

    amount: int


class Draw(Effect, frozen=True, gc=False, tag="draw"):
    """Draw hero cards."""

    cards: int


class Mill(Effect, frozen=True, gc=False, tag="mill"):
    """Cards go from the top of a dungeon deck to its discard: the opponent's, or one's own."""

    cards: int
    whose: Literal["opponent", "own"] = "opponent"


class Boost(Effect, frozen=True, gc=False, tag="boost"):
    """A statistic, or every one, is higher in this combat or check."""

    amount: int
    statistic: Stat | None = None


class Shield(Effect, frozen=True, gc=False, tag="shield"):
    """Each monster deals so much less to the champion until the room is left."""

    amount: int


class Smite(Effect, frozen=True, gc=False, tag="smite"):
    """A chosen monster of the combat with at most so much health is beaten."""

    health: int


class Disarm(Effect, frozen=True, gc=False, tag="disarm"):
    """The trap at hand is passed without a roll if its value is at most this."""

    value: int


class Scout(Effect, frozen=True, gc=False, tag="scout"):
    """Look at the cards of a room; they stay face down."""


class SearchAgain(Effect, frozen=True, gc=False, tag="search_again"):
    """One more search today."""


class Harm(Effect, frozen=True, gc=False, tag="harm"):
    """The explorer's champion is wounded, or both players' are."""

    amount: int
    whom: Literal["explorer", "both"] = "explorer"


class Gold(Effect, frozen=True, gc=False, tag="gold"):
    """More reward gold."""

    amount: int


class Curse(Effect, frozen=True, gc=False, tag="curse"):
    """A statistic, or every one, is lower until the room is left."""

    amount: int
    statistic: Stat | None = None


class Rage(Effect, frozen=True, gc=False, tag="rage"):
    """Each monster of the room deals more until the room is left."""

    amount: int


class Toughen(Effect, frozen=True, gc=False, tag="toughen"):
    """Each monster of the room has more health until the room is left."""

    amount: int


class Lose(Effect, frozen=True, gc=False, tag="lose"):
    """The explorer discards own cards in play of a kind, or of any; never the champion."""

    cards: int
    kind: Literal["item", "feat", "ally", "any"] = "any"


class Forget(Effect, frozen=True, gc=False, tag="forget"):
    """The explorer discards hero cards from the hand."""

    cards: int


class Leave(Effect, frozen=True, gc=False, tag="leave"):
    """The exploration ends; what is left stays."""


Standing = Bonus | Vigour | Armour | Ward | Slayer | Guard | Cheaper | Plunder | Insight | Searching | Stealth
Nature = Hardened | Weakness | Horde
Used = Heal | Draw | Mill | Boost | Shield | Smite | Disarm | Scout | SearchAgain
Suffered = Harm | Heal | Draw | Mill | Gold | Curse | Rage | Toughen | Lose | Forget | Leave
Performed = Used | Suffered
