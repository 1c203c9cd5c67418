"""Properties that hold in every match, checked on random ones with random legal decks."""

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.adamantine import ADAMANTINE
from domain.adamantine import commands as c
from domain.adamantine.effects import STATS
from domain.adamantine.events import (
    EVENTS,
    ChampionSlain,
    DayBegun,
    DungeonCardsDiscarded,
    EncounterLaid,
    HeroCardsDrawn,
    NightBegun,
    RoomExplored,
    RoomSeen,
    SeatResigned,
)
from domain.adamantine.state import AdamantineState, Held, Laid
from domain.chance import SealedChance
from domain.game import AUDITOR, SPECTATOR, IllegalCommand, Viewer, at_seat
from tests.domain.adamantine.random_play import BOX, RULES, Moment, accepted, moments

VIEW = ADAMANTINE.view
matches = given(seed=st.integers(0, 2**32))
few = settings(max_examples=60, deadline=None)


def every_command(state: AdamantineState) -> list[Any]:
    """Every command there could be: every handle there is, and some there are not."""
    handles = range(-1, state.handles + 2)
    targets = [0, -1, *(room.handle for player in state.players for room in player.rooms)]
    targets += [laid.handle for player in state.players for room in player.rooms for laid in room.cards]
    heroes = [*BOX.hero_cards, "nothing", ""]
    found: list[Any] = [
        c.Search(),
        c.Decline(),
        c.EndDay(),
        c.BuildRoom(),
        c.RandomEncounter(),
        c.EndNight(),
        c.RollCheck(),
        c.Finish(),
        c.Cancel(),
        *map(c.BringDeck, [*BOX.decks, "nothing"]),
        *map(c.ChooseChampion, heroes),
        *map(c.ChooseClass, heroes),
        *map(c.ChooseStatistic, STATS),
    ]
    for make in (c.PlayCard, c.Sacrifice, c.Explore, c.Possess, c.LayCard, c.TakeDamage, c.Discard):
        found += map(make, handles)
    found += [c.Use(card, target) for card, target in product(handles, targets)]
    found += [c.AssignDamage(card, points) for card, points in product(handles, range(-1, 22))]
    return found


@matches
@few
def test_legal_is_sound_short_and_names_nothing_twice(seed: int) -> None:
    for moment in moments(seed):
        for seat in (0, 1):
            found = list(RULES.legal(moment.state, seat))
            assert len(set(map(repr, found))) == len(found) <= 100
            assert bool(found) == (seat in RULES.to_act(moment.state))
            assert all(accepted(moment.state, command, seat) for command in found)


@matches
@settings(max_examples=8, deadline=None)
def test_legal_is_complete(seed: int) -> None:
    rng = Random(seed)
    for moment in moments(seed):
        if rng.random() > 0.06:
            continue
        for seat in (0, 1):
            found = [
                command for command in every_command(moment.state) if accepted(moment.state, command, seat)
            ]
            assert {repr(one) for one in found} == {repr(one) for one in RULES.legal(moment.state, seat)}


@matches
@few
def test_replay_from_stored_events_gives_the_same_state_P6(seed: int) -> None:
    kinds = {kind.TOPIC: kind for kind in EVENTS}
    played = list(moments(seed))
    state = played[0].state
    for moment in played:
        assert state == moment.state
        for event in moment.events:
            again = msgspec.json.decode(msgspec.json.encode(event), type=kinds[event.TOPIC])
            assert again == event
            state = RULES.evolve(state, again)


@matches
@few
def test_cards_and_handles_are_conserved(seed: int) -> None:
    last = 0
    for moment in moments(seed):
        state = moment.state
        assert state.handles >= last
        last = state.handles
        handles: list[int] = []
        for player in state.players:
            pieces = [*player.in_play, *([player.champion] if player.champion else [])]
            laid = [laid for room in player.rooms for laid in room.cards]
            hero = [
                *player.hero_deck,
                *player.hero_discard,
                *(one.card for one in (*player.hero_hand, *pieces)),
            ]
            dungeon = [*player.dungeon_deck, *player.dungeon_discard]
            dungeon += [one.card for one in (*player.dungeon_hand, *laid)]
            assert len(hero) == len(dungeon) == (60 if player.hero_deck or player.days else len(hero))
            assert all(card in BOX.hero_cards for card in hero)
            assert all(card in BOX.dungeon for card in dungeon)
            assert max(Counter(hero).values(), default=0) <= 4
            assert player.wounds >= 0
            assert all(room.cards for room in player.rooms) or state.exploration is not None
            handles += [one.handle for one in (*player.hero_hand, *player.dungeon_hand, *pieces, *laid)]
            handles += [room.handle for room in player.rooms]
        assert len(set(handles)) == len(handles)
        assert max(handles, default=0) <= state.handles


@matches
@few
def test_a_default_awaits_every_decision_and_always_ends_a_turn(seed: int) -> None:
    chance = SealedChance(bytes(32))
    for number, moment in enumerate(moments(seed)):
        for seat in RULES.to_act(moment.state):
            assert accepted(moment.state, RULES.default(moment.state, seat), None)
        assert RULES.default(moment.state, 2) is None
        if number % 40 or RULES.outcome(moment.state):
            continue
        state, given_by_system = moment.state, 0
        while state.turns == moment.state.turns and RULES.outcome(state) is None:
            acting = RULES.to_act(state)
            events = (
                RULES.decide(state, RULES.default(state, acting[0]), None, chance)
                if acting
                else RULES.advance(state, chance)
            )
            for event in events:
                state = RULES.evolve(state, event)
            given_by_system += 1
            assert given_by_system < 60


@matches
@few
def test_advance_finishes_a_command_that_was_cut_off_anywhere(seed: int) -> None:
    """Whatever version is rewound to, the rules finish what they owe with fresh chance."""
    rng = Random(seed)
    for moment in moments(seed):
        if len(moment.events) < 2:
            continue
        state = moment.state
        for event in moment.events[: rng.randrange(1, len(moment.events))]:
            state = RULES.evolve(state, event)
        for event in RULES.advance(state, SealedChance(rng.randbytes(32))):
            state = RULES.evolve(state, event)
        assert RULES.to_act(state) or RULES.outcome(state)
        assert RULES.advance(state, SealedChance(bytes(32))) == ()


@matches
@few
def test_a_seat_can_resign_at_any_time(seed: int) -> None:
    for moment in moments(seed, turns=6):
        for seat in (0, 1):
            if RULES.outcome(moment.state) is None:
                (event,) = RULES.resign(moment.state, seat, SealedChance(bytes(32)))
                assert event == SeatResigned(seat=seat)
                outcome = RULES.outcome(RULES.evolve(moment.state, event))
                assert (outcome.winner, outcome.reason) == (1 - seat, "resigned")


# --- hidden information (P11) ------------------------------------------------------------------------------


FACE_DOWN = (c.LayCard, c.Finish, c.Cancel)


def twin(state: AdamantineState, known: set[int], rng: Random) -> AdamantineState:
    """Another world: decks, hands and unseen faces of the seats outside `known` are dealt anew."""
    players = []
    for player in state.players:
        looked = 1 - player.seat in known
        if player.seat not in known:
            hero = [*player.hero_deck, *(card.card for card in player.hero_hand)]
            down = [
                laid
                for room in player.rooms
                if not (room.seen and looked)
                for laid in room.cards
                if not laid.up
            ]
            dungeon = [*player.dungeon_deck, *(one.card for one in (*player.dungeon_hand, *down))]
            rng.shuffle(hero)
            rng.shuffle(dungeon)
            if player.secret:  # lists of one's own may hold anything
                hero = rng.choices(sorted(BOX.heroes), k=len(hero))
                dungeon = rng.choices(sorted(BOX.dungeon), k=len(dungeon))
            if player.seat in state.dying:  # that a champion can follow is told by the question
                hero = sorted(hero, key=lambda card: card not in BOX.champions)
                hero[0] = hero[0] if hero[0] in BOX.champions else "needle-tam"
            rooms = []
            for room in player.rooms:
                if not (room.seen and looked):
                    cards = [
                        laid if laid.up else Laid(laid.handle, dungeon.pop(), False) for laid in room.cards
                    ]
                    room = replace(room, cards=tuple(cards))
                rooms.append(room)
            hand, night = len(player.hero_hand), len(player.dungeon_hand)
            player = replace(
                player,
                hero_hand=tuple(Held(one.handle, hero[n]) for n, one in enumerate(player.hero_hand)),
                hero_deck=tuple(hero[hand:]),
                dungeon_hand=tuple(Held(one.handle, dungeon[n]) for n, one in enumerate(player.dungeon_hand)),
                dungeon_deck=tuple(dungeon[night:]),
                rooms=tuple(rooms),
            )
        elif state.shuffles:
            player = replace(
                player,
                hero_deck=tuple(rng.sample(player.hero_deck, len(player.hero_deck))),
                dungeon_deck=tuple(rng.sample(player.dungeon_deck, len(player.dungeon_deck))),
            )
        players.append(player)
    choice = state.choice
    if choice is not None and choice.seat not in known and choice.what == "room":
        choice = replace(choice, picks=choice.picks[:0])
    return replace(state, players=tuple(players), choice=choice)


def seen(state: AdamantineState, viewer: Viewer) -> bytes:
    observed = VIEW.observe(state, viewer)
    parts: list[Any] = [observed, VIEW.show(observed)]
    if viewer.seat is not None and viewer.seat in RULES.to_act(state):
        parts += RULES.legal(state, viewer.seat)
        parts.append(RULES.default(state, viewer.seat))
    return msgspec.json.encode(parts)


@matches
@settings(max_examples=15, deadline=None)
def test_P11_worlds_that_differ_in_what_is_hidden_look_alike(seed: int) -> None:
    rng = Random(seed)
    for moment in moments(seed):
        for viewer in (SPECTATOR, at_seat(0), at_seat(1)):
            other = twin(moment.state, set() if viewer.seat is None else {viewer.seat}, rng)
            assert seen(moment.state, viewer) == seen(other, viewer)
            assert_refusals_alike(moment, other, viewer)
            assert_events_alike(moment, viewer, rng)


def assert_refusals_alike(moment: Moment, other: AdamantineState, viewer: Viewer) -> None:
    if viewer.seat is None:
        return
    commands = [
        c.Explore(9),
        c.Search(),
        c.EndDay(),
        c.Discard(9),
        c.PlayCard(9),
        c.Use(9),
        c.Finish(),
        c.Cancel(),
    ]
    for command in commands:
        told = []
        for state in (moment.state, other):
            try:
                RULES.decide(state, command, viewer.seat, SealedChance(bytes(32)))
                told.append("accepted")
            except IllegalCommand as error:
                told.append(repr(error))
        assert told[0] == told[1]


def assert_events_alike(moment: Moment, viewer: Viewer, rng: Random) -> None:
    """The same command in both worlds tells the viewer the same, up to the first event that turns something up."""
    if moment.command is None or moment.seat is None:
        return
    known = set() if viewer.seat is None else {viewer.seat}
    choice = moment.state.choice
    if not (isinstance(moment.command, FACE_DOWN) and choice is not None and choice.what == "room"):
        known |= {moment.seat}  # what is laid face down tells nobody, whatever it is
    other = replace(twin(moment.state, known, rng), choice=choice)
    told = []
    turns_up = (RoomExplored, DungeonCardsDiscarded, EncounterLaid, RoomSeen)
    for state in (moment.state, other):
        shown = []
        for event in RULES.decide(state, moment.command, moment.seat, SealedChance(bytes(32))):
            data = VIEW.redact(event, viewer)
            if isinstance(event, ChampionSlain):
                break  # whether another champion can follow is told by the rule itself (AM-5)
            if isinstance(event, turns_up) or event.type_name() == "searched":
                data.pop("cards", None)
                shown.append((event.type_name(), data))
                break
            if isinstance(event, DayBegun | NightBegun | HeroCardsDrawn) and event.seat == viewer.seat:
                data.pop("cards")
            shown.append((event.type_name(), data))
        told.append(shown)
    assert told[0] == told[1]


@matches
@few
def test_the_view_says_the_same_as_the_state_to_an_auditor_and_reads_as_text(seed: int) -> None:
    for moment in moments(seed, turns=12):
        view = VIEW.observe(moment.state, AUDITOR)
        for player, shown in zip(moment.state.players, view["players"], strict=True):
            assert shown["hero_deck"] == list(player.hero_deck)
            assert [card["card"] for card in shown["hero_hand"]] == [one.card for one in player.hero_hand]
            assert [[laid["card"] for laid in room["cards"]] for room in shown["rooms"]] == [
                [laid.card for laid in room.cards] for room in player.rooms
            ]
        assert msgspec.json.decode(msgspec.json.encode(view)) == view
        for viewer in (AUDITOR, SPECTATOR, at_seat(0)):
            assert all(VIEW.show(VIEW.observe(moment.state, viewer)))
            for event in moment.events:
                assert VIEW.tell(event.type_name(), VIEW.redact(event, viewer)).endswith(".")
        for seat in RULES.to_act(moment.state):
            for command in RULES.legal(moment.state, seat):
                assert VIEW.ask(msgspec.to_builtins(command))


@matches
@few
def test_imagining_keeps_what_the_seat_sees_and_depends_on_nothing_else(seed: int) -> None:
    rng = Random(seed)
    for moment in moments(seed, turns=12):
        for seat in RULES.to_act(moment.state):
            draws = rng.randbytes(32)
            imagined = RULES.imagine(moment.state, seat, SealedChance(draws))
            assert seen(imagined, at_seat(seat)) == seen(moment.state, at_seat(seat))
            if moment.state.choice is None:
                other = twin(moment.state, {seat}, rng)
                assert RULES.imagine(other, seat, SealedChance(draws)) == imagined
                worth = RULES.evaluate(moment.state, seat)
                assert RULES.evaluate(other, seat) == worth


def test_random_matches_reach_every_event() -> None:
    happened = {type(event) for seed in range(40) for moment in moments(seed) for event in moment.events}
    assert set(EVENTS) - happened <= {SeatResigned}


def test_every_ready_deck_is_played_to_an_end() -> None:
    for seed in range(12):
        *_, last = moments(seed)
        assert RULES.outcome(last.state) is not None
        assert last.state.turns <= 24
