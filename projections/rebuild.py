"""Building projections anew beside the live ones, then swapping, while the service runs."""

from collections.abc import Iterator

from msgspec import Struct

from projections.projection import Place, Projection, Superseded, advance, fold_singly, key, live_place
from services.store.port import EventStore
from services.store.sql import Database

BATCH = 5_000  # entries of the log applied in one transaction; the runner's wait for it is a few hundredths of a second


class Rebuilt(Struct, frozen=True):
    """How far a rebuild is: the position reached and the head of the log."""

    position: int
    head: int
    swapped: bool = False


def rebuild(
    store: EventStore, database: Database, *projections: Projection, batch: int = BATCH
) -> Iterator[Rebuilt]:
    """Fill a new generation of each from the log, swap it in, drop the old one; yields after each batch.

    Several are rebuilt in one reading of the log, each in transactions of its own. Raises Superseded when another
    rebuild of one of them began meanwhile: the later one wins; those that were not swapped in yet stay as they were.
    """
    places = {projection: _begin(database, projection) for projection in projections}
    position = 0
    while True:
        found = store.scan(position, batch)
        if found:
            places = {one: advance(database, one, place, found) for one, place in places.items()}
            position = found[-1].position
            yield Rebuilt(position, max(position, store.head()))
        if len(found) < batch:
            break
    for projection, place in places.items():
        position = _swap(store, database, projection, place, batch).position
        _clear_away(database, projection)
    yield Rebuilt(position, max(position, store.head()), swapped=True)


def _begin(database: Database, projection: Projection) -> Place:
    """An empty generation beside the live one. What an earlier, unfinished rebuild left behind is dropped."""
    name = key(projection)
    with database.writing() as sql:
        sql.run(
            "UPDATE projection_owners SET beat = beat WHERE projection = ?", name
        )  # one beginning at a time
        row = sql.row("SELECT MAX(generation) AS newest FROM projection_positions WHERE projection = ?", name)
        generation = int((row or {})["newest"] or 0) + 1
        sql.run("DELETE FROM projection_positions WHERE projection = ? AND live = 0", name)
        sql.run("INSERT INTO projection_positions VALUES (?, ?, 0, 0)", name, generation)
    _clear_away(database, projection)
    return Place(generation, 0)


def _swap(store: EventStore, database: Database, projection: Projection, place: Place, batch: int) -> Place:
    """In one transaction: hold the live generation still, take the new one up to it, make that one live."""
    name = key(projection)
    with database.writing() as sql:
        sql.run(
            "UPDATE projection_positions SET live = live WHERE projection = ?", name
        )  # both rows are mine now
        live = live_place(sql, projection)
        mine = sql.row(
            "SELECT position FROM projection_positions WHERE projection = ? AND generation = ?",
            name,
            place.generation,
        )
        if mine is None or mine["position"] != place.position:
            raise Superseded
        goal = min(live.position, store.head()) if live else 0
        while place.position < goal:
            found = store.scan(place.position, batch)
            fold_singly(sql, projection, place.generation, found)
            place = Place(place.generation, found[-1].position)
        # Without its position row nobody can move the old generation on any more.
        sql.run(
            "DELETE FROM projection_positions WHERE projection = ? AND generation < ?", name, place.generation
        )
        sql.run(
            "UPDATE projection_positions SET live = 1, position = ? WHERE projection = ? AND generation = ?",
            place.position,
            name,
            place.generation,
        )
    return place


def _clear_away(database: Database, projection: Projection) -> None:
    """Delete the rows of generations that have no position any more."""
    kept = "(SELECT generation FROM projection_positions WHERE projection = ?)"
    name = key(projection)
    with database.writing() as sql:
        for table in projection.tables:
            sql.run(f"DELETE FROM {table} WHERE generation NOT IN {kept}", name)  # noqa: S608 - tables of ours
        sql.run(
            f"DELETE FROM projection_quarantine WHERE projection = ? AND generation NOT IN {kept}",  # noqa: S608
            name,
            name,
        )
