"""Committed chance: shuffles and dice from a sealed seed, one numbered draw at a time.

The encoding is fixed for ever and written down with test vectors in docs/chance.md.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain, count
from typing import Protocol, TypeVar

Item = TypeVar("Item")

SEED_BYTES = 32
MAX_ENTROPY_BYTES = 64
MAX_DEAL = 2**31


def field(data: bytes) -> bytes:
    """`data` prefixed with its length as four big-endian bytes, so that no two field lists encode alike."""
    return len(data).to_bytes(4, "big") + data


def commitment(seed: bytes) -> str:
    """What is published when a match is created: SHA-256 (hex) over a fixed label and the seed."""
    return sha256(field(b"ledgertop seed 1") + field(seed)).hexdigest()


def deal_seed(game: str, deal: int) -> bytes:
    """The public seed of a numbered deal: the same on every machine for ever. `deal` is 1 … 2^31."""
    return sha256(field(b"ledgertop deal 1") + field(game.encode()) + field(deal.to_bytes(8, "big"))).digest()


class Chance(Protocol):
    """Where decisions draw from. Each draw has an index of its own that is never used again in the match."""

    def shuffle(self, label: str, items: Sequence[Item]) -> tuple[int, tuple[Item, ...]]:
        """One draw: its index and the items in a uniformly random order."""

    def roll(self, label: str, sides: int) -> tuple[int, int]:
        """One draw: its index and a uniformly random integer in 1 … sides."""


class SealedChance:
    """Chance from a seed, the seats' entropy and the index of the next draw."""

    def __init__(self, seed: bytes, entropy: Sequence[bytes] = (), next_draw: int = 0) -> None:
        self._seed = seed
        self._entropy = b"".join([len(entropy).to_bytes(4, "big"), *(field(part) for part in entropy)])
        self.next_draw = next_draw

    def shuffle(self, label: str, items: Sequence[Item]) -> tuple[int, tuple[Item, ...]]:
        draw, source = self._begin(label)
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            if last < 256:  # _below(source, last + 1) written out: shuffling is most of a match's set-up
                excess = 8 - last.bit_length()
                other = next(source) >> excess
                while other > last:
                    other = next(source) >> excess
            else:
                other = _below(source, last + 1)
            order[last], order[other] = order[other], order[last]
        return draw, tuple(order)

    def roll(self, label: str, sides: int) -> tuple[int, int]:
        draw, source = self._begin(label)
        return draw, 1 + _below(source, sides)

    def _begin(self, label: str) -> tuple[int, Iterator[int]]:
        draw = self.next_draw
        self.next_draw += 1
        number = draw.to_bytes(8, "big")
        message = field(b"ledgertop draw 1") + field(label.encode()) + self._entropy + field(number)
        return draw, _stream(self._seed, message)


def _stream(seed: bytes, message: bytes) -> Iterator[int]:
    """The bytes of one draw: HMAC-SHA256(seed, message, block number), block after block."""
    return chain.from_iterable(
        hmac.digest(seed, message + field(block.to_bytes(4, "big")), "sha256") for block in count()
    )


def _below(source: Iterator[int], bound: int) -> int:
    """A uniform integer in 0 … bound − 1 by rejection: the top bits of the next bytes, until one fits."""
    bits = (bound - 1).bit_length()
    size = (bits + 7) // 8
    excess = 8 * size - bits
    while True:
        value = 0
        for _ in range(size):
            value = value << 8 | next(source)
        value >>= excess
        if value < bound:
            return value
