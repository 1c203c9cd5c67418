"""Playing cards and using abilities: choose what, then aim it, target by target, until it is completed.

A card is played for all to see before it is aimed, so nobody learns of a card that is not played; what is
hired or used is aimed first, and can be cancelled until it is completed.
"""

from msgspec.structs import replace

from domain.adellos.board import change_player, free_in_castle, put, unit_at
from domain.adellos.box import Box, Ground
from domain.adellos.combat import checked
from domain.adellos.commands import ChooseField, ChooseKind, ChooseSeat, FinishChoice, PlayCard, UseAbility
from domain.adellos.events import AbilityUsed, CardAimed, CardPlayed, ChoiceBegun, TargetChosen
from domain.adellos.movement import hired_at
from domain.adellos.pack import Ability, EventCard
from domain.adellos.performing import NO_MORE, Ask, Pick, joined, perform
from domain.adellos.standing import ability_price, able_nobles
from domain.adellos.state import AdellosState, Choice, InFront, Unit
from domain.game import Event, IllegalCommand

Targeting = ChooseField | ChooseKind | ChooseSeat | FinishChoice


# --- choosing what -----------------------------------------------------------------------------------------


def play_card(box: Box, state: AdellosState, command: PlayCard, seat: int) -> CardPlayed:
    if command.card not in state.players[seat].hand:
        raise IllegalCommand("card-not-in-hand", "The card is not in the own hand.")
    card = box.cards[command.card]
    combat = state.combat
    if (card.when == "combat") != (combat is not None):
        when = "in a combat" if card.when == "combat" else "in the own turn outside combats"
        raise IllegalCommand("wrong-time", f"{card.name} is played {when}.")
    if combat is not None and not _right_side(card, combat.seats[0] == seat):
        raise IllegalCommand("wrong-side", f"{card.name} is for the {card.side}.")
    if card.ap > _ap_of(state, seat):
        raise IllegalCommand("too-few-ap", f"{card.name} costs {card.ap} AP.")  # AE-5
    return CardPlayed(seat=seat, card=card.id, ap=card.ap)


def _right_side(card: EventCard, attacking: bool) -> bool:
    return card.side == "either" or (card.side == "attacker") == attacking


def _ap_of(state: AdellosState, seat: int) -> int:
    return state.ap if state.turn == seat else 0


def playable(box: Box, state: AdellosState, seat: int) -> list[str]:
    """The cards of the hand that can be played now, each once."""
    hand = state.players[seat].hand
    combat = state.combat
    ap = _ap_of(state, seat)
    found: list[str] = []
    for name in hand:
        card = box.cards[name]
        if card.ap > ap or (card.when == "combat") != (combat is not None) or (found and found[-1] == name):
            continue
        if combat is None or _right_side(card, combat.seats[0] == seat):
            found.append(name)
    return found


def abilities_at(box: Box, state: AdellosState, unit: Unit) -> tuple[Ability, ...]:
    """The abilities the unit can pay for by using them: its own, and the copied one of a noble."""
    kind = box.kinds[unit.kind]
    if not kind.noble:
        return kind.active
    found: dict[str, Ability] = {}
    for noble in able_nobles(state, state.players[unit.seat]):
        found |= {ability.id: ability for ability in box.kinds[noble].active}
    return tuple(found.values())


def use_ability(box: Box, state: AdellosState, command: UseAbility, seat: int) -> Choice:
    unit = unit_at(state, command.field)
    if unit is None or unit.seat != seat:
        raise IllegalCommand("not-own-unit", "No own unit stands there.")
    if unit.counters:
        raise IllegalCommand("unit-not-able", "A unit that bears Time Counters can do nothing.")
    found = [one for one in abilities_at(box, state, unit) if one.id == command.ability]
    if not found:
        raise IllegalCommand("no-such-ability", "The unit has no such ability to use.")
    ability = found[0]
    if ability_price(box, state, seat, ability) > state.players[seat].gold:
        raise IllegalCommand("too-little-gold", f"{ability.name} costs more gold.")
    if ability.ap > state.ap:
        raise IllegalCommand("too-few-ap", f"{ability.name} costs {ability.ap} AP.")
    if ability.limit and unit.used >= ability.limit:
        raise IllegalCommand("ability-used-up", f"{ability.name} can't be used again this turn.")
    if not possible(box, state, seat, command.field, ability):
        raise IllegalCommand("ability-without-effect", f"{ability.name} would do nothing.")
    return Choice(seat, field=command.field, ability=ability.id)


def usable(box: Box, state: AdellosState, seat: int, field: int, unit: Unit) -> list[Ability]:
    """The abilities the able unit on `field` can use now."""
    gold = state.players[seat].gold
    return [
        ability
        for ability in abilities_at(box, state, unit)
        if ability.ap <= state.ap
        and not (ability.limit and unit.used >= ability.limit)
        and ability_price(box, state, seat, ability) <= gold
        and possible(box, state, seat, field, ability)
    ]


def possible(box: Box, state: AdellosState, seat: int, field: int, ability: Ability) -> bool:
    """Whether the ability would do anything; a card may be played for nothing, an ability not used."""
    after, ask = perform(box, state, seat, field, ability.performed, ())
    return ask is not None or after is not state


# --- aiming ------------------------------------------------------------------------------------------------


def ask_of(box: Box, ground: Ground, state: AdellosState, choice: Choice) -> Ask | None:
    """What has to be chosen next, or None when the choice is complete."""
    seat, picks = choice.seat, choice.picks
    if choice.hire:
        return None if picks else Ask("field", tuple(free_in_castle(ground, state, seat)))
    if choice.ability:
        effects = box.abilities[choice.ability].performed
        return perform(box, state, seat, choice.field, effects, picks)[1]
    card = box.cards[choice.card]
    if card.when == "next_turn":
        others = tuple(player.seat for player in state.players if player.alive and player.seat != seat)
        return None if picks else Ask("seat", others)
    return perform(box, state, seat, -1, card.effects, picks)[1]


def take_up(box: Box, ground: Ground, state: AdellosState, choice: Choice) -> Event:
    """Begin a choice; what needs no target happens at once."""
    if ask_of(box, ground, state, choice) is None:
        return completed(box, state, choice)
    return ChoiceBegun(seat=choice.seat, hire=choice.hire, field=choice.field, ability=choice.ability)


def owed(box: Box, ground: Ground, state: AdellosState) -> Event | None:
    """A played card whose targets all went away while it was aimed is done with."""
    choice = state.choice
    if choice is None or not choice.card or ask_of(box, ground, state, choice) is not None:
        return None
    return completed(box, state, choice)


def aim(box: Box, ground: Ground, state: AdellosState, command: Targeting) -> Event:
    """The next target of the open choice; the last one completes it."""
    choice = state.choice
    assert choice is not None
    ask = ask_of(box, ground, state, choice)
    assert ask is not None
    pick = _pick_of(command, ask)
    if ask_of(box, ground, state, replace(choice, picks=(*choice.picks, pick))) is None:
        return completed(box, state, replace(choice, picks=(*choice.picks, pick)))
    return TargetChosen(seat=choice.seat, pick=pick)


def _pick_of(command: Targeting, ask: Ask) -> Pick:
    what: str
    pick: Pick
    match command:
        case FinishChoice():
            if not ask.may_finish:
                raise IllegalCommand("target-needed", "A target has to be chosen.")
            return NO_MORE
        case ChooseField():
            what, pick = "field", command.field
        case ChooseKind():
            what, pick = "kind", command.kind
        case ChooseSeat():
            what, pick = "seat", command.seat
    if what != ask.what or pick not in ask.options:
        raise IllegalCommand("not-a-target", "That can't be chosen now.")
    return pick


def completed(box: Box, state: AdellosState, choice: Choice) -> Event:
    if choice.hire:
        return hired_at(box, state, choice, int(choice.picks[0]))
    if choice.card:
        return CardAimed(seat=choice.seat, card=choice.card, picks=choice.picks)
    ability = box.abilities[choice.ability]
    return AbilityUsed(
        seat=choice.seat,
        field=choice.field,
        ability=ability.id,
        gold=ability_price(box, state, choice.seat, ability),
        ap=ability.ap,
        picks=choice.picks,
    )


# --- what events do ----------------------------------------------------------------------------------------


def begun(state: AdellosState, event: ChoiceBegun) -> AdellosState:
    choice = Choice(event.seat, hire=event.hire, field=event.field, ability=event.ability)
    return replace(state, choice=choice)


def aimed(state: AdellosState, event: TargetChosen) -> AdellosState:
    choice = state.choice
    assert choice is not None
    return replace(state, choice=replace(choice, picks=(*choice.picks, event.pick)))


def card_played(box: Box, ground: Ground, state: AdellosState, event: CardPlayed) -> AdellosState:
    seat = event.seat
    hand = list(state.players[seat].hand)
    hand.remove(event.card)
    state = change_player(state, seat, hand=tuple(hand))
    combat = state.combat
    if combat is not None:
        combat = joined(combat, seat, event.card)
    state = replace(state, ap=state.ap - event.ap, combat=combat, choice=Choice(seat, card=event.card))
    card = box.cards[event.card]
    if card.when == "next_turn":
        return state
    after, ask = perform(box, state, seat, -1, card.effects, ())
    return state if ask is not None else checked(ground, replace(after, choice=None))


def card_aimed(box: Box, ground: Ground, state: AdellosState, event: CardAimed) -> AdellosState:
    seat = event.seat
    card = box.cards[event.card]
    state = replace(state, choice=None)
    if card.when == "next_turn":
        other = int(event.picks[0])
        front = (*state.players[other].front, InFront(card.id, seat))
        return change_player(state, other, front=front)
    state, _ = perform(box, state, seat, -1, card.effects, event.picks)
    return checked(ground, state)


def ability_used(box: Box, ground: Ground, state: AdellosState, event: AbilityUsed) -> AdellosState:
    seat = event.seat
    ability = box.abilities[event.ability]
    state = change_player(state, seat, gold=state.players[seat].gold - event.gold)
    state = replace(state, ap=state.ap - event.ap, choice=None)
    if ability.limit:
        unit = state.board[event.field]
        assert unit is not None
        state = put(ground, state, (event.field, replace(unit, used=unit.used + 1)))
    return perform(box, state, seat, event.field, ability.performed, event.picks)[0]
