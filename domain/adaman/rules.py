"""The rules of Adaman. `AD-n` names a ruling of docs/rulings.md."""

from collections.abc import Iterator, Sequence
from typing import overload

from msgspec.structs import replace

from domain.adaman.commands import AdamanCommand, ControlCard, ResolveExcuse
from domain.adaman.content.decktet import CARDS, EXCUSE, PERSONALITIES, VALUE
from domain.adaman.events import (
    AdamanEvent,
    CardControlled,
    CardsDealt,
    Dealt,
    DeckShuffled,
    ExcuseDiscarded,
    ExcuseResolved,
    ExcuseTurnedUp,
)
from domain.adaman.options import AdamanOptions, deck_of
from domain.adaman.payments import MATCHING, mask_of, payments
from domain.adaman.state import AdamanState
from domain.chance import Chance
from domain.game import IllegalCommand, Outcome

ROW = 5  # cards a full capital or resource row has, and the most the palace bears

_TO_CAPITAL = {card: Dealt(card, "capital") for card in CARDS}
_TO_PALACE = {card: Dealt(card, "palace") for card in CARDS}
_TO_RESOURCES = {card: Dealt(card, "resources") for card in CARDS}


# --- set-up and dealing ------------------------------------------------------------------------------------


def initial(options: AdamanOptions, seats: int) -> AdamanState:  # noqa: ARG001 - Adaman has one seat
    deck = deck_of(options)
    return AdamanState(
        deck=deck,
        uncontrolled=sum(card in PERSONALITIES for card in deck),
        final_deal=options.final_deal,
    )


def start(options: AdamanOptions, seats: int, chance: Chance) -> tuple[AdamanEvent, ...]:
    return advance(initial(options, seats), chance)


def advance(state: AdamanState, chance: Chance) -> tuple[AdamanEvent, ...]:
    events: list[AdamanEvent] = []
    while (event := _next(state, chance)) is not None:
        events.append(event)
        state = evolve(state, event)
    return tuple(events)


def _next(state: AdamanState, chance: Chance) -> AdamanEvent | None:
    """What must happen in `state` without a choice."""
    if not state.shuffled:
        draw, order = chance.shuffle("deck", state.deck)
        return DeckShuffled(draw=draw, cards=len(order), order=order)
    if not _owes(state):
        return None
    if state.excuse is None:
        return CardsDealt(dealt=_deal(state))
    if choices(state):
        return ExcuseTurnedUp(row=state.excuse)
    return ExcuseDiscarded(row=state.excuse)  # AD-9


def _owes(state: AdamanState) -> bool:
    """Whether something must happen before a choice or the end is reached."""
    if len(state.palace) > ROW:
        return False  # AD-4
    if not state.uncontrolled and not state.final_deal:
        return False  # AD-3
    if state.excuse is not None:
        return not state.choosing
    if not state.shuffled:
        return True
    return bool(state.deck) and (len(state.capital) < ROW or len(state.resources) < ROW)


def _deal(state: AdamanState) -> tuple[Dealt, ...]:
    """The capital up to five, then the resources, whose personalities go to the palace."""
    setting_up = not (state.capital or state.resources or state.discard)
    capital, palace, resources = len(state.capital), len(state.palace), len(state.resources)
    dealt = []
    for card in state.deck:
        if capital < ROW:
            dealt.append(_TO_CAPITAL[card])
            capital += 1
            if card == EXCUSE and not setting_up:
                break  # AD-7
        elif resources == ROW:
            break
        elif card in PERSONALITIES:
            dealt.append(_TO_PALACE[card])
            palace += 1
            if palace > ROW:
                break  # AD-4
        else:
            dealt.append(_TO_RESOURCES[card])
            resources += 1
            if card == EXCUSE:
                break  # AD-7
    return tuple(dealt)


def choices(state: AdamanState) -> tuple[str, ...]:
    """The cards one of which takes the Excuse's place."""
    return state.resources if state.excuse == "capital" else state.capital


# --- a play ------------------------------------------------------------------------------------------------


def decide(state: AdamanState, command: AdamanCommand, seat: int, chance: Chance) -> tuple[AdamanEvent, ...]:  # noqa: ARG001
    if outcome(state) is not None:
        raise IllegalCommand("match-over", "The match is over.")
    event = _control(state, command) if isinstance(command, ControlCard) else _resolve_excuse(state, command)
    return (event, *advance(evolve(state, event), chance))


def _control(state: AdamanState, command: ControlCard) -> CardControlled:
    target, payment = command.target, command.payment
    if state.choosing:
        raise IllegalCommand("choice-pending", "The Excuse was turned up: choose a card for it first.")
    if _owes(state):
        raise IllegalCommand("dealing-not-done", "Cards are still being dealt.")
    if target not in CARDS:
        raise IllegalCommand("unknown-card", "The target is not a card of the Decktet.")
    if target not in state.capital and target not in state.palace:
        raise IllegalCommand("target-not-on-table", f"{CARDS[target].name} is not on the table.")
    if not payment:
        raise IllegalCommand("payment-empty", "At least one resource card has to be discarded.")
    if len(payment) > 1 and len(set(payment)) < len(payment):
        raise IllegalCommand("payment-repeats-card", "A resource card can be discarded only once.")
    total = 0
    for card in payment:
        if card not in CARDS:
            raise IllegalCommand("unknown-card", "The payment names no card of the Decktet.")
        if card not in state.resources:
            raise IllegalCommand(
                "payment-not-in-resources", f"{CARDS[card].name} is not among the resources."
            )
        if not mask_of((card,)) & MATCHING[target]:
            raise IllegalCommand(
                "payment-no-common-suit", f"{CARDS[card].name} shares no suit with {CARDS[target].name}."
            )
        total += VALUE[card]
    if total < VALUE[target]:  # more than enough is fine (AD-2)
        raise IllegalCommand(
            "payment-too-small",
            f"{CARDS[target].name} takes a rank sum of {VALUE[target]}; the payment has {total}.",
        )
    return CardControlled(target=target, payment=payment)


def _resolve_excuse(state: AdamanState, command: ResolveExcuse) -> ExcuseResolved:
    if not state.choosing:
        raise IllegalCommand("no-choice-pending", "No choice for the Excuse is awaited.")
    if command.card not in CARDS:
        raise IllegalCommand("unknown-card", "The choice is not a card of the Decktet.")
    if command.card not in choices(state):
        row = "resources" if state.excuse == "capital" else "capital"
        raise IllegalCommand("not-a-choice", f"{CARDS[command.card].name} does not lie in the {row}.")
    if state.excuse == "capital":
        return ExcuseResolved(card=command.card, to="capital")
    if command.card in PERSONALITIES:
        return ExcuseResolved(card=command.card, to="palace")  # AD-8
    return ExcuseResolved(card=command.card, to="resources")


class Plays(Sequence[ControlCard]):
    """Every legal control, built only when looked at."""

    __slots__ = ("_length", "_plays")

    def __init__(self, plays: list[tuple[str, tuple[tuple[str, ...], ...]]]) -> None:
        self._plays = plays
        length = 0
        for _, paid in plays:
            length += len(paid)
        self._length = length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> ControlCard: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ControlCard]: ...
    def __getitem__(self, index: int | slice) -> ControlCard | Sequence[ControlCard]:
        if isinstance(index, slice):
            return tuple(self)[index]
        left = index if index >= 0 else index + self._length
        if left >= 0:
            for target, paid in self._plays:
                if left < len(paid):
                    return ControlCard(target, paid[left])
                left -= len(paid)
        raise IndexError(index)

    def __iter__(self) -> Iterator[ControlCard]:
        return (ControlCard(target, payment) for target, paid in self._plays for payment in paid)


def legal(state: AdamanState, seat: int) -> Sequence[AdamanCommand]:  # noqa: ARG001
    """Each set of cards that may pay once, in table order; `decide` takes it in any order (AD-11)."""
    if state.choosing:
        return [ResolveExcuse(card) for card in choices(state)]
    if not state.uncontrolled or len(state.palace) > ROW or _owes(state):
        return ()
    resources = mask_of(state.resources)
    plays = []
    for target in state.capital + state.palace:
        paid = payments(target, resources & MATCHING[target])
        if paid:
            plays.append((target, paid))
    return Plays(plays)


def to_act(state: AdamanState) -> tuple[int, ...]:
    return () if _owes(state) or outcome(state) is not None else (0,)


# --- the end -----------------------------------------------------------------------------------------------


def outcome(state: AdamanState) -> Outcome | None:
    if len(state.palace) > ROW:
        return Outcome("lost_utterly", 0)
    if _owes(state) or state.choosing:
        return None
    if not state.uncontrolled:
        return Outcome("won", controlled_sum(state) + sum(VALUE[card] for card in state.resources))
    if _has_play(state):
        return None  # AD-10: no pass
    return Outcome("lost", controlled_sum(state))  # AD-5: wherever the remaining personalities are


def _has_play(state: AdamanState) -> bool:
    resources = mask_of(state.resources)
    for target in state.capital:
        if payments(target, resources & MATCHING[target]):
            return True
    return any(payments(target, resources & MATCHING[target]) for target in state.palace)


def forfeit(state: AdamanState, seat: int | None, result: str) -> Outcome:  # noqa: ARG001
    return Outcome(result, controlled_sum(state))  # AD-6


def controlled_sum(state: AdamanState) -> int:
    """Rank sum of the personalities controlled: only control brings one to the discard (AD-1)."""
    return sum(VALUE[card] for card in state.discard if card in PERSONALITIES)


# --- what events do ----------------------------------------------------------------------------------------


def evolve(state: AdamanState, event: AdamanEvent) -> AdamanState:
    match event:
        case CardControlled():
            return _controlled(state, event)
        case CardsDealt():
            return _dealt(state, event)
        case DeckShuffled():
            return replace(state, deck=event.order, shuffled=True)
        case ExcuseTurnedUp():
            return replace(state, choosing=True)
        case ExcuseResolved():
            return _moved(state, event)
        case ExcuseDiscarded():
            return _without_excuse(state)


def _controlled(state: AdamanState, event: CardControlled) -> AdamanState:
    target, payment = event.target, event.payment
    personality = target in PERSONALITIES
    resources = tuple([card for card in state.resources if card not in payment])
    return AdamanState(
        state.deck,
        state.uncontrolled - personality,
        state.final_deal,
        _without(state.capital, target),
        _without(state.palace, target),
        resources if personality else (*resources, target),
        (*state.discard, *payment, target) if personality else state.discard + payment,
        state.shuffled,
        state.excuse,
        state.choosing,
    )


def _dealt(state: AdamanState, event: CardsDealt) -> AdamanState:
    rows: dict[str, list[str]] = {"capital": [], "palace": [], "resources": []}
    excuse = state.excuse
    for card in event.dealt:
        rows[card.row].append(card.card)
        if card.card == EXCUSE:
            excuse = card.row
    return AdamanState(
        state.deck[len(event.dealt) :],
        state.uncontrolled,
        state.final_deal,
        (*state.capital, *rows["capital"]),
        (*state.palace, *rows["palace"]),
        (*state.resources, *rows["resources"]),
        state.discard,
        state.shuffled,
        excuse,
        state.choosing,
    )


def _moved(state: AdamanState, event: ExcuseResolved) -> AdamanState:
    """The chosen card changes rows and the Excuse is discarded."""
    rows = {
        "capital": _without(state.capital, event.card),
        "palace": _without(state.palace, event.card),
        "resources": _without(state.resources, event.card),
    }
    rows[event.to] += (event.card,)
    return _without_excuse(replace(state, **rows))


def _without_excuse(state: AdamanState) -> AdamanState:
    return replace(
        state,
        capital=_without(state.capital, EXCUSE),
        resources=_without(state.resources, EXCUSE),
        discard=(*state.discard, EXCUSE),
        excuse=None,
        choosing=False,
    )


def _without(row: tuple[str, ...], card: str) -> tuple[str, ...]:
    if card not in row:
        return row
    place = row.index(card)
    return row[:place] + row[place + 1 :]


# --- for bots ----------------------------------------------------------------------------------------------


def imagine(state: AdamanState, seat: int, chance: Chance) -> AdamanState:  # noqa: ARG001
    """`state` with the deck in another order: what bots and hints may think about."""
    return replace(state, deck=chance.shuffle("imagine", sorted(state.deck))[1])


def evaluate(state: AdamanState, seat: int) -> float:  # noqa: ARG001
    """Personalities controlled and resources kept count for the player, a crowded palace against."""
    controlled = controlled_sum(state)
    crowd = len(state.palace)
    kept = sum(VALUE[card] for card in state.resources)
    return 2.0 * controlled - 3.0 * crowd**2 + kept
