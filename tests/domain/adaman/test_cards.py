"""The printed cards, checked against facts both rulebooks and the Decktet's make-up give."""

from collections import Counter

import pytest

from domain.adaman import ADAMAN
from domain.adaman.content.decktet import BASIC, CARDS, EXTENDED, PERSONALITIES, SUITS, VALUE
from domain.adaman.options import AdamanOptions, deck_of
from domain.adaman.payments import BIT, MATCHING
from tests.domain.adaman.table import OPTIONS


def test_the_basic_deck_has_36_cards_and_the_extension_nine() -> None:
    assert (len(BASIC), len(EXTENDED)) == (36, 9)
    assert len(CARDS) == 45


def test_the_basic_deck_is_six_aces_24_two_suited_numbers_and_six_crowns() -> None:
    ranks = Counter(card.rank for card in BASIC)
    assert ranks == {"Ace": 6, "Crown": 6} | {str(number): 3 for number in range(2, 10)}
    for card in BASIC:
        assert len(card.suits) == (1 if card.rank in ("Ace", "Crown") else 2), card.id


def test_each_rank_of_the_basic_deck_shows_every_suit_once() -> None:
    for rank in {card.rank for card in BASIC}:
        shown = sorted(suit for card in BASIC if card.rank == rank for suit in card.suits)
        assert shown == sorted(SUITS), rank


def test_pawns_and_courts_are_four_each_with_three_suits_and_count_ten() -> None:
    for rank in ("Pawn", "Court"):
        group = [card for card in EXTENDED if card.rank == rank]
        assert len(group) == 4
        assert all(len(card.suits) == 3 and card.value == 10 for card in group)
        assert Counter(suit for card in group for suit in card.suits) == dict.fromkeys(SUITS, 2)


def test_aces_count_one_crowns_ten_numbers_themselves_and_the_excuse_nothing() -> None:
    for card in CARDS.values():
        expected = {"Ace": 1, "Crown": 10, "Pawn": 10, "Court": 10, None: 0}.get(card.rank)
        assert card.value == (int(card.rank or 0) if expected is None else expected), card.id
    excuse = CARDS["excuse"]
    assert (excuse.rank, excuse.suits, excuse.types) == (None, (), ())


# The personalities of R0's table (which leaves out Merchant, Bard and Huntress), R1 and the extension.
PRINTED = {
    "author": (2, "moons knots"), "painter": (3, "suns knots"), "savage": (3, "leaves wyrms"),
    "sailor": (4, "waves leaves"), "soldier": (5, "wyrms knots"), "lunatic": (6, "moons waves"),
    "penitent": (6, "suns wyrms"), "diplomat": (8, "moons suns"), "merchant": (9, "leaves knots"),
    "huntress": (10, "moons"), "bard": (10, "suns"), "watchman": (10, "moons wyrms knots"),
    "light-keeper": (10, "suns waves knots"), "consul": (10, "moons waves knots"),
}  # fmt: skip


def test_the_personalities_have_their_printed_ranks_and_suits() -> None:
    assert set(PRINTED) == PERSONALITIES
    for card, (value, suits) in PRINTED.items():
        assert (VALUE[card], CARDS[card].suits) == (value, tuple(suits.split())), card


def test_AD_1_the_eleven_basic_personalities_sum_to_66() -> None:
    values = [card.value for card in BASIC if card.personality]
    assert len(values) == 11
    assert sum(values) == 66


def test_basic_cards_that_are_no_personality_are_an_ace_a_location_or_an_event() -> None:
    types = Counter(card.types for card in BASIC)
    assert types == {
        (): 6, ("personality",): 11, ("location",): 8, ("event",): 8, ("location", "event"): 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "size", "personalities"),
    [
        ("basic", 36, 11), ("excuse", 37, 11), ("pawns", 40, 13), ("courts", 40, 12),
        ("extra-personalities", 39, 14), ("everything", 45, 14), ("final-deal", 36, 11),
    ],
)  # fmt: skip
def test_an_option_adds_its_cards_each_once(options: str, size: int, personalities: int) -> None:
    deck = deck_of(OPTIONS[options])
    assert len(deck) == len(set(deck)) == size
    assert sum(card in PERSONALITIES for card in deck) == personalities
    assert ADAMAN.rules.initial(OPTIONS[options], 1).uncontrolled == personalities


def test_an_extra_personality_that_the_pawns_bring_too_is_in_the_deck_once() -> None:
    both = AdamanOptions(pawns=True, extra_personalities=("watchman",))
    assert deck_of(both) == deck_of(OPTIONS["pawns"])


def test_an_extra_personality_joins_a_group_that_does_not_bring_it() -> None:
    with_consul = AdamanOptions(pawns=True, extra_personalities=("consul",))
    assert set(deck_of(with_consul)) == {*deck_of(OPTIONS["pawns"]), "consul"}
    with_watchman = AdamanOptions(courts=True, extra_personalities=("watchman",))
    assert set(deck_of(with_watchman)) == {*deck_of(OPTIONS["courts"]), "watchman"}


def test_matching_masks_say_which_cards_share_a_suit() -> None:
    for one in CARDS.values():
        for other in CARDS.values():
            shared = bool(set(one.suits) & set(other.suits))
            assert bool(MATCHING[one.id] & BIT[other.id]) is shared


def test_the_catalogue_lists_every_card_and_the_content_hash_is_pinned() -> None:
    assert [card["id"] for card in ADAMAN.catalogue] == list(CARDS)
    assert ADAMAN.content == "995287ecacca1effff00bb772e36b34f6ec1c5bf7cc548379b65e56e3c262813"
