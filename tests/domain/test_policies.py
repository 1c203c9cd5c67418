"""P11: every field that a game or the kernel stores, shows or asks for says who may see it."""

from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin

import msgspec
import pytest
from msgspec import Meta, Struct

from domain.game import (
    AUDITOR,
    SPECTATOR,
    SYSTEM,
    Game,
    at_seat,
    describe,
    fields_of,
    owned,
    public,
    redact_fields,
)
from domain.match import LIFECYCLE
from domain.registry import GAMES, topics


def structs_in(kind: Any) -> Iterator[type[Struct]]:
    """Struct types named anywhere in an annotation."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield kind
    elif get_origin(kind) is not None:
        for part in get_args(kind):
            yield from structs_in(part)


def everything(*roots: type[Struct]) -> Iterator[type[Struct]]:
    waiting, seen = list(roots), set[type[Struct]]()
    while waiting:
        kind = waiting.pop()
        if kind not in seen:
            seen.add(kind)
            yield kind
            for field in fields_of(kind):
                waiting.extend(structs_in(field.type))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_P11_every_field_of_a_game_has_a_policy_and_a_description(game: Game) -> None:
    for kind in everything(*game.events, *game.commands, game.options, game.state):
        for field in fields_of(kind):
            assert field.seen_by is not None, f"{kind.__name__}.{field.name} has no policy"
            assert field.description, f"{kind.__name__}.{field.name} has no description"


def test_P11_every_field_of_the_life_cycle_has_a_policy_and_a_description() -> None:
    for kind in everything(*LIFECYCLE):
        for field in fields_of(kind):
            assert field.seen_by is not None, f"{kind.__name__}.{field.name} has no policy"
            assert field.description, f"{kind.__name__}.{field.name} has no description"


def test_P11_a_field_without_a_policy_is_seen_by_no_player() -> None:
    class Careless(Struct, frozen=True):
        said: Annotated[int, public("said")]
        forgotten: int
        described: Annotated[int, Meta(description="but nobody said for whom")]
        mine: Annotated[int, owned("for one seat")] = 4
        seat: Annotated[int, public("whose it is")] = 1

    careless = Careless(1, 2, 3)
    for viewer in (SPECTATOR, at_seat(0)):
        assert redact_fields(careless, viewer) == {"said": 1, "seat": 1}
    assert redact_fields(careless, at_seat(1)) == {"said": 1, "mine": 4, "seat": 1}
    assert redact_fields(careless, AUDITOR) == msgspec.to_builtins(careless)
    assert redact_fields(careless, SYSTEM) == msgspec.to_builtins(careless)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_game_describes_its_options_commands_events_and_state(game: Game) -> None:
    described = describe(game)
    assert set(described.commands) == {kind.type_name() for kind in game.commands}
    assert set(described.events) == {kind.type_name() for kind in game.events}
    assert described.state
    assert all(not field.required for field in described.options)


def test_P25_every_topic_stands_for_one_type_and_carries_game_name_and_version() -> None:
    kinds = [*LIFECYCLE, *(kind for game in GAMES.values() for kind in game.events)]
    assert len(topics()) == len(kinds)
    for game in GAMES.values():
        for kind in game.events:
            name, event, version = kind.TOPIC.split(".")
            assert (name, event) == (game.name, kind.type_name())
            assert int(version) >= 1


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_P16_events_that_carry_chance_say_that_they_reveal(game: Game) -> None:
    for kind in game.events:
        if "draw" in kind.__struct_fields__:
            assert kind.REVEALS, kind.__name__
