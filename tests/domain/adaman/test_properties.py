"""What holds in every position of every match, whatever the deck: random matches of all deck options."""

from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.adaman import ADAMAN, rules, view
from domain.adaman.commands import AdamanCommand, ControlCard, ResolveExcuse
from domain.adaman.content.decktet import CARDS, PERSONALITIES, VALUE
from domain.adaman.options import AdamanOptions, deck_of
from domain.adaman.state import AdamanState
from domain.chance import SealedChance
from domain.game import AUDITOR, SPECTATOR, IllegalCommand, at_seat
from tests.domain.adaman.table import NoChance

OPTIONS = st.builds(
    AdamanOptions,
    excuse=st.booleans(),
    pawns=st.booleans(),
    courts=st.booleans(),
    extra_personalities=st.lists(st.sampled_from(["light-keeper", "watchman", "consul"]), unique=True).map(
        tuple
    ),
    final_deal=st.booleans(),
)
SEEDS = st.binary(min_size=32, max_size=32)
matches = given(options=OPTIONS, seed=SEEDS)
few = settings(max_examples=25, deadline=None)
many = settings(max_examples=100, deadline=None)


def history(options: AdamanOptions, seed: bytes) -> Iterator[tuple[AdamanState, Any]]:
    """Each event of a random match with the state it was applied to; at last the final state and None."""
    rng, chance = Random(seed), SealedChance(seed)
    state = rules.initial(options, 1)
    events = rules.start(options, 1, chance)
    while True:
        for event in events:
            yield state, event
            state = rules.evolve(state, event)
        legal = rules.legal(state, 0)
        if not legal:
            break
        events = rules.decide(state, legal[rng.randrange(len(legal))], 0, chance)
    yield state, None


def positions(options: AdamanOptions, seed: bytes) -> list[AdamanState]:
    return [state for state, _ in history(options, seed)]


def accepts(state: AdamanState, command: AdamanCommand) -> bool:
    try:
        rules.decide(state, command, 0, NoChance())
    except IllegalCommand:
        return False
    return True


def conceivable(state: AdamanState) -> Iterator[AdamanCommand]:
    """Every target of the Decktet with every set of resources, and cards from elsewhere."""
    foreign = [card for card in CARDS if card not in state.resources]
    payments: list[tuple[str, ...]] = [
        payment for size in range(len(state.resources) + 1) for payment in combinations(state.resources, size)
    ]
    payments += [(card,) for card in foreign] + [(*state.resources, card) for card in foreign]
    payments += [(card, card) for card in state.resources]
    for target in (*CARDS, "dragon"):
        for payment in payments:
            yield ControlCard(target, payment)
    for card in (*CARDS, "dragon"):
        yield ResolveExcuse(card)


@matches
@few
def test_legal_commands_are_exactly_the_accepted_ones(options: AdamanOptions, seed: bytes) -> None:
    seen = positions(options, seed)
    for state in {0: seen[0], 1: seen[len(seen) // 3], 2: seen[2 * len(seen) // 3], 3: seen[-1]}.values():
        if not state.shuffled:
            assert len(rules.legal(state, 0)) == 0
            continue
        accepted = [command for command in conceivable(state) if accepts(state, command)]
        as_sets = {named(command) for command in accepted}
        listed = [named(command) for command in rules.legal(state, 0)]
        assert len(listed) == len(set(listed))
        assert set(listed) == as_sets


def named(command: AdamanCommand) -> tuple[object, ...]:
    if isinstance(command, ControlCard):
        return ("control", command.target, frozenset(command.payment))
    return ("resolve_excuse", command.card)


@matches
@many
def test_every_legal_command_is_accepted_and_whoever_may_act_has_one(
    options: AdamanOptions, seed: bytes
) -> None:
    for state in positions(options, seed):
        legal = rules.legal(state, 0)
        assert all(accepts(state, command) for command in legal)
        assert rules.to_act(state) == ((0,) if legal else ())
        # an end, a choice, or something the rules still owe: exactly one of them
        owed = rules.advance(state, SealedChance(seed))
        assert [bool(rules.outcome(state)), bool(legal), bool(owed)].count(True) == 1


@matches
@few
def test_AD_11_decide_takes_a_payment_in_any_order(options: AdamanOptions, seed: bytes) -> None:
    for state in positions(options, seed)[::5]:
        for command in list(rules.legal(state, 0))[-1:]:
            if isinstance(command, ControlCard):
                for payment in permutations(command.payment):
                    assert accepts(state, ControlCard(command.target, payment))


@matches
@many
def test_the_sequence_of_plays_reads_the_same_by_index_by_slice_and_by_iteration(
    options: AdamanOptions, seed: bytes
) -> None:
    for state in positions(options, seed)[::4]:
        legal = rules.legal(state, 0)
        listed = list(legal)
        assert [legal[index] for index in range(len(legal))] == listed
        assert [legal[index - len(listed)] for index in range(len(legal))] == listed
        assert list(legal[1:3]) == listed[1:3]
        with pytest.raises(IndexError):
            legal[len(legal)]


@matches
@many
def test_cards_are_conserved(options: AdamanOptions, seed: bytes) -> None:
    deck = sorted(deck_of(options))
    for state in positions(options, seed):
        lying = [*state.deck, *state.capital, *state.palace, *state.resources, *state.discard]
        assert sorted(lying) == deck
        assert len(state.capital) <= 5
        assert len(state.resources) <= 5
        assert len(state.palace) <= 6
        assert not PERSONALITIES & set(state.resources)
        assert set(state.palace) <= PERSONALITIES
        waiting = (*state.deck, *state.capital, *state.palace)
        assert state.uncontrolled == sum(card in PERSONALITIES for card in waiting)


@matches
@many
def test_AD_1_the_outcome_follows_from_where_the_personalities_lie(
    options: AdamanOptions, seed: bytes
) -> None:
    final = positions(options, seed)[-1]
    outcome = rules.outcome(final)
    assert outcome is not None
    waiting = [card for card in (*final.deck, *final.capital, *final.palace) if card in PERSONALITIES]
    controlled = sum(VALUE[card] for card in final.discard if card in PERSONALITIES)
    if len(final.palace) == 6:
        assert (outcome.result, outcome.score) == ("lost_utterly", 0)
    elif waiting:
        assert (outcome.result, outcome.score) == ("lost", controlled)
    else:
        assert outcome.result == "won"
        assert outcome.score == controlled + sum(VALUE[card] for card in final.resources)


@matches
@many
def test_P6_what_was_stored_and_read_again_leads_to_the_same_states(
    options: AdamanOptions, seed: bytes
) -> None:
    state = rules.initial(options, 1)
    for before, event in history(options, seed):
        assert before == state
        assert msgspec.json.decode(msgspec.json.encode(before), type=AdamanState) == before
        if event is not None:
            assert type(event) in ADAMAN.events
            stored = msgspec.json.decode(msgspec.json.encode(event), type=type(event))
            assert stored == event
            state = rules.evolve(state, stored)


@matches
@few
def test_evolve_is_total_even_where_an_event_makes_no_sense(options: AdamanOptions, seed: bytes) -> None:
    steps = list(history(options, seed))
    events = [event for _, event in steps if event is not None]
    for state, _ in steps[:: max(1, len(steps) // 5)]:
        for event in events:
            assert isinstance(rules.evolve(state, event), AdamanState)


@matches
@many
def test_no_event_deals_no_card(options: AdamanOptions, seed: bytes) -> None:
    for _, event in history(options, seed):
        assert getattr(event, "dealt", True)


@given(options=OPTIONS, seed=SEEDS, other=st.randoms(use_true_random=False))
@many
def test_P11_the_order_of_the_deck_changes_nothing_a_player_or_spectator_can_observe(
    options: AdamanOptions, seed: bytes, other: Random
) -> None:
    for state, event in history(options, seed):
        order = list(state.deck)
        other.shuffle(order)
        twin = msgspec.structs.replace(state, deck=tuple(order))
        for viewer in (at_seat(0), SPECTATOR):
            seen = msgspec.json.encode(view.observe(state, viewer))
            assert msgspec.json.encode(view.observe(twin, viewer)) == seen
            assert b'deck"' not in seen
        assert list(rules.legal(state, 0)) == list(rules.legal(twin, 0))
        assert (rules.to_act(state), rules.outcome(state)) == (rules.to_act(twin), rules.outcome(twin))
        assert rules.evaluate(state, 0) == rules.evaluate(twin, 0)
        assert rules.imagine(state, 0, SealedChance(seed)) == rules.imagine(twin, 0, SealedChance(seed))
        if event is not None and "order" in event.__struct_fields__:
            twin_event = msgspec.structs.replace(event, order=tuple(order))
            assert view.redact(event, SPECTATOR) == view.redact(twin_event, SPECTATOR)
            assert view.redact(event, at_seat(0)) == {"draw": event.draw, "cards": event.cards}
            assert view.redact(event, AUDITOR)["order"] == list(event.order)


@matches
@few
def test_P11_refusals_do_not_depend_on_the_order_of_the_deck(options: AdamanOptions, seed: bytes) -> None:
    state = positions(options, seed)[-1]
    twin = msgspec.structs.replace(state, deck=state.deck[::-1])
    for command in conceivable(state):
        assert refusal(state, command) == refusal(twin, command)


def refusal(state: AdamanState, command: AdamanCommand) -> tuple[str, str] | None:
    try:
        rules.decide(state, command, 0, NoChance())
    except IllegalCommand as refused:
        return refused.rule, refused.reason
    return None


@matches
@few
def test_an_imagined_state_looks_like_the_real_one(options: AdamanOptions, seed: bytes) -> None:
    for state in positions(options, seed):
        imagined = rules.imagine(state, 0, SealedChance(b"i" * 32))
        assert view.observe(imagined, at_seat(0)) == view.observe(state, at_seat(0))
        assert sorted(imagined.deck) == sorted(state.deck)
