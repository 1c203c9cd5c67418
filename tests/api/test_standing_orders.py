"""Standing orders over HTTP: given beforehand, followed by whoever carries the next command out."""

from random import Random
from typing import Any

from tests.api.houses import URL, House, bearer, problem

BACK = ("cancel_choice", "keep_counter")  # what takes something back

Seats = list[dict[str, Any]]


def sit_down(home: House) -> Seats:
    """A match of Adellos as each seat holds it."""
    first = home.create(game="adellos", sit={"name": "ann"})
    return [first, home.post({"id": first["id"]}, {"name": "bob"}, "/seats").json]


def until_combat(home: House, held: Seats, chance: Random) -> int | None:
    """Play until a seat is asked for an answer in a combat; the seat. None if the match ends before that."""
    while (view := home.get(held[0]).json)["status"] == "running":
        seat = int(view["to_act"][0])
        if view["state"]["combat"]:
            return seat
        legal = home.legal(held[seat])
        attacks = [command for command in legal if command["type"] == "attack"]
        onward = [command for command in legal if command["type"] not in BACK]
        assert home.post(held[seat], chance.choice(attacks or onward or legal)).status_code == 200
        home.settle(held[0])
    return None


def give(home: House, who: dict[str, Any], always_pass: bool) -> Any:
    path = f"{URL}/matches/{who['id']}/standing-orders"
    return home.client.put(path, json={"always_pass": always_pass}, headers=bearer(who))


def test_an_order_is_seen_by_its_seat_only_until_it_is_taken_back(home: House) -> None:
    ann, bob = sit_down(home)
    for always in (True, False, True):
        assert give(home, ann, always).json == {"always_pass": always}
        for _ in range(2):  # whoever is asked
            assert home.get(ann, "/standing-orders").json == {"always_pass": always}
            assert home.get(bob, "/standing-orders").json == {"always_pass": False}
    nobody = problem(home.get({"id": ann["id"]}, "/standing-orders"))
    assert nobody["type"] == "/problems/token-missing"
    home.post(bob, {"type": "resign"})
    assert problem(give(home, ann, False))["type"] == "/problems/match-over"


def test_an_order_is_followed_whether_its_answer_is_awaited_or_asked_for_later(home: House) -> None:
    """By whoever carries out the command that asks for it, or takes the order."""
    chance = Random(4)
    asked_for_later = awaited = False
    while not (asked_for_later and awaited):
        held = sit_down(home)
        while (seat := until_combat(home, held, chance)) is not None and not awaited:
            before = home.get(held[0]).json["version"]
            if not asked_for_later:
                other = 1 - seat
                assert give(home, held[other], True).status_code == 200
                assert home.get(held[0]).json["version"] == before, "it is not asked"
                told = home.post(held[seat], {"type": "pass"}).json
                assert {event["by"] for event in told["events"]} == {f"seat:{seat}"}, "that tells of no order"
                before, asked_for_later = told["version"], True
            else:
                other, awaited = seat, True
                assert give(home, held[other], True).status_code == 200
            passed = home.get(held[0], f"/events?after={before}").json["events"][0]
            assert (passed["type"], passed["by"]) == ("passed", f"seat:{other}")
            give(home, held[other], False)
