"""Commands on matches, from the services down to either database."""

import json
import threading
from typing import Any

import pytest

from domain.chance import commitment
from domain.game import IllegalCommand
from domain.match import CannotRewind, SeedRevealed
from services.carrying import Carrier
from services.codec import encode_recorded
from services.errors import (
    BadToken,
    Forbidden,
    IdempotencyKeyReuse,
    InvalidField,
    MatchNotFound,
    MatchNotStarted,
    MatchOver,
    OutcomeUnknown,
    PlayerNotFound,
    StoreUnavailable,
    VersionConflict,
    VersionNotFound,
)
from services.ledger import Ledger
from services.looking import Caller
from services.matches import Matches
from services.opening import Opening
from services.record import download
from services.store.port import EventStore, StreamMoved
from services.tokens import Keys
from services.wishes import CreateMatch, Order, Sit
from tests.house import HOUR, House, another_process, go, hear, token_of

# --- opening -----------------------------------------------------------------------------------------------


def test_a_match_is_created_seated_and_started_by_one_command(house: House) -> None:
    opened = house.open(deal=7)
    view = house.service.looking.view(opened.id, Caller())
    assert view["status"] == "running"
    assert view["seats"] == [{"number": 0, "name": "ann", "kind": "person", "player": house.player()}]
    assert view["version"] == opened.version
    assert opened.position == house.service.store.head()
    assert house.legal(opened)


def test_P4_a_creation_repeated_under_its_id_gives_the_same_match_and_token(house: House) -> None:
    first = house.open(key="k1")
    head = house.service.store.head()
    assert house.open(key="k1") == first
    assert house.service.store.head() == head
    assert house.open(key="k2").id != first.id


def test_P4_the_same_id_with_another_body_is_refused(house: House) -> None:
    house.open(key="k1", deal=1)
    with pytest.raises(IdempotencyKeyReuse):
        house.open(key="k1", deal=2)


def test_P4_sitting_down_repeated_under_its_id_gives_the_same_token(house: House) -> None:
    opened = house.service.opening.create(CreateMatch("adaman", deal=3), Order())
    assert house.status(opened.id) == "open"
    first = house.service.opening.take_seat(opened.id, Sit("ann"), Order("sit"))
    assert house.service.opening.take_seat(opened.id, Sit("ann"), Order("sit")) == first
    assert house.status(opened.id) == "running"
    with pytest.raises(IdempotencyKeyReuse):
        house.service.opening.take_seat(opened.id, Sit("bob"), Order("sit"))
    with pytest.raises(IllegalCommand, match="seat-not-free"):
        house.service.opening.take_seat(opened.id, Sit("bob"), Order("late"))


def test_nobody_plays_a_match_that_has_not_started(house: House) -> None:
    opened = house.service.opening.create(CreateMatch("adaman"), Order())
    with pytest.raises(MatchNotStarted):
        house.service.opening.fork(opened.id, 1, None, Sit("ann"), Order())
    with pytest.raises(BadToken):
        house.service.matches.act(opened.id, "lt_seat_none", {"type": "resign"}, Order())
    with pytest.raises(MatchNotFound):
        house.service.matches.act("m_none", "lt_seat_none", {"type": "resign"}, Order())


# --- playing -----------------------------------------------------------------------------------------------


def test_P4_a_command_repeated_under_its_id_takes_effect_once_and_answers_the_same(house: House) -> None:
    opened = house.open(deal=1)
    command = house.legal(opened)[0]
    first = house.act(opened, command, Order("move", opened.version))
    assert house.act(opened, command, Order("move", opened.version)) == first
    assert house.service.ledger.history(opened.id).match.version == first.version
    with pytest.raises(IdempotencyKeyReuse):
        house.act(opened, {"type": "resign"}, Order("move"))


def test_P4_another_process_gives_the_first_answer_too(house: House) -> None:
    opened = house.open(deal=1)
    command = house.legal(opened)[0]
    first = house.act(opened, command, Order("move"))
    elsewhere = Matches(elsewhere_with(house, house.service.store))
    assert elsewhere.act(opened.id, token_of(opened), command, Order("move")) == first


def test_P4_a_refusal_is_not_remembered(house: House) -> None:
    opened = house.open(deal=1)
    legal = house.legal(opened)
    with pytest.raises(VersionConflict):
        house.act(opened, legal[0], Order("move", opened.version + 1))
    assert house.act(opened, legal[-1], Order("move", opened.version)).version > opened.version


def test_P5_a_stale_version_is_a_conflict_that_names_both(house: House) -> None:
    opened = house.open(deal=1)
    moved = house.act(opened, house.legal(opened)[0])
    with pytest.raises(VersionConflict) as conflict:
        house.act(opened, house.legal(opened)[0], Order(None, opened.version))
    assert (conflict.value.expected, conflict.value.actual) == (opened.version, moved.version)


def test_P3_of_two_processes_that_play_on_one_version_exactly_one_wins(house: House) -> None:
    opened = house.open(deal=1)
    script = """
from ledgertop.wiring import build
from services.errors import VersionConflict
from services.wishes import Order
service = build(config)
match, token, version, command = arguments
service.ledger.history(match)
await_go()
try:
    service.matches.act(match, token, json.loads(command), Order(None, int(version)))
    say("won")
except VersionConflict:
    say("lost")
service.close()
"""
    given = (opened.id, token_of(opened), opened.version, json.dumps(house.legal(opened)[0]))
    with another_process(house, script, *given) as first, another_process(house, script, *given) as second:
        assert (hear(first), hear(second)) == ("ready", "ready")
        go(first)
        go(second)
        assert sorted([hear(first), hear(second)]) == ["lost", "won"]


def test_P3_threads_that_play_at_once_leave_one_gapless_history(house: House) -> None:
    opened = house.open(deal=1)
    command = house.legal(opened)[0]
    results: list[str] = []

    def move() -> None:
        try:
            house.act(opened, command, Order(None, opened.version))
            results.append("won")
        except VersionConflict:
            results.append("lost")

    threads = [threading.Thread(target=move) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["lost"] * 5 + ["won"]
    entries = house.service.store.read(opened.id)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))


def test_a_name_is_never_taken_for_another_players_id(house: House) -> None:
    house.open("ann")
    for name in (house.player("ann"), house.player("ann").upper()):
        with pytest.raises(InvalidField):
            house.open(name)
    assert house.service.people.find(house.player("ann")) == house.player("ann")


def test_P23_a_record_tells_no_idempotency_key_which_would_open_the_seat_it_opened(house: House) -> None:
    origin = house.open(key="secret-of-the-origin", deal=1)
    fork = house.service.opening.fork(
        origin.id, origin.version, token_of(origin), None, Order("secret-of-the-fork")
    )
    house.resign(origin)
    published = b"".join(download(house.service.ledger, house.service.looking, origin.id, Caller()))
    assert fork.id.encode() in published
    assert b"secret-of" not in published
    for command in {entry.command for entry in house.service.store.read(origin.id)}:
        assert house.service.opening.fork(origin.id, origin.version, None, None, Order(command)).seat is None
        assert (
            house.service.opening.create(CreateMatch("adaman", sit=Sit("ann")), Order(command)).id
            != origin.id
        )


def test_P4_a_key_answers_only_the_caller_who_used_it(house: House) -> None:
    origin = house.open()
    fork = house.service.opening.fork(origin.id, origin.version, token_of(origin), None, Order("k"))
    house.resign(origin)
    with pytest.raises(IdempotencyKeyReuse):
        house.service.opening.fork(origin.id, origin.version, None, None, Order("k"))
    assert house.service.opening.fork(origin.id, origin.version, token_of(origin), None, Order("k")) == fork


def test_P4_a_key_of_a_command_makes_no_fork_and_the_command_goes_on_to_answer_the_same(house: House) -> None:
    opened = house.open(deal=1)
    command = house.legal(opened)[0]
    first = house.act(opened, command, Order("move"))
    with pytest.raises(IdempotencyKeyReuse):
        house.service.opening.fork(opened.id, opened.version, token_of(opened), None, Order("move"))
    assert house.service.ledger.history(opened.id).version == first.version
    assert house.act(opened, command, Order("move")) == first


def test_P12_every_event_names_who_did_it_by_which_command_and_when(house: House) -> None:
    opened = house.open(deal=1)
    house.clock.go(60)
    house.act(opened, {"type": "resign"}, Order("enough"))
    last = house.service.store.read(opened.id)[-1]
    command = Keys(b"k" * 32).command_id("enough")
    assert (last.by, last.command, last.at) == ("seat:0", command, house.clock.now())
    with pytest.raises(MatchOver):
        house.act(opened, {"type": "resign"})


def test_P24_recorded_time_never_runs_backwards_in_a_match(house: House) -> None:
    opened = house.open(deal=1)
    house.clock.go(-2 * HOUR)
    house.play(opened, 3)
    times = [entry.at for entry in house.service.store.read(opened.id)]
    assert times == sorted(times)


# --- the honest outcome (trap 1) ---------------------------------------------------------------------------


class LostReplies:
    """A store whose append succeeds and then says something else, as after a lost reply of COMMIT."""

    def __init__(self, store: EventStore, answer: Exception, *, away_after: bool = False) -> None:
        self._store = store
        self._answer = answer
        self.losing = True
        self.answered = False
        self.away_after = away_after  # whether nothing can be read after that

    def append(self, entries: Any) -> int:
        position = self._store.append(entries)
        if self.losing:
            self.losing = False
            self.answered = True
            raise self._answer
        return position

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Any:
        if self.answered and self.away_after:
            raise StoreUnavailable
        return self._store.read(stream, after, limit)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def elsewhere_with(house: House, store: Any) -> Carrier:
    """How another process carries commands out over the same data, with a store of its own."""
    service, keys = house.service, Keys(b"k" * 32)
    return Carrier(
        Ledger(store), service.seeds, keys, house.clock, service.ordering.book, nudge=lambda _: None
    )


def opening_with(house: House, store: Any) -> Opening:
    return Opening(elsewhere_with(house, store), house.service.people, idle_limit=HOUR)


def test_P5_a_commit_of_ones_own_is_never_reported_as_a_conflict(house: House) -> None:
    opened = house.open(deal=1)
    matches = Matches(elsewhere_with(house, LostReplies(house.service.store, StreamMoved())))
    command = house.legal(opened)[0]
    answer = matches.act(opened.id, token_of(opened), command, Order("move", opened.version))
    assert answer == house.act(opened, command, Order("move", opened.version))
    assert house.service.ledger.history(opened.id).match.version == answer.version


def test_P5_nor_where_it_was_the_last_attempt(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.carrying.ATTEMPTS", 1)
    opened = house.open(deal=1)
    matches = Matches(elsewhere_with(house, LostReplies(house.service.store, StreamMoved())))
    command = house.legal(opened)[0]
    answer = matches.act(opened.id, token_of(opened), command, Order("move"))
    assert answer == house.act(opened, command, Order("move"))


def test_P5_a_creation_of_ones_own_is_never_reported_as_a_conflict(house: House) -> None:
    for order in (Order("k1"), Order()):
        elsewhere = opening_with(house, LostReplies(house.service.store, StreamMoved()))
        opened = elsewhere.create(CreateMatch("adaman", deal=1, sit=Sit("ann")), order)
        assert len(house.service.store.read(opened.id)) == opened.version
        assert house.legal(opened)


def test_P5_a_command_that_was_stored_is_answered_although_the_store_failed(house: House) -> None:
    opened = house.open(deal=1)
    matches = Matches(elsewhere_with(house, LostReplies(house.service.store, OutcomeUnknown(opened.id, "c"))))
    answer = matches.act(opened.id, token_of(opened), house.legal(opened)[0], Order("move"))
    assert answer.version == len(house.service.store.read(opened.id))


def test_P5_an_unknown_outcome_is_told_by_the_same_id(house: House) -> None:
    for answer in (OutcomeUnknown("m_x", "c"), StreamMoved()):
        lost = LostReplies(house.service.store, answer, away_after=True)
        wish, order = CreateMatch("adaman", deal=1, sit=Sit("ann")), Order(type(answer).__name__)
        with pytest.raises(OutcomeUnknown):
            opening_with(house, lost).create(wish, order)
        lost.away_after = False
        opened = opening_with(house, lost).create(wish, order)
        assert opened.version == len(house.service.store.read(opened.id))


def test_P5_a_store_that_is_gone_right_after_a_commit_leaves_the_outcome_unknown(house: House) -> None:
    """Neither "nothing was done" nor "somebody else moved" would be true."""
    opened = house.open(deal=1)
    for number, answer in enumerate((OutcomeUnknown(opened.id, "c"), StreamMoved())):
        lost = LostReplies(house.service.store, answer, away_after=True)
        command, order = house.legal(opened)[0], Order(f"move{number}")
        with pytest.raises(OutcomeUnknown) as unknown:
            Matches(elsewhere_with(house, lost)).act(opened.id, token_of(opened), command, order)
        told = house.service.matches.carried_out(opened.id, token_of(opened), unknown.value.command)
        assert told == house.act(opened, command, order)
        assert told.version == len(house.service.store.read(opened.id))


# --- looking back ------------------------------------------------------------------------------------------


def test_P7_a_rewind_appends_and_takes_the_state_up_again(house: House) -> None:
    opened = house.open(deal=1)
    before = house.service.looking.view(opened.id, Caller())
    house.play(opened, 2)
    count = len(house.service.store.read(opened.id))
    answer = house.service.matches.rewind(opened.id, token_of(opened), opened.version, Order("back"))
    after = house.service.looking.view(opened.id, Caller())
    assert after["state"] == before["state"]
    assert after["version"] == answer.version > count
    assert (after["rewound"], after["ranked"]) == (True, False)
    assert house.service.matches.rewind(opened.id, token_of(opened), opened.version, Order("back")) == answer
    with pytest.raises(VersionNotFound):
        house.service.matches.rewind(opened.id, token_of(opened), 10_000, Order())


def test_P16_a_plain_undo_never_crosses_what_was_turned_up(house: House) -> None:
    opened = house.open(deal=1)
    with pytest.raises(CannotRewind):
        house.service.matches.undo(opened.id, token_of(opened), Order())
    house.act(opened, house.legal(opened)[0])
    with pytest.raises(CannotRewind, match="undo-reveals"):
        house.service.matches.undo(opened.id, token_of(opened), Order())


def test_P7_a_fork_is_a_match_of_its_own_and_marks_its_running_origin(house: House) -> None:
    opened = house.open(deal=1)
    house.play(opened, 2)
    fork = house.service.opening.fork(opened.id, opened.version, token_of(opened), None, Order("f"))
    assert house.service.opening.fork(opened.id, opened.version, token_of(opened), None, Order("f")) == fork
    seen = house.service.looking.view(fork.id, Caller())
    assert seen["state"] == house.service.looking.view(opened.id, Caller(), opened.version)["state"]
    assert seen["origin"] == {"match": opened.id, "version": opened.version}
    assert seen["ranked"] is False
    assert house.service.looking.view(opened.id, Caller())["ranked"] is False
    assert fork.commitment is not None
    with pytest.raises(Forbidden):
        house.service.opening.fork(opened.id, opened.version, None, Sit("bob"), Order())


def test_an_abandoned_match_ends_once_at_the_version_it_was_left_at(house: House) -> None:
    opened = house.open()
    with pytest.raises(VersionConflict):
        house.service.timekeeping.abandon(opened.id, actor="caretaker", version=opened.version - 1)
    house.service.timekeeping.abandon(opened.id, actor="caretaker", version=opened.version)
    count = len(house.service.store.read(opened.id))
    house.service.timekeeping.abandon(opened.id, actor="caretaker", version=opened.version)
    assert len(house.service.store.read(opened.id)) == count
    view = house.service.looking.view(opened.id, Caller())
    assert (view["status"], view["outcome"]["result"]) == ("ended", "abandoned")
    revealed = house.service.store.read(opened.id)[-1].event
    assert isinstance(revealed, SeedRevealed)
    assert commitment(bytes.fromhex(revealed.seed)) == view["commitment"] == opened.commitment


def test_P4_no_player_takes_the_caretakers_command_id_away(house: House) -> None:
    """A player's own id must not keep a match from being abandoned."""
    twin, opened = house.open(deal=1), house.open(deal=1)
    version = house.act(twin, house.legal(twin)[0]).version
    assert house.act(opened, house.legal(opened)[0], Order(f"abandon-{version}")).version == version
    house.service.timekeeping.abandon(opened.id, actor="caretaker", version=version)
    assert house.status(opened.id) == "ended"
    with pytest.raises(InvalidField):
        Order(f"system:abandon-{version}")


# --- what stands beside the log ----------------------------------------------------------------------------


def test_P28_no_name_is_in_any_stored_event_and_a_forgotten_one_is_gone(house: House) -> None:
    opened = house.open("Zaphod Quux", deal=1)
    player = house.player("zaphod quux")
    house.play(opened, 2)
    stored = b"".join(encode_recorded(found.entry) for found in house.service.store.read_all(0, 1_000))
    assert b"Zaphod" not in stored
    assert player.encode() in stored
    assert house.service.people.forget("Zaphod Quux") == player
    assert house.service.people.names([player]) == {}
    with pytest.raises(PlayerNotFound):
        house.service.people.find("Zaphod Quux")
    assert house.service.looking.view(opened.id, Caller())["seats"][0]["name"] is None
    assert house.service.looking.view(opened.id, Caller())["seats"][0]["player"] == player
    assert house.legal(opened)


def test_names_that_differ_in_case_are_one_player(house: House) -> None:
    people = house.service.people
    assert people.identify("Ann") == people.identify(" ann ") != people.identify("Bob")


def test_P10_a_sealed_seed_stands_beside_the_log_and_in_it_only_after_the_end(house: House) -> None:
    opened = house.open()
    match = house.service.ledger.history(opened.id).match
    seed = house.service.seeds.of(match).hex()
    assert house.service.seeds.seal(opened.id).hex() == seed

    def stored() -> bytes:
        return b"".join(encode_recorded(found.entry) for found in house.service.store.read_all(0, 1_000))

    assert seed.encode() not in stored()
    house.resign(opened)
    assert seed.encode() in stored()
