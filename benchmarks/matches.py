"""Random matches, folded by the kernel without a store, and the logs of services in which such matches went on."""

import random
from collections.abc import Iterator, Sequence

import domain.match as kernel
from domain.chance import SEED_BYTES, Chance, deal_seed
from domain.game import Event, Game
from domain.match import Match, MatchCreated, RuleSet, SeatTaken
from domain.registry import GAMES
from services.codec import Recorded, plain
from services.identifiers import new_command_id, new_event_id, new_salt
from services.simulate import cut_off
from services.store.port import Entry, EventStore
from services.tokens import Keys

TABLES = 48  # matches that go on at the same time in a log
SECOND = 1_000_000
BATCH = 2_000  # entries stored in one transaction
ID = Keys(b"benchmark" * 4)


class Playing:
    """A match that is being played at random, from its creation on. `commands` holds what each command led to."""

    def __init__(
        self,
        game: Game,
        seats: int,
        rng: random.Random,
        *,
        deal: int | None = None,
        cut: bool = True,
        players: Sequence[str] = ("p_0", "p_1", "p_2", "p_3"),
    ) -> None:
        """`cut`: it ends after some hundred turns. A numbered `deal` is dealt alike each time."""
        self.game = game
        self.states: list[Match] = []
        self.commands: list[tuple[Event, ...]] = []
        self._rng = rng
        self._seed = rng.randbytes(SEED_BYTES) if deal is None else deal_seed(game.name, deal)
        rules, options = RuleSet(game.rules_version, game.content), game.options()
        commitment = "0" * 64 if deal is None else None
        self._add(
            MatchCreated(
                game.name,
                rules,
                plain(cut_off(options) if cut else options),
                seats,
                deal,
                commitment,
                True,
                3600,
            )
        )
        for seat in range(seats):
            self._add(SeatTaken(seat=seat, player=players[seat], kind="person", token="0" * 64))
        self._add(*kernel.start(self.match, game, self._chance()))

    @property
    def match(self) -> Match:
        return self.states[-1]

    def decided(self, match: Match) -> bool:
        return self.game.rules.outcome(match.state) is not None

    def move(self) -> None:
        """What is due, or a random legal command of a seat that decides."""
        if (due := kernel.due(self.match, self.game)) is not None:
            self._add(*kernel.act_by_system(self.match, self.game, due, self._chance()))
            return
        seat = kernel.to_act(self.match, self.game)[0]
        every = self.game.rules.legal(self.match.state, seat)
        legal = [one for one in every if not one.TAKES_BACK] or list(every)
        self._add(*kernel.act(self.match, self.game, self._rng.choice(legal), seat, self._chance()))

    def rewind(self, to: Match) -> None:
        self._add(*kernel.rewind(self.game, to, self._chance()))

    def close(self) -> None:
        """End a match that is decided."""
        self._add(*kernel.close(self.match, self.game, self._seed))

    def _chance(self) -> Chance:
        return kernel.chance_of(self.match, self._seed)

    def _add(self, *events: Event) -> None:
        kernel.extend(self.states, "m_bench", events, self.game)
        self.commands.append(events)


def whole(game: Game, rng: random.Random) -> Playing:
    """A match of a random number of seats from its creation to its end; in solitaire every other of a numbered deal."""
    players = [f"p_{rng.randrange(500):026}" for _ in range(game.max_seats)]
    deal = rng.randint(1, 300) if game.numbered_deals and rng.random() < 0.5 else None
    playing = Playing(game, rng.randint(game.min_seats, game.max_seats), rng, deal=deal, players=players)
    while not playing.decided(playing.match):
        playing.move()
    playing.close()
    return playing


def entries_of(playing: Playing, stream: str, at: int = SECOND) -> Iterator[list[Entry]]:
    """A match in envelopes, command by command; the first at the time `at`, each a second after the one before."""
    version = 0
    rules = f"{playing.game.name}/{playing.game.rules_version}"
    for number, events in enumerate(playing.commands):
        entries: list[Entry] = []
        command = new_command_id()
        for event in events:
            version += 1
            entries.append(
                Recorded(
                    stream=stream, version=version, id=new_event_id(), at=at + number * SECOND, by="system:bench",
                    command=command, digest="0" * 64, cause=None, rules=rules, salt=new_salt(), event=event,
                )
            )  # fmt: skip
        yield entries


def log(events: int, seed: int) -> Iterator[list[Entry]]:
    """What a service stores, command by command, until it has `events` of them or a few more.

    TABLES matches go on at the same time, a third of them of each game; when one ends another begins.
    """
    rng = random.Random(seed)
    games = tuple(GAMES.values())
    tables = [_begun(games[table % len(games)], rng) for table in range(TABLES)]
    stored = 0
    while stored < events:
        table = rng.randrange(TABLES)
        entries = next(tables[table], None)
        if entries is None:
            tables[table] = _begun(games[table % len(games)], rng)
        else:
            yield entries
            stored += len(entries)


def _begun(game: Game, rng: random.Random) -> Iterator[list[Entry]]:
    return entries_of(whole(game, rng), ID.match_id(None))


def store_all(store: EventStore, commands: Iterator[list[Entry]]) -> int:
    """Store what commands led to, many in one transaction; the number of events."""
    stored = 0
    batch: list[Entry] = []
    for entries in commands:
        batch += entries
        if len(batch) >= BATCH:
            store.append(batch)
            stored += len(batch)
            batch = []
    if batch:
        store.append(batch)
    return stored + len(batch)
