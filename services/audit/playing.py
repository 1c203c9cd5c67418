"""The audit of play: a seat's command, a command of the system, giving up and being abandoned."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

import domain.match as kernel
from domain.game import Event, Game
from services.audit.case import Case, Fill, shown
from services.audit.judging import ChanceFor, Draft, Way
from services.codec import digest
from services.effects import TIMEKEEPER
from services.store.port import Entry

RESIGN: dict[str, Any] = {"do": "command", "body": {"type": "resign"}}


def play(case: Case, group: list[Entry]) -> None:
    """A seat's command, decided again as its events or its body's hash tell it; else every legal one is tried.

    Where several seats play, one may also give up, whoever has to decide.
    """
    first, match, game = group[0], case.match, case.game
    seat = case.acting_seat(first)
    acts = match.status == "running" and seat in kernel.to_act(match, game)
    if seat is None or not (acts or (game.shared and match.status == "running")):
        awaited = [f"seat:{number}" for number in kernel.to_act(match, game)]
        case.fault(first.version, "seat", "it was not this seat's decision", awaited, first.by)
        case.fold(group)
        return
    actor = seat
    commands = _candidates(game, match.state, actor, first) if acts else []

    def giving(command: Any) -> Fill:
        return lambda draft, chance_for: draft.add(kernel.act(match, game, command, actor, chance_for(match)))

    def giving_up(draft: Draft, chance_for: ChanceFor) -> None:
        draft.add(kernel.resign(match, game, actor, chance_for(match))[0])

    def ways() -> Iterator[Way]:
        yield from (case.way(group, giving(command)) for command in commands)
        if game.shared:
            yield case.way(group, giving_up)

    if acts:
        found = case.judge(group, ways, "decision", "no legal command of the seat leads to these events")
    else:
        found = case.judge(group, ways, "seat", "it was not this seat's decision")
    if found is not None and found == len(commands):
        case.check_body(first, RESIGN)
    elif found is not None and not _has_defaults(type(commands[found])):
        case.check_body(first, _body(commands[found]))


def _candidates(game: Game, state: Any, seat: int, first: Entry) -> list[Any]:
    """What the seat may have commanded, likeliest first: what the body's hash confirms, or the event tells of."""
    told = list(_told_commands(game, first.event))
    confirmed = [command for command in told if digest(_body(command)) == first.digest]
    if not confirmed:
        told += [command for command in game.rules.legal(state, seat) if command not in told]
        confirmed = [command for command in told if digest(_body(command)) == first.digest]
    return confirmed + [command for command in told if command not in confirmed]


def _told_commands(game: Game, event: Event) -> Iterator[Any]:
    """The commands an event may tell of by fields of the same names. Spares trying every legal command."""
    for kind in game.commands:
        body = {
            field.name: msgspec.to_builtins(getattr(event, field.name))
            for field in msgspec.structs.fields(kind)
            if hasattr(event, field.name)
        }
        try:
            yield msgspec.convert({"type": kind.type_name()} | body, kind)
        except msgspec.ValidationError:
            continue


def _body(command: Any) -> dict[str, Any]:
    return {"do": "command", "body": msgspec.to_builtins(command)}


def _has_defaults(kind: type[Struct]) -> bool:
    return any(not field.required for field in msgspec.structs.fields(kind))


def by_system(case: Case, group: list[Entry]) -> None:
    """The system goes on where the rules wait for it, or does what stands for seats whose time is up."""
    first, match, game = group[0], case.match, case.game
    due = kernel.due(match, game)
    body: dict[str, Any]
    if due is not None:

        def fill(draft: Draft, chance_for: ChanceFor) -> None:
            draft.add(kernel.act_by_system(match, game, due, chance_for(match)))

        since = (
            entry.version for entry in reversed(case.entries[: match.version]) if entry.event.AWAITS_SYSTEM
        )
        body = {"do": "due", "version": next(since, None)}
    elif match.status == "running" and kernel.time_is_up(match, first.at):

        def fill(draft: Draft, chance_for: ChanceFor) -> None:
            assert match.clock is not None
            for seat in match.clock.awaited:
                while command := kernel.default(draft.match, game, seat):
                    draft.add(kernel.act_by_system(draft.match, game, command, chance_for(draft.match)))
                    draft.add(case.close(draft.match))

        body = {"do": "deadline", "version": match.clock_version}
    else:
        case.fault(first.version, "seat", "the system had nothing to do", None, shown(first.event))
        case.fold(group)
        return
    if first.by != f"system:{TIMEKEEPER}":
        reason = "another part of the system acts"
        case.fault(first.version, "seat", reason, f"system:{TIMEKEEPER}", first.by)
    way = case.way(group, fill)
    case.judge(group, lambda: [way], "decision", "this is not what the system had to do")
    case.check_body(first, body)


def stopping(case: Case, group: list[Entry]) -> None:
    """An end without a move: the single seat resigned, or the match was abandoned."""
    first, match, game = group[0], case.match, case.game
    if first.by.startswith("system:"):
        forced = game.rules.forfeit(match.state, None, "abandoned")
        body: dict[str, Any] = {"do": "abandon", "version": match.version}
    else:
        seat = case.acting_seat(first)
        if seat is None or match.status != "running" or game.shared:
            case.fault(first.version, "seat", "nobody who may resigned", None, first.by)
        forced = game.rules.forfeit(match.state, seat, "resigned")
        body = RESIGN
    case.judge(
        group, lambda: [lambda _: case.close(match, forced)], "end", "the match could not end like this"
    )
    case.check_body(first, body)
