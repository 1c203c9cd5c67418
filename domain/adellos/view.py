"""What of Adellos may be seen, and how it reads in a terminal."""

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.adellos import choices
from domain.adellos.box import Box, Ground
from domain.adellos.combat import strengths
from domain.adellos.narrator import Narrator
from domain.adellos.pack import Pack
from domain.adellos.rules import Rules
from domain.adellos.standing import ATTACK, DEFENCE, MOVEMENT, ability_price, summon_counters, value
from domain.adellos.state import AdellosState, Player, Unit
from domain.adellos.turn import TURNS_TO_HOLD
from domain.game import Scene, Viewer, redact_fields


def catalogue(pack: Pack) -> tuple[dict[str, Any], ...]:
    """The printed components, each with the part of the box it is from."""
    found: list[dict[str, Any]] = []
    for part in ("boards", "abilities", "factions", "nobles", "tokens", "cards"):
        found += [{"part": part} | msgspec.to_builtins(entry) for entry in getattr(pack, part)]
    return tuple(found)


class View:
    """`domain.game.View` for the components in `box`."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.rules = Rules(box)
        self.narrator = Narrator(box)

    def observe(self, state: AdellosState, viewer: Viewer) -> dict[str, Any]:
        ground = self.box.ground(state.options)
        everything = viewer.kind in ("auditor", "system")
        seen: dict[str, Any] = {
            "phase": state.phase,
            "board": ground.board.id,
            "turn": state.turn if state.turn >= 0 else None,
            "turns": state.turns,
            "first": state.first if state.first >= 0 else None,
            "ap": state.ap,
            "trading": state.trading,
            "players": [self._player(state, player, viewer) for player in state.players],
            "units": [
                self._unit(ground, state, field) for field, unit in enumerate(state.board) if unit is not None
            ],
            "tokens": dict(zip(self.box.tokens, state.tokens, strict=True)),
            "deck_count": len(state.deck),
            "modifiers": [redact_fields(one, viewer) for one in state.modifiers],
            "turns_to_hold": TURNS_TO_HOLD[len(state.players)],
            "combat": self._combat(ground, state, viewer),
            "pending": self._pending(ground, state, viewer),
        }
        if everything:
            seen["deck"] = list(state.deck)
        return seen

    def _player(self, state: AdellosState, player: Player, viewer: Viewer) -> dict[str, Any]:
        """The player, with the tiles left and what each unit costs as things stand."""
        seen = redact_fields(player, viewer)
        seen["hand_count"] = len(player.hand)
        units = self.box.units.get(player.faction, ())
        seen["supply"] = {kind.id: tiles for kind, tiles in zip(units, player.supply, strict=False)}
        seen["prices"] = {
            kind.id: {
                "gold": kind.gold,
                "counters": summon_counters(self.box, state, player.seat, kind.id) if kind.counters else 0,
            }
            for kind in units
        }
        seen["ability_prices"] = {
            ability.id: ability_price(self.box, state, player.seat, ability)
            for ability in self.box.abilities.values()
            if ability.gold
        }
        return seen

    def _unit(self, ground: Ground, state: AdellosState, field: int) -> dict[str, Any]:
        unit = state.board[field]
        assert unit is not None
        kind = self.box.kinds[unit.kind]
        return {
            "field": field,
            "kind": unit.kind,
            "seat": unit.seat,
            "origin": unit.origin if unit.origin >= 0 else None,
            "noble": kind.noble,
            "token": kind.token,
            "counters": unit.counters,
            "keep": unit.keep,
            "attack": value(self.box, ground, state, field, ATTACK),
            "defence": value(self.box, ground, state, field, DEFENCE),
            "movement": value(self.box, ground, state, field, MOVEMENT),
            "abilities": self._abilities(state, unit),
        }

    def _abilities(self, state: AdellosState, unit: Unit) -> list[dict[str, Any]]:
        """The abilities the unit has, a copied one too, with the gold each costs as things stand."""
        found = self.box.kinds[unit.kind].abilities
        copied = state.players[unit.seat].copied
        if copied and self.box.kinds[unit.kind].noble:
            found += self.box.kinds[copied].abilities
        return [
            {
                "id": ability.id,
                "gold": ability_price(self.box, state, unit.seat, ability) if ability.gold else 0,
                "ap": ability.ap,
                "used": unit.used if ability.limit else 0,
            }
            for ability in found
        ]

    def _combat(self, ground: Ground, state: AdellosState, viewer: Viewer) -> dict[str, Any] | None:
        combat = state.combat
        if combat is None:
            return None
        seen = redact_fields(combat, viewer)
        if not combat.broken:
            seen["attack"], seen["defence"] = strengths(self.box, ground, state, combat)
        return seen

    def _pending(self, ground: Ground, state: AdellosState, viewer: Viewer) -> dict[str, Any] | None:
        if due := self.rules.due(state):
            return {"decision": due.type_name(), "seat": None, "deadline": None}
        acting = self.rules.to_act(state)
        if not acting:
            return None
        seat = acting[0]
        decision = "choose" if state.choice else "combat" if state.combat else state.phase
        seen: dict[str, Any] = {"decision": decision, "seat": seat, "deadline": None}
        if state.choice is not None:
            seen["choice"] = redact_fields(state.choice, viewer)
            if viewer.kind in ("auditor", "system") or (viewer.kind == "seat" and viewer.seat == seat):
                ask = choices.ask_of(self.box, ground, state, state.choice)
                assert ask is not None
                seen["ask"] = {
                    "what": ask.what,
                    "options": list(ask.options),
                    "may_finish": ask.may_finish,
                }
        return seen

    def redact(self, event: Any, viewer: Viewer) -> dict[str, Any]:
        return redact_fields(event, viewer)

    # --- in a terminal -------------------------------------------------------------------------------------

    def show(self, observed: Mapping[str, Any]) -> list[str]:
        return self.narrator.show(Scene(observed))

    def tell(self, kind: str, data: Mapping[str, Any]) -> str:
        return self.narrator.tell(kind, data, Scene())

    def ask(self, command: Mapping[str, Any]) -> str:
        return ": ".join(self.narrator.ask(command, Scene()))
