"""What a player of Adellos asks for. Whatever needs a target is chosen first and aimed then (`choose_…`)."""

from typing import Annotated

from domain.game import Command, public

FIELD = public("number of a field")


class AgreeTrading(Command, frozen=True, gc=False, tag="agree_trading"):
    """Agree to gifts of gold and cards, or don't."""

    agree: Annotated[bool, public("whether the seat agrees")]


class ChooseNoble(Command, frozen=True, gc=False, tag="choose_noble"):
    """Choose one of the faction's nobles."""

    noble: Annotated[str, public("the noble")]


class PlaceNoble(Command, frozen=True, gc=False, tag="place_noble"):
    """Place the own noble in the own castle."""

    field: Annotated[int, FIELD]


class EndSetUp(Command, frozen=True, gc=False, tag="end_set_up"):
    """Buy nothing more before the first turn."""


class Hire(Command, frozen=True, gc=False, tag="hire"):
    """Hire or summon a unit; its field is chosen next."""

    unit: Annotated[str, public("unit of the own supply")]


class Move(Command, frozen=True, gc=False, tag="move"):
    """Move a unit over free fields."""

    field: Annotated[int, public("field of the unit")]
    to: Annotated[int, public("free field it moves to")]


class Swap(Command, frozen=True, gc=False, tag="swap"):
    """Swap two adjacent own units."""

    field: Annotated[int, public("field of one unit")]
    other: Annotated[int, public("field of the other, the higher number")]


class Attack(Command, frozen=True, gc=False, tag="attack"):
    """Attack an adjacent enemy unit."""

    field: Annotated[int, public("field of the attacker")]
    target: Annotated[int, public("field of the unit attacked")]


class UseAbility(Command, frozen=True, gc=False, tag="use_ability"):
    """Use a unit's ability; its targets are chosen next."""

    field: Annotated[int, public("field of the unit")]
    ability: Annotated[str, public("the ability")]


class PlayCard(Command, frozen=True, gc=False, tag="play_card"):
    """Play an event card; its targets are chosen next."""

    card: Annotated[str, public("card of the own hand")]


class KeepCounter(Command, frozen=True, gc=False, tag="keep_counter"):
    """Leave a unit's Time Counters alone when this turn ends, or take that back."""

    TAKES_BACK = True

    field: Annotated[int, public("field of the unit")]


class GiveGold(Command, frozen=True, gc=False, tag="give_gold"):
    """Give one gold to another player."""

    to: Annotated[int, public("seat that gets it")]


class GiveCard(Command, frozen=True, gc=False, tag="give_card"):
    """Give an event card to another player."""

    to: Annotated[int, public("seat that gets it")]
    card: Annotated[str, public("card of the own hand")]


class Pass(Command, frozen=True, gc=False, tag="pass"):
    """Play no card in this combat now."""


class EndTurn(Command, frozen=True, gc=False, tag="end_turn"):
    """End the own turn."""


class ChooseField(Command, frozen=True, gc=False, tag="choose_field"):
    """Choose a field, or the unit on it, for what is being done."""

    field: Annotated[int, FIELD]


class ChooseKind(Command, frozen=True, gc=False, tag="choose_kind"):
    """Choose a unit of the supply, or a noble, for what is being done."""

    kind: Annotated[str, public("the unit or noble")]


class ChooseSeat(Command, frozen=True, gc=False, tag="choose_seat"):
    """Choose a player for what is being done."""

    seat: Annotated[int, public("number of a seat")]


class FinishChoice(Command, frozen=True, gc=False, tag="finish_choice"):
    """Choose no more targets for this effect."""


class CancelChoice(Command, frozen=True, gc=False, tag="cancel_choice"):
    """Don't do what was being aimed; nothing has happened."""

    TAKES_BACK = True


class TickTimeCounters(Command, frozen=True, gc=False, tag="tick_time_counters"):
    """Take one Time Counter from each unit of the player whose turn has ended. Given by the system alone."""


COMMANDS: tuple[type[Command], ...] = (
    AgreeTrading,
    ChooseNoble,
    PlaceNoble,
    EndSetUp,
    Hire,
    Move,
    Swap,
    Attack,
    UseAbility,
    PlayCard,
    KeepCounter,
    GiveGold,
    GiveCard,
    Pass,
    EndTurn,
    ChooseField,
    ChooseKind,
    ChooseSeat,
    FinishChoice,
    CancelChoice,
)
SYSTEM_COMMANDS: tuple[type[Command], ...] = (TickTimeCounters,)
