"""What must hold at every step, and the common epilogue."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import domain.match as kernel
import projections
from domain.chance import SealedChance
from domain.clocks import ClockSet
from domain.game import IllegalCommand, at_seat
from services.audit import verify
from services.carrying import awaits_system
from services.codec import encode, encode_recorded
from services.effects import GRACE
from services.errors import (
    BadToken,
    CommandNotFound,
    IdempotencyKeyReuse,
    OutcomeUnknown,
    ServiceError,
    StoreUnavailable,
    VersionConflict,
)
from services.ledger import Ledger
from services.record import export, find_in, parse
from services.service import Service
from services.store.port import Entry
from services.tokens import digest_of
from services.wishes import SYSTEM, Order
from tests.house import SECOND, dump
from tests.simulation.faults import IN_DOUBT
from tests.simulation.world import IDLE_LIMIT, SKEW, World

if TYPE_CHECKING:
    from tests.simulation.actors import Sent

LEAVING = 200  # how often the idle limit passes until every match has ended
Heads = dict[str, list[Entry]]
SOON = 6  # sweeps, a second apart, until all that is due is done: P14 allows 5 s


class Watch:
    """Looks at each append as it is stored."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.streams: Heads = {}
        self.commands: dict[tuple[str, str], list[Entry]] = {}
        world.watchers.append(self.stored)

    def stored(self, entries: Sequence[Entry]) -> None:
        world = self.world
        for stream in dict.fromkeys(entry.stream for entry in entries):
            mine = [entry for entry in entries if entry.stream == stream]
            known = self.streams.setdefault(stream, [])
            command = mine[0].command
            world.demand((stream, command) not in self.commands, f"P4 {command} twice in {stream}")
            world.demand(len({entry.command for entry in mine}) == 1, "P2 an append of two commands")
            self.commands[stream, command] = mine
            self._in_time(known, mine)
            for entry in mine:
                world.demand(entry.version == len(known) + 1, f"P3 {stream} jumps to {entry.version}")
                world.demand(not known or entry.at >= known[-1].at, f"P24 time runs backwards in {stream}")
                world.demand(abs(entry.at - world.now) < SECOND, "P24 the time recorded is not the time")
                known.append(entry)

    def _in_time(self, known: list[Entry], new: list[Entry]) -> None:
        """Nothing that waits for a time is done before it (P14)."""
        world, command = self.world, new[0].command
        kind, _, version = command.removeprefix(SYSTEM).partition("-")
        if not command.startswith(SYSTEM):
            return
        if kind == "deadline":
            clocks = [one for one in known if isinstance(one.event, ClockSet)]
            last = clocks[-1]
            assert isinstance(last.event, ClockSet)
            world.demand(last.version == int(version), f"P14 {command}: the clock was set anew since")
            deadline = last.event.deadline
            world.demand(deadline is not None and world.now >= deadline + GRACE, f"P14 {command} is early")
        if kind == "abandon":
            world.demand(len(known) == int(version), f"P14 {command}: the match moved on")
            world.demand(world.now >= known[-1].at + IDLE_LIMIT * SECOND, f"P14 {command} is early")


class Before:
    """What is so before a command is sent."""

    def __init__(self, world: World, sent: "Sent") -> None:
        self.head = len(world.log)
        self.mine = written(world, sent) if sent.command else []
        self.late = False
        if sent.match:
            match = world.truth.history(sent.match).match
            self.version = match.version
            self.late = kernel.time_is_up(match, world.now - SKEW)


def written(world: World, sent: "Sent") -> list[tuple[int, Entry]]:
    """The entries of a command that are stored, in the stream that its answer is about."""
    streams = (
        {sent.match}
        if sent.verb not in ("create", "fork")
        else {stream for stream in _streams(world) if stream != sent.match}
    )
    return [
        (position, entry)
        for position, entry in world.log
        if entry.command == sent.command and entry.stream in streams
    ]


def _streams(world: World) -> set[str]:
    return {entry.stream for _, entry in world.log}


def judge(world: World, sent: "Sent", before: Before, said: Any) -> None:
    """Hold what was said to a command against what is stored (P4, P5)."""
    name = f"{sent.verb} {sent.key or '(no key)'} of {sent.match}"
    new = [one for one in world.log[before.head :] if one[1].id not in world.others]
    if isinstance(said, OutcomeUnknown):
        world.demand(IN_DOUBT & set(world.weather.met), f"P5 {name}: unknown without a reason")
        if sent.command is None and sent.verb not in ("create", "fork"):
            sent.command = said.command
        ordered = {
            entry.command for _, entry in new if entry.event.type_name() == "passed"
        }  # standing orders
        for _, entry in new:
            world.demand(
                entry.command in (said.command, sent.command, *ordered) or entry.command.startswith(SYSTEM),
                f"P5 {name}: something else was stored",
            )
    elif isinstance(said, StoreUnavailable):
        world.demand(world.weather.met, f"P5 {name}: unavailable without a reason")
        world.demand(not new, f"P5 {name}: 'nothing was done' is not true")
    elif isinstance(said, Exception):
        world.demand(not new, f"P5 {name}: refused ({type(said).__name__}), and yet stored")
        world.demand(not before.mine, f"P4 {name}: took effect before, and is refused now ({said!r})")
        if isinstance(said, VersionConflict) and sent.match and sent.verb != "fork":
            now = world.truth.history(sent.match).match.version
            world.demand(
                before.version <= said.actual <= now and said.actual != said.expected,
                f"P5 {name}: no conflict ({said})",
            )
    else:
        _answered(world, sent, before, said, name)


def _answered(world: World, sent: "Sent", before: Before, said: Any, name: str) -> None:
    if sent.command:
        mine = written(world, sent)
        world.demand(mine, f"P1 {name}: acknowledged, not stored")
        if mine:
            position, last = mine[-1]
            world.demand(
                (said.version, said.position) == (last.version, position), f"P4 {name}: another answer"
            )
        if before.mine:
            world.demand(mine == before.mine, f"P4 {name}: took effect twice")
        elif sent.expected is not None and mine:
            world.demand(mine[0][1].version == sent.expected + 1, f"P3 {name}: decided on another version")
        if not before.mine and sent.verb in ("act", "undo"):
            world.demand(not before.late, f"P14 {name}: after the deadline")
    if sent.answer is not None:
        world.demand(said == sent.answer, f"P4 {name}: another answer than the first")
    sent.answer = said
    if sent.match and sent.token and sent.verb != "fork":
        keeps_secrets(world, sent.match, said)


# --- what players may see ----------------------------------------------------------------------------------


def hides(world: World, match: str, token: str | None, view: dict[str, Any]) -> None:
    """What the viewer can't know may be anything: the view stays the same (P11)."""
    history = world.truth.history(match)
    shown = history.at(view["version"])
    seat = next((one.number for one in history.match.seats if token and one.token == digest_of(token)), None)
    keeps_secrets(world, match, view)
    if seat is None or seat not in kernel.to_act(shown, history.game):
        return  # only who has to decide imagines the rest
    for number in range(3):
        chance = SealedChance(sha256(f"{world.seed} {number}".encode()).digest())
        imagined = history.game.rules.imagine(shown.state, seat, chance)
        seen = history.game.view.observe(imagined, at_seat(seat))
        if seen.get("pending") and view["state"].get("pending"):
            seen["pending"] = seen["pending"] | {"deadline": view["state"]["pending"].get("deadline")}
        world.demand(encode(seen) == encode(view["state"]), f"P11 seat {seat} of {match} sees what is hidden")


def keeps_secrets(world: World, match: str, said: Any) -> None:
    """No seed before the end, no token and no key ever (P10, P23)."""
    text = encode(said)
    history = world.truth.history(match)
    world.demand(b"lt_seat_" not in text, f"P23 a token in what was said of {match}")
    world.demand(b"key-" not in text, f"P23 a key in what was said of {match}")
    if history.match.status != "ended" and history.match.created.deal is None:
        seed = world.processes[0].service.seeds._read
        with suppress(StoreUnavailable):
            world.demand(seed(match).hex().encode() not in text, f"P10 the seed of {match} was told")


def told_rightly(world: World, sent: "Sent", service: Service) -> None:
    """The status of a command is what is stored of it."""
    assert sent.match is not None
    assert sent.token is not None
    assert sent.command is not None
    stored = written(world, sent) if sent.verb != "fork" else []
    try:
        answer = service.matches.carried_out(sent.match, sent.token, sent.command)
    except CommandNotFound:
        world.demand(not stored, f"P5 {sent.command} took effect, and its status says no")
        return
    if sent.verb != "fork":
        world.demand(stored and stored[-1][1].version == answer.version, f"P5 status of {sent.command}")
        world.demand(sent.answer in (None, answer), f"P4 status of {sent.command} differs from its answer")


def refuses(world: World, match: str, token: str, sent: "list[Sent]") -> None:
    """No token opens another match, no id does two things, and both are refused without a trace."""
    service = world.any_process().service
    head = len(world.log)
    foreign = next((one.token for one in reversed(sent) if one.token and one.match != match), "lt_seat_none")
    mine = [one for one in sent if one.match == match and one.token == token and one.key]
    used = next((one.key for one in mine if one.verb in ("act", "undo") and written(world, one)), None)
    for wrong, key, error in ((foreign, None, BadToken), (token, used, IdempotencyKeyReuse)):
        if error is IdempotencyKeyReuse and used is None:
            continue
        try:
            service.matches.act(match, wrong, {"type": "no such command"}, Order(key))
            world.demand(False, f"P4 a command that must be refused ({error.__name__}) was carried out")
        except StoreUnavailable:
            continue
        except (ServiceError, IllegalCommand) as refused:
            world.demand(isinstance(refused, error), f"{error.__name__} expected, {refused!r} said")
    world.demand(len(world.log) == head, "P2 a refused command left something")


# --- the epilogue ------------------------------------------------------------------------------------------


def epilogue(world: World, players: Any, *, last: bool) -> Iterator[str]:
    """The system comes back; all that was promised is held against all that is stored. Yields what it does."""
    world.heal()
    for process in world.processes:
        process.restart()
    yield "the system comes back"
    _comes_back(world)
    if last:
        yield "everybody leaves"
        for _ in range(LEAVING):  # a clock moves a match on, default by default
            if all(world.truth.history(match).match.status == "ended" for match in _streams(world)):
                break
            world.elapsed += (IDLE_LIMIT + 1) * SECOND
            _comes_back(world)
    yield "the stored log is read"
    _log_is_whole(world)
    if last:
        for match in _streams(world):
            status = world.truth.history(match).match.status
            world.demand(status == "ended", f"P14 {match} was left alone, and is {status}")
    yield "projections are built anew"
    _projections_agree(world)
    yield "what was acknowledged is asked for again"
    for sent in players.sent:
        if sent.answer is not None and sent.key:
            players.attempt(sent, again=True)
    yield "records are verified"
    for match in sorted(_streams(world)) if last else ():
        report = verify(parse(b"".join(export(world.truth.history(match), find_in(world.truth)))))
        world.demand(report.ok, f"P6 {match}: {report.findings}")


def _comes_back(world: World) -> None:
    """Within seconds nothing that is due is left undone (P14), by sweepers and workers alone."""
    for _ in range(SOON):
        for process in world.processes:
            process.runner.catch_up()
            process.sweeper.sweep()
        while hint := world.queue.take():
            world.any_process().service.effects.perform(hint)
        world.elapsed += SECOND
    world.processes[0].runner.catch_up()
    for match in _streams(world):
        history = world.truth.history(match)
        state, running = history.match, history.match.status == "running"
        awaits = awaits_system(history)
        owed = awaits is not None and history.entries[awaits - 1].at <= world.now - SOON * SECOND
        world.demand(not owed, f"P14 {match} was due, and is not settled")
        deadline = state.clock.deadline if state.clock and running else None
        late = deadline is not None and deadline + GRACE <= world.now - SOON * SECOND
        world.demand(not late, f"P14 the deadline of {match} is over, and nothing was done")


def _log_is_whole(world: World) -> None:
    stored = world.raw_store.read_all(0, len(world.log) + 10)
    world.demand(
        [(one.position, one.entry) for one in stored] == world.log, "P1 the log is not what was stored"
    )
    fresh = Ledger(world.raw_store)
    for match in _streams(world):
        again = fresh.history(match)
        for process in world.processes:
            known = process.service.ledger.history(match)
            same = encode(known.match) == encode(again.match)
            world.demand(same, f"P6 {match} replayed differs from what process {process.name} knows")


def _projections_agree(world: World) -> None:
    for process in world.processes:
        process.runner.catch_up()
    world.demand(world.processes[0].service.progress.quarantined() == [], "P18 a match is in quarantine")
    for projection in projections.PROJECTIONS:
        grown = dump(world.raw_views, projection)
        for _ in world.rebuild(projection, faulty=False):
            pass
        world.demand(dump(world.raw_views, projection) == grown, f"P18 {projection.name} rebuilt differs")


def fingerprint(world: World) -> str:
    """Of all that was stored and all that was said: the same for the same seed."""
    whole = sha256("\n".join(world.trace).encode())
    for _, entry in world.log:
        whole.update(encode_recorded(entry))
    return whole.hexdigest()[:16]
