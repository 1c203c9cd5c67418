"""Standing orders: what a seat has said beforehand about decisions that may come. They stand outside the log.

`always_pass`: decline whenever the rules ask whether the seat wants to answer, as in a combat. The pass that follows is
stored like any other, so the log never tells who had an order, nor whether there was anything to answer with.
"""

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct

from domain.game import public
from domain.match import Match
from services.errors import MatchOver
from services.ledger import Ledger
from services.store.sql import Database
from services.tokens import authenticate


class StandingOrders(Struct, frozen=True):
    """The orders of one seat."""

    always_pass: Annotated[bool, public("decline whenever it is asked for an answer")] = False


NONE = StandingOrders()


class OrderBook:
    """Where standing orders are kept, by match and seat."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def migrate(self) -> None:
        with self._database.writing() as sql:
            sql.run(
                "CREATE TABLE IF NOT EXISTS standing_orders (match_id TEXT NOT NULL, seat INTEGER NOT NULL, "
                "always_pass INTEGER NOT NULL, PRIMARY KEY (match_id, seat))"
            )

    def of(self, match_id: str, seat: int) -> StandingOrders:
        with self._database.reading() as sql:
            row = sql.row(
                "SELECT always_pass FROM standing_orders WHERE match_id = ? AND seat = ?", match_id, seat
            )
        return StandingOrders(always_pass=bool(row["always_pass"])) if row else NONE

    def put(self, match_id: str, seat: int, orders: StandingOrders) -> None:
        with self._database.writing() as sql:
            sql.run(
                "INSERT INTO standing_orders VALUES (?, ?, ?) "
                "ON CONFLICT (match_id, seat) DO UPDATE SET always_pass = excluded.always_pass",
                match_id,
                seat,
                int(orders.always_pass),
            )


class Ordering:
    """Reading and giving one's own standing orders."""

    def __init__(self, ledger: Ledger, book: OrderBook, follow: Callable[[str], None]) -> None:
        self._ledger = ledger
        self.book = book
        self._follow = follow

    def of(self, match_id: str, token: str) -> StandingOrders:
        """The orders of the token's seat. Raises MatchNotFound, BadToken."""
        return self.book.of(match_id, self._seat(match_id, token)[1])

    def give(self, match_id: str, token: str, orders: StandingOrders) -> StandingOrders:
        """Replace the orders of the token's seat; a decision that waits already is answered too.

        Raises MatchNotFound, BadToken, MatchOver.
        """
        match, seat = self._seat(match_id, token)
        if match.status == "ended":
            raise MatchOver
        self.book.put(match_id, seat, orders)
        self._follow(match_id)
        return orders

    def _seat(self, match_id: str, token: str) -> tuple[Match, int]:
        match = self._ledger.history(match_id).match
        return match, authenticate(match, token).number
