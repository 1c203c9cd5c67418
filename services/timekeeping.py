"""What the service itself does to a match: goes on where the rules wait for it, keeps time, ends what is left alone."""

import domain.match as kernel
from domain.match import Match
from services import carrying
from services.carrying import DUE, Carrier, awaits_system
from services.codec import digest
from services.draft import Draft, play_for_system
from services.errors import MatchOver, NothingDue, VersionConflict
from services.ledger import History
from services.wishes import SYSTEM, Order

CARETAKER = "caretaker"  # ends matches that nobody goes on with


class Timekeeping:
    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self._ledger = carrier.ledger
        self._seeds = carrier.seeds
        self._clock = carrier.clock

    def abandon(self, match_id: str, *, actor: str, version: int) -> None:
        """End a match nobody has touched since `version`; a match that moved on or ended is left alone."""
        command = f"{SYSTEM}abandon-{version}"

        def decide(_: History, draft: Draft) -> None:
            if draft.match.version != version:
                raise VersionConflict(version, draft.match.version)
            if draft.match.status == "ended":
                raise MatchOver
            outcome = draft.game.rules.forfeit(draft.match.state, None, "abandoned")
            draft.by(f"system:{actor}")
            draft.add(kernel.close(draft.match, draft.game, self._seeds.of(draft.match), outcome))

        body = digest({"do": "abandon", "version": version})
        self._carrier.perform(match_id, Order(), command, body, None, decide)

    def settle(self, match_id: str, *, actor: str) -> None:
        """Give the command the system owes a match. Raises NothingDue if there is none (any more).

        What is owed since another event than when this was asked, for others went back and came here again, is left to
        a command with an id of its own.
        """
        awaits = awaits_system(self._ledger.history(match_id))
        if awaits is None:
            raise NothingDue

        def decide(history: History, draft: Draft) -> None:
            due = kernel.due(draft.match, draft.game)
            if due is None or awaits_system(history) != awaits:
                raise NothingDue
            draft.by(f"system:{actor}")
            play_for_system(draft, due, self._seeds)

        body = digest({"do": "due", "version": awaits})
        self._carrier.perform(match_id, Order(), f"{SYSTEM}{DUE}-{awaits}", body, None, decide)

    def expire(self, match_id: str, *, actor: str, version: int) -> None:
        """Do in the place of seats whose time is up what stands for them, until others decide.

        `version` is that at which their clock was set. Raises NothingDue if the clock was set anew since. A match that
        has as many events as it may have is ended instead: nobody could go on with it.
        """
        now = self._clock.now()

        def demand_overdue(match: Match) -> None:
            running = match.status == "running" and match.clock_version == version
            if not running or not kernel.time_is_up(match, now):
                raise NothingDue

        match = self._ledger.history(match_id).match
        if match.version >= carrying.MAX_EVENTS:
            demand_overdue(match)
            self.abandon(match_id, actor=CARETAKER, version=match.version)
            return

        def decide(_: History, draft: Draft) -> None:
            match = draft.match
            demand_overdue(match)
            draft.by(f"system:{actor}")
            assert match.clock is not None
            for seat in match.clock.awaited:
                while command := kernel.default(draft.match, draft.game, seat):
                    play_for_system(draft, command, self._seeds)

        body = digest({"do": "deadline", "version": version})
        self._carrier.perform(match_id, Order(), f"{SYSTEM}deadline-{version}", body, None, decide)
