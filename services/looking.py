"""What a caller may see of a match: the one place through which views and events leave, redacted (P11)."""

from typing import Any

import msgspec
from msgspec import Struct

import domain.match as kernel
from domain.game import AUDITOR, SPECTATOR, Game, Viewer, at_seat
from domain.match import Match
from services.codec import plain
from services.errors import Forbidden, ServiceError, StoreUnavailable
from services.ledger import History, Ledger
from services.people import People
from services.store.port import Entry
from services.tokens import authenticate

MAX_PAGE = 1_000


class Caller(Struct, frozen=True):
    """Who asks: nobody known (a spectator), the holder of a seat's token, or somebody who wants to audit."""

    token: str | None = None
    audit: bool = False


class Look(Struct, frozen=True):
    """One viewer of one game's matches."""

    viewer: Viewer
    game: Game


def show_entry(entry: Entry, look: Look) -> dict[str, Any]:
    """An event as it leaves the service: `{"version", "type", "at", "by", "data"}`."""
    return {
        "version": entry.version,
        "type": entry.event.type_name(),
        "at": entry.at,
        "by": entry.by,
        "data": kernel.redact(entry.event, look.viewer, look.game),
    }


class Looking:
    def __init__(self, ledger: Ledger, people: People) -> None:
        self._ledger = ledger
        self._people = people

    def look(self, match_id: str, caller: Caller, at: int | None = None) -> tuple[History, Look]:
        """The match and how the caller looks at it. Raises MatchNotFound, BadToken, Forbidden, VersionNotFound.

        While the store is away that is the match as it was last known here. What can't be shown then is not refused,
        for it may be there by now.
        """
        try:
            history = self._ledger.history(match_id)
        except StoreUnavailable as away:
            try:
                return self._looked(self._ledger.last_known(match_id), caller, at)
            except ServiceError:
                raise away from None
        return self._looked(history, caller, at)

    def _looked(self, history: History, caller: Caller, at: int | None) -> tuple[History, Look]:
        match = history.match
        seat = authenticate(match, caller.token) if caller.token is not None else None
        if seat is None and not match.created.spectators:
            raise Forbidden("This match is closed to spectators.")
        if at is not None:
            history.at(at)
        if caller.audit:
            if match.status != "ended":
                raise Forbidden("A match can be audited when it has ended.")
            return history, Look(AUDITOR, history.game)
        return history, Look(at_seat(seat.number) if seat else SPECTATOR, history.game)

    def view(self, match_id: str, caller: Caller, at: int | None = None) -> dict[str, Any]:
        """The match as the caller may see it, now or at an earlier version. Raises VersionNotFound.

        Names are missing while they can't be read, like those of players who are forgotten.
        """
        history, look = self.look(match_id, caller, at)
        match = history.match if at is None else history.at(at)
        created, game = match.created, history.game
        try:
            names = self._people.names(seat.player for seat in match.seats)
        except StoreUnavailable:
            names = {}
        seats = []
        for number in range(created.seats):
            seat = match.seat(number)
            seats.append(
                {
                    "number": number,
                    "name": names.get(seat.player) if seat else None,
                    "kind": seat.kind if seat else "open",
                    "player": seat.player if seat else None,
                }
            )
        return {
            "id": match.id,
            "game": game.name,
            "version": match.version,
            "status": match.status,
            "to_act": list(kernel.to_act(match, game)),
            "seats": seats,
            "outcome": msgspec.to_builtins(match.outcome),
            "due": due.type_name() if (due := kernel.due(match, game)) else None,
            "clock": _clock(match),
            "state": _with_deadline(game.view.observe(match.state, look.viewer), match),
            "options": created.options,
            "deal": created.deal,
            "commitment": created.commitment,
            "rules": msgspec.to_builtins(created.rules),
            "origin": msgspec.to_builtins(created.origin),
            "spectators": created.spectators,
            "proposal": plain(match.proposal),
            "rewound": match.rewound,
            "ranked": match.ranked,
            "created_at": history.created_at,
            "updated_at": history.entries[match.version - 1].at,
        }

    def events(self, match_id: str, caller: Caller, after: int = 0, limit: int = MAX_PAGE) -> dict[str, Any]:
        """A page of the match's events with a version above `after`: `{"events", "next"}`."""
        history, look = self.look(match_id, caller)
        entries = history.entries
        page = entries[after : after + limit]
        more = after + limit < len(entries)
        return {
            "events": [show_entry(entry, look) for entry in page],
            "next": page[-1].version if more and page else None,
        }

    def legal(self, match_id: str, caller: Caller) -> dict[str, Any]:
        """What the caller may do now: `{"version", "commands"}`; nothing for who holds no seat, or after the end."""
        history, look = self.look(match_id, caller)
        match, game = history.match, history.game
        commands: list[Any] = []
        if look.viewer.seat is not None and look.viewer.seat in kernel.to_act(match, game):
            commands = [
                msgspec.to_builtins(command) for command in game.rules.legal(match.state, look.viewer.seat)
            ]
        return {"version": match.version, "commands": commands}


def _clock(match: Match) -> dict[str, Any] | None:
    """The match's clock: how time is given, whose time runs until when, and what each seat has left."""
    if match.timing is None:
        return None
    running = match.clock if match.status == "running" else None
    return msgspec.structs.asdict(match.timing) | {
        "awaited": list(running.awaited) if running else [],
        "deadline": running.deadline if running else None,
        "remaining": list(match.clock.remaining) if match.clock else [],
    }


def _with_deadline(state: dict[str, Any], match: Match) -> dict[str, Any]:
    """A pending decision tells until when it waits; the game itself knows no clock."""
    pending = state.get("pending")
    if pending and match.clock and match.status == "running":
        state["pending"] = pending | {"deadline": match.clock.deadline}
    return state
