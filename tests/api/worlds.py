"""Paired worlds for P11: two services that differ only in what one viewer may not see.

World A is played at random, step by step, and everything the viewer could ask for is asked at many points. Then
`secrets.exchange` says what A has hidden from the viewer up to now, and world B is A with just that exchanged:
the same seed (so the same commitment), ids and clock, but another result of the hidden draws, and other private
decisions of the other seats. B is asked exactly what A was asked; every byte of every answer has to be the same.

What a viewer may see is said once more here, by `Secrets` for each game, and not read from the product's field
policies: a policy that is too generous would otherwise hide itself.

To add a game, write its `Secrets` (tests/api/secrets_of.py, tests/api/adamantine_secrets.py) and name it in the test:
- `labels`: the hidden draws; `arrange` may put interesting cards first, in both worlds.
- `exchange(history, viewer, rng)`: walk over A's events, note which places of each hidden draw the viewer came to
  know (drawn itself, shown, played by anybody), shuffle the others; `instead` gives what another seat commands in B
  where its command in A named something hidden (a card given, a card laid face down).
- `private`: events that others see the kind of only (and `what` is begun); where a command leads to such events
  alone, and they are taken back, B does something else.
- `choose`: which of the legal commands to prefer, so that short courses reach what matters.
- `refused`: commands that name what the seat doesn't have.
"""

import importlib
import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Protocol
from unittest.mock import patch

import msgspec

import domain.match as kernel
import projections
import services.identifiers
import services.people
import services.seeds
import services.tokens
from domain.chance import SealedChance
from domain.game import Game, IllegalCommand
from domain.registry import GAMES
from ledgertop.config import load
from ledgertop.wiring import build, open_views
from services.hints import hint
from services.ledger import History
from tests.house import FakeClock

URL = "/api/v1"
HEARTBEAT = 0.001
WRONG_TOKEN = "lt_seat_" + "A" * 43
Shape = tuple[tuple[type, str], ...]  # kinds of events and what they begin: all that others see of them


# --- what a game has to tell -------------------------------------------------------------------------------


@dataclass
class Exchange:
    """How B differs from A: the results of hidden draws by their index, and what other seats command instead."""

    draws: dict[int, Any]
    instead: Callable[[int, dict[str, Any]], dict[str, Any]] = lambda version, command: command
    hidden: int = 0  # how many places of hidden draws have another content
    happened: set[str] = field(default_factory=set)  # what happened to cards that are others in B


class Secrets(Protocol):
    """What a game hides. `viewer` is a seat, or None for a spectator."""

    game: str
    labels: tuple[str, ...]
    private: tuple[type, ...]

    def options(self, rng: Random, seats: int) -> dict[str, Any]: ...
    def arrange(self, items: Sequence[Any], rng: Random) -> Sequence[Any]: ...
    def exchange(self, history: History, viewer: int | None, rng: Random) -> Exchange: ...
    def choose(self, state: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any: ...
    def refused(self, state: Any, seat: int, rng: Random) -> list[list[dict[str, Any]]]:
        """Groups of commands refused to the seat; those of one group have to be refused in the same words."""


# --- one world ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """Everything that came back."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class World:
    """A service whose time, ids and chance the test decides, and what it logged."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        config = load(folder, {"LEDGERTOP_SERVER_KEY": "5a" * 32})
        self.clock = FakeClock()
        self.service = build(config, migrate=True, clock=self.clock)
        views = open_views(config)
        stack.callback(views.close)
        stack.callback(self.service.close)
        self._runner = projections.open_read_side(self.service.store, views).runner()
        self._api = importlib.import_module("api.application")
        settings = importlib.import_module("api.settings").Settings
        self.log = io.BytesIO()
        self.app = self._api.create_app(self.service, settings(log=self.log, heartbeat=HEARTBEAT))
        self.client = self.app.test_client()
        self.secrets: Secrets | None = None
        self.arranged: dict[tuple[bytes, int], Any] = {}
        self._rng, self._ids = Random(0), Random(1)
        self._streams: dict[str, Iterator[bytes]] = {}
        self._answers: list[Any] = []

    @contextmanager
    def ruling(self, secrets: Secrets) -> Iterator[None]:
        """In here this world's ids and chance hold."""
        self.secrets = secrets
        source = SimpleNamespace(urandom=self._rng.randbytes)
        shuffle, roll = SealedChance.shuffle, SealedChance.roll
        with ExitStack() as stack:
            for module in (services.seeds, services.people, services.tokens):
                stack.enter_context(patch.object(module, "os", source))
            ids = SimpleNamespace(take=self._ids.randbytes)
            stack.enter_context(patch.object(services.identifiers, "_randomness", ids))
            stack.enter_context(patch.object(self._api, "perf_counter", lambda: 0.0))
            stack.enter_context(
                patch.object(SealedChance, "shuffle", lambda c, *of: self._drawn(c, shuffle, *of))
            )
            stack.enter_context(patch.object(SealedChance, "roll", lambda c, *of: self._drawn(c, roll, *of)))
            yield

    def _drawn(self, chance: Any, draw_from: Any, label: str, given: Any) -> tuple[int, Any]:
        draw, result = draw_from(chance, label, given)
        assert self.secrets is not None
        if label not in self.secrets.labels:
            return draw, result
        key = (chance._seed, draw)
        if key not in self.arranged:
            self.arranged[key] = result
            if isinstance(result, tuple):
                self.arranged[key] = tuple(self.secrets.arrange(result, Random(repr(key))))
        return draw, self.arranged[key]

    # --- asking --------------------------------------------------------------------------------------------

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Told:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        kind = None if body is None else "application/json"
        answer = self.client.open(path, method=method, data=data, content_type=kind, headers=sent)
        return told(answer, answer.get_data())

    def live(self, path: str, **headers: str) -> Told:
        """What a live stream sends at once, up to its first heartbeat."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.client.open(path, headers=sent | {"Accept": "text/event-stream"}, buffered=False)
        body = until_silent(iter(answer.response))
        answer.close()
        return told(answer, body)

    def follow(self, name: str, path: str, **headers: str) -> Told:
        """Open a live stream that stays open; what it sends is got by `heard`."""
        sent = headers | {"Accept": "text/event-stream"}
        answer = self.client.open(path, headers=sent, buffered=False)
        self._answers.append(answer)
        self._streams[name] = iter(answer.response)
        return told(answer, b"")

    def heard(self, name: str) -> Told:
        return Told(200, (), until_silent(self._streams[name]))

    def hang_up(self) -> None:
        for answer in self._answers:
            answer.close()
        self._answers.clear()
        self._streams.clear()

    def catch_up(self) -> None:
        self._runner.catch_up()

    def metrics(self) -> Told:
        """The measurements; when a series began is told by the computer's own clock."""
        found = self.ask("GET", "/metrics")
        lines = [line for line in found.body.splitlines() if b"_created" not in line]
        return Told(found.status, without_length(found.headers), b"\n".join(lines))

    def logged(self) -> list[dict[str, Any]]:
        """The log lines since last time, without their own clock."""
        lines = [json.loads(line) for line in self.log.getvalue().splitlines()]
        self.log.seek(0)
        self.log.truncate()
        return [{name: one for name, one in line.items() if name != "timestamp"} for line in lines]

    def history(self, match: str) -> History:
        return self.service.ledger.history(match)

    def imagined(self, match: str, seat: int) -> Told:
        """The table as a bot at the seat imagines it, and what it would do where it is asked: it knows no more."""
        history = self.history(match)
        game, now = history.game, history.match
        found = [game.rules.imagine(now.state, seat, SealedChance(bytes(32)))]
        if seat in kernel.to_act(now, game):
            found.append(hint(now, game, seat))
        return Told(200, (), msgspec.json.encode(found))


def told(answer: Any, body: bytes) -> Told:
    return Told(answer.status_code, tuple((str(name), str(value)) for name, value in answer.headers), body)


def without_length(headers: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(header for header in headers if header[0] != "Content-Length")


def until_silent(lines: Iterator[bytes]) -> bytes:
    heard = b""
    for line in lines:
        if line == b": heartbeat\n\n":
            break
        heard += line
    return heard


def chosen_in_part(state: Any) -> bool:
    """Whether a seat is in the middle of a choice: what it has chosen so far may be something else in B."""
    exploration = getattr(state, "exploration", None)
    return getattr(state, "choice", None) is not None or bool(getattr(exploration, "picks", ()))


# --- a course ----------------------------------------------------------------------------------------------


@dataclass
class Step:
    """Something that is done in both worlds. `instead` does it in B, where that is something else."""

    what: str
    act: Callable[[World], Any]
    watched: bool
    instead: Callable[[World], Any] | None = None
    seen: Any = None
    version: int = 0


class Leak(AssertionError):
    """The viewer can tell the worlds apart."""


@dataclass
class Course:
    """A random match in world A as one viewer observes it, and its repetition in world B."""

    world: World
    secrets: Secrets
    seats: int
    viewer: int | None
    rng: Random
    wish: dict[str, Any] = field(default_factory=dict)
    orders: bool = False  # another seat has a standing order in B, and passes by hand in A
    curious: float = 0.03  # how often the viewer looks around
    restless: float = 0.02  # how often somebody wants to go back
    feinting: float = 0.3  # how often what is done privately is taken back
    steps: list[Step] = field(default_factory=list)
    tokens: dict[int, str] = field(default_factory=dict)
    match: str = ""
    stranger: str = ""  # a token of another match
    feints: int = 0  # private decisions that B takes otherwise
    aimed: int = 0  # those of them with other targets
    otherwise: set[str] = field(default_factory=set)  # kinds of commands that name something else in B
    points: int = 0  # looks at everything
    ordered: int = 0  # passes given by a standing order in B
    _eyes: Random = field(default_factory=lambda: Random(0))  # what is looked at doesn't change the course
    _keys: int = 0
    _exchange: Exchange | None = None
    _passive: int | None = None  # the seat with the standing order
    _used: list[tuple[int, str, Any]] = field(default_factory=list)  # seat, key and body of commands

    # --- in world A ----------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return GAMES[self.secrets.game]

    @property
    def history(self) -> History:
        return self.world.history(self.match)

    @property
    def now(self) -> kernel.Match:
        return self.history.match

    def do(
        self,
        what: str,
        act: Callable[[World], Any],
        *,
        watched: bool = False,
        instead: Callable[[World], Any] | None = None,
    ) -> Any:
        step = Step(what, act, watched, instead)
        step.seen = act(self.world)
        step.version = self.now.version if self.match and not self.owed_by_order() else 0
        self.steps.append(step)
        return step.seen

    def ask(self, seat: int | None, method: str, path: str, body: Any = None, **headers: str) -> Told:
        """A request by a seat or a stranger (None); the viewer's and strangers' are watched."""
        if seat is not None:
            headers = {"Authorization": f"Bearer {self.tokens[seat]}"} | headers
        what = f"{'anybody' if seat is None else f'seat {seat}'}: {method} {path} {body or ''} {headers}"
        watched = seat is None or seat == self.viewer
        found: Told = self.do(what, lambda world: world.ask(method, path, body, **headers), watched=watched)
        return found

    def key(self) -> str:
        self._keys += 1
        return f"{self.wish['name']}-{self._keys}"

    def at(self, path: str = "") -> str:
        return f"{URL}/matches/{self.match}{path}"

    def open(self) -> None:
        body = {"game": self.game.name, "sit": {"name": f"{self.wish['name']} 0"}}
        other = self.ask(None, "POST", f"{URL}/matches", body, Idempotency_Key=self.key())
        self.stranger = json.loads(other.body)["seat"]["token"]
        body = body | {"options": self.secrets.options(self.rng, self.seats)} | self.wish.get("body", {})
        body = body | ({"seats": self.seats} if self.seats > 1 else {})
        made = self.ask(None, "POST", f"{URL}/matches", body, Idempotency_Key=self.key())
        assert made.status == 201, made
        opened = json.loads(made.body)
        self.match, self.tokens[0] = opened["id"], opened["seat"]["token"]
        for seat in range(1, self.seats):
            sit = {"name": f"{self.wish['name']} {seat}", "seat": seat}
            taken = self.ask(None, "POST", self.at("/seats"), sit, Idempotency_Key=self.key())
            self.tokens[seat] = json.loads(taken.body)["seat"]["token"]
        sent = self.authorized()
        self.do("the live stream", lambda world: world.follow("own", self.at("/events"), **sent))
        if self.orders:
            others = [seat for seat in range(self.seats) if seat != self.viewer]
            self._passive = self.rng.choice(others)
            bearer = {"Authorization": f"Bearer {self.tokens[self._passive]}"}
            path = self.at("/standing-orders")
            self.do(
                "a standing order",
                lambda world: world.ask("PUT", path, {"always_pass": False}, **bearer),
                instead=lambda world: world.ask("PUT", path, {"always_pass": True}, **bearer),
            )

    def authorized(self) -> dict[str, str]:
        return {} if self.viewer is None else {"Authorization": f"Bearer {self.tokens[self.viewer]}"}

    def play(self, moves: int) -> None:
        """Random commands; the viewer looks around again and again."""
        rng = self.rng
        gone = moves // 2 if self.seats > 2 and rng.random() < 0.7 else moves  # when a seat resigns
        for move in range(moves):
            if move >= gone and self.somebody_goes():
                gone = moves
            if self.now.status != "running":
                break
            acting = kernel.to_act(self.now, self.game)
            if not acting:
                self.do("the system goes on", lambda world: world.service.effects.settle(self.match))
                continue
            self.act(acting[0])
            while self.owed_by_order():
                self.act(kernel.to_act(self.now, self.game)[0])
            self.glance()
            if self._eyes.random() < (0.15 if self.busy() else self.curious):
                self.look_around()
            if self.now.status == "running" and not self.busy():
                self.go_back()
        self.look_around(thoroughly=True)

    def somebody_goes(self) -> bool:
        """A seat with hidden things resigns; the match goes on without it."""
        players = self.now.state.players
        seats = [one.seat for one in players if one.alive and one.hand and one.seat != self.viewer]
        if not seats or sum(one.alive for one in players) < 3 or self.owed_by_order():
            return False
        seat = self.rng.choice([seat for seat in seats if seat != self._passive] or seats)
        self.ask(seat, "POST", self.at("/commands"), {"type": "resign"}, Idempotency_Key=self.key())
        self.glance()
        return True

    def busy(self) -> bool:
        """Whether something is under way, so that a look is worth while."""
        state = self.now.state
        return chosen_in_part(state) or getattr(state, "combat", None) is not None

    def owed_by_order(self) -> bool:
        """Whether a pass is given by hand in A that a standing order has given in B."""
        shared = self.game.shared
        acting = kernel.to_act(self.now, self.game)
        return (
            self._passive in acting and shared is not None and bool(shared.decline(self.now.state, acting[0]))
        )

    def act(self, seat: int) -> None:
        state = self.now.state
        legal = self.game.rules.legal(state, seat)
        command = self.secrets.choose(state, seat, legal, self.rng)
        if self.owed_by_order():
            assert self.game.shared is not None
            self.ordered += 1
            self.command(seat, self.game.shared.decline(state, seat), by_order=True)
            return
        shape = self.shape(state, seat, command)
        if seat != self.viewer and self.can_be_taken_back(state, seat, command, shape):
            self.feint(seat, command, shape)
            return
        self.command(seat, command)

    def can_be_taken_back(self, state: Any, seat: int, command: Any, shape: Shape) -> bool:
        """Whether a private decision is one to take back, now and then; what is open from before is not."""
        if not shape or self.rng.random() > self.feinting:
            return False
        after = self.evolved(state, seat, command)
        return any(one.TAKES_BACK for one in self.game.rules.legal(after, seat))

    def shape(self, state: Any, seat: int, command: Any) -> Shape:
        """The kinds of events a command leads to, if others see no more of them than that; else nothing."""
        try:
            events = self.game.rules.decide(state, command, seat, SealedChance(bytes(32)))
        except IllegalCommand:
            return ()
        if not all(isinstance(event, self.secrets.private) for event in events):
            return ()
        return tuple((type(event), getattr(event, "what", "")) for event in events)

    def command(
        self, seat: int, command: Any, *, by_order: bool = False, plan: Callable[[World], Any] | None = None
    ) -> None:
        """Give a legal command in A. In B what it names may be something else."""
        body = msgspec.to_builtins(command)
        if not by_order and not isinstance(getattr(self.now.state, "combat", None), msgspec.Struct):
            self.pass_time()
        key, path, version = self.key(), self.at("/commands"), self.now.version + 1
        bearer = {"Authorization": f"Bearer {self.tokens[seat]}", "Idempotency-Key": key}

        def other(world: World) -> Any:
            assert self._exchange is not None
            if by_order:
                return None
            sent = plan(world) if plan else self._exchange.instead(version, body)
            return world.ask("POST", path, sent, **bearer)

        own = seat == self.viewer
        found = self.do(
            f"seat {seat} commands {body}",
            lambda world: world.ask("POST", path, body, **bearer),
            watched=own,
            instead=None if own else other,
        )
        assert found.status == 200, found
        if not by_order:
            self._used.append((seat, key, body))

    def feint(self, seat: int, command: Any, shape: Shape) -> None:
        """A private decision that is taken back, or open to the end. B takes another of the same shape."""
        commands, shapes, state = [command], [shape], self.now.state
        while len(commands) < 3:
            state = self.evolved(state, seat, commands[-1])
            onward = [one for one in self.game.rules.legal(state, seat) if self.shape(state, seat, one)]
            onward = [one for one in onward if not one.TAKES_BACK]
            if not onward:
                break
            commands.append(self.rng.choice(onward))
            shapes.append(self.shape(state, seat, commands[-1]))
        plans: dict[int, list[Any]] = {}

        def planned(world: World, place: int) -> Any:
            if id(world) not in plans:
                state = world.history(self.match).match.state
                found = self.differently(state, seat, shapes, commands)
                plans[id(world)] = found
                self.feints += found != commands
                self.aimed += found[1:] != commands[1:]
                pairs = zip(found, commands, strict=True)
                self.otherwise |= {one.type_name() for one, another in pairs if one != another}
            return msgspec.to_builtins(plans[id(world)][place])

        for place, one in enumerate(commands):
            self.command(seat, one, plan=lambda world, place=place: planned(world, place))
            self.glance()
            if self._eyes.random() < 0.25:
                self.look_around()
        back = [one for one in self.game.rules.legal(self.now.state, seat) if one.TAKES_BACK]
        if self.rng.random() < 0.4:
            for _ in commands:
                undone = self.ask(seat, "POST", self.at("/undo"), {}, Idempotency_Key=self.key())
                assert undone.status == 200, undone
        elif back:
            self.command(seat, back[0])

    def evolved(self, state: Any, seat: int, command: Any) -> Any:
        for event in self.game.rules.decide(state, command, seat, SealedChance(bytes(32))):
            state = self.game.rules.evolve(state, event)
        return state

    def differently(
        self, state: Any, seat: int, shapes: Sequence[Shape], commands: Sequence[Any]
    ) -> list[Any]:
        """Other commands that lead to events of the same kinds; the same ones where there are no others."""
        rng = Random(repr(commands))

        def search(state: Any, depth: int) -> list[Any] | None:
            if depth == len(shapes):
                return []
            legal = [one for one in self.game.rules.legal(state, seat) if not one.TAKES_BACK]
            rng.shuffle(legal)
            legal.sort(key=lambda one: one == commands[depth])
            for one in legal:
                if self.shape(state, seat, one) == shapes[depth]:
                    rest = search(self.evolved(state, seat, one), depth + 1)
                    if rest is not None:
                        return [one, *rest]
            return None

        found = search(state, 0)
        assert found is not None
        return found

    def pass_time(self) -> None:
        seconds = self.rng.choice((0, 1, 7))
        self.do("time passes", lambda world: world.clock.go(seconds))

    def go_back(self) -> None:
        """Now and then the viewer takes something back, or somebody proposes to."""
        rng, matches = self.rng, self.now.version
        if self.viewer is not None and rng.random() < 0.03:
            self.ask(self.viewer, "POST", self.at("/undo"), {}, Idempotency_Key=self.key())
        if rng.random() > self.restless:
            return
        begun = next(
            version
            for version in range(1, self.history.version + 1)
            if kernel.to_act(self.history.at(version), self.game)
        )
        to = rng.randrange(begun, matches + 1)
        if chosen_in_part(self.history.at(to).state):
            return
        seat = rng.randrange(self.seats)
        asked = self.ask(seat, "POST", self.at("/rewinds"), {"to_version": to}, Idempotency_Key=self.key())
        if self.seats == 1:
            self.fork(to)
        if asked.status != 200 or self.seats == 1:
            return
        proposal = json.loads(asked.body)["version"]
        self.look_around()
        for other in range(self.seats):
            if other != seat and self.now.proposal:
                agree = {"agree": rng.random() < 0.8}
                path = self.at(f"/rewinds/{proposal}/consent")
                self.ask(other, "POST", path, agree, Idempotency_Key=self.key())
                self.glance()

    def fork(self, version: int) -> None:
        """The seat of a solitaire forks its match; nobody plays on there, or the next cards would be seen."""
        if self.viewer is None:
            return
        body = {"at_version": version}
        made = self.ask(self.viewer, "POST", self.at("/forks"), body, Idempotency_Key=self.key())
        opened = json.loads(made.body)
        bearer = {"Authorization": f"Bearer {opened['seat']['token']}"}
        for path in ("", "/events", "/legal-commands"):
            self.ask(None, "GET", f"{URL}/matches/{opened['id']}{path}", **bearer)

    # --- looking -------------------------------------------------------------------------------------------

    def glance(self) -> None:
        """What has just happened, as the viewer sees it, and what it may do now: nothing of what others may."""
        self.ask(self.viewer, "GET", self.at())
        self.ask(self.viewer, "GET", self.at("/legal-commands"))
        self.do("what the live stream sent", lambda world: world.heard("own"), watched=True)

    def look_around(self, *, thoroughly: bool = False) -> None:
        """Every route, as the viewer, as a spectator, with a wrong token and with one of another match."""
        if self.now.status == "ended":
            return  # all is open now
        self.points += 1
        for seat in dict.fromkeys((self.viewer, None)):
            self.reads(seat, thoroughly)
        for token in (WRONG_TOKEN, self.stranger):
            for path in ("", "/legal-commands", "/events", "/standing-orders", "/record"):
                self.ask(None, "GET", self.at(path), Authorization=f"Bearer {token}")
            self.ask(None, "POST", self.at("/commands"), {"type": "resign"}, Authorization=f"Bearer {token}")
        self.world_wide()
        self.refusals()
        seat, match = self.viewer, self.match
        if seat is not None:
            self.do("what a bot imagines", lambda world: world.imagined(match, seat), watched=True)

    def reads(self, seat: int | None, thoroughly: bool) -> None:
        rng, head = self._eyes, self.now.version
        versions = (
            range(rng.randint(1, 3), head, 3) if thoroughly else [rng.randint(1, head) for _ in range(2)]
        )
        for version in (*versions, 0, head + 1):
            self.ask(seat, "GET", self.at(f"?at={version}"))
        for path in (
            "",
            "?audit=true",
            "/legal-commands",
            f"/events?after={rng.randrange(head)}&limit={rng.randint(1, 9)}",
            f"/events?after={head}",
            "/events?audit=true",
            "/record",
            "/standing-orders",
        ):
            self.ask(seat, "GET", self.at(path))
        self.ask(seat, "HEAD", self.at())
        self.ask(seat, "GET", self.at(), If_None_Match=f'"{head}"')
        self.ask(seat, "GET", self.at(), If_None_Match=f'"{head - 1}"')
        self.ask(seat, "GET", self.at("/events"), Accept="application/x-ndjson")
        self.ask(seat, "GET", self.at("/events"), Accept="image/png")
        sent = {} if seat is None else {"Authorization": f"Bearer {self.tokens[seat]}"}
        sent |= {"Last-Event-ID": str(rng.randrange(head))}
        path = self.at("/events")
        self.do("a live stream", lambda world: world.live(path, **sent), watched=True)

    def world_wide(self) -> None:
        self.do("the read models catch up", World.catch_up)
        name = self.wish["name"]
        for path in (
            f"{URL}/matches?limit=5",
            f"{URL}/matches?game={self.game.name}&status=running&limit=3",
            f"{URL}/matches?player={name}%200",
            f"{URL}/players/{name}%200",
            f"{URL}/leaderboards/{self.game.name}/deals/7",
            "/health/live",
            "/health/ready",
            f"{URL}/nowhere",
        ):
            self.ask(None, "GET", path)
        self.ask(None, "DELETE", self.at())
        if self.points % 5 == 1:
            for path in (f"{URL}/games", f"{URL}/games/{self.game.name}", f"{URL}/openapi.json"):
                self.ask(None, "GET", path)
        if not self.orders:
            self.do("the measurements", World.metrics, watched=True)

    def refusals(self) -> None:
        """What is refused is refused in the same words."""
        rng, head, seat = self._eyes, self.now.version, self.viewer
        commands = self.at("/commands")
        self.ask(None, "POST", commands, {"type": "resign"})
        self.ask(None, "POST", self.at("/seats"), {"name": "late"})
        self.ask(None, "POST", self.at("/forks"), {"at_version": rng.randint(1, head)})
        self.ask(None, "PUT", self.at("/standing-orders"), {"always_pass": True})
        if seat is None:
            return
        state = self.now.state
        legal = [msgspec.to_builtins(one) for one in self.game.rules.legal(state, seat)]
        for group in self.secrets.refused(state, seat, rng):
            answers = {self.ask(seat, "POST", commands, body) for body in group if body not in legal}
            assert len(answers) <= 1, answers
            assert all(answer.status in (403, 409, 422) for answer in answers), answers
        for body in ({}, {"type": "nothing"}, {"type": "resign", "why": 1}, [1]):
            self.ask(seat, "POST", commands, body)
        self.ask(seat, "POST", commands, {"type": "resign", "expected_version": max(1, head - 1)})
        self.ask(seat, "POST", commands, {"type": "resign"}, If_Match=f'"{head + 1}"')
        self.ask(seat, "POST", self.at("/rewinds"), {"to_version": head + 5})
        self.ask(seat, "POST", self.at(f"/rewinds/{rng.randint(1, head)}/consent"), {"agree": False})
        if self.seats > 1:
            self.ask(seat, "POST", self.at("/forks"), {"at_version": rng.randint(1, head)})
        for other in (True, False):
            used = [one for one in self._used[-8:] if (one[0] != seat) is other]
            if used:
                _, key, body = rng.choice(used)
                self.ask(seat, "POST", commands, body, Idempotency_Key=key)
        if self.last_by() != seat:
            self.ask(seat, "POST", self.at("/undo"), {})

    def last_by(self) -> int | None:
        by = self.history.entries[-1].by
        return int(by.removeprefix("seat:")) if by.startswith("seat:") else None

    def finish(self) -> None:
        """The match ends: after it the viewer itself may audit, and then the worlds do differ."""
        order = [seat for seat in range(self.seats) if seat != self.viewer]
        for seat in [*order, *([] if self.viewer is None else [self.viewer])]:
            if self.now.status == "running":
                self.ask(seat, "POST", self.at("/commands"), {"type": "resign"}, Idempotency_Key=self.key())
                self.glance()
        assert self.now.status == "ended"
        self.do("the read models catch up", World.catch_up)
        for path in ("", "/events", "/legal-commands", f"?at={self.now.version // 2}"):
            self.ask(self.viewer, "GET", self.at(path))
            self.ask(None, "GET", self.at(path))
        self.ask(None, "GET", f"{URL}/matches?limit=3")
        self.do("hanging up", World.hang_up)

    # --- in world B ----------------------------------------------------------------------------------------

    def exchange(self) -> Exchange:
        """What B has instead, from what A has hidden up to now."""
        self._exchange = self.secrets.exchange(self.history, self.viewer, self.rng)
        return self._exchange

    def repeat(self, other: World, seed: bytes) -> None:
        """The same course in B. Raises Leak where the viewer sees anything else than in A."""
        assert self._exchange is not None
        other.arranged |= {(seed, draw): result for draw, result in self._exchange.draws.items()}
        for place, step in enumerate(self.steps):
            got = (step.instead or step.act)(other)
            if step.watched and got != step.seen:
                raise Leak(f"step {place}, {step.what}:\n{apart(step.seen, got)}")
            if isinstance(got, Told) and not step.watched:
                assert got.status == step.seen.status, (step.what, got)
            if step.version:
                version = other.history(self.match).match.version
                if version != step.version:
                    raise Leak(f"step {place}, {step.what}: version {step.version} and {version}")

    def audits(self, world: World) -> bytes:
        return world.ask("GET", self.at("/events?audit=true"), **self.authorized()).body


def apart(one: Any, other: Any) -> str:
    """Where two answers differ first."""
    if not isinstance(one, Told) or not isinstance(other, Told):
        return f"{one}\n{other}"
    pairs = enumerate(zip(one.body, other.body, strict=False))
    first = next((place for place, (a, b) in pairs if a != b), min(len(one.body), len(other.body)))
    around = slice(max(0, first - 200), first + 100)
    return (
        f"{one.status} and {other.status}, {sorted(set(one.headers) ^ set(other.headers))}\n"
        f"at byte {first}: {one.body[around]!r}\n{other.body[around]!r}"
    )
