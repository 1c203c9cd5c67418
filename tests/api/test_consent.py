"""Rewinds by consent and forks with open seats, over HTTP."""

from typing import Any

import pytest

from tests.api.houses import URL, House, problem

Seats = list[dict[str, Any]]


def table(home: House, seats: int = 2, plays: int = 4) -> Seats:
    """A match of Adellos as each seat holds it, some commands played."""
    first = home.create(game="adellos", seats=seats, sit={"name": "ann"}, options={"turn_limit": 3})
    others = [home.post({"id": first["id"]}, {"name": f"bob{n}"}, "/seats").json for n in range(1, seats)]
    held = [first, *others]
    play(home, held, plays)
    return held


def play(home: House, held: Seats, plays: int = 100_000) -> None:
    for _ in range(plays):
        awaited = home.get(held[0]).json["to_act"]
        if not awaited:
            return
        legal = home.legal(held[awaited[0]])
        onward = [command for command in legal if command["type"] not in ("cancel_choice", "keep_counter")]
        ending = [command for command in legal if command["type"].startswith("end_")]
        assert home.post(held[awaited[0]], (ending or onward or legal)[0]).status_code == 200
        home.settle(held[0])


def ask(home: House, who: dict[str, Any], to_version: int, **headers: str) -> int:
    answer = home.post(who, {"to_version": to_version}, "/rewinds", **headers)
    assert answer.status_code == 200, answer.json
    return int(answer.json["version"])


def answer(home: House, who: dict[str, Any], number: int, agree: bool = True, **headers: str) -> Any:
    return home.post(who, {"agree": agree}, f"/rewinds/{number}/consent", **headers)


def test_a_rewind_is_asked_for_agreed_to_and_done(home: House) -> None:
    ann, bob, cid = table(home, 3)
    before = home.get(ann).json
    asked = home.post(ann, {"to_version": 8}, "/rewinds")
    number = asked.json["version"]
    assert asked.headers["ETag"] == f'"{number}"'
    assert asked.json["events"] == [
        asked.json["events"][0]
        | {"type": "rewind_proposed", "by": "seat:0", "data": {"seat": 0, "to_version": 8}}
    ]
    spectator = home.get({"id": ann["id"]}).json
    assert before["proposal"] is None
    assert spectator["proposal"] == {"version": number, "seat": 0, "to_version": 8, "agreed": []}
    assert answer(home, bob, number).json["events"][0]["data"] == {"seat": 1, "proposal": number}
    assert home.get(cid).json["proposal"]["agreed"] == [1]
    done = answer(home, cid, number)
    assert [event["type"] for event in done.json["events"]][:2] == ["rewind_agreed", "rewound"]
    after = home.get(ann).json
    assert after["state"] == home.get(ann, "?at=8").json["state"]
    assert (after["proposal"], after["rewound"], after["version"]) == (None, True, done.json["version"])
    told = home.get({"id": ann["id"]}, "/events").json["events"]
    assert [event["type"] for event in told if "rewind_" in event["type"]] == [
        "rewind_proposed", "rewind_agreed", "rewind_agreed",
    ]  # fmt: skip


def test_a_refusal_ends_a_proposal(home: House) -> None:
    ann, bob = table(home)
    for who in (bob, ann):
        number = ask(home, ann, 5)
        refused = answer(home, who, number, agree=False)
        assert refused.json["events"][0]["type"] == "rewind_refused"
        late = problem(answer(home, bob, number))
        assert (late["status"], late["type"]) == (409, "/problems/proposal-over")


def test_every_way_to_be_refused_changes_nothing(home: House) -> None:
    ann, bob = table(home)
    early = ask(home, ann, 5)
    answer(home, ann, early, agree=False)
    number = ask(home, ann, 5)
    nobody, stranger = {"id": ann["id"]}, {"id": ann["id"], "seat": table(home)[0]["seat"]}
    before = home.digest(ann)
    refusals = [
        (answer(home, nobody, number), 401, "token-missing", None),
        (answer(home, stranger, number), 401, "bad-token", None),
        (answer(home, ann, number), 422, "illegal-command", "own-proposal"),
        (answer(home, bob, early), 409, "proposal-over", None),
        (answer(home, bob, number - 1), 404, "not-found", None),
        (answer(home, bob, 2**31 - 1), 404, "not-found", None),
        (answer(home, bob, 2**31), 404, "not-found", None),
        (answer(home, bob, 0), 404, "not-found", None),
        (answer(home, {"id": "m_" + "a" * 24, "seat": bob["seat"]}, number), 404, "not-found", None),
        (answer(home, bob, number, If_Match='"5"'), 412, "stale-if-match", None),
        (home.post(bob, {}, f"/rewinds/{number}/consent"), 422, "invalid-field", None),
        (home.post(bob, {"agree": "yes"}, f"/rewinds/{number}/consent"), 422, "invalid-field", None),
        (home.post(bob, {"agree": True, "why": 1}, f"/rewinds/{number}/consent"), 422, "invalid-field", None),
        (
            home.post(bob, {"agree": True, "expected_version": 5}, f"/rewinds/{number}/consent"),
            409, "version-conflict", None,
        ),
        (home.post(bob, {"to_version": 6}, "/rewinds"), 422, "illegal-command", "proposal-open"),
        (home.post(nobody, {"to_version": 6}, "/rewinds"), 401, "token-missing", None),
    ]  # fmt: skip
    for response, status, kind, rule in refusals:
        refused = problem(response)
        assert (refused["status"], refused["type"], refused.get("rule")) == (
            status, f"/problems/{kind}", rule,
        )  # fmt: skip
    assert home.digest(ann) == before
    answer(home, ann, number, agree=False)
    now = home.get(ann).json["version"]
    for version, status in ((now, 422), (now + 1, 404)):
        assert problem(home.post(ann, {"to_version": version}, "/rewinds"))["status"] == status


def test_a_match_that_has_ended_or_not_begun_takes_no_answer(home: House) -> None:
    opened = home.create(game="adellos", sit={"name": "ann"})
    assert problem(answer(home, opened, 1))["type"] == "/problems/match-not-started"
    ann, bob = table(home)
    number = ask(home, ann, 5)
    home.post(bob, {"type": "resign"})
    assert problem(answer(home, bob, number))["type"] == "/problems/match-over"


def test_P4_a_repeated_answer_gets_the_first_one(home: House) -> None:
    ann, bob, cid = table(home, 3)
    asked = home.post(ann, {"to_version": 8}, "/rewinds", Idempotency_Key="ask")
    number = asked.json["version"]
    stale = problem(answer(home, bob, number, Idempotency_Key="b", If_Match=f'"{number - 1}"'))
    assert stale["status"] == 412
    first = answer(home, bob, number, Idempotency_Key="b", If_Match=f'"{number}"')
    last = answer(home, cid, number, Idempotency_Key="c")
    play(home, [ann, bob, cid], 1)
    head = home.service.store.head()
    assert home.post(ann, {"to_version": 8}, "/rewinds", Idempotency_Key="ask").data == asked.data
    assert answer(home, bob, number, Idempotency_Key="b", If_Match=f'"{number}"').data == first.data
    assert answer(home, cid, number, Idempotency_Key="c").data == last.data
    assert home.service.store.head() == head
    for who, agree, key in ((bob, False, "b"), (cid, True, "b"), (bob, True, "ask")):
        other = problem(answer(home, who, number, agree, Idempotency_Key=key))
        assert other["type"] == "/problems/idempotency-key-reuse"


def test_P11_a_proposal_tells_every_viewer_the_same(home: House) -> None:
    ann, bob = table(home)
    ask(home, ann, 5)
    found = [home.get(who, "/events").json["events"][-1] for who in (ann, bob, {"id": ann["id"]})]
    assert found[0] == found[1] == found[2]


def test_every_word_leaves_as_its_schema_says(home: House) -> None:
    from api import shapes

    ann, bob = table(home)
    answer(home, bob, ask(home, ann, 5), agree=False)
    answer(home, bob, ask(home, ann, 5))
    kinds = {"rewind_proposed", "rewind_agreed", "rewind_refused", "rewound"}
    for event in home.get(ann, "/events").json["events"]:
        if event["type"] in kinds:
            data = shapes.AnyEvent.type_schemas[f"match.{event['type']}"]().fields["data"].schema
            assert set(event["data"]) == {name for name, field in data.fields.items() if field.required}


# --- forks -------------------------------------------------------------------------------------------------


def test_a_fork_of_several_seats_waits_for_people(home: House) -> None:
    held = table(home, 3)
    refused = problem(home.post(held[1], {"at_version": 9}, "/forks"))
    assert (refused["status"], refused["rule"]) == (422, "fork-running")
    play(home, held)
    view = home.get(held[1]).json
    assert view["status"] == "ended"
    fork = home.post(held[1], {"at_version": 9}, "/forks")
    assert (fork.status_code, fork.json["seat"]["number"]) == (201, 1)
    assert [seat["kind"] for seat in home.get(fork.json).json["seats"]] == ["open", "person", "open"]
    taken = home.post({"id": fork.json["id"]}, {"name": "dot", "seat": 1}, "/seats")
    assert problem(taken)["type"] == "/problems/seat-refused"
    others = [home.post({"id": fork.json["id"]}, {"name": name}, "/seats").json for name in ("dot", "eve")]
    assert [one["seat"]["number"] for one in others] == [0, 2]
    assert home.get(fork.json).json["status"] == "running"
    assert home.get(fork.json).json["state"] == home.get(held[1], "?at=9").json["state"]
    play(home, [others[0], fork.json, others[1]])
    assert home.get(fork.json).json["status"] == "ended"


@pytest.mark.parametrize(("seat", "given"), [(None, 0), (1, 1), (0, 0)])
def test_a_stranger_forks_into_the_seat_named_or_the_first(home: House, seat: int | None, given: int) -> None:
    held = table(home)
    play(home, held)
    stranger = {"id": held[0]["id"]}
    fork = home.post(stranger, {"at_version": 9, "sit": {"name": "dot", "seat": seat}}, "/forks")
    assert (fork.status_code, fork.json["seat"]["number"]) == (201, given)
    watched = home.post(stranger, {"at_version": 9}, "/forks")
    assert "seat" not in watched.json
    none = problem(home.post(stranger, {"at_version": 9, "sit": {"name": "dot", "seat": 2}}, "/forks"))
    assert (none["status"], none["type"], none["rule"]) == (409, "/problems/seat-refused", "seat-not-free")


def test_the_document_tells_of_proposals_and_their_answers(home: House) -> None:
    document = home.client.get(f"{URL}/openapi.json").json
    path = document["paths"][f"{URL}/matches/{{match}}/rewinds/{{proposal}}/consent"]
    number = next(one for one in path["parameters"] if one["name"] == "proposal")
    assert number["schema"] == {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}
    assert path["post"]["security"] == [{"seat": []}]
    assert {"200", "401", "404", "409", "412", "422"} <= set(path["post"]["responses"])
    assert "proposal" in document["components"]["schemas"]["MatchView"]["required"]
