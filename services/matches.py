"""What a seat can do in a match: play, resign, undo, rewind, agree to rewinds."""

from typing import Any

import domain.match as kernel
from services.carrying import Carrier, answer
from services.draft import Draft, demand_running, play, resign
from services.errors import CommandNotFound, NotYourTurn, TimeIsUp
from services.ledger import History
from services.parsing import parsed_command
from services.rewinds import consenting, rewinding, undoing
from services.tokens import authenticate
from services.wishes import Answer, Order


class Matches:
    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self._seeds = carrier.seeds
        self._clock = carrier.clock

    def act(self, match_id: str, token: str, body: dict[str, Any], order: Order) -> Answer:
        """A seat's command, as JSON with its `type`. Raises InvalidField, NotYourTurn, IllegalCommand, MatchOver, …"""
        received = self._clock.now()

        def decide(_: History, draft: Draft) -> None:
            match, game = draft.match, draft.game
            seat = authenticate(match, token).number
            command = None if body == {"type": "resign"} else parsed_command(game, body)
            demand_running(match)
            if command is None:
                resign(draft, seat, self._seeds)
                return
            if seat not in kernel.to_act(match, game):
                raise NotYourTurn
            if kernel.time_is_up(match, received):
                raise TimeIsUp
            play(draft, command, seat, self._seeds)

        return self._carrier.by_seat(match_id, token, "command", body, order, decide)

    def rewind(self, match_id: str, token: str, to_version: int, order: Order) -> Answer:
        """Take up an earlier version's state again: at once in solitaire, else by a proposal to the other seats."""
        decide = rewinding(token, to_version, self._seeds)
        return self._carrier.by_seat(match_id, token, "rewind", {"to_version": to_version}, order, decide)

    def consent(self, match_id: str, token: str, proposal: int, agree: bool, order: Order) -> Answer:
        """Agree to a proposed rewind or refuse it; the last of the other seats to agree carries it out.

        Raises ProposalNotFound, ProposalOver, CannotRewind.
        """
        decide = consenting(token, proposal, agree, self._seeds)
        body = {"proposal": proposal, "agree": agree}
        return self._carrier.by_seat(match_id, token, "consent", body, order, decide)

    def undo(self, match_id: str, token: str, order: Order) -> Answer:
        """Take the last action back, where nobody learned anything by it (P16)."""
        decide = undoing(token, self._clock.now(), self._seeds)
        return self._carrier.by_seat(match_id, token, "undo", {}, order, decide)

    def carried_out(self, match_id: str, token: str, command: str) -> Answer:
        """The first answer to a command of the token's seat, by the id its events have: it took effect.

        Raises MatchNotFound, BadToken, CommandNotFound where it did not (so far).
        """
        history = self._carrier.ledger.history(match_id)
        seat = authenticate(history.match, token).number
        entries = history.of_command(command)
        if not entries or entries[0].by != f"seat:{seat}":
            raise CommandNotFound
        position = self._carrier.ledger.store.position(match_id, entries[-1].version)
        return answer(history, command, seat, position)
