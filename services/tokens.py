"""Seat tokens and match ids: what a request repeated under its own id gets again."""

import base64
import hmac
import os
from hashlib import sha256

from domain.chance import field
from domain.match import Match, Seat
from services.errors import BadToken

PREFIX = "lt_seat_"


class Keys:
    """The server's secret key (32 bytes). Tokens are derived from it; only their digests are stored."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) < 32:
            raise ValueError("the server key must have at least 32 bytes")
        self._secret = secret

    def seat_token(self, match: str, seat: int, command: str) -> str:
        """The token of a seat that was taken by the command with this id."""
        return PREFIX + self._derive(b"ledgertop seat token 1", match, str(seat), command)

    def command_id(self, key: str) -> str:
        """What events name a command by that came under this key: a record that is published tells no key."""
        digest = hmac.digest(self._secret, field(b"ledgertop command id 1") + field(key.encode()), "sha256")
        return "c_" + digest[:16].hex()

    def match_id(self, command: str | None) -> str:
        """The id of the match a creation starts: the same for the same command id, else a new one."""
        if command is None:
            return "m_" + base64.b32encode(os.urandom(15)).decode().lower()
        digest = hmac.digest(self._secret, field(b"ledgertop match id 1") + field(command.encode()), "sha256")
        return "m_" + base64.b32encode(digest[:15]).decode().lower()

    def hint_key(self) -> bytes:
        """What hints in the queue are sealed with; it opens nothing else."""
        return hmac.digest(self._secret, field(b"ledgertop job hint 1"), "sha256")

    def _derive(self, label: bytes, *parts: str) -> str:
        message = field(label) + b"".join(field(part.encode()) for part in parts)
        return base64.urlsafe_b64encode(hmac.digest(self._secret, message, "sha256")).decode().rstrip("=")


def digest_of(token: str) -> str:
    """What is stored of a token: SHA-256, hex."""
    return sha256(token.encode()).hexdigest()


def authenticate(match: Match, token: str) -> Seat:
    """The seat a token opens. Raises BadToken."""
    digest = digest_of(token)
    found = None
    for seat in match.seats:
        if hmac.compare_digest(seat.token, digest):
            found = seat
    if found is None:
        raise BadToken
    return found
