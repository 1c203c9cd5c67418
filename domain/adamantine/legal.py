"""All commands a seat can give now: the same guards as deciding, for every candidate."""

from functools import cache

from domain.adamantine import combat, death, exploring, performing, playing, setup, turn
from domain.adamantine.box import Box
from domain.adamantine.commands import (
    AssignDamage,
    BringDeck,
    BuildRoom,
    Cancel,
    ChooseChampion,
    ChooseClass,
    ChooseStatistic,
    Decline,
    Discard,
    EndDay,
    EndNight,
    Explore,
    Finish,
    LayCard,
    PlayCard,
    Possess,
    RandomEncounter,
    RollCheck,
    Sacrifice,
    Search,
    TakeDamage,
    Use,
)
from domain.adamantine.effects import STATS
from domain.adamantine.state import AdamantineState, Choice, Exploration
from domain.game import Command

# A command is a frozen value, so each is made once.
_play, _sacrifice, _lay, _use, _explore = (cache(one) for one in (PlayCard, Sacrifice, LayCard, Use, Explore))
_possess, _discard, _assign, _take = (cache(one) for one in (Possess, Discard, AssignDamage, TakeDamage))
_FINISH, _CANCEL, _DECLINE, _ROLL, _SEARCH = Finish(), Cancel(), Decline(), RollCheck(), Search()
_END_DAY, _END_NIGHT, _BUILD, _ENCOUNTER = EndDay(), EndNight(), BuildRoom(), RandomEncounter()
_STATISTICS = [ChooseStatistic(stat) for stat in STATS]


def legal(box: Box, state: AdamantineState, seat: int) -> list[Command]:
    """Every command the seat whose decision is awaited can give.

    A deck of one's own lists is accepted besides the ready ones that are named here.
    """
    if state.dying:
        return [*map(_possess, death.may_follow(box, state)), _DECLINE]
    if state.choice is not None:
        return _choosing(box, state, state.choice)
    if state.cursor is not None:
        return _losing(box, state)
    if state.exploration is not None:
        return _exploring(box, state, state.exploration)
    match state.phase:
        case "day":
            return _by_day(box, state, seat)
        case "night":
            return _by_night(state, seat)
        case "bringing":
            return [BringDeck(deck) for deck in box.decks]
        case "champions":
            return [ChooseChampion(card) for card in setup.champions(box, state.players[seat])]
    return [ChooseClass(card) for card in setup.classes(box, state.players[seat])]


def _choosing(box: Box, state: AdamantineState, choice: Choice) -> list[Command]:
    found: list[Command]
    if choice.what == "payment":
        found = [_sacrifice(card) for card in playing.payable(box, state, choice)]
        found.append(_CANCEL)
        return found
    if choice.what == "aim":
        return [*(_use(choice.card, room) for room in performing.scoutable(state, choice.seat)), _CANCEL]
    found = [_lay(card) for card in turn.layable(box, state, choice)]
    if choice.picks or choice.what == "encounter":
        found.append(_FINISH)
    if choice.picks or choice.what == "room":
        found.append(_CANCEL)
    return found


def _losing(box: Box, state: AdamantineState) -> list[Command]:
    cursor, now = state.cursor, state.exploration
    assert cursor is not None
    assert now is not None
    found: list[Command] = [
        _discard(card) for card, _ in performing.losable(box, state, cursor) if card not in now.picks
    ]
    if now.picks:
        found.append(_CANCEL)
    return found


def _exploring(box: Box, state: AdamantineState, now: Exploration) -> list[Command]:
    seat = now.explorer
    found: list[Command]
    match now.step:
        case "trimming":
            found = [_discard(laid.handle) for laid in exploring.trimmable(box, state)]
        case "combat":
            return [*_STATISTICS, *(_use(*use) for use in performing.usable(box, state, seat, "combat"))]
        case "dividing":
            found = [_assign(*one) for one in combat.assignable(box, state)]
        case "striking":
            champion = state.players[seat].champion
            assert champion is not None
            return [_take(piece.handle) for piece in (champion, *combat.guards(box, state))]
        case "reward":
            return [*map(_play, playing.playable(box, state, seat)), _FINISH]
        case _:
            return [_ROLL, *(_use(*use) for use in performing.usable(box, state, seat, "check"))]
    if now.picks:
        found.append(_CANCEL)
    return found


def _by_day(box: Box, state: AdamantineState, seat: int) -> list[Command]:
    player = state.players[seat]
    found: list[Command] = [_END_DAY]
    found += map(_play, playing.playable(box, state, seat))
    found += [_use(*use) for use in performing.usable(box, state, seat, "day")]
    found += map(_explore, exploring.explorable(state, seat))
    if turn.may_search(state, seat):
        found.append(_SEARCH)
    found += map(_possess, playing.champions_in_hand(box, player))
    return found


def _by_night(state: AdamantineState, seat: int) -> list[Command]:
    player = state.players[seat]
    found: list[Command] = [_END_NIGHT]
    if player.dungeon_hand:
        found.append(_BUILD)
    if not player.encounters:
        found.append(_ENCOUNTER)
    return found
