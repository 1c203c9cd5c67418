"""Which commands took effect in the older part of a history: enough to know that one did not (P4)."""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

from services.store.port import Entry


class CommandIndex:
    """For each command a hash of its id and the version of its first event. Values are never changed.

    A miss is certain. A hit has to be confirmed by the event: the index is small because it keeps no ids.
    """

    def __init__(self, hashes: Sequence[int] = (), firsts: Sequence[int] = ()) -> None:
        self._hashes: Final = array("Q", hashes)  # ascending
        self._firsts: Final = array("I", firsts)

    def first(self, command: str) -> int | None:
        """The version at which a command has to be looked for, or None if it took no effect."""
        wanted = _hash(command)
        place = bisect_left(self._hashes, wanted)
        return self._firsts[place] if place < len(self) and self._hashes[place] == wanted else None

    def with_those_of(self, entries: Iterable[Entry]) -> "CommandIndex":
        """The index with the commands of the entries that follow."""
        known = dict(zip(self._hashes, self._firsts, strict=True))
        last = None
        for entry in entries:
            if entry.command != last:
                last = entry.command
                known.setdefault(_hash(last), entry.version)
        ordered = sorted(known)
        return CommandIndex(ordered, [known[one] for one in ordered])

    def __len__(self) -> int:
        return len(self._hashes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CommandIndex) and bytes(self) == bytes(other)

    __hash__ = None  # type: ignore[assignment]

    def __bytes__(self) -> bytes:
        parts = self._hashes[:], self._firsts[:]
        if sys.byteorder == "big":
            for part in parts:
                part.byteswap()
        return b"".join(part.tobytes() for part in parts)

    @staticmethod
    def of_bytes(data: bytes) -> "CommandIndex":
        """The index that `bytes` gave."""
        count = len(data) // 12
        hashes, firsts = array("Q", data[: 8 * count]), array("I", data[8 * count :])
        if sys.byteorder == "big":
            hashes.byteswap()
            firsts.byteswap()
        return CommandIndex(hashes, firsts)


def _hash(command: str) -> int:
    return int.from_bytes(sha256(command.encode()).digest()[:8])
