"""The closed vocabulary of effects from which every ability and every event card of a pack is built.

A *standing* effect holds while the unit that prints it is able; a *performed* one happens when an ability is
used or a card is played. A new effect is a class here, its line in `Standing` or `Performed`, and what it
does in `standing.py` or `performing.py`; a pack can't invent one.
"""

from typing import Literal

from msgspec import Struct

Value = Literal["attack", "defence", "movement"]
VALUES: tuple[Value, ...] = ("attack", "defence", "movement")


class Effect(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="effect"):
    """One effect of an ability or a card. Its tag is its `effect` in the pack's JSON."""


class Target(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Which units an effect may be aimed at. A noble never is, unless `nobles` is set.

    `near`: `adjacent` to the unit that uses the ability, `touching` an able unit of one's own, `fighting` in
    the combat that goes on. `worth` is the most a unit may be worth, `of` names units or traits (empty: all).
    """

    whose: Literal["own", "enemy"]
    near: Literal["anywhere", "adjacent", "touching", "fighting"] = "anywhere"
    worth: int | None = None
    of: tuple[str, ...] = ()
    nobles: bool = False
    counters: bool | None = None  # only units that bear Time Counters (true) or none (false)


# --- standing or performed ---------------------------------------------------------------------------------


class Draw(Effect, frozen=True, gc=False, tag="draw"):
    """Draw event cards: at the start of the own turn, or now."""

    amount: int


class ActionPoints(Effect, frozen=True, gc=False, tag="action_points"):
    """More or fewer action points: at the start of the turn, or now."""

    amount: int


class Aura(Effect, frozen=True, gc=False, tag="aura"):
    """A change of a value.

    Standing: of `adjacent` units, or `everywhere` (nobles only). Performed: of a side's units `everywhere`
    or of one `chosen` unit, both until the turn ends; of one's own or the enemy's unit in a `combat`.
    """

    value: Value
    amount: int
    reach: Literal["adjacent", "everywhere", "chosen", "combat"]
    whose: Literal["own", "enemy"] = "own"
    of: tuple[str, ...] = ()
    target: Target | None = None


# --- standing ----------------------------------------------------------------------------------------------


class Income(Effect, frozen=True, gc=False, tag="income"):
    """Gold at the start of the own turn."""

    amount: int


class Immunity(Effect, frozen=True, gc=False, tag="immunity"):
    """The player's units take no Time Counters."""


class CheaperAbility(Effect, frozen=True, gc=False, tag="cheaper_ability"):
    """An ability costs less gold, not below 0."""

    ability: str
    gold: int


class CheaperSummons(Effect, frozen=True, gc=False, tag="cheaper_summons"):
    """Summoning these units takes fewer Time Counters, not below 0."""

    counters: int
    of: tuple[str, ...]


class MoreSummons(Effect, frozen=True, gc=False, tag="more_summons"):
    """More summons in one turn."""

    amount: int


class StartingGold(Effect, frozen=True, gc=False, tag="starting_gold"):
    """More gold before the first turn."""

    amount: int


# --- performed ---------------------------------------------------------------------------------------------


class Gold(Effect, frozen=True, gc=False, tag="gold"):
    """Gain gold, or lose it (not below 0)."""

    amount: int


class Counters(Effect, frozen=True, gc=False, tag="counters"):
    """Lay Time Counters on units (a positive amount) or take them off (a negative one)."""

    amount: int
    target: Target
    times: int = 1


class Convert(Effect, frozen=True, gc=False, tag="convert"):
    """Take over a unit."""

    target: Target
    times: int = 1


class PlaceToken(Effect, frozen=True, gc=False, tag="token"):
    """Place a token as a hire is placed."""

    token: str


class HireFree(Effect, frozen=True, gc=False, tag="hire"):
    """Hire a unit worth so much at most from the own supply, for nothing and without counters."""

    worth: int


class MoveUnit(Effect, frozen=True, gc=False, tag="move"):
    """Move a unit over free fields."""

    distance: int
    target: Target


class SwapUnits(Effect, frozen=True, gc=False, tag="swap"):
    """Swap two units."""

    target: Target


class ReturnUnit(Effect, frozen=True, gc=False, tag="return"):
    """Return a unit to the supply it came from."""

    target: Target
    times: int = 1


class Exchange(Effect, frozen=True, gc=False, tag="exchange"):
    """Exchange own units of one worth for units of another from the own supply."""

    worth: int
    into: int
    times: int = 1


class Remove(Effect, frozen=True, gc=False, tag="remove"):
    """Remove a unit from the game without a combat."""

    target: Target
    times: int = 1


class Cancel(Effect, frozen=True, gc=False, tag="cancel"):
    """End the combat without defeat, or cancel the last card the other side played in it."""

    what: Literal["combat", "card"]


class Look(Effect, frozen=True, gc=False, tag="look"):
    """Look at an opponent's hand."""


class NoIncome(Effect, frozen=True, gc=False, tag="no_income"):
    """Units with Income give no gold at the start of this turn."""


class CopyNoble(Effect, frozen=True, gc=False, tag="copy"):
    """Have the ability of a noble nobody chose, until this turn ends."""


Standing = (
    Income
    | Draw
    | ActionPoints
    | Aura
    | Immunity
    | CheaperAbility
    | CheaperSummons
    | MoreSummons
    | StartingGold
)
Performed = (
    Gold
    | Draw
    | ActionPoints
    | Aura
    | Counters
    | Convert
    | PlaceToken
    | HireFree
    | MoveUnit
    | SwapUnits
    | ReturnUnit
    | Exchange
    | Remove
    | Cancel
    | Look
    | NoIncome
    | CopyNoble
)
NEXT_TURN = (Gold, ActionPoints, Aura, NoIncome)  # what a card may do to an opponent's next turn
