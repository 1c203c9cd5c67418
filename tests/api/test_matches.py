"""Creating, sitting down, playing, looking, taking back: what each route answers."""

import pytest

from domain.match import MatchCreated
from tests.api.houses import URL, House, Make, bearer, problem


def test_games_are_listed_and_described(home: House) -> None:
    games = home.client.get(f"{URL}/games").json["games"]
    assert [game["name"] for game in games] == ["adaman", "adellos", "adamantine"]
    adaman = home.client.get(f"{URL}/games/adaman").json
    assert {field["name"] for field in adaman["options"]} == {
        "excuse", "pawns", "courts", "extra_personalities", "final_deal",
    }  # fmt: skip
    assert set(adaman["commands"]) == {"control", "resolve_excuse"}
    assert [field["seen_by"] for field in adaman["events"]["deck_shuffled"] if field["name"] == "order"] == [
        "nobody"
    ]
    assert len(adaman["catalogue"]) >= 36


def test_a_numbered_deal_has_a_seat_and_no_commitment(home: House) -> None:
    answer = home.client.post(f"{URL}/matches", json={"game": "adaman", "deal": 7, "sit": {"name": "ann"}})
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"{URL}/matches/{answer.json['id']}"
    assert set(answer.json) == {"id", "version", "position", "seat"}
    assert answer.json["seat"]["number"] == 0
    assert answer.json["seat"]["token"].startswith("lt_seat_")


def test_a_match_without_a_deal_is_sealed(home: House) -> None:
    created = home.create(sit={"name": "ann", "entropy": "c0ffee"}, options={"excuse": True})
    assert len(created["commitment"]) == 64
    view = home.get(created).json
    assert (view["deal"], view["commitment"], view["options"]["excuse"]) == (
        None,
        created["commitment"],
        True,
    )


def test_the_view_has_what_clients_rely_on(home: House) -> None:
    created = home.create()
    view = home.get(created).json
    assert {"id", "game", "version", "status", "to_act", "seats", "outcome", "state"} <= set(view)
    assert (view["status"], view["to_act"], view["outcome"]) == ("running", [0], None)
    assert [(seat["number"], seat["name"], seat["kind"]) for seat in view["seats"]] == [(0, "ann", "person")]
    assert {"capital", "palace", "resources", "discard", "deck_count", "pending"} <= set(view["state"])


def test_a_match_starts_when_its_seat_is_taken(home: House) -> None:
    opened = home.create(deal=3)
    assert "seat" not in opened
    assert home.get(opened).json["status"] == "open"
    assert problem(home.post(opened, {"at_version": 1}, "/forks"))["type"] == "/problems/match-not-started"
    taken = home.post(opened, {"name": "bob"}, "/seats")
    assert taken.status_code == 201
    assert taken.json["seat"]["number"] == 0
    assert home.get(opened).json["status"] == "running"
    again = problem(home.post(opened, {"name": "eve"}, "/seats"))
    assert (again["status"], again["rule"]) == (409, "seat-not-free")


def test_a_command_answers_with_version_position_and_events(home: House) -> None:
    match = home.create()
    answer = home.post(match, home.legal(match)[0])
    assert answer.status_code == 200
    assert set(answer.json) == {"version", "position", "events"}
    assert all(set(event) == {"version", "type", "at", "by", "data"} for event in answer.json["events"])
    assert answer.json["events"][0]["type"] == "card_controlled"
    assert answer.json["version"] == answer.json["events"][-1]["version"]
    assert answer.headers["ETag"] == f'"{answer.json["version"]}"'


def test_a_whole_match_is_played_and_then_counts(home: House) -> None:
    match = home.create(deal=4711, sit={"name": "bea"})
    view = home.play_to_the_end(match)
    assert view["status"] == "ended"
    assert view["outcome"]["result"] in ("won", "lost", "lost_utterly")
    assert home.legal(match) == []
    position = home.service.store.head()
    player = home.client.get(f"{URL}/players/Bea?after_position={position}")
    assert player.status_code == 200, player.json
    assert player.json["name"] == "bea"
    assert player.json["statistics"]["adaman"]["games"] == 1
    same = home.client.get(f"{URL}/players/{player.json['id']}")
    assert same.json == player.json
    board = home.client.get(f"{URL}/leaderboards/adaman/deals/4711").json
    assert [row["player"]["id"] for row in board["entries"]] == [player.json["id"]]
    rows = home.client.get(f"{URL}/matches?status=ended&player=bea&game=adaman").json["matches"]
    assert [row["id"] for row in rows] == [match["id"]]


def test_the_lobby_is_paged(home: House) -> None:
    made = [home.create(deal=7, sit={"name": "cid"})["id"] for _ in range(3)]
    lobby = f"{URL}/matches?player=cid&limit=2"
    first = home.client.get(f"{lobby}&after_position={home.service.store.head()}").json
    rest = home.client.get(f"{lobby}&cursor={first['next']}").json
    assert [row["id"] for row in first["matches"] + rest["matches"]] == made[::-1]
    assert rest["next"] is None
    assert home.client.get(f"{URL}/matches?player=nobody").json == {"matches": [], "next": None}


def test_resigning_ends_the_match_and_gives_its_record(home: House) -> None:
    match = home.create()
    early = problem(home.get(match, "/record"))
    assert early["type"] == "/problems/match-not-over"
    assert home.post(match, {"type": "resign"}).json["events"][0]["data"]["outcome"]["result"] == "resigned"
    record = home.get(match, "/record")
    assert record.content_type == "application/x-ndjson"
    assert record.data.count(b"\n") > 5
    assert problem(home.post(match, {"type": "resign"}))["type"] == "/problems/match-over"


def test_P7_looking_back_changes_nothing(home: House) -> None:
    match = home.create()
    before = home.get(match).json
    home.post(match, home.legal(match)[0])
    assert home.get(match, f"?at={before['version']}").json == before
    assert home.get(match, "?at=1").json["status"] == "open"


def test_a_view_known_already_is_not_sent_again(home: House) -> None:
    match = home.create()
    view = home.get(match)
    assert view.headers["ETag"] == f'"{view.json["version"]}"'
    assert view.headers["Vary"] == "Authorization"
    assert view.headers["Cache-Control"] == "private, no-cache"
    known = home.get(match, "", **{"If-None-Match": view.headers["ETag"]})
    assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", view.headers["ETag"])
    assert known.headers["Vary"] == "Authorization"
    assert home.get(match, "?at=1", **{"If-None-Match": view.headers["ETag"]}).status_code == 200
    home.post(match, home.legal(match)[0])
    assert home.get(match, "", **{"If-None-Match": view.headers["ETag"]}).status_code == 200


@pytest.mark.parametrize("path", ["", "/events", "/legal-commands"])
def test_a_match_closed_to_spectators_is_seen_by_its_seat_only(home: House, path: str) -> None:
    match = home.create(sit={"name": "hal"}, spectators=False)
    assert home.get(match, path).status_code == 200
    assert problem(home.get({"id": match["id"]}, path))["type"] == "/problems/forbidden"
    home.post(match, {"type": "resign"})
    assert home.get({"id": match["id"]}, path + "?audit=true").status_code in (403, 422)
    assert home.get({"id": match["id"]}, "/record").status_code == 403
    position = home.service.store.head()
    listed = home.client.get(f"{URL}/matches?player=hal&after_position={position}").json
    assert listed["matches"] == []


def test_an_auditor_sees_everything_after_the_end_only(home: House) -> None:
    match = home.create()
    assert problem(home.get(match, "?audit=true"))["type"] == "/problems/forbidden"
    assert problem(home.get(match, "/events?audit=true"))["type"] == "/problems/forbidden"
    home.post(match, {"type": "resign"})
    assert len(home.get(match, "?audit=true").json["state"]["deck"]) > 0
    shuffled = [
        e for e in home.get(match, "/events?audit=true").json["events"] if e["type"] == "deck_shuffled"
    ]
    assert len(shuffled[0]["data"]["order"]) == 36


def test_rewinding_takes_an_earlier_state_up_again(home: House) -> None:
    match = home.create()
    before = home.get(match).json
    home.post(match, home.legal(match)[0])
    answer = home.post(match, {"to_version": before["version"]}, "/rewinds")
    assert (answer.status_code, answer.json["events"][0]["type"]) == (200, "rewound")
    after = home.get(match).json
    assert after["state"] == before["state"]
    assert (after["rewound"], after["ranked"]) == (True, False)


def test_P16_undo_is_refused_where_something_was_turned_up(home: House) -> None:
    match = home.create()
    home.post(match, home.legal(match)[0])
    refused = problem(home.post(match, {}, "/undo"))
    assert (refused["status"], refused["rule"]) == (422, "undo-reveals")
    bare = home.client.post(f"{URL}/matches/{match['id']}/undo", headers=bearer(match))
    assert problem(bare)["rule"] == "undo-reveals"


def test_undo_takes_back_what_turned_nothing_up(home: House) -> None:
    """With the deck dealt out, a play turns nothing up."""
    for deal in range(1, 200):
        match = home.create(deal=deal, sit={"name": "ann"})
        while commands := home.legal(match):
            before = home.get(match).json
            answer = home.post(match, commands[0]).json
            if [event["type"] for event in answer["events"]] == ["card_controlled"]:
                undone = home.post(match, {"expected_version": answer["version"]}, "/undo")
                assert undone.status_code == 200
                assert undone.json["events"][0]["data"] == {"to_version": before["version"], "undo": True}
                assert home.get(match).json["state"] == before["state"]
                return
    pytest.fail("no deal was played until its deck was out")


def test_a_fork_is_a_new_match_with_a_seed_of_its_own(home: House) -> None:
    match = home.create()
    version = home.get(match).json["version"]
    fork = home.post(match, {"at_version": version}, "/forks")
    assert fork.status_code == 201
    assert fork.headers["Location"] == f"{URL}/matches/{fork.json['id']}"
    assert len(fork.json["commitment"]) == 64
    view = home.get(fork.json).json
    assert view["origin"] == {"match": match["id"], "version": version}
    assert view["state"]["capital"] == home.get(match, f"?at={version}").json["state"]["capital"]
    assert home.get(match).json["ranked"] is False
    stranger = problem(home.post({"id": match["id"]}, {"at_version": version}, "/forks"))
    assert stranger["type"] == "/problems/forbidden"


def test_P4_a_repeated_request_gets_the_first_answer(home: House) -> None:
    body = {"game": "adaman", "deal": 7, "sit": {"name": "ann"}}
    key = {"Idempotency-Key": "make-1"}
    first = home.client.post(f"{URL}/matches", json=body, headers=key)
    assert home.client.post(f"{URL}/matches", json=body, headers=key).data == first.data
    match = first.json
    command = home.legal(match)[0]
    answer = home.post(match, command, Idempotency_Key="play-1", If_Match='"5"')
    assert answer.status_code == 200
    again = home.post(match, command, Idempotency_Key="play-1", If_Match='"5"')  # stale by now
    assert (again.status_code, again.data) == (200, answer.data)
    other = problem(home.post(match, {"type": "resign"}, Idempotency_Key="play-1"))
    assert (other["status"], other["type"]) == (422, "/problems/idempotency-key-reuse")
    changed = home.client.post(f"{URL}/matches", json=body | {"spectators": False}, headers=key)
    assert problem(changed)["type"] == "/problems/idempotency-key-reuse"
    opened = home.create(deal=9)
    seat = home.post(opened, {"name": "bob"}, "/seats", Idempotency_Key="sit-1")
    assert home.post(opened, {"name": "bob"}, "/seats", Idempotency_Key="sit-1").data == seat.data
    fork = home.post(match, {"at_version": 5}, "/forks", Idempotency_Key="fork-1")
    assert home.post(match, {"at_version": 5}, "/forks", Idempotency_Key="fork-1").data == fork.data


def test_P4_a_refusal_is_not_remembered(home: House) -> None:
    match = home.create()
    stale = home.post(match, home.legal(match)[0], Idempotency_Key="play-1", If_Match='"4"')
    assert stale.status_code == 412
    assert home.post(match, home.legal(match)[0], Idempotency_Key="play-1", If_Match='"5"').status_code == 200


def test_nobody_can_take_the_id_of_a_command_the_system_will_give(home: House) -> None:
    """A key `abandon-5` must not keep the match from being abandoned."""
    match = home.create()
    assert home.post(match, home.legal(match)[0], Idempotency_Key="abandon-5").status_code == 200
    version = home.get(match).json["version"]
    home.service.timekeeping.abandon(match["id"], actor="caretaker", version=version)
    assert home.get(match).json["outcome"]["result"] == "abandoned"


def test_every_event_leaves_as_its_schema_says(make: Make) -> None:
    """Required fields of the document are those that everybody sees."""
    from api import shapes

    home = make()
    match = home.create(options={"excuse": True, "pawns": True}, sit={"name": "ann"})
    home.play_to_the_end(match)
    for event in home.get({"id": match["id"]}, "/events").json["events"]:
        family = "match" if f"match.{event['type']}" in shapes.AnyEvent.type_schemas else "adaman"
        data = shapes.AnyEvent.type_schemas[f"{family}.{event['type']}"]().fields["data"].schema
        assert set(event["data"]) == {name for name, field in data.fields.items() if field.required}
    assert MatchCreated.type_name() == "created"
