"""Many matches of a game played by a bot, without a store."""

from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import msgspec

from domain.chance import SEED_BYTES, SealedChance
from domain.game import SPECTATOR, Game, Options, Outcome
from services.bots import BOTS, Bot

CUT = 300  # turns after which a match of several seats is cut off


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
    return _shared(game, matches, bot, seed, chosen, rng, seats)


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


def _shared(
    game: Game, matches: int, bot: str, seed: int, options: Options, rng: Random, seats: int
) -> dict[str, Any]:
    """Several seats: who won with which faction from which seat, and what ended the matches.

    `wins_by_place` counts from the starting seat, `wins_by_seat` from seat 0.
    """
    if getattr(options, "turn_limit", CUT) is None:
        options = msgspec.structs.replace(options, turn_limit=CUT)
    factions: dict[str, int] = {}
    wins, places = [0] * seats, [0] * seats
    ends = dict.fromkeys(("last_noble", "bonus_field", "resigned", "cut"), 0)
    turns: list[int] = []
    plays = 0
    began = perf_counter()
    for _ in range(matches):
        state, outcome, played = _play(game, BOTS[bot], options, seats, rng)
        plays += played
        table = game.view.observe(state, SPECTATOR)
        turns.append(table["turns"])
        for player in table["players"]:
            factions.setdefault(player["faction"], 0)
        if outcome.winner is None:
            ends["cut"] += 1
            continue
        reason = str(outcome.reason)
        ends[reason] = ends.get(reason, 0) + 1
        factions[table["players"][outcome.winner]["faction"]] += 1
        wins[outcome.winner] += 1
        places[(outcome.winner - table["first"]) % seats] += 1
    return {
        "game": game.name,
        "bot": bot,
        "seed": seed,
        "players": seats,
        "matches": matches,
        "plays": plays,
        "wins_by_faction": dict(sorted(factions.items())),
        "wins_by_seat": wins,
        "wins_by_place": places,
        "ends": ends,
        "median_turns": median(turns),
        "plays_per_s": plays / (perf_counter() - began),
    }


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
