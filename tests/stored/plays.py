"""Matches played at random by the rules alone: any game, no service."""

import random
from collections.abc import Iterator

import domain.match as kernel
from domain.chance import commitment
from domain.game import Event, Game
from domain.match import Match, MatchCreated, RuleSet, SeatTaken
from services.codec import plain

MOVES = 400


def play(game: Game, seed: int) -> Iterator[tuple[Event, Match]]:
    """The events of a match, each with the match after it; cut after many moves."""
    rng = random.Random(seed)
    secret = rng.randbytes(32)
    seats = rng.randint(game.min_seats, game.max_seats)
    states: list[Match] = []

    def add(*events: Event) -> Iterator[tuple[Event, Match]]:
        for event in events:
            kernel.extend(states, f"m{seed}", (event,), game)
            yield event, states[-1]

    rules = RuleSet(game.rules_version, game.content)
    options = plain(game.options())
    yield from add(MatchCreated(game.name, rules, options, seats, None, commitment(secret), True, 3600))
    for seat in range(seats):
        yield from add(SeatTaken(seat=seat, player=f"p_{seat}", kind="person", token="0" * 64))
    yield from add(*kernel.start(states[-1], game, kernel.chance_of(states[-1], secret)))
    for _ in range(MOVES):
        match = states[-1]
        if over := kernel.close(match, game, secret):
            yield from add(*over)
            return
        chance = kernel.chance_of(match, secret)
        if (due := kernel.due(match, game)) is not None:
            yield from add(*kernel.act_by_system(match, game, due, chance))
            continue
        seat = kernel.to_act(match, game)[0]
        legal = game.rules.legal(match.state, seat)
        onward = [command for command in legal if not command.TAKES_BACK]
        yield from add(*kernel.act(match, game, rng.choice(onward or legal), seat, chance))
