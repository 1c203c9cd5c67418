"""A match's events as pages, NDJSON and live; hidden means hidden on every path."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

import api
from api.streams import whole_rest
from services.looking import Caller
from tests.api.houses import URL, House, Make, bearer, problem

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"

inside = pytest.mark.in_process("looks into the process that answers")


def _stream(home: House, match: dict[str, Any], query: str = "", **headers: str) -> TestResponse:
    sent = (
        bearer(match) | {"Accept": SSE} | {name.replace("_", "-"): value for name, value in headers.items()}
    )
    return home.client.get(f"{URL}/matches/{match['id']}/events{query}", headers=sent, buffered=False)


def _messages(pieces: Iterator[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The messages of an event stream as (id, data), as a browser reads them."""
    for piece in pieces:
        for message in piece.decode().split("\n\n"):
            fields = dict(
                line.split(": ", 1) for line in message.split("\n") if line and not line.startswith(":")
            )
            if "data" in fields:
                yield int(fields["id"]), json.loads(fields["data"])


def test_events_come_in_pages(home: House) -> None:
    match = home.create()
    whole = home.get(match, "/events").json
    assert [event["version"] for event in whole["events"]] == [1, 2, 3, 4, 5]
    assert whole["next"] is None
    first = home.get(match, "/events?limit=2").json
    rest = home.get(match, f"/events?limit=1000&after={first['next']}").json
    assert first["events"] + rest["events"] == whole["events"]
    assert home.get(match, "/events?after=5").json == {"events": [], "next": None}
    assert home.get(match, "/events?after=2147483647").json["events"] == []
    assert home.get(match, "/events").headers["Vary"] == "Authorization, Accept"


def test_P19_an_ndjson_stream_ends_with_a_line_that_says_so(home: House) -> None:
    match = home.create()
    home.play_to_the_end(match)
    events = home.get(match, "/events").json["events"]
    answer = home.get(match, "/events", Accept=NDJSON)
    assert answer.content_type == NDJSON
    *lines, end = [json.loads(line) for line in answer.data.splitlines()]
    assert lines == events
    assert end == {"end": {"version": len(events), "events": len(events)}}
    *lines, end = [
        json.loads(line) for line in home.get(match, "/events?after=3", Accept=NDJSON).data.splitlines()
    ]
    assert (lines, end["end"]["events"]) == (events[3:], len(events) - 3)
    assert [json.loads(home.get(match, "/events?after=9999", Accept=NDJSON).data)["end"]["events"]] == [0]


@inside
def test_P19_an_ndjson_stream_is_sent_in_batches(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match = home.create()
    home.play_to_the_end(match)
    monkeypatch.setattr("api.streams.BATCH", 4)
    pieces = list(whole_rest(home.service.looking, match["id"], Caller(), 0, 10))
    assert [piece.count(b"\n") for piece in pieces] == [4, 4, 2, 1]


def test_a_live_stream_ends_with_the_match(home: House) -> None:
    match = home.create()
    home.post(match, {"type": "resign"})
    answer = _stream(home, match)
    assert answer.content_type == SSE
    assert (answer.headers["Vary"], answer.headers["X-Accel-Buffering"]) == ("Authorization, Accept", "no")
    got = list(_messages(answer.response))
    assert [event for _, event in got] == home.get(match, "/events").json["events"]
    assert [number for number, _ in got] == [event["version"] for _, event in got]
    assert [number for number, _ in _messages(_stream(home, match, "?after=5").response)] == [6]
    resumed = _stream(home, match, "?after=2", Last_Event_ID="5")
    assert [number for number, _ in _messages(resumed.response)] == [6]
    over = _stream(home, match, Last_Event_ID=str(len(got)))
    assert (over.status_code, over.data) == (204, b"")


def test_P17_a_resumed_stream_loses_and_repeats_nothing_beside_a_writer(make: Make) -> None:
    home = make(stream_seconds=0.05, heartbeat=0.01)
    match = home.create()

    def write() -> None:
        home.play_to_the_end(match)

    writer = threading.Thread(target=write)
    got: list[tuple[int, dict[str, Any]]] = []
    writer.start()
    rounds = 0
    while not got or got[-1][1]["type"] != "ended":
        rounds += 1
        answer = _stream(home, match, **({"Last_Event_ID": str(got[-1][0])} if got else {}))
        pieces = iter(answer.response)
        for _ in range(4):  # the connection breaks off after a few pieces
            piece = next(pieces, b"")
            got += _messages(iter([piece]))
        answer.close()
    writer.join()
    assert rounds > 1
    assert [event for _, event in got] == home.get(match, "/events").json["events"]


def test_a_silent_stream_sends_comments_and_ends_in_time(make: Make) -> None:
    home = make(stream_seconds=0.2, heartbeat=0.02)
    match = home.create()
    body = _stream(home, match).data
    assert body.count(b": heartbeat\n\n") >= 2
    assert body.count(b"data: ") == 5


@inside
def test_trap_14_an_open_stream_ends_when_the_service_closes(home: House) -> None:
    match = home.create()
    pieces = iter(_stream(home, match).response)
    assert next(pieces) == b"retry: 1000\n\n"
    assert next(pieces).count(b"data: ") == 5
    threading.Timer(0.1, home.service.feed.close).start()
    assert list(pieces) == []


def test_trap_14_streams_are_counted_until_they_are_closed(make: Make) -> None:
    home = make(max_streams=2)
    match = home.create()
    begun, waiting = _stream(home, match), _stream(home, match)
    assert next(iter(begun.response))
    refused = _stream(home, match)
    assert problem(refused)["type"] == "/problems/too-many-streams"
    assert refused.headers["Retry-After"] == "5"
    assert home.get(match, "/events").status_code == 200
    assert "ledgertop_open_streams 2.0" in home.client.get("/metrics").text
    waiting.close()  # its client went away before anything was sent
    again = _stream(home, match)
    assert again.status_code == 200
    begun.close()
    again.close()
    for _ in range(5):
        home.client.head(f"{URL}/matches/{match['id']}/events", headers={"Accept": SSE})
    assert "ledgertop_open_streams 0.0" in home.client.get("/metrics").text


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_a_stream_is_refused_before_it_begins(home: House, accept: str) -> None:
    match = home.create(spectators=False, sit={"name": "ann"})
    assert problem(home.get({"id": match["id"]}, "/events", Accept=accept))["type"] == "/problems/forbidden"
    assert (
        problem(home.get({"id": "m_" + "a" * 24}, "/events", Accept=accept))["type"] == "/problems/not-found"
    )
    wrong = problem(home.get(match, "/events", Accept=accept, **{"Last-Event-ID": "x"}))
    assert wrong["field"] == "Last-Event-ID"


# --- P11: hidden means hidden -------------------------------------------------------------------------------


def _twin_of(home: House, make: Make, match: dict[str, Any]) -> House:
    """Another house with the same match, ids, times and salts, whose deck differs beyond what was dealt."""
    from domain.adaman.events import CardsDealt, DeckShuffled

    twin = make()
    entries = home.service.store.read(match["id"])
    seen = sum(len(entry.event.dealt) for entry in entries if isinstance(entry.event, CardsDealt))
    changed = []
    for entry in entries:
        event = entry.event
        if isinstance(event, DeckShuffled):
            event = type(event)(
                draw=event.draw, cards=event.cards, order=event.order[:seen] + event.order[seen:][::-1]
            )
            assert event != entry.event
        changed.append(
            type(entry)(**{name: getattr(entry, name) for name in entry.__struct_fields__} | {"event": event})
        )
    twin.service.store.append(changed)
    with home.service.people._database.reading() as sql:
        people = sql.rows("SELECT player, name, folded FROM people")
    with twin.service.people._database.writing() as sql:
        for row in people:
            sql.run("INSERT INTO people VALUES (?, ?, ?)", row["player"], row["name"], row["folded"])
        sql.run("INSERT INTO seeds VALUES (?, ?)", match["id"], "ee" * 32)
    return twin


@pytest.mark.parametrize("options", [{}, {"excuse": True, "courts": True}])
def test_P11_what_is_hidden_changes_no_byte_of_any_answer(make: Make, options: dict[str, Any]) -> None:
    home = make(stream_seconds=0.02, heartbeat=0.01)
    match = _in_the_middle(home, options)
    twin = _twin_of(home, make, match)
    twin.client = api.create_app(twin.service, home.settings).test_client()
    version = home.get(match).json["version"]
    state = home.get(match).json["state"]
    deck = home.service.ledger.history(match["id"]).match.state.deck
    hidden = [*deck[:3], *deck[-2:]]
    spectator = {"id": match["id"]}
    reads = [
        "",
        "?at=5",
        "?at=1",
        f"?at={version + 1}",
        "/legal-commands",
        "/events",
        "/events?limit=3",
        "?audit=true",
    ]
    reads += ["/events?audit=true", "/record", "/events?after=99"]
    bad: list[tuple[str, Any]] = [
        ("/commands", {"type": "control", "target": card, "payment": [paid]})
        for card in [*state["capital"], "dragon", *hidden]
        for paid in ["dragon", *hidden, *state["resources"][:1]]
        if card not in state["capital"] or paid not in state["resources"]
    ]
    bad += [("/commands", {"type": "resolve_excuse", "card": card}) for card in hidden]
    bad += [("/undo", {}), ("/rewinds", {"to_version": 99})]
    bad += [("/commands", {"type": "resign", "expected_version": 1}), ("/seats", {"name": "eve"})]
    for who in (spectator, match):
        for path in reads:
            for accept in ("application/json", SSE, NDJSON):
                ours, theirs = (one.get(who, path, Accept=accept) for one in (home, twin))
                assert _whole(ours) == _whole(theirs), (path, accept)
        for path, body in bad:
            ours, theirs = (one.post(who, body, path) for one in (home, twin))
            assert ours.status_code >= 400
            assert _whole(ours) == _whole(theirs), (path, body)
    assert deck != twin.service.ledger.history(match["id"]).match.state.deck


def _in_the_middle(home: House, options: dict[str, Any]) -> dict[str, Any]:
    """A sealed match after three plays, with cards still hidden."""
    while True:
        match = home.create(options=options, sit={"name": "ann"})
        for _ in range(3):
            if commands := home.legal(match):
                home.post(match, commands[0])
        view = home.get(match).json
        if view["status"] == "running" and view["state"]["deck_count"] > 1:
            return match


def _whole(answer: TestResponse) -> tuple[int, list[tuple[str, str]], bytes]:
    """All there is to see of an answer; how often a silent stream beats depends on nothing but time."""
    return answer.status_code, sorted(answer.headers), answer.data.replace(b": heartbeat\n\n", b"")


def test_P11_no_event_of_a_running_match_shows_the_deck(home: House) -> None:
    match = home.create(sit={"name": "ann"})
    for who in (match, {"id": match["id"]}):
        for path in ("/events", ""):
            text = home.get(who, path).text
            assert '"order"' not in text
            assert '"deck"' not in text
            assert '"token"' not in text


# --- P23: secrets and logs ----------------------------------------------------------------------------------


@inside
def test_P23_no_secret_is_logged_or_measured(home: House, capfd: pytest.CaptureFixture[str]) -> None:
    match = home.create(sit={"name": "Ann the Canary", "entropy": "abad1dea" * 4})
    key = "canary-key-0123"
    home.post(match, home.legal(match)[0], Idempotency_Key=key)
    home.post(match, {"type": "control", "target": "canary-card", "payment": ["sea"]}, Idempotency_Key=key)
    home.get(match, "/events?after=3")
    home.client.get(f"{URL}/players/Ann the Canary")
    home.client.get(f"{URL}/matches/{match['id']}?canary=query")
    with home.service.seeds._database.reading() as sql:
        seed = sql.row("SELECT seed FROM seeds")["seed"]
    hidden = home.service.ledger.history(match["id"]).match.state.deck
    deck = [card for card in hidden if "-of-" in card]  # a card such as `end` is part of other words
    secrets = [
        match["seat"]["token"],
        match["id"],
        seed,
        key,
        "Canary",
        "canary",
        "abad1dea",
        deck[0],
        deck[-1],
    ]
    written = home.log.getvalue().decode() + "".join(capfd.readouterr()) + home.client.get("/metrics").text
    for secret in secrets:
        assert secret not in written
    lines = [json.loads(line) for line in home.log.getvalue().splitlines()]
    assert {"method", "route", "status", "ms", "request"} <= set(lines[0])
    assert {line["route"] for line in lines} >= {f"{URL}/matches", f"{URL}/matches/<match:match>/commands"}


@inside
def test_measurements_are_by_route_template(home: House) -> None:
    match = home.create()
    home.post(match, home.legal(match)[0])
    text = home.client.get("/metrics").text
    labels = 'method="POST",route="/api/v1/matches/<match:match>/commands",status="200"'
    assert f"ledgertop_request_seconds_count{{{labels}}} 1.0" in text
    assert f"ledgertop_events_appended_total {float(home.service.store.head())}" in text
    assert 'ledgertop_projection_lag{projection="lobby"}' in text
    assert "ledgertop_append_group_size_count" in text
    assert (
        f'ledgertop_append_group_size_bucket{{le="1"}} {float(home.service.store.group_sizes()[1])}' in text
    )
    assert 'ledgertop_projection_quarantined{projection="lobby"} 0.0' in text
    assert "ledgertop_store_reachable 1.0" in text
    assert "ledgertop_due_seconds 0.0" in text
    assert "ledgertop_snapshots_wrong_total 0.0" in text
    home.service.ledger.wrong += 2
    assert "ledgertop_snapshots_wrong_total 2.0" in home.client.get("/metrics").text
    ready = home.client.get("/health/ready").json
    assert (ready["status"], ready["position"]) == ("ready", home.service.store.head())


# --- the page and the document ------------------------------------------------------------------------------


def test_the_page_is_served_under_a_strict_policy(make: Make, tmp_path: Path) -> None:
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "assets" / "page.js").write_text("1")
    (folder / "secret.txt").write_text("x")
    home = make(page=folder)
    index = home.client.get("/")
    assert (index.status_code, index.mimetype) == (200, "text/html")
    assert index.headers["Content-Security-Policy"].startswith("default-src 'self'")
    script = home.client.get("/assets/page.js")
    assert script.status_code == 200
    script.close()
    for path in (
        "/assets/",
        "/assets/../secret.txt",
        "/secret.txt",
        "/assets/..%2fsecret.txt",
        "/index.html",
    ):
        assert home.client.get(path).status_code == 404
    index.close()


def test_the_document_is_served_and_made_without_a_store(home: House) -> None:
    served = home.client.get(f"{URL}/openapi.json").json
    assert served == json.loads(json.dumps(api.openapi_document()))
    assert served["openapi"] == "3.1.0"
    for path in served["paths"].values():
        for operation in (path[verb] for verb in ("get", "post") if verb in path):
            for status, answer in operation["responses"].items():
                if status == "default" or int(status) >= 400:
                    content = served["components"]["responses"][answer["$ref"].split("/")[-1]]["content"]
                    assert list(content) == ["application/problem+json"]
