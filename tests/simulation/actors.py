"""Who acts: players who send, resend and err, and the service's own hands, at moments the seed chooses."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
from redis.exceptions import RedisError

import domain.match as kernel
import projections
from domain.clocks import FischerClock, MoveClock
from domain.game import IllegalCommand
from domain.match import Match
from projections.projection import FAULTS, Superseded
from services.errors import MatchNotFound, OutcomeUnknown, ServiceError, StoreUnavailable
from services.ledger import History
from services.looking import Caller
from services.service import Service
from services.standing_orders import StandingOrders
from services.wishes import CreateMatch, Order, Sit
from tests.house import HOUR, SECOND
from tests.simulation import checks
from tests.simulation.world import World

Call = Callable[[Service, Order], Any]
NAMES = ("ann", "bob", "cleo", "dan", "eve")
TABLES = 12  # matches that are played at the same time


class Sent:
    """A command somebody sent, and what is known of it."""

    def __init__(
        self,
        verb: str,
        match: str | None,
        token: str | None,
        call: Call,
        key: str | None,
        expected: int | None,
    ) -> None:
        self.verb = verb
        self.match = match
        self.token = token
        self.call = call
        self.key = key
        self.expected = expected
        self.answer: Any = None
        self.command: str | None = None  # as the events name it, once that is known


class Table:
    """A match and the tokens that are known for its seats."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.tokens: dict[int, str] = {}


class Players:
    """All players. They are polite about nothing."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rng: Random = world.rng
        self.tables: dict[str, Table] = {}
        self.sent: list[Sent] = []
        self._keys = 0

    # --- what they do --------------------------------------------------------------------------------------

    def open(self) -> None:
        rng = self.rng
        running = sum(self.now_at(table).status != "ended" for table in self.tables.values())
        if running >= TABLES:
            return
        sit = Sit(rng.choice(NAMES)) if rng.random() < 0.9 else None
        game = rng.choice(("adaman", "adaman", "adellos", "adellos", "adellos", "adamantine"))
        if game == "adaman":
            wish = CreateMatch(game, deal=rng.choice((None, rng.randrange(1, 99))), sit=sit)
        else:
            clock = rng.choice((None, MoveClock(20), MoveClock(60), FischerClock(60, 5)))
            options = {"turn_limit": 12}
            seats = rng.choice((2, 2, 3, 4)) if game == "adellos" else 2
            wish = CreateMatch(game, options=options, sit=sit, seats=seats, clock=clock)
        self.send("create", None, None, lambda service, order: service.opening.create(wish, order))

    def sit(self) -> None:
        table = self.some_table(lambda match: match.status == "open")
        if table is None:
            return
        wish = Sit(self.rng.choice(NAMES), seat=self.rng.choice((None, None, 0, 1)))
        self.send(
            "sit",
            table.match,
            None,
            lambda service, order: service.opening.take_seat(table.match, wish, order),
        )

    def play(self) -> None:
        """A legal command of a seat that has to decide, mostly; else any seat's."""
        table = self.some_table(lambda match: match.status == "running")
        if table is None:
            return
        history = self.history(table)
        awaited = [
            seat for seat in kernel.to_act(history.match, history.game) if seat in table.tokens
        ] or sorted(table.tokens)
        if not awaited:
            return
        seat = self.rng.choice(awaited)
        legal = [
            msgspec.to_builtins(one) for one in history.game.rules.legal(history.match.state, seat)
        ]  # an empty list where it is not the seat's turn
        onward = [one for one in legal if one["type"] not in ("cancel_choice", "keep_counter")]
        body = self.rng.choice(onward or legal or [{"type": "pass"}])
        if self.rng.random() < 0.01:
            body = {"type": "resign"}
        self.act(table, seat, body)

    def act(self, table: Table, seat: int, body: dict[str, Any]) -> None:
        token, version = table.tokens[seat], self.now_at(table).version
        expected = self.rng.choice((None, None, version, version, max(1, version - 1), version + 1))
        verb = "resign" if body == {"type": "resign"} else "act"
        self.send(
            verb,
            table.match,
            token,
            lambda service, order: service.matches.act(table.match, token, body, order),
            expected,
        )

    def undo(self) -> None:
        if found := self.some_seat():
            table, token = found
            self.send(
                "undo",
                table.match,
                token,
                lambda service, order: service.matches.undo(table.match, token, order),
            )

    def rewind(self) -> None:
        if found := self.some_seat():
            table, token = found
            version = self.rng.randrange(1, self.now_at(table).version + 2)
            self.send(
                "rewind",
                table.match,
                token,
                lambda service, order: service.matches.rewind(table.match, token, version, order),
            )

    def consent(self) -> None:
        table = self.some_table(lambda match: match.proposal is not None or self.rng.random() < 0.05)
        if table is None or not table.tokens:
            return
        proposal = self.now_at(table).proposal
        number = proposal.version if proposal else 3
        token, agree = self.rng.choice(sorted(table.tokens.values())), self.rng.random() < 0.8
        self.send(
            "consent",
            table.match,
            token,
            lambda service, order: service.matches.consent(table.match, token, number, agree, order),
        )

    def fork(self) -> None:
        table = self.some_table(lambda _: True)
        if table is None or len(self.tables) > 3 * TABLES:
            return
        version = self.rng.randrange(1, self.now_at(table).version + 1)
        token = self.rng.choice([None, *sorted(table.tokens.values())])
        sit = self.rng.choice((None, Sit("eve")))
        self.send(
            "fork",
            table.match,
            token,
            lambda service, order: service.opening.fork(table.match, version, token, sit, order),
        )

    def order(self) -> None:
        """Give or take back a standing order."""
        found = self.some_seat()
        if found is None:
            return
        table, token = found
        orders = StandingOrders(always_pass=self.rng.random() < 0.7)
        with suppress(StoreUnavailable, ServiceError, OutcomeUnknown):
            self.world.any_process().service.ordering.give(table.match, token, orders)

    def look(self) -> None:
        table = self.some_table(lambda _: True)
        if table is None:
            return
        token = self.rng.choice([None, *sorted(table.tokens.values())])
        version = self.rng.choice((None, self.rng.randrange(1, self.now_at(table).version + 1)))
        looking = self.world.any_process().service.looking
        with suppress(StoreUnavailable):
            view = looking.view(table.match, Caller(token), version)
            checks.hides(self.world, table.match, token, view)
            checks.keeps_secrets(self.world, table.match, looking.events(table.match, Caller(token)))

    # --- how they err --------------------------------------------------------------------------------------

    def resend(self) -> None:
        """Any earlier command under its id, to either process."""
        known = [one for one in self.sent if one.key]
        if known:
            self.attempt(self.rng.choice(known), again=True)

    def ask(self) -> None:
        """What became of a command whose outcome was unknown, at the address that was told."""
        doubtful = [one for one in self.sent if one.command and one.token and one.match]
        if not doubtful:
            return
        one = self.rng.choice(doubtful)
        service = self.world.any_process().service
        with suppress(StoreUnavailable):
            checks.told_rightly(self.world, one, service)

    def misuse(self) -> None:
        """Somebody else's token, no token at all, or a known id for something else."""
        if found := self.some_seat():
            table, token = found
            checks.refuses(self.world, table.match, token, self.sent)

    # --- sending -------------------------------------------------------------------------------------------

    def send(
        self, verb: str, match: str | None, token: str | None, call: Call, expected: int | None = None
    ) -> None:
        key = None
        if self.rng.random() < 0.8:
            self._keys += 1
            key = f"key-{self._keys}"
        sent = Sent(verb, match, token, call, key, expected)
        if key:
            sent.command = self.world.keys.command_id(key)
        self.sent.append(sent)
        self.attempt(sent)

    def attempt(self, sent: Sent, *, again: bool = False) -> None:
        """Send a command to a process, and hold what it says against what is so."""
        world = self.world
        process = world.any_process()
        before = checks.Before(world, sent)
        world.weather.met.clear()
        said: Any
        try:
            said = sent.call(process.service, Order(sent.key, sent.expected))
        except (ServiceError, IllegalCommand) as error:
            said = error
        told = type(said).__name__ if isinstance(said, Exception) else f"version {said.version}"
        name = f"{'again ' if again else ''}{sent.verb} {sent.key or '-'}"
        world.tell(f"{process.name}: {name} {sent.match or ''} -> {told} {world.weather.met or ''}")
        checks.judge(world, sent, before, said)
        if not isinstance(said, Exception):
            seat = getattr(said, "seat", None)
            opened = getattr(said, "id", None)
            if opened:
                table = self.tables.setdefault(opened, Table(opened))
                if seat:
                    table.tokens[seat.number] = seat.token

    # --- finding -------------------------------------------------------------------------------------------

    def history(self, table: Table) -> History:
        return self.world.truth.history(table.match)

    def now_at(self, table: Table) -> Match:
        return self.history(table).match

    def some_table(self, fits: Callable[[Match], bool]) -> Table | None:
        found = [table for table in self.tables.values() if fits(self.now_at(table))]
        return self.rng.choice(found) if found else None

    def some_seat(self) -> tuple[Table, str] | None:
        table = self.some_table(lambda match: match.status == "running" or self.rng.random() < 0.1)
        if table is None or not table.tokens:
            return None
        return table, self.rng.choice(sorted(table.tokens.values()))


class House:
    """The service's own hands, and what happens to them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rng = world.rng

    def project(self) -> None:
        """A runner goes on until there is nothing more, or until it is interrupted."""
        process = self.world.any_process()
        with suppress(*FAULTS):
            process.runner.catch_up()
        self.world.tell(f"{process.name}: projects {self.world.weather.met or ''}")

    def rebuild(self) -> None:
        """Build a projection anew beside the live one, a batch a step, by two hands at once at times."""
        world = self.world
        if not world.rebuilds or self.rng.random() < 0.1:
            world.rebuilds.append(world.rebuild(self.rng.choice(projections.PROJECTIONS)))
        hand = self.rng.choice(world.rebuilds)
        try:
            next(hand)
        except (StopIteration, Superseded, *FAULTS):
            world.rebuilds.remove(hand)

    def sweep(self) -> None:
        process = self.world.any_process()
        with suppress(StoreUnavailable):  # Sweeper.run logs it and comes back
            process.sweeper.sweep()
        self.world.tell(f"{process.name}: sweeps {self.world.weather.met or ''}")

    def work(self) -> None:
        """A worker takes a hint, or one that nobody gave and that is much too early; HintWorker logs what fails."""
        process = self.world.any_process()
        hint = self.made_up() if self.rng.random() < 0.2 else self.world.queue.take()
        if hint is None:
            return
        with suppress(StoreUnavailable, OutcomeUnknown, MatchNotFound, RedisError):
            self.world.tell(f"{process.name}: {hint} -> {process.service.effects.perform(hint)}")

    def made_up(self) -> str | None:
        matches = list(dict.fromkeys(entry.stream for _, entry in self.world.log))
        if not matches:
            return None
        match = self.world.truth.history(self.rng.choice(matches)).match
        kind = self.rng.choice(("abandon", "deadline", "due"))
        return f"{kind}-{match.id}-{match.clock_version if kind == 'deadline' else match.version}"

    def pass_time(self) -> None:
        seconds = self.rng.choice((0.01, 0.1, 0.4, 1, 3, 10, 25, 60))
        self.world.elapsed += int(seconds * SECOND)
        self.world.tell(f"{seconds} s pass")

    def jump(self) -> None:
        """Somebody sets the wall clock."""
        self.world.ahead = self.rng.choice((0, 2 * HOUR, -2 * HOUR)) * SECOND
        self.world.tell(f"the wall clock is {self.world.ahead // SECOND} s ahead")

    def restart(self) -> None:
        process = self.world.any_process()
        process.restart()
        self.world.tell(f"{process.name}: starts anew")

    def turn(self) -> None:
        """The weather changes."""
        self.world.weather.rate = self.rng.choice((0.0, 0.0, 0.02, 0.05, 0.3))
        self.world.queue.reachable = self.rng.random() < 0.8
        self.world.queue.swallows = self.rng.random() < 0.1
        if self.rng.random() < 0.1:
            self.world.queue.hints.clear()
        self.world.tell(f"faults {self.world.weather.rate}, queue {self.world.queue.reachable}")
