"""Match records: complete or visibly not, and exactly what is stored."""

import json
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from ledgertop.cli.verify import _lines
from services.audit import verify
from services.codec import encode_recorded
from services.errors import Forbidden
from services.looking import Caller
from services.record import (
    MAX_ORIGINS,
    Altered,
    BadRecord,
    Gap,
    Incomplete,
    Malformed,
    UnknownFormat,
    download,
    match_digest,
    parse,
    stored,
    write,
)
from tests.services.matches import service_in, sit_down


def sealed_again(data: bytes) -> bytes:
    """A record whose end line has been made to fit what stands before it."""
    before = data[: -len("0" * 64 + '"}\n')]
    return before + sha256(before).hexdigest().encode() + b'"}\n'


def test_P19_a_record_cut_at_any_byte_is_visibly_incomplete(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        data = sit_down(service, deal=7).play(1).resign().exported()
    parse(data)
    for length in range(len(data)):
        with pytest.raises(BadRecord):
            parse(data[:length])
    with pytest.raises(Incomplete):
        parse(data[:-1])


def test_P19_a_record_of_a_fork_cut_at_any_line_is_visibly_incomplete(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        data = sit_down(service).play(2).fork(5).play().exported()
    lines = data.splitlines(keepends=True)
    for count in range(1, len(lines)):
        with pytest.raises(Incomplete):
            parse(b"".join(lines[:count]))


def test_P9_a_record_with_any_byte_changed_is_refused(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        data = sit_down(service, deal=7).play(1).exported()
    for place in range(len(data)):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with pytest.raises(BadRecord):
            parse(changed)


def test_a_record_holds_the_stored_bytes_and_reads_back_equal(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        player = sit_down(service).play()
        data, record = player.exported(), player.record()
        entries = service.store.read(player.match)
        assert list(record.entries) == entries
        assert all(encode_recorded(entry) in data for entry in entries)
        assert b"".join(write(record)) == data
        assert record.state == match_digest(player.history().match)
        assert stored(service.store, player.match).entries == record.entries


def test_P10_the_record_of_a_running_sealed_match_has_no_seed(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        player = sit_down(service).play(2)
        seed = service.seeds.of(player.history().match).hex().encode()
        assert seed not in player.exported()
        assert seed in player.play().exported()


def test_P11_a_record_can_be_downloaded_after_the_end_only(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        player = sit_down(service)
        for caller in (Caller(), Caller(player.token), Caller(audit=True)):
            with pytest.raises(Forbidden):
                download(service.ledger, service.looking, player.match, caller)
        player.play()
        assert parse(b"".join(download(service.ledger, service.looking, player.match, Caller())))


def test_P11_a_running_origin_is_left_out_of_a_download(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        player = sit_down(service).play(1)
        fork = player.fork(player.version).play()
        assert fork.record().origin is not None
        downloaded = b"".join(download(service.ledger, service.looking, fork.match, Caller()))
        assert parse(downloaded).origin is None
        player.play()
        downloaded = b"".join(download(service.ledger, service.looking, fork.match, Caller()))
        assert parse(downloaded).origin == player.record()


def test_P11_a_record_of_a_match_closed_to_spectators_is_for_its_seats(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        player = sit_down(service, spectators=False).play()
        with pytest.raises(Forbidden):
            download(service.ledger, service.looking, player.match, Caller())
        assert parse(b"".join(download(service.ledger, service.looking, player.match, Caller(player.token))))


def test_forks_of_forks_are_enclosed(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        player = sit_down(service).play(1)
        chain = [player]
        for _ in range(5):
            chain.append(chain[-1].fork(chain[-1].version))
        record = chain[-1].record()
    for player in reversed(chain):
        assert record is not None
        assert record.match == player.match
        record = record.origin  # type: ignore[assignment]
    assert record is None


@pytest.mark.parametrize(
    ("find", "replace", "error"),
    [
        (b"ledgertop match record", b"other match record", UnknownFormat),
        (b'"format":1', b'"format":2', UnknownFormat),
        (b'"format":1', b'"format":"1"', UnknownFormat),
        (b'"version":3', b'"version":4', Gap),
        (b'{"topic":"adaman.deck_shuffled.1"', b'{"topic":"adaman.deck_stacked.1"', Malformed),
        (b'{"topic":"adaman.deck_shuffled.1"', b'{"topic": "adaman.deck_shuffled.1"', Malformed),
        (b'"entry":{"stream"', b'"entry":{ "stream"', Malformed),
        (b'"events":', b'"events":1', Altered),
    ],
)
def test_P19_what_is_no_record_is_refused_by_name(
    tmp_path: Path, find: bytes, replace: bytes, error: type[BadRecord]
) -> None:
    with service_in(tmp_path) as service:
        data = sit_down(service, deal=7).exported()
    assert find in data
    with pytest.raises(error):
        parse(sealed_again(data.replace(find, replace, 1)))


def test_P19_missing_and_surplus_lines_are_refused(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        data = sit_down(service, deal=7).play().exported()
    lines = data.splitlines(keepends=True)
    for place in range(1, len(lines) - 1):
        without = lines[:place] + lines[place + 1 :]
        with pytest.raises((Gap, Altered)):
            parse(sealed_again(b"".join(without)))
    with pytest.raises(Malformed):
        parse(data + b"\n")
    with pytest.raises(Malformed):
        parse(data + lines[-1])


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"null\n", b"[]\n", b"{}\n", b"[" * 200_000 + b"\n", b"\xff\n", b"x"]
)
def test_P19_anything_else_is_no_record(data: bytes) -> None:
    with pytest.raises((UnknownFormat, Incomplete)):
        parse(data)


def test_a_fork_of_very_many_forks_is_exported_checked_and_told_up_to_a_limit(tmp_path: Path) -> None:
    with service_in(tmp_path) as service:
        player = sit_down(service, deal=7)
        for _ in range(MAX_ORIGINS + 2):
            player = player.fork(5)
        reports = [verify(player.record()), verify(stored(service.store, player.match))]
    for report in reports:
        assert (report.ok, report.complete) == (True, False)
        assert json.loads(json.dumps(msgspec.to_builtins(report)))["ok"]
        assert sum("forked from" in line for line in _lines(report)) == MAX_ORIGINS
