"""Many matches of a game played by a bot, without a store."""

from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from domain.chance import SEED_BYTES, SealedChance
from domain.game import SPECTATOR, Game, Options, Outcome
from services.bots import BOTS, Bot

CUT = 300  # turns after which a match of several seats is cut off
RESIGNED, CUT_OFF = "resigned", "cut"


def simulate(
    game: Game, matches: int, bot: str, seed: int, options: Options | None = None, players: int | None = None
) -> dict[str, Any]:
    """Play `matches` matches and count how they end.

    The same arguments give the same result but for `plays_per_s`, which includes setting up. Every call goes
    through the game's modules, so what is counted are the rules as they are. `plays` counts seats' commands.
    Raises ValueError for fewer than one match or too few or many players, KeyError for an unknown bot.
    """
    if matches < 1:
        raise ValueError("at least one match has to be played")
    seats = game.min_seats if players is None else players
    if not game.min_seats <= seats <= game.max_seats:
        raise ValueError(f"{game.title} is for {game.min_seats} to {game.max_seats} players")
    rng = Random(seed)  # noqa: S311 - a simulation is to be repeatable
    chosen = options if options is not None else game.options()
    if game.solitaire:
        return _solitaire(game, matches, bot, seed, chosen, rng)
    return _shared(game, matches, bot, chosen, rng, seats)


def _solitaire(
    game: Game, matches: int, bot: str, seed: int, options: Options, rng: Random
) -> dict[str, Any]:
    rules, player = game.rules, BOTS[bot]
    outcomes = {"won": 0, "lost": 0, "lost_utterly": 0}
    plays = score = 0
    began = perf_counter()
    for _ in range(matches):
        chance = SealedChance(rng.randbytes(SEED_BYTES))
        state = rules.initial(options, 1)
        for event in rules.start(options, 1, chance):
            state = rules.evolve(state, event)
        while (outcome := rules.outcome(state)) is None:
            command = player.choose(game, state, 0, rng)
            for event in rules.decide(state, command, 0, chance):
                state = rules.evolve(state, event)
            plays += 1
        outcomes[outcome.result] = outcomes.get(outcome.result, 0) + 1
        score += outcome.score or 0
    return {
        "game": game.name,
        "bot": bot,
        "seed": seed,
        "matches": matches,
        "plays": plays,
        "outcomes": outcomes,
        "mean_score": score / matches,
        "plays_per_s": plays / (perf_counter() - began),
    }


def _shared(game: Game, matches: int, bot: str, options: Options, rng: Random, seats: int) -> dict[str, Any]:
    """Several seats: who won with what from which seat, and what ended the matches. `Game.tally` names it all."""
    tally = game.tally
    assert tally is not None
    in_turn = [cut_off(one) for one in (tally.in_turn(options) if tally.in_turn else (options,))]
    sides: dict[str, int] = {}
    wins = [0] * seats
    ends = dict.fromkeys((*tally.ends, RESIGNED, CUT_OFF), 0)
    turns: list[int] = []
    plays = 0
    began = perf_counter()
    for number in range(matches):
        played = play(game, BOTS[bot], in_turn[number % len(in_turn)], seats, rng)
        plays += played.plays
        turns.append(played.turns)
        for side in played.sides:
            sides.setdefault(side, 0)
        ends[played.end] = ends.get(played.end, 0) + 1
        if played.winner is not None:
            sides[played.sides[played.winner]] += 1
            wins[(played.winner - played.first) % seats if tally.from_start else played.winner] += 1
    sides = dict(sorted(sides.items()))
    who = {"players": seats} if game.min_seats < game.max_seats else {f"{tally.side}s": list(sides)}
    return {
        "game": game.name,
        "bot": bot,
        **who,
        "matches": matches,
        "plays": plays,
        f"wins_by_{tally.side}": sides,
        "wins_by_starting_seat" if tally.from_start else "wins_by_seat": wins,
        "ends": ends,
        "median_turns": median(turns),
        "plays_per_s": plays / (perf_counter() - began),
    }


class Played(Struct, frozen=True):
    """A match of several seats that is over."""

    sides: tuple[str, ...]  # by seat
    first: int  # the starting seat
    winner: int | None
    end: str  # the outcome's reason, or `cut`
    turns: int
    plays: int  # commands the seats gave


def cut_off(options: Options) -> Options:
    """`options` with an end for matches that go on and on, where the game has a limit and none is set."""
    if getattr(options, "turn_limit", CUT) is None:
        return msgspec.structs.replace(options, turn_limit=CUT)
    return options


def play(game: Game, bot: Bot, options: Options, seats: int, rng: Random) -> Played:
    """One match of several seats, to its end."""
    assert game.tally is not None
    state, outcome, plays = _play(game, bot, options, seats, rng)
    table = game.view.observe(state, SPECTATOR)
    reason = str(outcome.reason)
    return Played(
        sides=tuple(player[game.tally.side] for player in table["players"]),
        first=table["first"],
        winner=outcome.winner,
        end=CUT_OFF if outcome.winner is None and reason not in game.tally.ends else reason,
        turns=table["turns"],
        plays=plays,
    )


def _play(game: Game, bot: Bot, options: Options, seats: int, rng: Random) -> tuple[Any, Outcome, int]:
    """One match: its last state, its outcome and the number of commands the seats gave."""
    rules, shared = game.rules, game.shared
    assert shared is not None
    chance = SealedChance(rng.randbytes(SEED_BYTES))
    state = rules.initial(options, seats)
    for event in rules.start(options, seats, chance):
        state = rules.evolve(state, event)
    plays = 0
    while (outcome := rules.outcome(state)) is None:
        if due := shared.due(state):
            events = shared.decide(state, due, None, chance)
        else:
            seat = rules.to_act(state)[0]
            events = rules.decide(state, bot.choose(game, state, seat, rng), seat, chance)
            plays += 1
        for event in events:
            state = rules.evolve(state, event)
    return state, outcome, plays
