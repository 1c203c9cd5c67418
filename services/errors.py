"""The named ways a request can fail. The API maps each to one problem type."""

from domain.game import IllegalCommand

__all__ = [
    "BadToken",
    "CommandNotFound",
    "Forbidden",
    "IdempotencyKeyReuse",
    "IllegalCommand",
    "InvalidField",
    "MatchFull",
    "MatchNotFound",
    "MatchNotStarted",
    "MatchOver",
    "NotYourTurn",
    "NothingDue",
    "OutcomeUnknown",
    "PlayerNotFound",
    "ProposalNotFound",
    "ProposalOver",
    "ServiceError",
    "StoreUnavailable",
    "TimeIsUp",
    "UnknownGame",
    "VersionConflict",
    "VersionNotFound",
]


class ServiceError(Exception):
    """A request that could not be carried out; nothing was changed by it, unless the class says otherwise."""


class UnknownGame(ServiceError):
    def __init__(self, game: str) -> None:
        super().__init__(f"There is no game {game!r}.")


class MatchNotFound(ServiceError):
    def __init__(self) -> None:
        super().__init__("There is no such match.")


class PlayerNotFound(ServiceError):
    def __init__(self) -> None:
        super().__init__("There is no such player.")


class CommandNotFound(ServiceError):
    def __init__(self) -> None:
        super().__init__("No command of this seat with that id took effect in the match.")


class VersionNotFound(ServiceError):
    def __init__(self, version: int, head: int) -> None:
        super().__init__(f"The match has versions 1 to {head}; there is no version {version}.")


class ProposalNotFound(ServiceError):
    def __init__(self) -> None:
        super().__init__("No rewind was proposed at that version.")


class ProposalOver(ServiceError):
    def __init__(self) -> None:
        super().__init__("The proposal is over: it was carried out, refused or taken back, or play went on.")


class InvalidField(ServiceError):
    """A field of the request is unknown or has a wrong value. `field` is its path, dotted."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason


class VersionConflict(ServiceError):
    """The match moved on since the version the command was decided on."""

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(f"The command was decided on version {expected}; the match is at version {actual}.")
        self.expected = expected
        self.actual = actual


class IdempotencyKeyReuse(ServiceError):
    def __init__(self) -> None:
        super().__init__("This command id was used before with another body.")


class BadToken(ServiceError):
    def __init__(self) -> None:
        super().__init__("The token opens no seat of this match.")


class Forbidden(ServiceError):
    """The caller is known, or anonymous, and may not do this."""


class NotYourTurn(ServiceError):
    def __init__(self) -> None:
        super().__init__("It is not this seat's decision.")


class MatchNotStarted(ServiceError):
    def __init__(self) -> None:
        super().__init__("The match has not started: a seat is still open.")


class MatchFull(ServiceError):
    def __init__(self, events: int) -> None:
        super().__init__(f"A match has at most {events} events; only what ends this one is carried out.")


class MatchOver(ServiceError):
    def __init__(self) -> None:
        super().__init__("The match has ended.")


class TimeIsUp(ServiceError):
    def __init__(self) -> None:
        super().__init__("The time for this decision is up; what stands for it is done.")


class NothingDue(ServiceError):
    def __init__(self) -> None:
        super().__init__("The system has nothing to do in this match now.")


class StoreUnavailable(ServiceError):
    """The store can't be reached or is busy. This request changed nothing."""

    def __init__(self) -> None:
        super().__init__(
            "The store can't be reached just now; nothing was done. Send the same request again."
        )


class OutcomeUnknown(ServiceError):
    """The store failed while it committed: whether `command` took effect in `match` is not known here (P5).

    The same command id sent again gets the first answer, or carries the command out now.
    """

    def __init__(self, match: str, command: str) -> None:
        super().__init__(
            "The store failed while the command was being stored; it may have taken effect or not."
        )
        self.match = match
        self.command = command
