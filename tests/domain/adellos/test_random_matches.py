"""Properties that hold in every match, checked on random ones with two, three and four players."""

from collections import Counter
from functools import cache
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.adellos import ADELLOS
from domain.adellos import commands as c
from domain.adellos.events import EVENTS, CardDrawn, CardGiven, HandSeen, UnitDefeated
from domain.adellos.state import AdellosState
from domain.chance import SealedChance
from domain.game import AUDITOR, SPECTATOR, Game, IllegalCommand, Viewer, at_seat
from tests.domain.adellos.random_play import Moment, accepted, moments
from tests.domain.adellos.second_pack import SECOND

GAMES = {"house": ADELLOS, "second": SECOND}
matches = given(
    seed=st.integers(0, 2**32),
    players=st.sampled_from((2, 3, 4)),
    pack=st.sampled_from(("house", "house", "second")),
)
few = settings(max_examples=40, deadline=None)


@cache
def every_command(pack: str, fields: int) -> tuple[Any, ...]:
    """Every command there could be: all combinations of fields, kinds, cards, abilities and seats."""
    box = GAMES[pack].rules.box
    here, seats = range(-1, fields + 1), range(-1, 5)
    kinds, cards = [*box.kinds, "nothing", ""], [*box.cards, "nothing"]
    return (
        *(c.AgreeTrading(agree) for agree in (True, False)),
        *map(c.ChooseNoble, kinds),
        *map(c.PlaceNoble, here),
        c.EndSetUp(),
        *map(c.Hire, kinds),
        *(make(one, other) for make in (c.Move, c.Swap, c.Attack) for one, other in product(here, here)),
        *(c.UseAbility(one, ability) for one, ability in product(here, [*box.abilities, "nothing"])),
        *map(c.PlayCard, cards),
        *map(c.KeepCounter, here),
        *map(c.GiveGold, seats),
        *(c.GiveCard(to, card) for to, card in product(seats, cards)),
        c.Pass(),
        c.EndTurn(),
        *map(c.ChooseField, here),
        *map(c.ChooseKind, kinds),
        *map(c.ChooseSeat, seats),
        c.FinishChoice(),
        c.CancelChoice(),
        c.TickTimeCounters(),
    )


@matches
@few
def test_legal_is_sound_and_names_nothing_twice(seed: int, players: int, pack: str) -> None:
    game = GAMES[pack]
    for moment in moments(game, seed, min(players, game.max_seats)):
        for seat in range(players):
            found = list(game.rules.legal(moment.state, seat))
            assert len(set(found)) == len(found)
            assert bool(found) == (seat in game.rules.to_act(moment.state))
            assert all(accepted(game.rules, moment.state, command, seat) for command in found)


@matches
@settings(max_examples=8, deadline=None)
def test_legal_is_complete(seed: int, players: int, pack: str) -> None:
    game = GAMES[pack]
    rng = Random(seed)
    for moment in moments(game, seed, players):
        if rng.random() > 0.02:
            continue
        state = moment.state
        for seat in range(players):
            found = {
                command
                for command in every_command(pack, len(state.board))
                if accepted(game.rules, state, command, seat)
            }
            assert found == set(game.rules.legal(state, seat))


@matches
@few
def test_replay_from_stored_events_gives_the_same_state(seed: int, players: int, pack: str) -> None:
    game = GAMES[pack]
    kinds = {kind.TOPIC: kind for kind in EVENTS}
    played = list(moments(game, seed, players))
    state = played[0].state
    for moment in played:
        assert state == moment.state
        for event in moment.events:
            stored = msgspec.json.encode(event)
            again = msgspec.json.decode(stored, type=kinds[event.TOPIC])
            assert again == event
            state = game.rules.evolve(state, again)


@matches
@few
def test_tiles_cards_and_tokens_are_conserved(seed: int, players: int, pack: str) -> None:
    game = GAMES[pack]
    box = game.rules.box
    last = None
    for moment in moments(game, seed, players):
        state = moment.state
        on_board = Counter((unit.kind, unit.origin) for unit in state.board if unit is not None)
        for player in state.players:
            for kind, tiles in zip(box.units.get(player.faction, ()), player.supply, strict=False):
                printed = box.factions[player.faction].units[box.place[kind.id]].count
                assert tiles >= 0
                assert tiles + on_board[(kind.id, player.seat)] <= printed
            assert player.gold >= 0
            assert list(player.hand) == sorted(player.hand)
            if player.noble_at >= 0:
                assert state.board[player.noble_at].kind == player.noble
        cards = Counter(state.deck) + Counter(card for player in state.players for card in player.hand)
        assert cards <= Counter(box.deck)
        assert state.ap >= 0
        assert last is None or len(state.deck) <= last
        last = len(state.deck)


@matches
@few
def test_a_default_awaits_every_decision(seed: int, players: int, pack: str) -> None:
    game = GAMES[pack]
    for moment in moments(game, seed, players):
        for seat in game.rules.to_act(moment.state):
            command = game.rules.default(moment.state, seat)
            assert accepted(game.rules, moment.state, command, None)


@matches
@few
def test_advance_finishes_a_command_that_was_cut_off(seed: int, players: int, pack: str) -> None:
    game = GAMES[pack]
    rules = game.rules
    for moment in moments(game, seed, players):
        if len(moment.events) < 2 or moment.command is None:
            continue
        whole = moment.state
        for event in moment.events:
            whole = rules.evolve(whole, event)
        part = rules.evolve(moment.state, moment.events[0])
        for event in rules.advance(part, SealedChance(bytes(32))):
            part = rules.evolve(part, event)
        assert part == whole


# --- hidden information (P11) ------------------------------------------------------------------------------


def twin(state: AdellosState, known: set[int], rng: Random) -> AdellosState:
    """Another world: deck and hands of seats outside `known` are drawn anew, hidden choices are others."""
    unknown = [player for player in state.players if player.seat not in known]
    cards = [*state.deck, *(card for player in unknown for card in player.hand)]
    rng.shuffle(cards)
    players = []
    for player in state.players:
        if player.seat not in known:
            size = len(player.hand)
            player, cards = replace(player, hand=tuple(sorted(cards[:size]))), cards[size:]
        players.append(player)
    choice = state.choice
    if choice is not None and choice.seat not in known:
        choice = replace(choice, hire="", field=3, ability="", picks=(1, "x"))
    return replace(state, players=tuple(players), deck=tuple(cards), choice=choice)


def seen(game: Game, state: AdellosState, viewer: Viewer) -> bytes:
    parts: list[Any] = [game.view.observe(state, viewer), game.view.show(game.view.observe(state, viewer))]
    if viewer.seat is not None and viewer.seat in game.rules.to_act(state):
        parts += game.rules.legal(state, viewer.seat)
    return msgspec.json.encode(parts)


@matches
@settings(max_examples=15, deadline=None)
def test_P11_worlds_that_differ_in_what_is_hidden_look_alike(seed: int, players: int, pack: str) -> None:
    game = GAMES[pack]
    rng = Random(seed)
    for moment in moments(game, seed, players):
        for viewer in (SPECTATOR, *map(at_seat, range(players))):
            known = set() if viewer.seat is None else {viewer.seat}
            other = twin(moment.state, known, rng)
            assert seen(game, moment.state, viewer) == seen(game, other, viewer)
            assert_refusals_alike(game, moment, other, viewer)
            assert_events_alike(game, moment, viewer, rng)


def assert_refusals_alike(game: Game, moment: Moment, other: AdellosState, viewer: Viewer) -> None:
    if viewer.seat is None:
        return
    for command in (c.PlayCard("parry"), c.Pass(), c.EndTurn(), c.ChooseField(3), c.Hire("thug")):
        told = []
        for state in (moment.state, other):
            try:
                game.rules.decide(state, command, viewer.seat, SealedChance(bytes(32)))
                told.append("accepted")
            except IllegalCommand as error:
                told.append(repr(error))
        assert told[0] == told[1]


def assert_events_alike(game: Game, moment: Moment, viewer: Viewer, rng: Random) -> None:
    """The same command in both worlds tells the viewer the same, but for what it is shown itself."""
    if moment.command is None or moment.seat is None:
        return
    known = {moment.seat} | (set() if viewer.seat is None else {viewer.seat})
    other = twin(moment.state, known, rng)
    told = []
    for state in (moment.state, other):
        events = game.rules.decide(state, moment.command, moment.seat, SealedChance(bytes(32)))
        told.append(
            [
                (event.type_name(), game.view.redact(event, viewer))
                for event in events
                if not (isinstance(event, CardDrawn | HandSeen | CardGiven) and event.seat == viewer.seat)
            ]
        )
    assert told[0] == told[1]


@matches
@few
def test_the_view_says_the_same_as_the_state_to_an_auditor(seed: int, players: int, pack: str) -> None:
    game = GAMES[pack]
    for moment in moments(game, seed, players, turns=15):
        view = game.view.observe(moment.state, AUDITOR)
        assert view["deck"] == list(moment.state.deck)
        assert [player["hand"] for player in view["players"]] == [list(p.hand) for p in moment.state.players]
        assert msgspec.json.decode(msgspec.json.encode(view)) == view
        for event in moment.events:
            shown = game.view.redact(event, AUDITOR)
            assert game.view.tell(event.type_name(), shown).endswith(".")
        for seat in game.rules.to_act(moment.state):
            for command in game.rules.legal(moment.state, seat):
                assert game.view.ask(msgspec.to_builtins(command))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ordinary_positions_have_at_most_about_100_commands(players: int) -> None:
    sizes = sorted(
        len(ADELLOS.rules.legal(moment.state, seat))
        for seed in range(6)
        for moment in moments(ADELLOS, seed, players, turns=60)
        for seat in ADELLOS.rules.to_act(moment.state)
    )
    assert sizes[int(0.99 * len(sizes))] <= 100
    assert sizes[-1] <= 250


def test_random_matches_reach_every_event_but_rare_ones() -> None:
    happened = {
        type(event)
        for seed in range(30)
        for moment in moments(ADELLOS, seed, 2 + seed % 3, turns=60)
        for event in moment.events
    }
    assert set(EVENTS) - happened <= {HandSeen, CardGiven, UnitDefeated}
