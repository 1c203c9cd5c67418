"""What of Adamantine may be seen, and how it reads in a terminal."""

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.adamantine import performing, playing
from domain.adamantine.box import Box
from domain.adamantine.effects import STATS
from domain.adamantine.pack import Pack
from domain.adamantine.rules import Rules
from domain.adamantine.standing import (
    danger_level,
    danger_of,
    explored_room,
    health,
    monster_damage,
    monster_health,
    monsters_in,
    rolled,
    statistic,
    total,
)
from domain.adamantine.state import AdamantineState, Exploration, Held, Player, Room
from domain.game import Viewer, redact_fields

PARTS = ("champions", "heroes", "monsters", "traps", "events", "decks")


def catalogue(pack: Pack) -> tuple[dict[str, Any], ...]:
    """The printed cards and the ready decks, each with the part of the pack it is from."""
    found: list[dict[str, Any]] = []
    for part in PARTS:
        found += [{"part": part} | msgspec.to_builtins(entry) for entry in getattr(pack, part)]
    return tuple(found)


class View:
    """`domain.game.View` for the cards in `box`."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.rules = Rules(box)

    def observe(self, state: AdamantineState, viewer: Viewer) -> dict[str, Any]:
        return {
            "phase": state.phase,
            "turn": state.turn if state.turn >= 0 else None,
            "turns": state.turns,
            "handles": state.handles,
            "first": state.first if state.first >= 0 else None,
            "players": [self._player(state, player, viewer) for player in state.players],
            "exploration": self._exploration(state, viewer),
            "pending": self._pending(state, viewer),
            "winner": state.winner if state.winner >= 0 else None,
            "reason": state.reason,
        }

    def _player(self, state: AdamantineState, player: Player, viewer: Viewer) -> dict[str, Any]:
        seen = redact_fields(player, viewer)
        box, champion = self.box, player.champion
        own = viewer.kind in ("auditor", "system") or (viewer.kind == "seat" and viewer.seat == player.seat)
        looked = viewer.kind == "seat" and not own
        seen |= {
            "hero_hand_count": len(player.hero_hand),
            "dungeon_hand_count": len(player.dungeon_hand),
            "hero_deck_count": len(player.hero_deck),
            "dungeon_deck_count": len(player.dungeon_deck),
            "health": health(box, player),
            "danger_level": danger_level(box, player),
            "statistics": {
                when: {
                    stat: statistic(box, player, stat, state.exploration, combat=when == "combat")
                    for stat in STATS
                }
                for when in ("combat", "check")
            }
            if champion is not None
            else None,
            "rooms": [self._room(room, own or (looked and room.seen)) for room in player.rooms],
        }
        if own:
            seen["hero_hand"] = [self._in_hand(state, player, held) for held in player.hero_hand]
        return seen

    def _in_hand(self, state: AdamantineState, player: Player, held: Held) -> dict[str, Any]:
        """A hero card with what has to be sacrificed for it now; a champion has no such cost."""
        cost = playing.cost(self.box, state, player.seat, held) if held.card in self.box.heroes else None
        return {"handle": held.handle, "card": held.card, "cost": cost}

    def _room(self, room: Room, known: bool) -> dict[str, Any]:
        return {
            "handle": room.handle,
            "danger": danger_of(self.box, room.cards)
            if known or all(laid.up for laid in room.cards)
            else None,
            "explored": room.explored,
            "seen": room.seen,
            "encounter": room.encounter,
            "cards": [
                {"handle": laid.handle, "up": laid.up} | ({"card": laid.card} if known or laid.up else {})
                for laid in room.cards
            ],
        }

    def _exploration(self, state: AdamantineState, viewer: Viewer) -> dict[str, Any] | None:
        now = state.exploration
        if now is None:
            return None
        seen = redact_fields(now, viewer)
        if viewer.kind == "seat" and viewer.seat in self.rules.to_act(state):
            seen["picks"] = list(now.picks)
        return seen | self._fight(state, now)

    def _fight(self, state: AdamantineState, now: Exploration) -> dict[str, Any]:
        """What each statistic adds to the die, and the monsters as they are: health, damage, damage to the champion."""
        box, explorer = self.box, state.players[now.explorer]
        monsters = monsters_in(box, explored_room(state))
        spared = total(box, explorer, "armour") + now.shield
        dealt = {laid.handle: monster_damage(box, state, laid) for laid in monsters}
        return {
            "rolls": {stat: rolled(box, state, stat) for stat in STATS} if monsters else None,
            "monsters": [
                {
                    "handle": laid.handle,
                    "health": monster_health(box, now, laid.card),
                    "damage": dealt[laid.handle],
                    "to_champion": max(0, dealt[laid.handle] - spared),
                }
                for laid in monsters
            ],
        }

    def _pending(self, state: AdamantineState, viewer: Viewer) -> dict[str, Any] | None:
        acting = self.rules.to_act(state)
        if not acting:
            return None
        seat = acting[0]
        seen: dict[str, Any] = {"decision": self._decision(state), "seat": seat, "deadline": None}
        if state.choice is not None:
            seen["choice"] = redact_fields(state.choice, viewer)
            mine = viewer.kind in ("auditor", "system") or (viewer.kind == "seat" and viewer.seat == seat)
            if state.choice.what == "payment" and mine:
                seen["cost"] = playing.cost_of_choice(self.box, state, state.choice)
                seen["paid"] = playing.gold_of(self.box, state.players[seat], state.choice.picks)
        if state.cursor is not None:
            seen["effects"] = redact_fields(state.cursor, viewer)
            seen["cards_owed"] = performing.owed_cards(self.box, state)
        elif state.exploration is not None and state.exploration.step == "dividing":
            seen["damage"] = state.exploration.damage
        return seen

    def _decision(self, state: AdamantineState) -> str:
        if state.dying:
            return "possess"
        if state.choice is not None:
            return state.choice.what
        if state.cursor is not None:
            return "discard"
        if state.exploration is not None:
            return state.exploration.step
        return state.phase

    def redact(self, event: Any, viewer: Viewer) -> dict[str, Any]:
        return redact_fields(event, viewer)

    # --- in a terminal -------------------------------------------------------------------------------------

    def show(self, observed: Mapping[str, Any]) -> list[str]:
        """The table as plain lines: for each player champion, cards in play, rooms and hands."""
        lines = []
        for player in observed["players"]:
            lines += self._player_lines(player)
        lines.append(f"Turn {observed['turns']}, {observed['phase']}. {self._whose(observed)}")
        return lines

    def _player_lines(self, player: Mapping[str, Any]) -> list[str]:
        title = f"Seat {player['seat']}"
        champion = player["champion"]
        if champion is None:
            return [f"{title}: no champion yet"]
        stats = player["statistics"]
        numbers = " ".join(
            f"{stat} {stats['combat'][stat]}"
            + (f"/{stats['check'][stat]}" if stats["check"][stat] != stats["combat"][stat] else "")
            for stat in STATS
        )
        lines = [
            f"{title}: {self.box.name(champion['card'])} #{champion['handle']}, "
            f"health {player['health'] - player['wounds']} of {player['health']}, "
            f"danger level {player['danger_level']}, {numbers}"
        ]
        lines.append(f"  in play: {self._cards(player['in_play']) or 'nothing'}")
        for room in player["rooms"]:
            kind = "encounter" if room["encounter"] else "room"
            done = ", explored today" if room["explored"] else ""
            lines.append(f"  {kind} #{room['handle']}{done}: {self._cards(room['cards'])}")
        for hand in ("hero", "dungeon"):
            cards = player.get(f"{hand}_hand")
            shown = f": {self._cards(cards)}" if cards else ""
            lines.append(
                f"  {hand} hand {player[f'{hand}_hand_count']}, deck {player[f'{hand}_deck_count']}, "
                f"discard {len(player[f'{hand}_discard'])}{shown}"
            )
        return lines

    def _cards(self, cards: list[Mapping[str, Any]]) -> str:
        return ", ".join(
            f"{self.box.name(card['card']) if 'card' in card else 'face down'} #{card['handle']}"
            for card in cards
        )

    def _whose(self, observed: Mapping[str, Any]) -> str:
        pending = observed["pending"]
        if pending is None:
            return "Nobody is to act."
        return f"Seat {pending['seat']} decides ({pending['decision']})."

    def tell(self, kind: str, data: Mapping[str, Any]) -> str:
        title = kind.replace("_", " ").capitalize()
        if kind == "effect_performed":
            return f"Effect performed: seat {data['seat']}, {self._effect(data)}."
        parts = []
        for name, item in data.items():
            parts.append(f"{name.replace('_', ' ')} {self._text(item)}")
        return f"{title}: {', '.join(parts)}."

    def _effect(self, data: Mapping[str, Any]) -> str:
        """An effect of a card in the words of the pack: `Second Wind, heal, amount 2`."""
        effect = msgspec.to_builtins(self.box.effects(data["card"], data["part"])[data["number"]])
        words = [f"{name} {item}" for name, item in effect.items() if name != "effect" and item is not None]
        return ", ".join([self.box.name(data["card"]), str(effect["effect"]).replace("_", " "), *words])

    def _text(self, item: Any) -> str:
        if isinstance(item, str):
            return self.box.name(item)
        if isinstance(item, list | tuple):
            return " + ".join(self._text(one) for one in item) or "none"
        if isinstance(item, dict):
            return ", ".join(f"{key} {self._text(value)}" for key, value in item.items())
        return str(item)

    def ask(self, command: Mapping[str, Any]) -> str:
        parts = [str(command["type"]).replace("_", " ").capitalize()]
        for name, item in command.items():
            if name == "type" or (name == "target" and not item):
                continue
            shown = f"#{item}" if name in ("card", "room", "target") else self._text(item)
            parts.append(
                f"at {shown}" if name == "target" else f"{item} points" if name == "points" else shown
            )
        return " ".join(parts)
