"""Content packs of Adamantine: read from a folder of JSON files, checked, handed on as frozen values."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from domain.adamantine.box import Box
from domain.adamantine.decks import deck_faults
from domain.adamantine.effects import (
    STATS,
    Boost,
    Cheaper,
    Disarm,
    Leave,
    Nature,
    Scout,
    Shield,
    Slayer,
    Smite,
    Standing,
    Suffered,
    Used,
)
from domain.adamantine.options import DeckList
from domain.adamantine.pack import Champion, HeroCard, Pack, pack_from
from services.packs.shared import (
    EffectField,
    PackFault,
    count_field,
    effects_by_name,
    file_of,
    head_file,
    id_field,
    ids_given_twice,
    read_folder,
    text_field,
)

KINDS = ("item", "feat", "class", "prestige", "ally")
TIMES = ("day", "combat", "check")
IN_COMBAT, AT_A_TRAP, BY_DAY = (Smite, Shield, Boost), (Disarm, Boost), (Scout,)


def read_pack(folder: Path) -> Pack:
    """The pack in a folder. Raises PackFault naming the first thing that is wrong with it."""
    pack = pack_from(read_folder(folder, SCHEMAS))
    for fault in _faults(pack):
        raise fault
    return pack


# --- the shape of the files --------------------------------------------------------------------------------

STANDING, NATURE = effects_by_name(Standing), effects_by_name(Nature)
USED, SUFFERED = effects_by_name(Used), effects_by_name(Suffered)


class Card(Schema):
    id = id_field()
    name = text_field()
    text = text_field()
    danger = count_field()
    unique = fields.Boolean()


class AbilitySchema(Schema):
    time = fields.String(required=True, validate=validate.OneOf(TIMES, error="no such time"))
    effects = fields.List(
        EffectField(USED), required=True, validate=validate.Length(1, error="has no effect")
    )
    uses = count_field(1, 9, required=False)
    discard = fields.Boolean()


class ChampionSchema(Schema):
    id = id_field()
    name = text_field()
    text = text_field()
    gold = count_field()
    danger = count_field()
    might = count_field()
    agility = count_field()
    wits = count_field()
    will = count_field()
    health = count_field(1)
    standing = fields.List(EffectField(STANDING))


class HeroCardSchema(Card):
    kind = fields.String(required=True, validate=validate.OneOf(KINDS, error="no such kind"))
    gold = count_field()
    needs = fields.List(id_field())
    standing = fields.List(EffectField(STANDING))
    ability = fields.Nested(AbilitySchema)

    @validates_schema
    def is_used_as_its_kind_is(self, data: dict[str, Any], **_: Any) -> None:
        if not data.get("standing") and not data.get("ability"):
            raise ValidationError("a hero card has a standing effect or an ability")
        if data.get("ability") and data["kind"] not in ("item", "feat"):
            raise ValidationError("only items and feats are used")
        if bool(data.get("needs")) != (data["kind"] == "prestige"):
            raise ValidationError("a prestige class needs classes, and nothing else does")


class MonsterSchema(Card):
    reward = count_field()
    health = count_field(1)
    damage = count_field()
    traits = fields.List(id_field())
    nature = fields.List(EffectField(NATURE))
    strike = fields.List(EffectField(SUFFERED))


class TrapSchema(Card):
    reward = count_field()
    statistic = fields.String(required=True, validate=validate.OneOf(STATS, error="no such statistic"))
    value = count_field(1)
    success = fields.List(EffectField(SUFFERED))
    failure = fields.List(
        EffectField(SUFFERED), required=True, validate=validate.Length(1, error="has no effect")
    )


class EventSchema(Card):
    effects = fields.List(
        EffectField(SUFFERED), required=True, validate=validate.Length(1, error="has no effect")
    )


def _counts() -> fields.Dict:
    return fields.Dict(keys=id_field(), values=count_field(), required=True)


class DeckSchema(Schema):
    id = id_field()
    name = text_field()
    text = text_field()
    hero = _counts()
    dungeon = _counts()


SCHEMAS: dict[str, Schema] = {
    "pack": head_file(),
    "champions": file_of("champions", ChampionSchema),
    "heroes": file_of("heroes", HeroCardSchema),
    "monsters": file_of("monsters", MonsterSchema),
    "traps": file_of("traps", TrapSchema),
    "events": file_of("events", EventSchema),
    "decks": file_of("decks", DeckSchema, 2),
}


# --- what a pack must hold ---------------------------------------------------------------------------------


def _faults(pack: Pack) -> Iterator[PackFault]:
    heroes = [*(card.id for card in pack.champions), *(card.id for card in pack.heroes)]
    dungeon = [card.id for card in pack.monsters]
    dungeon += [*(card.id for card in pack.traps), *(card.id for card in pack.events)]
    yield from ids_given_twice({"heroes": heroes, "monsters": dungeon, "decks": [d.id for d in pack.decks]})
    yield from _hero_faults(pack)
    for file, entry, effects in _suffered(pack):
        if any(isinstance(effect, Leave) for effect in effects[:-1]):
            yield PackFault(file, entry, "leave comes last")
    box = Box(pack)
    for deck in pack.decks:
        for rule in deck_faults(box, DeckList(deck.hero, deck.dungeon)):
            yield PackFault("decks.json", deck.id, rule)


def _hero_faults(pack: Pack) -> Iterator[PackFault]:
    classes = {card.id for card in pack.heroes if card.kind in ("class", "prestige")}
    traits = {trait for monster in pack.monsters for trait in monster.traits}
    cards: list[Champion | HeroCard] = [*pack.champions, *pack.heroes]
    for card in cards:
        file = "heroes.json" if isinstance(card, HeroCard) else "champions.json"
        for effect in card.standing:
            if isinstance(effect, Slayer) and effect.trait not in traits:
                yield PackFault(file, card.id, f"names an unknown trait {effect.trait!r}")
            if isinstance(effect, Cheaper) and effect.kind == "champion":
                yield PackFault(file, card.id, "champions cost nothing")
    for hero in pack.heroes:
        for name in hero.needs:
            if name not in classes or name == hero.id:
                yield PackFault("heroes.json", hero.id, f"needs an unknown class {name!r}")
        if hero.ability is not None:
            for rule in _ability_faults(hero.ability.time, hero.ability.effects):
                yield PackFault("heroes.json", hero.id, rule)


def _ability_faults(time: str, effects: tuple[Used, ...]) -> Iterator[str]:
    allowed = {"day": BY_DAY, "combat": IN_COMBAT, "check": AT_A_TRAP}[time]
    for effect in effects:
        if isinstance(effect, (*IN_COMBAT, *AT_A_TRAP, *BY_DAY)) and not isinstance(effect, allowed):
            yield f"{effect.__struct_config__.tag} is not for this time"
    if sum(isinstance(effect, Smite | Scout) for effect in effects) > 1:
        yield "an ability is aimed at one thing"
    if any(isinstance(effect, Disarm) for effect in effects[:-1]):
        yield "disarm comes last"


def _suffered(pack: Pack) -> Iterator[tuple[str, str, tuple[Suffered, ...]]]:
    for monster in pack.monsters:
        yield "monsters.json", monster.id, monster.strike
    for trap in pack.traps:
        yield "traps.json", trap.id, trap.success
        yield "traps.json", trap.id, trap.failure
    for event in pack.events:
        yield "events.json", event.id, event.effects
