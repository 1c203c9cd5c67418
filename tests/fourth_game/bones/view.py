"""What of Bones may be seen, and how it reads."""

from collections.abc import Mapping
from typing import Any

from domain.game import Viewer, redact_fields
from tests.fourth_game.bones.parts import BonesState


def observe(state: BonesState, viewer: Viewer) -> dict[str, Any]:
    return redact_fields(state, viewer)


def redact(event: Any, viewer: Viewer) -> dict[str, Any]:
    return redact_fields(event, viewer)


def show(observed: Mapping[str, Any]) -> list[str]:
    return [f"Sum {observed['total']} of {observed['limit']}"]


def tell(kind: str, data: Mapping[str, Any]) -> str:
    return f"A {data['pips']} is thrown." if kind == "die_thrown" else f"{kind}."


def ask(command: Mapping[str, Any]) -> str:
    return f"Throw with the {command['hand']} hand" if command["type"] == "throw" else "Keep the sum"
