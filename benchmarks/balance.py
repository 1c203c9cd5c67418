"""How fair a game is: equal bots play every side from every seat equally often.

python -m benchmarks.balance [GAME …] [--players N] [-n MATCHES] [--seed 1] [--processes 2] [--json]

Every share comes with its Wilson interval (95 %). A goal is met where the share itself meets it, open where only
its interval does, missed where none of the interval does; a missed goal makes the exit code 1. A match depends
on the seed and its number alone, so the number of processes changes nothing. Another game is a function like
`adellos` below and its line in `GAMES`.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations, permutations
from math import ceil, sqrt
from multiprocessing import Pool
from random import Random
from statistics import median
from typing import Any

from msgspec import Struct

from domain.adamantine import ADAMANTINE
from domain.adamantine.content.house_pack import HOUSE as CARDS
from domain.adamantine.options import AdamantineOptions
from domain.adellos import ADELLOS
from domain.adellos.content.house_pack import HOUSE
from domain.adellos.options import AdellosOptions
from domain.game import Game, Options
from services.bots import BOTS
from services.simulate import Played, cut_off, play

BOT = "greedy"
Z = 1.959964  # 95 % of a normal distribution lie within so many deviations
CHUNK = 8  # matches a process takes at a time


class Goal(Struct, frozen=True):
    """The least and the most that is wanted."""

    least: float
    most: float


class Kind(Struct, frozen=True):
    """One kind of matches of a game: what is played, and what is wanted of it. No goal: for information."""

    title: str
    game: Game
    seats: int
    arrangements: tuple[Options, ...]  # each is played equally often
    matches: int  # if nothing else is asked
    side: Goal | None = None  # share of the matches a side plays in that it wins
    seat: Goal | None = None  # share of the matches each seat wins, counted from the starting seat
    pairing: Goal | None = None  # share of their matches one side wins against another
    turns: Goal | None = None  # median


# --- the games ---------------------------------------------------------------------------------------------


def adellos() -> tuple[Kind, ...]:
    """Every order of factions round the table, every seat starting."""
    factions = [faction.id for faction in HOUSE.factions]

    def arrangements(seats: int) -> tuple[Options, ...]:
        return tuple(
            AdellosOptions(factions=order, first_seat=first)
            for first in range(seats)
            for order in permutations(factions, seats)
        )

    return (
        Kind("four players", ADELLOS, 4, arrangements(4), 1_536, side=Goal(0.21, 0.29), seat=Goal(0, 0.29)),
        Kind("two players", ADELLOS, 2, arrangements(2), 1_920, pairing=Goal(0.40, 0.60)),
        Kind("three players", ADELLOS, 3, arrangements(3), 720),
    )


def adamantine() -> tuple[Kind, ...]:
    """Every ready deck against every other, from either seat, either seat starting."""
    arrangements = tuple(
        AdamantineOptions(decks=decks, first_seat=first)
        for first in range(2)
        for decks in permutations([deck.id for deck in CARDS.decks], 2)
    )
    return (
        Kind(
            "ready decks",
            ADAMANTINE,
            2,
            arrangements,
            1_440,
            seat=Goal(0.45, 0.55),
            pairing=Goal(0.40, 0.60),
            turns=Goal(8, 20),
        ),
    )


GAMES: dict[str, Callable[[], tuple[Kind, ...]]] = {
    "adellos": cache(adellos),
    "adamantine": cache(adamantine),
}


# --- playing -----------------------------------------------------------------------------------------------


def measure(game: str, place: int, matches: int, seed: int, processes: int) -> list[Played]:
    """Matches of one kind, in the order of their numbers."""
    tasks = [(game, place, number, seed) for number in range(matches)]
    if processes == 1:
        return [_one(task) for task in tasks]
    with Pool(processes) as pool:
        return pool.map(_one, tasks, chunksize=CHUNK)


def _one(task: tuple[str, int, int, int]) -> Played:
    game, place, number, seed = task
    kind = GAMES[game]()[place]
    options = kind.arrangements[number % len(kind.arrangements)]
    rng = Random(f"{seed} {kind.title} {number}")
    return play(kind.game, BOTS[BOT], cut_off(options), kind.seats, rng)


# --- counting ----------------------------------------------------------------------------------------------


class Share(Struct, frozen=True):
    """How often something happened, with its Wilson interval and what is said of the goal."""

    name: str
    times: int
    of: int
    share: float
    low: float
    high: float
    goal: str  # met, open, missed or none


def share(name: str, times: int, of: int, goal: Goal | None = None) -> Share:
    low, high = wilson(times, of)
    value = times / of if of else 0.0
    return Share(name, times, of, value, low, high, verdict(value, low, high, goal))


def wilson(times: int, of: int) -> tuple[float, float]:
    """The interval in which the true share lies, with 95 % confidence."""
    if not of:
        return 0.0, 1.0
    value, square = times / of, Z * Z
    middle = (value + square / (2 * of)) / (1 + square / of)
    half = Z * sqrt(value * (1 - value) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def verdict(value: float, low: float, high: float, goal: Goal | None) -> str:
    if goal is None:
        return "none"
    if goal.least <= value <= goal.most:
        return "met"
    return "missed" if high < goal.least or low > goal.most else "open"


def report(kind: Kind, played: Sequence[Played]) -> dict[str, Any]:
    """All figures of one kind of matches as plain values."""
    turns = sorted(one.turns for one in played)
    middle = median(turns)
    return {
        "title": kind.title,
        "matches": len(played),
        "sides": _sides(kind, played),
        "seats": _seats(kind, played),
        "pairings": _pairings(kind, played) if kind.seats == 2 else [],
        "ends": [share(end, times, len(played)) for end, times in _counted(one.end for one in played)],
        "median_turns": middle,
        "turns_of_80_percent": [turns[len(turns) // 10], turns[len(turns) * 9 // 10]],
        "turns_goal": verdict(middle, middle, middle, kind.turns),
    }


def _counted(items: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(items).items())


def _sides(kind: Kind, played: Sequence[Played]) -> list[Share]:
    wins = Counter(one.sides[one.winner] for one in played if one.winner is not None)
    return [
        share(side, wins[side], of, kind.side)
        for side, of in _counted(side for one in played for side in one.sides)
    ]


def _seats(kind: Kind, played: Sequence[Played]) -> list[Share]:
    wins = Counter((one.winner - one.first) % kind.seats for one in played if one.winner is not None)
    return [
        share("starts" if seat == 0 else f"{seat} after", wins[seat], len(played), kind.seat)
        for seat in range(kind.seats)
    ]


def _pairings(kind: Kind, played: Sequence[Played]) -> list[Share]:
    sides = sorted({side for one in played for side in one.sides})
    rows = []
    for side, other in combinations(sides, 2):
        met = [one for one in played if set(one.sides) == {side, other}]
        if met:
            won = sum(one.winner is not None and one.sides[one.winner] == side for one in met)
            rows.append(share(f"{side} v. {other}", won, len(met), kind.pairing))
    return rows


# --- telling -----------------------------------------------------------------------------------------------

TABLES = ("sides", "seats", "pairings", "ends")


def show(told: dict[str, Any]) -> None:
    print(
        f"\n{told['game']}, {told['title']}: {told['matches']:,} matches by the {BOT} bot, seed {told['seed']}"
    )
    for table in TABLES:
        if told[table]:
            print(f"  {table}")
        for row in told[table]:
            goal = "" if row.goal == "none" else f"  {row.goal}"
            print(f"    {row.name:<28}{row.share:>7.1%}  [{row.low:.1%} – {row.high:.1%}]{goal}")
    low, high = told["turns_of_80_percent"]
    goal = "" if told["turns_goal"] == "none" else f"  {told['turns_goal']}"
    print(f"  median turns {told['median_turns']:g}, {low} – {high} in four of five matches{goal}")


def goals(told: dict[str, Any]) -> list[str]:
    """What is said of each goal."""
    said = [*(row.goal for table in TABLES for row in told[table]), told["turns_goal"]]
    return [goal for goal in said if goal != "none"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}; all if none")
    parser.add_argument("--players", type=int, help="only matches of so many")
    parser.add_argument("-n", type=int, help="matches of each kind, made up to whole rounds of arrangements")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print one object")
    asked = parser.parse_args()
    if unknown := set(asked.games) - set(GAMES):
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    reports = []
    for game in asked.games or GAMES:
        for place, kind in enumerate(GAMES[game]()):
            if asked.players in (None, kind.seats):
                round_of = len(kind.arrangements)
                matches = ceil((asked.n or kind.matches) / round_of) * round_of
                played = measure(game, place, matches, asked.seed, asked.processes)
                told = {"game": game, "bot": BOT, "seed": asked.seed} | report(kind, played)
                reports.append(told)
                if not asked.json:
                    show(told)
    said = Counter(goal for told in reports for goal in goals(told))
    if asked.json:
        plain = [
            {key: [_plain(row) for row in value] if key in TABLES else value for key, value in told.items()}
            for told in reports
        ]
        print(json.dumps({"reports": plain, "goals": said}, indent=2, ensure_ascii=False))
    else:
        print(f"\ngoals: {said['met']} met, {said['open']} open, {said['missed']} missed")
    sys.exit(1 if said["missed"] else 0)


def _plain(row: Share) -> dict[str, Any]:
    return {name: getattr(row, name) for name in Share.__struct_fields__}


if __name__ == "__main__":
    main()
