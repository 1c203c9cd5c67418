"""Whatever is wrong with a request is told as a problem of the catalogue, and nothing changes."""

import json
from pathlib import Path
from typing import Any

import pytest

from api.problems import CATALOGUE
from domain.adaman.content.decktet import CARDS
from services.errors import OutcomeUnknown, StoreUnavailable
from tests.api.houses import URL, House, Make, bearer, problem

ROOT = Path(__file__).parents[2]
NOBODY = "m_" + "a" * 24

inside = pytest.mark.in_process("breaks a part of the process that answers")


@pytest.mark.in_process("asks nobody")
def test_every_problem_type_is_documented() -> None:
    text = (ROOT / "docs" / "problems.md").read_text()
    listed = {
        line.split("`")[1]: int(line.split("|")[2]) for line in text.splitlines() if line.startswith("| `")
    }
    assert listed == {slug: kind.status for slug, kind in CATALOGUE.items()}


# --- bad commands ------------------------------------------------------------------------------------------


def _play(home: House, match: dict[str, Any]) -> dict[str, Any]:
    return home.legal(match)[0]


def _state(home: House, match: dict[str, Any]) -> dict[str, Any]:
    return dict(home.get(match).json["state"])


def _twice(home: House, match: dict[str, Any]) -> dict[str, Any]:
    play = _play(home, match)
    return play | {"payment": play["payment"] * 2}


def _no_common_suit(home: House, match: dict[str, Any]) -> dict[str, Any]:
    state = _state(home, match)
    for target in state["capital"] + state["palace"]:
        for card in state["resources"]:
            if not set(CARDS[card].suits) & set(CARDS[target].suits):
                return {"type": "control", "target": target, "payment": [card]}
    raise AssertionError("every resource shares a suit with every target")


def _too_small(home: House, match: dict[str, Any]) -> dict[str, Any]:
    state = _state(home, match)
    for target in state["capital"] + state["palace"]:
        for card in state["resources"]:
            if set(CARDS[card].suits) & set(CARDS[target].suits) and CARDS[card].value < CARDS[target].value:
                return {"type": "control", "target": target, "payment": [card]}
    raise AssertionError("every card pays every target")


def _with_version(version: Any) -> Any:
    return lambda home, match: _play(home, match) | {"expected_version": version}


BAD_COMMANDS: dict[str, tuple[Any, int, str, str]] = {
    "unknown card": (lambda h, m: _play(h, m) | {"target": "dragon"}, 422, "rule", "unknown-card"),
    "a card that is not there": (
        lambda h, m: _play(h, m) | {"payment": [_state(h, m)["capital"][0]]},
        422, "rule", "payment-not-in-resources",
    ),
    "a card twice in a payment": (_twice, 422, "rule", "payment-repeats-card"),
    "no common suit": (_no_common_suit, 422, "rule", "payment-no-common-suit"),
    "too small": (_too_small, 422, "rule", "payment-too-small"),
    "no payment": (lambda h, m: _play(h, m) | {"payment": []}, 422, "rule", "payment-empty"),
    "unknown field": (lambda h, m: _play(h, m) | {"colour": "red"}, 422, "field", "colour"),
    "missing field": (lambda h, m: {"type": "control", "target": "savage"}, 422, "field", "payment"),
    "unknown type": (lambda h, m: {"type": "conquer"}, 422, "field", "type"),
    "no type": (lambda h, m: {"target": "savage"}, 422, "field", "type"),
    "wrong kind": (lambda h, m: _play(h, m) | {"payment": "savage"}, 422, "field", "payment"),
    "wrong kind inside": (lambda h, m: _play(h, m) | {"payment": [7]}, 422, "field", "payment[0]"),
    "2.9 for an integer": (_with_version(5.9), 422, "field", "expected_version"),
    "true for an integer": (_with_version(True), 422, "field", "expected_version"),
    "text for an integer": (_with_version("5"), 422, "field", "expected_version"),
    "stale version": (lambda h, m: _play(h, m) | {"expected_version": 4}, 409, "actual", 5),
    "not an object": (lambda h, m: [1], 422, "field", ""),
    "no choice pending": (
        lambda h, m: {"type": "resolve_excuse", "card": "savage"}, 422, "rule", "no-choice-pending",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_COMMANDS)
def test_a_bad_command_is_refused_and_changes_nothing(home: House, name: str) -> None:
    body, status, member, value = BAD_COMMANDS[name]
    match = home.create()
    before, view = home.digest(match), home.get(match).data
    answer = home.post(match, body(home, match))
    refused = problem(answer)
    assert (refused["status"], refused[member]) == (status, value), refused
    assert (home.digest(match), home.get(match).data) == (before, view)


BAD_BODIES = {
    "200 kB of brackets": (b"[" * 200_000, 413, "body-too-large"),
    "brackets within the size": (b"[" * 60_000, 400, "invalid-json"),
    "NaN": (b'{"type": "control", "target": NaN}', 400, "invalid-json"),
    "infinity by size": (b'{"type": "control", "target": 1e999}', 400, "invalid-json"),
    "duplicate keys": (b'{"type": "resign", "type": "resign"}', 400, "invalid-json"),
    "lone surrogate": (rb'{"type": "control", "target": "\ud800", "payment": []}', 400, "invalid-json"),
    "lone surrogate in a key": (rb'{"type": "resign", "\udfff": 1}', 400, "invalid-json"),
    "NUL": (rb'{"type": "control", "target": "a\u0000", "payment": []}', 400, "invalid-json"),
    "not UTF-8": (b'{"type": "\xff"}', 400, "invalid-json"),
    "a huge number": (b'{"type": "resign", "expected_version": ' + b"9" * 5_000 + b"}", 400, "invalid-json"),
    "nothing": (b"", 400, "invalid-json"),
    "cut off": (b'{"type": "resign"', 400, "invalid-json"),
}


@pytest.mark.parametrize("name", BAD_BODIES)
def test_a_body_that_is_not_strict_json_is_refused(home: House, name: str) -> None:
    data, status, slug = BAD_BODIES[name]
    match = home.create()
    before = home.digest(match)
    paths = [f"/matches/{match['id']}/{verb}" for verb in ("commands", "seats", "rewinds", "undo", "forks")]
    if name == "nothing":
        paths.remove(f"/matches/{match['id']}/undo")  # it needs no body
    for path in ["/matches", *paths]:
        answer = home.client.post(
            URL + path, data=data, headers=bearer(match), content_type="application/json"
        )
        assert (problem(answer)["status"], problem(answer)["type"]) == (status, f"/problems/{slug}")
    assert home.digest(match) == before


def test_P20_json_is_read_up_to_16_levels(home: House) -> None:
    match = home.create()
    for levels, slug in ((16, "invalid-field"), (17, "invalid-json")):
        target = "[" * (levels - 1) + "]" * (levels - 1)
        data = f'{{"type": "control", "payment": [], "target": {target}}}'
        path = f"{URL}/matches/{match['id']}/commands"
        answer = home.client.post(path, data=data, headers=bearer(match), content_type="application/json")
        assert problem(answer)["type"] == f"/problems/{slug}"


BAD_CREATIONS = {
    "unknown game": ({"game": "chess"}, "game"),
    "no game": ({"deal": 7}, "game"),
    "unknown option": ({"options": {"jokers": True}}, "options.jokers"),
    "option of another kind": ({"options": {"excuse": "yes"}}, "options.excuse"),
    "unknown personality": (
        {"options": {"extra_personalities": ["dragon"]}},
        "options.extra_personalities.0",
    ),
    "a personality twice": (
        {"options": {"extra_personalities": ["consul", "consul"]}},
        "options.extra_personalities",
    ),
    "unknown field": ({"colour": 1}, "colour"),
    "deal 2.9": ({"deal": 2.9}, "deal"),
    "deal true": ({"deal": True}, "deal"),
    "deal as text": ({"deal": "7"}, "deal"),
    "deal 0": ({"deal": 0}, "deal"),
    "deal too large": ({"deal": 2**31 + 1}, "deal"),
    "no name": ({"sit": {}}, "sit.name"),
    "empty name": ({"sit": {"name": ""}}, "sit.name"),
    "blank name": ({"sit": {"name": "  "}}, "name"),
    "long name": ({"sit": {"name": "x" * 41}}, "sit.name"),
    "line break in a name": ({"sit": {"name": "a\nb"}}, "name"),
    "entropy that is not hex": ({"sit": {"name": "a", "entropy": "xyz"}}, "sit.entropy"),
    "entropy with a blank": ({"sit": {"name": "a", "entropy": "ab cd"}}, "sit.entropy"),
    "entropy and a line break": ({"sit": {"name": "a", "entropy": "ab\n"}}, "sit.entropy"),
    "entropy too long": ({"sit": {"name": "a", "entropy": "00" * 65}}, "sit.entropy"),
    "entropy on a deal": ({"deal": 7, "sit": {"name": "a", "entropy": "00"}}, "sit.entropy"),
}


@pytest.mark.parametrize("name", BAD_CREATIONS)
def test_a_bad_creation_names_the_field(home: House, name: str) -> None:
    body, field = BAD_CREATIONS[name]
    body = body if "game" in body or name == "no game" else {"game": "adaman"} | body
    head = home.service.store.head()
    refused = problem(home.client.post(f"{URL}/matches", json=body))
    assert (refused["status"], refused["type"], refused["field"]) == (422, "/problems/invalid-field", field)
    assert home.service.store.head() == head


def test_two_fields_that_are_wrong_are_both_named(home: House) -> None:
    refused = problem(home.client.post(f"{URL}/matches", json={"game": "adaman", "deal": 0, "colour": 1}))
    assert [error["field"] for error in refused["errors"]] == ["colour", "deal"]


def test_a_stale_if_match_is_412_and_a_wrong_one_names_the_header(home: House) -> None:
    match = home.create()
    play = home.legal(match)[0]
    for path, body in (("/commands", play), ("/rewinds", {"to_version": 1}), ("/undo", {})):
        stale = problem(home.post(match, body, path, If_Match='"4"'))
        assert (stale["status"], stale["type"], stale["actual"]) == (412, "/problems/stale-if-match", 5)
        for wrong in ('W/"5"', "5", '"x"', '"5", "6"', ""):
            refused = problem(home.post(match, body, path, If_Match=wrong))
            assert (refused["status"], refused["field"]) == (422, "If-Match")
    both = problem(home.post(match, play | {"expected_version": 4}, If_Match='"5"'))
    assert both["field"] == "expected_version"
    assert home.post(match, play, If_Match="*").status_code == 200


def test_a_key_that_is_none_is_refused(home: House) -> None:
    match = home.create()
    for key in ("", "a b", "x" * 129, "system:abandon-5"):
        refused = problem(home.post(match, {"type": "resign"}, Idempotency_Key=key))
        assert (refused["status"], refused["field"]) == (422, "Idempotency-Key")


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=1.5", "limit=0", "limit=1001", "audit=yes", "aftr=1"]
)
def test_a_bad_query_names_the_field(home: House, query: str) -> None:
    refused = problem(home.get(home.create(), f"/events?{query}"))
    assert (refused["status"], refused["field"]) == (422, query.split("=")[0])


@pytest.mark.parametrize("query", ["cursor=xx", "limit=0", "status=lost", "after_position=x", "colour=1"])
def test_a_bad_lobby_query_names_the_field(home: House, query: str) -> None:
    refused = problem(home.client.get(f"{URL}/matches?{query}"))
    assert (refused["status"], refused["field"]) == (422, query.split("=")[0])


# --- who asks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/commands", "/rewinds", "/undo"])
def test_playing_needs_the_seats_token(home: House, path: str) -> None:
    match, other = home.create(), home.create(deal=8, sit={"name": "eve"})
    body = {"type": "resign"} if path == "/commands" else {"to_version": 1} if path == "/rewinds" else {}
    before = home.digest(match)
    missing = home.post({"id": match["id"]}, body, path)
    assert problem(missing)["type"] == "/problems/token-missing"
    assert missing.headers["WWW-Authenticate"].startswith("Bearer")
    strangers = home.post({"id": match["id"], "seat": other["seat"]}, body, path)
    assert problem(strangers)["type"] == "/problems/bad-token"
    assert strangers.headers["WWW-Authenticate"].startswith("Bearer")
    assert home.digest(match) == before


@pytest.mark.parametrize("path", ["", "/events", "/legal-commands", "/record"])
@pytest.mark.parametrize("header", ["Bearer x", "Basic eDp5", "lt_seat_x", "", "Bearer lt_seat_" + "A" * 43])
def test_a_token_that_opens_nothing_is_refused_for_reading_too(home: House, path: str, header: str) -> None:
    match = home.create()
    answer = home.client.get(f"{URL}/matches/{match['id']}{path}", headers={"Authorization": header})
    assert (problem(answer)["status"], problem(answer)["type"]) == (401, "/problems/bad-token")


def test_a_match_that_has_ended_takes_no_command(home: House) -> None:
    match = home.create()
    play = home.legal(match)[0]
    home.post(match, {"type": "resign"})
    before = home.digest(match)
    for path, body in (("/commands", play), ("/rewinds", {"to_version": 2}), ("/undo", {})):
        refused = problem(home.post(match, body, path))
        assert (refused["status"], refused["type"]) == (409, "/problems/match-over")
    assert home.digest(match) == before


def test_AD_7_only_the_choice_is_legal_while_the_excuse_is_pending(home: House) -> None:
    for deal in range(1, 200):
        match = home.create(deal=deal, options={"excuse": True}, sit={"name": "ann"})
        if home.get(match).json["state"]["pending"]:
            break
    state = home.get(match).json["state"]
    before = home.digest(match)
    play = {"type": "control", "target": state["capital"][0], "payment": state["resources"][:1]}
    refused = problem(home.post(match, play))
    assert (refused["status"], refused["rule"]) == (422, "choice-pending")
    assert home.digest(match) == before
    assert home.post(match, home.legal(match)[0]).status_code == 200


# --- what is not there -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        f"/matches/{NOBODY}", f"/matches/{NOBODY}/events", f"/matches/{NOBODY}/legal-commands",
        f"/matches/{NOBODY}/record", "/matches/M_x", "/matches/m_x", "/matches/m_" + "a" * 25,
        "/matches/m_%00", "/players/nobody", "/games/chess", "/leaderboards/chess/deals/7",
        "/leaderboards/adaman/deals/0", "/leaderboards/adaman/deals/2147483649",
        "/leaderboards/adaman/deals/-1", "/nowhere", "/matches/", "/../x",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found(home: House, path: str) -> None:
    assert problem(home.client.get(f"{URL}{path}"))["type"] == "/problems/not-found"


@inside
def test_an_id_that_can_be_none_does_not_touch_the_store(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def touched(*_: Any) -> None:
        raise AssertionError("the store was asked")

    monkeypatch.setattr(home.service.store, "read", touched)
    for path in ("", "/events", "/legal-commands"):
        assert home.client.get(f"{URL}/matches/m_1{path}").status_code == 404
    assert home.client.post(f"{URL}/matches/m_1/commands", json={"type": "resign"}).status_code == 404


def test_a_version_that_is_not_there_is_not_found(home: House) -> None:
    match = home.create()
    assert problem(home.get(match, "?at=6"))["type"] == "/problems/not-found"
    assert problem(home.post(match, {"to_version": 6}, "/rewinds"))["type"] == "/problems/not-found"
    assert problem(home.post(match, {"at_version": 6}, "/forks"))["type"] == "/problems/not-found"


def test_another_method_is_told_which_are_offered(home: House) -> None:
    answer = home.client.delete(f"{URL}/matches")
    assert problem(answer)["type"] == "/problems/method-not-allowed"
    assert {"GET", "POST"} <= set(answer.headers["Allow"].replace(" ", "").split(","))


def test_another_media_type_is_refused(home: House) -> None:
    for content_type in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin-1",
        None,
    ):
        answer = home.client.post(f"{URL}/matches", data=b'{"game": "adaman"}', content_type=content_type)
        assert problem(answer)["type"] == "/problems/unsupported-media-type"
    answer = home.get(home.create(), "/events", Accept="text/html")
    assert problem(answer)["type"] == "/problems/not-acceptable"


# --- when the house is in trouble ---------------------------------------------------------------------------


@pytest.mark.in_process("has settings of its own")
def test_P20_a_match_has_so_many_events(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match = home.create()
    before = home.digest(match)
    monkeypatch.setattr("services.carrying.MAX_EVENTS", before[0])
    assert problem(home.post(match, home.legal(match)[0]))["type"] == "/problems/match-full"
    assert home.digest(match) == before
    assert home.post(match, {"type": "resign"}).status_code == 200


@inside
def test_P22_a_store_out_of_reach_is_503_with_retry_after(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, forgotten = home.create(), home.create()
    play = home.legal(match)[0]
    known = home.get(match)

    def gone(*_: Any, **__: Any) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        for name in ("append", "read", "head"):
            patch.setattr(home.service.store, name, gone)
        assert home.get(match).data == known.data, "a match in memory can be looked at"
        home.service.ledger._kept.pop(forgotten["id"])
        for answer in (home.post(match, play), home.get(forgotten), home.client.get("/health/ready")):
            assert problem(answer)["type"] == "/problems/store-unavailable"
            assert answer.headers["Retry-After"] == "1"
        assert home.client.get("/health/live").status_code == 200
    assert home.post(match, play).status_code == 200


@inside
def test_P22_what_is_shown_while_the_store_is_away_is_confirmed_by_nothing_later(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = home.create()
    version = home.get(match).json["version"]

    def gone(*_: Any, **__: Any) -> None:
        raise StoreUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(home.service.store, "read", gone)
        patch.setattr(home.service.people, "names", gone)
        shown = home.get(match)
        later = home.get(match, f"?at={version + 1}", **{"If-None-Match": f'"{version}"'})
    assert shown.json["seats"][0]["name"] is None
    assert "ETag" not in shown.headers, (
        "or it would stay without names for as long as the version is the same"
    )
    assert shown.headers["Cache-Control"] == "no-store"
    assert problem(later)["type"] == "/problems/store-unavailable", "that version may be there by now"
    assert home.get(match).headers["ETag"] == f'"{version}"'


def failing_after(store: Any, monkeypatch: pytest.MonkeyPatch, *, stored: bool) -> None:
    """The store fails in its next commit, after it or before, and can't be read then."""
    append = store.append

    def fail(entries: Any) -> int:
        if stored:
            append(entries)
        monkeypatch.setattr(store, "read", gone)
        raise OutcomeUnknown(entries[-1].stream, entries[-1].command)

    def gone(*_: Any, **__: Any) -> None:
        raise StoreUnavailable

    monkeypatch.setattr(store, "append", fail)


@inside
@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("key", ["k1", None])
def test_P5_an_unknown_outcome_says_so_and_where_to_ask(
    home: House, monkeypatch: pytest.MonkeyPatch, stored: bool, key: str | None
) -> None:
    match = home.create()
    play = home.legal(match)[0]
    headers = {"Idempotency_Key": key} if key else {}
    with monkeypatch.context() as patch:
        failing_after(home.service.store, patch, stored=stored)
        answer = home.post(match, play, **headers)
    told = problem(answer)
    assert (answer.status_code, told["type"]) == (503, "/problems/outcome-unknown")
    assert answer.headers["Retry-After"] == "1"
    assert "k1" not in answer.text
    asked = home.client.get(told["status_url"], headers=bearer(match))
    assert asked.status_code == (200 if stored else 404)
    assert (told["command"] in {entry.command for entry in home.service.store.read(match["id"])}) is stored
    if stored:
        assert asked.json["events"] == home.get(match, f"/events?after={match['version']}").json["events"]
    if key:
        again = home.post(match, play, **headers)
        assert again.status_code == 200
        assert not stored or again.json == asked.json
        assert home.client.get(told["status_url"], headers=bearer(match)).json == again.json


def test_P11_nobody_else_is_told_what_became_of_a_command(home: House) -> None:
    match, other = home.create(), home.create()
    home.post(match, home.legal(match)[0])
    command = home.service.store.read(match["id"])[-1].command
    path = f"{URL}/matches/{match['id']}/commands/{command}"
    assert home.client.get(path, headers=bearer(match)).status_code == 200
    assert problem(home.client.get(path))["type"] == "/problems/token-missing"
    assert problem(home.client.get(path, headers=bearer(other)))["type"] == "/problems/bad-token"
    elsewhere = f"{URL}/matches/{other['id']}/commands/{command}"
    assert home.client.get(elsewhere, headers=bearer(other)).status_code == 404
    assert home.get(match, "/commands/system:due-1").status_code == 404


@inside
def test_P5_an_opening_of_unknown_outcome_is_told_by_its_key_alone(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = {"game": "adaman", "deal": 7, "sit": {"name": "ann"}}
    send = {"json": wish, "headers": {"Idempotency-Key": "k2"}}
    with monkeypatch.context() as patch:
        failing_after(home.service.store, patch, stored=True)
        told = problem(home.client.post(f"{URL}/matches", **send))
    assert told["type"] == "/problems/outcome-unknown"
    assert "status_url" not in told
    opened = home.client.post(f"{URL}/matches", **send).json
    assert home.legal(opened)


@inside
def test_P23_an_error_of_our_own_tells_nothing(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match = home.create()

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("the seed is c0ffee")

    monkeypatch.setattr(home.service.looking, "shown", broken)
    answer = home.get(match)
    assert problem(answer)["type"] == "/problems/internal-error"
    assert "c0ffee" not in answer.text
    line = json.loads(home.log.getvalue().splitlines()[-1])
    assert (line["status"], line["error"]) == (500, "RuntimeError")
    assert "c0ffee" not in home.log.getvalue().decode()


@inside
def test_read_models_that_are_behind_are_503(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(home.service.progress), "wait", lambda *_: False)
    answer = home.client.get(f"{URL}/matches?after_position=1")
    assert problem(answer)["type"] == "/problems/read-models-behind"
    assert answer.headers["Retry-After"] == "1"


def test_P20_rates_are_limited_per_address(make: Make) -> None:
    home = make(rate="3 per minute", creation_rate="2 per minute")
    assert [home.client.get(f"{URL}/games").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    assert [home.client.get("/health/live").status_code for _ in range(5)] == [200] * 5
    made = [home.client.post(f"{URL}/matches", json={"game": "adaman"}) for _ in range(3)]
    assert [answer.status_code for answer in made] == [201, 201, 429]
    assert problem(made[2])["type"] == "/problems/rate-limited"
    assert int(made[2].headers["Retry-After"]) >= 1
    elsewhere = home.client.get(f"{URL}/games", environ_base={"REMOTE_ADDR": "10.0.0.9"})
    assert elsewhere.status_code == 200
