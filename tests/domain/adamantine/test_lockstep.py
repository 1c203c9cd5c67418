"""The real rules beside the naive ones, move by move, on random matches with random legal decks."""

import pytest

from domain.adamantine import commands as c
from domain.adamantine.state import AdamantineState
from tests.domain.adamantine.naive import MANY, Naive, minimal_payments
from tests.domain.adamantine.random_play import RULES, moments


def assert_same_table(naive: Naive, state: AdamantineState) -> None:
    assert naive.counter == state.handles
    for side, player in zip(naive.sides, state.players, strict=True):
        assert list(side.hand.items()) == [(one.handle, one.card) for one in player.hero_hand]
        assert list(side.night.items()) == [(one.handle, one.card) for one in player.dungeon_hand]
        assert list(side.play.items()) == [(one.handle, one.card) for one in player.in_play]
        assert side.champion == (player.champion.card if player.champion else "")
        assert side.wounds == player.wounds
        assert [(room, list(cards.items())) for room, cards in side.rooms.items()] == [
            (room.handle, [(laid.handle, laid.card) for laid in room.cards]) for room in player.rooms
        ]
        assert all(laid.up == (laid.handle in side.up) for room in player.rooms for laid in room.cards)
        assert sorted(side.hero_discard) == sorted(player.hero_discard)
        assert sorted(side.dungeon_discard) == sorted(player.dungeon_discard)
        if state.shuffles == 4:
            assert (side.hero_deck, side.dungeon_deck) == (len(player.hero_deck), len(player.dungeon_deck))
    assert (naive.visit is None) == (state.exploration is None)
    if naive.visit is not None and state.exploration is not None and not naive.visit.left:
        hand = naive.sides[naive.visit.explorer].hand
        assert naive.visit.gold == state.exploration.gold or not hand
    assert naive.dying == list(state.dying)
    assert naive.winner == (None if state.winner < 0 else state.winner)


def assert_same_choices(naive: Naive, state: AdamantineState) -> None:
    for seat in RULES.to_act(state):
        legal = RULES.legal(state, seat)
        if state.choice is not None and state.choice.what == "payment":
            expected = naive.sacrifices(seat)
            if expected is not None:
                assert {one.card for one in legal if isinstance(one, c.Sacrifice)} == expected
        elif state.choice is None and (c.EndDay() in legal or state.exploration is not None):
            found = {one.card for one in legal if isinstance(one, c.PlayCard)}
            if c.EndDay() in legal or state.exploration.step == "reward":
                assert found == naive.playable(seat)
            else:
                assert not found
            assert (c.Search() in legal) == (
                c.EndDay() in legal
                and not naive.sides[1 - seat].rooms
                and naive.sides[seat].searches < state.options.searches_per_day
            )


def lockstep(seed: int) -> None:
    naive = Naive()
    for moment in moments(seed):
        assert_same_table(naive, moment.state)
        assert_same_choices(naive, moment.state)
        naive.asked(moment.command)
        for event in moment.events:
            naive.happened(event)


@pytest.mark.parametrize("part", range(4))
def test_the_rules_and_the_naive_rules_play_alike(part: int) -> None:
    for seed in range(part * 10, part * 10 + 10):
        lockstep(seed)


def test_naive_payments_leave_no_card_out() -> None:
    assert minimal_payments({1: 2, 2: 2, 3: 5}, 4) == [frozenset({3}), frozenset({1, 2})]
    assert minimal_payments({1: 2}, 3) == []
    assert MANY > 8
