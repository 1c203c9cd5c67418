"""Options of a match: what may be chosen and what is refused."""

from typing import Any

import msgspec
import pytest

from domain.adaman.options import AdamanOptions, deck_of


def test_every_option_is_off_by_default() -> None:
    assert msgspec.to_builtins(AdamanOptions()) == {
        "excuse": False,
        "pawns": False,
        "courts": False,
        "extra_personalities": (),
        "final_deal": False,
    }


@pytest.mark.parametrize(
    "asked",
    [
        {"extra_personalities": ["bard"]},
        {"extra_personalities": ["harvest"]},
        {"extra_personalities": ["consul", "consul"]},
        {"extra_personalities": "consul"},
        {"excuse": 1},
        {"jokers": True},
    ],
)
def test_unknown_and_repeated_options_are_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(asked, AdamanOptions)


def test_the_order_of_extra_personalities_makes_no_difference_to_the_deck() -> None:
    one = msgspec.convert({"extra_personalities": ["consul", "watchman"]}, AdamanOptions)
    other = msgspec.convert({"extra_personalities": ["watchman", "consul"]}, AdamanOptions)
    assert deck_of(one) == deck_of(other)
