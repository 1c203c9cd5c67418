"""P11, the signature test: hidden means hidden. Two worlds that differ in what a viewer may not see are asked the same.

`tests.api.worlds` says how; `tests.api.secrets_of` says what each game hides.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.registry import GAMES
from tests.api.adamantine_secrets import AdamantineSecrets, DyingSecrets
from tests.api.secrets_of import AdamanSecrets, AdellosSecrets, AimingSecrets, BonesSecrets, LookingSecrets
from tests.api.worlds import Course, Exchange, Secrets, World
from tests.fourth_game.bones import BONES

pytestmark = pytest.mark.in_process("makes worlds that differ in hidden things only")

Pair = tuple[World, World]


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    with ExitStack() as stack:
        yield World(tmp_path / "a", stack), World(tmp_path / "b", stack)


def observed(
    pair: Pair, secrets: Secrets, seats: int, viewer: int | None, seed: int, moves: int, **more: Any
) -> tuple[Course, Exchange]:
    """A course in A, repeated in B; the viewer sees no difference, and an auditor does after the end."""
    ours, theirs = pair
    body = more.pop("body", {})
    wish = {"name": f"{secrets.game[:6]}{seed}v{viewer}", "body": body}
    course = Course(ours, secrets, seats, viewer, Random(seed), wish, **more)
    with ours.ruling(secrets):
        course.open()
        if course.now.status == "running":
            course.play(moves)
        exchange = course.exchange()
        if course.now.status == "running":
            course.finish()
        sealed = ours.service.seeds.of(course.now)
        audited = course.audits(ours)
    with theirs.ruling(secrets):
        course.repeat(theirs, sealed)
        assert (course.audits(theirs) == audited) == (not exchange.hidden)
    logs = ours.logged(), theirs.logged()
    if not course.orders:
        assert logs[0] == logs[1]
    return course, exchange


ADELLOS_COURSES = [(2, None), (2, 0), (2, 1), (3, None), (3, 0), (3, 2), (4, None), (4, 1), (4, 3)]
HAVE_TO_HAPPEN = {
    "card_aimed", "card_drawn", "card_given", "card_played", "choice_begun", "choice_cancelled", "combat_begun",
    "rewound", "rewind_proposed", "seat_resigned", "target_chosen",
    "others drew", "others gave", "cards left",
}  # fmt: skip
CLOCK = {"clock": {"kind": "fischer", "seconds": 100_000, "increment": 5}}


def test_P11_adellos(pair: Pair) -> None:
    """Two to four seats, each seat and a spectator: hands, deck and private choices."""
    happened: set[str] = set()
    feints = 0
    for seed, (seats, viewer) in enumerate(ADELLOS_COURSES):
        course, exchange = observed(pair, AdellosSecrets(), seats, viewer, seed, 80)
        assert exchange.hidden > 10
        feints += course.feints
        happened |= exchange.happened
        happened |= {entry.event.type_name() for entry in course.history.entries}
    assert not HAVE_TO_HAPPEN - happened
    assert feints > 20


@pytest.mark.parametrize("viewer", [0, None])
def test_P11_what_another_seat_aims_at(pair: Pair, viewer: int | None) -> None:
    """Smuggling is aimed twice; in B at another unit, before it is taken back."""
    course, _ = observed(pair, AimingSecrets(), 2, viewer, 0, 60, feinting=0.8)
    assert course.aimed


def test_P11_what_another_seat_looks_at(pair: Pair) -> None:
    """A hand is shown to one seat; to others only that it was."""
    happened: set[str] = set()
    for seed in range(12):  # until it happens, whatever the pack's values are
        _, exchange = observed(pair, LookingSecrets(), 2, None, seed, 60)
        happened |= exchange.happened
        if "others looked" in happened:
            break
    assert "others looked" in happened


def test_P11_a_match_closed_to_spectators(pair: Pair) -> None:
    _, exchange = observed(pair, AdellosSecrets(), 2, 1, 5, 40, body={"spectators": False} | CLOCK)
    assert exchange.hidden


def test_P11_a_standing_order_is_not_told_from_passing_by_hand(pair: Pair) -> None:
    """In B another seat has a standing order; in A it passes whenever it is asked."""
    ordered = 0
    for seed, (seats, viewer) in enumerate([(2, 0), (2, None), (3, 2)] * 3):
        body = CLOCK if seed % 2 else {}
        course, _ = observed(pair, AdellosSecrets(), seats, viewer, 100 + seed, 80, body=body, orders=True)
        ordered += course.ordered
        if seed >= 2 and ordered > 3:
            break
    assert ordered > 3


@pytest.mark.parametrize("viewer", [0, None])
def test_P11_adaman(pair: Pair, viewer: int | None) -> None:
    """The order of the deck; the seat rewinds, forks and takes back."""
    courses = [
        observed(pair, AdamanSecrets(), 1, viewer, seed, 20, curious=0.3, restless=0.3) for seed in range(5)
    ]
    assert sum(exchange.hidden for _, exchange in courses) > 10
    assert sum(course.points for course, _ in courses) > 5
    if viewer is not None:
        happened = {entry.event.type_name() for course, _ in courses for entry in course.history.entries}
        assert {"rewound", "forked"} <= happened


ADAMANTINE_HAS_TO_HAPPEN = {
    "another's hero hand", "another's dungeon hand", "face-down room", "played from elsewhere",
    "card_played", "night_begun", "room_built", "card_picked", "choice_cancelled",
    "another began otherwise", "another picked otherwise",
}  # fmt: skip


IN_A_ROOM = {"assign_damage", "discard"}


def adamantine(
    pair: Pair, secrets: Secrets, viewer: int | None, wanted: set[str], moves: int, **more: Any
) -> None:
    """Courses one after the other until everything wanted has happened, whatever the pack's values are."""
    happened: set[str] = set()
    for seed in range(20):
        course, exchange = observed(pair, secrets, 2, viewer, seed, moves, curious=0.01, **more)
        assert exchange.hidden > 10
        happened |= exchange.happened
        happened |= {entry.event.type_name() for entry in course.history.entries}
        happened |= {"another began otherwise"} if course.feints else set()
        happened |= {"another picked otherwise"} if course.aimed else set()
        happened |= {"another picked otherwise in a room"} if course.otherwise & IN_A_ROOM else set()
        if not wanted - happened:
            break
    assert not wanted - happened


@pytest.mark.parametrize(("viewer", "bring"), [(0, True), (1, False), (None, True)])
def test_P11_adamantine(pair: Pair, viewer: int | None, *, bring: bool) -> None:
    """Each seat and a spectator: decks' order, decks brought in secret, hands, rooms, handles and picks."""
    wanted = set(ADAMANTINE_HAS_TO_HAPPEN)
    wanted |= {"another list", "deck_brought"} if bring else set()
    wanted |= {"others looked"} if viewer is None else {"the own decks"}
    adamantine(pair, AdamantineSecrets(bring=bring), viewer, wanted, 50)


def test_P11_adamantine_another_champion(pair: Pair) -> None:
    """Being asked for another champion tells that there is one (AM-5), and nothing else of the hand."""
    wanted = {"asked for a champion", "another's hero hand", "another picked otherwise in a room"}
    adamantine(pair, DyingSecrets(), None, wanted, 90, restless=0.0, feinting=0.3)


@pytest.fixture
def bones_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pair]:
    """Bones in the registry before the HTTP surface is imported, as it is when the service starts."""
    monkeypatch.setitem(GAMES, BONES.name, BONES)
    for name in [name for name in sys.modules if name == "api" or name.startswith("api.")]:
        monkeypatch.delitem(sys.modules, name)
    with ExitStack() as stack:
        yield World(tmp_path / "a", stack), World(tmp_path / "b", stack)


@pytest.mark.parametrize("viewer", [0, None])
def test_P11_a_fourth_game(bones_pair: Pair, viewer: int | None) -> None:
    """A game the house was not built for: its hidden die."""
    _, exchange = observed(bones_pair, BonesSecrets(), 1, viewer, 1, 20)
    assert exchange.hidden
