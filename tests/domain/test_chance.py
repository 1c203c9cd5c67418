"""P10: chance from a sealed seed, and docs/chance.md compared with the program."""

import contextlib
import io
import re
from collections import Counter
from itertools import islice, permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import chance
from domain.adaman.options import AdamanOptions, deck_of
from domain.chance import SealedChance, commitment, deal_seed, field

DOC = (Path(__file__).parents[2] / "docs" / "chance.md").read_text()
SEED = bytes(range(32))
SEATS = (b"abc", b"")


def block(name: str) -> str:
    """A fenced block of the document by the name after its language."""
    found = re.search(rf"```\w+ {re.escape(name)}\n(.*?)```", DOC, re.DOTALL)
    assert found, f"docs/chance.md has no block {name}"
    return found[1]


def row(start: str) -> str:
    """The value of the first row of vectors that begins so."""
    found = re.search(rf"^\| {re.escape(start)}.*\| `([^`]*)` \|$", DOC, re.MULTILINE)
    assert found, f"docs/chance.md has no row {start}"
    return found[1]


# --- the document ------------------------------------------------------------------------------------------


def test_the_documented_commitment() -> None:
    assert commitment(SEED) == row("commitment")


def test_the_documented_bytes_of_a_draw() -> None:
    source = chance._stream(SEED, message_of(b"deck", SEATS, 5))
    assert bytes(islice(source, 64)).hex() == row("first 64 bytes")


def message_of(label: bytes, entropies: tuple[bytes, ...], draw: int) -> bytes:
    entropy = len(entropies).to_bytes(4, "big") + b"".join(map(field, entropies))
    return field(b"ledgertop draw 1") + field(label) + entropy + field(draw.to_bytes(8, "big"))


def test_the_documented_dice() -> None:
    dice = SealedChance(SEED, SEATS, 5)
    rolled = [dice.roll("die", 6) for _ in range(6)]
    assert [draw for draw, _ in rolled] == [5, 6, 7, 8, 9, 10]
    assert " ".join(str(value) for _, value in rolled) == row("draws 5 to 10")
    assert str(SealedChance(SEED, SEATS, 5).roll("die", 1000)[1]) == row("draw 5 of the same match")


def test_the_documented_deck_is_the_basic_deck() -> None:
    assert tuple(block("deck").split()) == deck_of(AdamanOptions())
    everything = deck_of(AdamanOptions(excuse=True, pawns=True, courts=True))
    added = re.search(r"order of the table: (.*?)\.", DOC, re.DOTALL)
    assert added
    assert tuple(re.findall(r"`([a-z-]+)`", added[1])) == everything[36:]


@pytest.mark.parametrize("number", [1, 7, 2**31])
def test_the_documented_deals(number: int) -> None:
    seed = deal_seed("adaman", number)
    assert f"### Deal {number}\n\nSeed `{seed.hex()}`" in DOC
    draw, order = SealedChance(seed).shuffle("deck", deck_of(AdamanOptions()))
    assert draw == 0
    assert " ".join(order) == " ".join(block(f"deal-{number}").split())


def test_the_documented_lines_of_ones_own_recompute_a_shuffle() -> None:
    names: dict[str, object] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block("snippet"), "docs/chance.md", "exec"), names)
    assert printed.getvalue().split() == block("deal-7").split()
    shuffled = names["shuffled"]
    assert callable(shuffled)
    for draw in range(20):
        ours = SealedChance(SEED, SEATS, draw).shuffle("deck", deck_of(AdamanOptions()))
        assert (draw, tuple(shuffled(deck_of(AdamanOptions()), SEED, draw, SEATS))) == ours


def test_the_document_promises_thirty_lines_and_keeps_to_about_that() -> None:
    code = block("snippet").split('""".split()')[1]
    assert len([line for line in code.splitlines() if line.strip()]) <= 30


# --- draws -------------------------------------------------------------------------------------------------


def test_P10_every_draw_has_the_next_index_and_none_is_used_twice() -> None:
    source = SealedChance(SEED, next_draw=3)
    draws = [source.shuffle("deck", "abc")[0], source.roll("die", 6)[0], source.shuffle("deck", "")[0]]
    assert draws == [3, 4, 5]
    assert source.next_draw == 6


def test_a_draw_depends_on_seed_label_entropy_and_index_and_on_nothing_else() -> None:
    def shuffled(
        seed: bytes = SEED, label: str = "deck", entropy: tuple[bytes, ...] = (), draw: int = 0
    ) -> object:
        return SealedChance(seed, entropy, draw).shuffle(label, range(36))[1]

    ways = [
        shuffled(), shuffled(seed=bytes(32)), shuffled(label="desk"), shuffled(draw=1),
        shuffled(entropy=(b"",)), shuffled(entropy=(b"ab", b"c")), shuffled(entropy=(b"a", b"bc")),
    ]  # fmt: skip
    assert len(set(ways)) == len(ways)
    assert shuffled() == ways[0]


def test_deal_seeds_differ_between_deals_and_games() -> None:
    seeds = {deal_seed(game, number) for game in ("adaman", "adaman2") for number in (1, 2, 256, 2**31)}
    assert len(seeds) == 8


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_no_two_lists_of_fields_encode_alike(one: list[bytes], other: list[bytes]) -> None:
    encoded = b"".join(map(field, one)), b"".join(map(field, other))
    assert (encoded[0] == encoded[1]) is (one == other)


# --- uniformity --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bound", [*range(1, 20), 100, 128, 129, 255, 256])
def test_of_all_single_bytes_each_number_below_the_bound_gets_the_same_share(bound: int) -> None:
    """Exactly, not statistically: every first byte is tried, and a rejected one waits for the next."""
    shares: Counter[int] = Counter()
    for byte in range(256):
        with contextlib.suppress(StopIteration):
            shares[chance._below(iter((byte,)), bound)] += 1
    assert set(shares) == set(range(bound))
    assert len(set(shares.values())) == 1


def test_a_bound_above_256_takes_two_bytes_big_endian_and_every_number_the_same_share() -> None:
    shares: Counter[int] = Counter()
    for pair in product(range(256), repeat=2):
        with contextlib.suppress(StopIteration):
            shares[chance._below(iter(pair), 300)] += 1
    assert set(shares) == set(range(300))
    assert set(shares.values()) == {2 ** (16 - 9)}


def test_a_rejected_byte_is_thrown_away_and_the_next_one_taken() -> None:
    assert chance._below(iter((0b11111111, 0b11000000, 0b00100000)), 6) == 1
    assert chance._below(iter(()), 1) == 0


def test_a_shuffle_gives_every_order_the_same_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """All draws of the two numbers that a shuffle of three items takes: 0…2 for the last place, then 0…1."""
    orders: Counter[tuple[int, ...]] = Counter()
    for last, middle in product(range(3), range(2)):
        monkeypatch.setattr(chance, "_stream", lambda *_, drawn=(last << 6, middle << 7): iter(drawn))
        orders[SealedChance(SEED).shuffle("deck", range(3))[1]] += 1
    assert set(orders) == set(permutations(range(3)))
    assert set(orders.values()) == {1}


def test_a_shuffle_takes_its_numbers_as_a_die_would() -> None:
    """The loop that shuffles quickly reads bytes exactly as `_below` does, over 256 items too."""
    for size in (0, 1, 2, 36, 45, 256, 257, 700):
        source = chance._stream(SEED, message_of(b"deck", (), 0))
        order = list(range(size))
        for last in range(size - 1, 0, -1):
            other = chance._below(source, last + 1)
            order[last], order[other] = order[other], order[last]
        assert SealedChance(SEED).shuffle("deck", range(size))[1] == tuple(order)


def test_a_shuffle_moves_every_card_to_every_place_about_equally_often() -> None:
    places: Counter[tuple[int, int]] = Counter()
    source = SealedChance(SEED)
    rounds = 3000
    for _ in range(rounds):
        places.update(enumerate(source.shuffle("deck", range(12))[1]))
    expected = rounds / 12
    chi = sum((places[place, item] - expected) ** 2 / expected for place in range(12) for item in range(12))
    assert 75 < chi < 180  # 121 degrees of freedom; the seed is fixed, so this can't fail by chance
