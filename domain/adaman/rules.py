"""The rules of Adaman. `AD-n` names a ruling of docs/rulings.md."""

from collections.abc import Sequence

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
from domain.adaman.options import AdamanOptions, deck_of, personalities_of
from domain.adaman.payments import BIT, MATCHING, plays
from domain.adaman.state import AdamanState
from domain.chance import Chance
from domain.game import IllegalCommand, Outcome

ROW = 5  # cards a full capital or resource row has, and the most the palace bears

_TO_CAPITAL = {card: Dealt(card, "capital") for card in CARDS}
_TO_PALACE = {card: Dealt(card, "palace") for card in CARDS}
_TO_RESOURCES = {card: Dealt(card, "resources") for card in CARDS}


# --- set-up and dealing ------------------------------------------------------------------------------------


def initial(options: AdamanOptions, seats: int) -> AdamanState:  # noqa: ARG001 - there is one seat
    return AdamanState(deck_of(options), personalities_of(options), options.final_deal)


def start(options: AdamanOptions, seats: int, chance: Chance) -> tuple[AdamanEvent, ...]:
    return advance(initial(options, seats), chance)


def advance(state: AdamanState, chance: Chance) -> tuple[AdamanEvent, ...]:
    events: list[AdamanEvent] = []
    if not state.shuffled:
        draw, order = chance.shuffle("deck", state.deck)
        shuffled = DeckShuffled(draw=draw, cards=len(order), order=order)
        events.append(shuffled)
        state = evolve(state, shuffled)
    while _owes(state):
        event = _turn_up(state) if state.excuse is None else _ask_for_excuse(state)
        events.append(event)
        if type(event) is CardsDealt and EXCUSE not in state.deck[: len(event.dealt)]:
            break  # the rows are full or the deck is out
        state = evolve(state, event)
    return tuple(events)


def _ask_for_excuse(state: AdamanState) -> ExcuseTurnedUp | ExcuseDiscarded:
    assert state.excuse is not None
    if not choices(state):
        return ExcuseDiscarded(row=state.excuse)  # AD-9
    return ExcuseTurnedUp(row=state.excuse)


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


def _turn_up(state: AdamanState) -> CardsDealt:
    """The capital up to five, then the resources, whose personalities go to the palace."""
    setting_up = not state.discard  # AD-14
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
    return CardsDealt(tuple(dealt))


def choices(state: AdamanState) -> tuple[str, ...]:
    """The cards one of which takes the Excuse's place."""
    return state.resources if state.excuse == "capital" else state.capital


# --- a play ------------------------------------------------------------------------------------------------


def decide(
    state: AdamanState,
    command: AdamanCommand,
    seat: int,  # noqa: ARG001 - there is one seat
    chance: Chance,
) -> tuple[AdamanEvent, ...]:
    if state is not _recent.undecided:
        if _owes(state):
            raise IllegalCommand("dealing-not-done", "Cards are still being dealt.")
        if _verdict(state) is not None:
            raise IllegalCommand("match-over", "The match is over.")
    event = _control(state, command) if isinstance(command, ControlCard) else _resolve_excuse(state, command)
    after = evolve(state, event)
    _recent.step = (state, event, after)
    return (event, *advance(after, chance))


class _Recent:
    """What was found out last: whoever asks for an outcome decides next, and whoever decides evolves next.

    Values are compared by identity, so a remembered answer is the answer there would be.
    """

    def __init__(self) -> None:
        self.undecided: AdamanState | None = None  # nothing is owed in it and it has no outcome
        self.step: tuple[AdamanState | None, AdamanEvent | None, AdamanState | None] = (None, None, None)


_recent = _Recent()


def _control(state: AdamanState, command: ControlCard) -> CardControlled:
    target, payment = command.target, command.payment
    if state.choosing:
        raise IllegalCommand("choice-pending", "The Excuse was turned up: choose a card for it first.")
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
        if not BIT[card] & MATCHING[target]:
            raise IllegalCommand(
                "payment-no-common-suit", f"{CARDS[card].name} shares no suit with {CARDS[target].name}."
            )
        total += VALUE[card]
    if total < VALUE[target]:  # more than enough is fine (AD-2)
        raise IllegalCommand(
            "payment-too-small",
            f"{CARDS[target].name} takes a rank sum of {VALUE[target]}; the payment has {total}.",
        )
    return CardControlled(target, payment)


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


def legal(state: AdamanState, seat: int) -> Sequence[AdamanCommand]:  # noqa: ARG001
    """Each set of cards that may pay once, in table order; `decide` takes it in any order (AD-11)."""
    if state.choosing:
        return [ResolveExcuse(card) for card in choices(state)]
    if not state.uncontrolled or len(state.palace) > ROW or _owes(state):
        return ()
    return plays(state.capital + state.palace, state.resources)


def to_act(state: AdamanState) -> tuple[int, ...]:
    return () if _owes(state) or _verdict(state) is not None else (0,)


# --- the end -----------------------------------------------------------------------------------------------


def outcome(state: AdamanState) -> Outcome | None:
    if _owes(state):
        return None
    verdict = _verdict(state)
    if verdict is None:
        _recent.undecided = state
    return verdict


def _verdict(state: AdamanState) -> Outcome | None:
    """How the match ended, where nothing is owed."""
    if len(state.palace) > ROW:
        return Outcome("lost_utterly", 0)
    if state.choosing:
        return None
    if not state.uncontrolled:
        return Outcome("won", controlled_sum(state) + sum(VALUE[card] for card in state.resources))
    if plays(state.capital + state.palace, state.resources):
        return None  # AD-10: no pass
    return Outcome("lost", controlled_sum(state))  # AD-5: wherever the remaining personalities are


def forfeit(state: AdamanState, seat: int | None, result: str) -> Outcome:  # noqa: ARG001
    return Outcome(result, controlled_sum(state))  # AD-6


def controlled_sum(state: AdamanState) -> int:
    """Rank sum of the personalities controlled: only control brings one to the discard (AD-1)."""
    return sum(VALUE[card] for card in state.discard if card in PERSONALITIES)


# --- what events do ----------------------------------------------------------------------------------------


def evolve(state: AdamanState, event: AdamanEvent) -> AdamanState:
    before, decided, after = _recent.step
    if decided is event and before is state and after is not None:
        return after
    match event:
        case CardControlled():
            return _controlled(state, event)
        case CardsDealt():
            return _dealt(state, event)
        case DeckShuffled():
            return AdamanState(event.order, state.uncontrolled, state.final_deal, shuffled=True)
        case ExcuseTurnedUp():
            return replace(state, choosing=True)
        case ExcuseResolved():
            return _moved(state, event)
        case ExcuseDiscarded():
            return _without_excuse(state)


def _controlled(state: AdamanState, event: CardControlled) -> AdamanState:
    target, payment = event.target, event.payment
    capital, palace = state.capital, state.palace
    if target in capital:
        capital = _without(capital, target)
    else:
        palace = _without(palace, target)
    resources = tuple([card for card in state.resources if card not in payment])
    discard = state.discard + payment
    uncontrolled = state.uncontrolled
    if target in PERSONALITIES:
        uncontrolled -= 1
        discard += (target,)
    else:
        resources += (target,)
    return AdamanState(
        state.deck,
        uncontrolled,
        state.final_deal,
        capital,
        palace,
        resources,
        discard,
        state.shuffled,
        state.excuse,
    )


def _dealt(state: AdamanState, event: CardsDealt) -> AdamanState:
    capital, palace, resources, excuse = state.capital, state.palace, state.resources, state.excuse
    for dealt in event.dealt:
        card, row = dealt.card, dealt.row
        if row == "capital":
            capital += (card,)
        elif row == "palace":
            palace += (card,)
        else:
            resources += (card,)
        if card == EXCUSE:
            excuse = row
    return AdamanState(
        state.deck[len(event.dealt) :],
        state.uncontrolled,
        state.final_deal,
        capital,
        palace,
        resources,
        state.discard,
        state.shuffled,
        excuse,
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
    """Personalities controlled count for the player, those waiting against, the palace's more with each one.

    Each resource kept is worth something, so no card that can be spared is ever paid (AD-2).
    """
    kept = 0.3 * sum([VALUE[card] for card in state.resources])
    waiting = sum(card in PERSONALITIES for card in state.capital)
    return 2.0 * (controlled_sum(state) - len(state.palace) ** 2 - waiting) + kept
