"""Content packs of Adellos: read from a folder of JSON files, checked, handed on as frozen values."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from domain.adellos import effects as vocabulary
from domain.adellos.effects import NEXT_TURN, Aura, Effect, Performed, Standing
from domain.adellos.pack import Ability, Board, EventCard, Pack, pack_from
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

TILES, NOBLES, TOKENS, CARDS = 30, 3, 10, 64  # printed on the box: tiles and nobles are for each faction
PLAYERS = ("2", "3", "4")


def read_pack(folder: Path) -> Pack:
    """The pack in a folder. Raises PackFault naming the first thing that is wrong with it."""
    pack = pack_from(read_folder(folder, SCHEMAS))
    for fault in _faults(pack):
        raise fault
    return pack


# --- the shape of the files --------------------------------------------------------------------------------

STANDING = effects_by_name(Standing)
PERFORMED = effects_by_name(Performed)


class FieldSchema(Schema):
    id = count_field(0, 9_999)
    x = count_field(0, 999)
    y = count_field(0, 999)
    neighbours = fields.List(count_field(0, 9_999), required=True)
    castle = fields.Integer(strict=True, allow_none=True, validate=validate.Range(0, 9))
    tower = fields.Boolean()


class BoardSchema(Schema):
    id = id_field()
    name = text_field()
    castles = fields.Dict(
        keys=fields.String(validate=validate.OneOf(PLAYERS, error="players are 2, 3 or 4")),
        values=fields.List(count_field(0, 9)),
        required=True,
    )
    fields_ = fields.List(fields.Nested(FieldSchema), required=True, data_key="fields")


class AbilitySchema(Schema):
    id = id_field()
    name = text_field()
    text = text_field()
    standing = fields.List(EffectField(STANDING))
    performed = fields.List(EffectField(PERFORMED))
    gold = count_field(required=False)
    ap = count_field(required=False)
    limit = count_field(required=False)

    @validates_schema
    def does_something(self, data: dict[str, Any], **_: Any) -> None:
        if not data.get("standing") and not data.get("performed"):
            raise ValidationError("an ability has at least one effect")


class Tile(Schema):
    id = id_field()
    name = text_field()
    move = count_field(0, 9)
    defence = count_field(0, 99)
    attack = count_field(0, 99)


class UnitSchema(Tile):
    count = count_field(1, 30)
    gold = count_field(0, 99, required=False)
    counters = count_field(0, 99, required=False)
    traits = fields.List(id_field())
    ability = fields.String(allow_none=True)

    @validates_schema
    def has_one_price(self, data: dict[str, Any], **_: Any) -> None:
        if bool(data.get("gold")) == bool(data.get("counters")):
            raise ValidationError("a unit has a price in gold or in Time Counters")


class FactionSchema(Schema):
    id = id_field()
    name = text_field()
    gold = count_field()
    units = fields.List(fields.Nested(UnitSchema), required=True)


class NobleSchema(Tile):
    faction = fields.String(required=True)
    ability = fields.String(required=True)


class TokenSchema(Tile):
    count = count_field(1, 10)
    worth = count_field(1, 99)
    traits = fields.List(id_field())
    ability = fields.String(allow_none=True)


class CardSchema(Schema):
    id = id_field()
    name = text_field()
    text = text_field()
    count = count_field(1, CARDS)
    ap = count_field(0, 9)
    when = fields.String(
        required=True, validate=validate.OneOf(("own_turn", "combat", "next_turn"), error="no such timing")
    )
    side = fields.String(validate=validate.OneOf(("either", "attacker", "defender"), error="no such side"))
    effects = fields.List(
        EffectField(PERFORMED), required=True, validate=validate.Length(1, error="has no effect")
    )


SCHEMAS: dict[str, Schema] = {
    "pack": head_file(),
    "boards": file_of("boards", BoardSchema),
    "abilities": file_of("abilities", AbilitySchema),
    "factions": file_of("factions", FactionSchema, 4),
    "nobles": file_of("nobles", NobleSchema),
    "tokens": file_of("tokens", TokenSchema),
    "cards": file_of("cards", CardSchema),
}


# --- what a pack must hold ---------------------------------------------------------------------------------


def _faults(pack: Pack) -> Iterator[PackFault]:
    yield from _ids(pack)
    for board in pack.boards:
        for rule in _board_faults(board):
            yield PackFault("boards.json", board.id, rule)
    yield from _counts(pack)
    yield from _references(pack)
    for ability in pack.abilities:
        for rule in _ability_faults(ability):
            yield PackFault("abilities.json", ability.id, rule)
    for card in pack.cards:
        for rule in _card_faults(card):
            yield PackFault("cards.json", card.id, rule)


def _ids(pack: Pack) -> Iterator[PackFault]:
    """No two entries of a file, and no two things that stand on fields, have the same id."""
    lists: dict[str, list[str]] = {
        "boards": [board.id for board in pack.boards],
        "abilities": [ability.id for ability in pack.abilities],
        "factions": [faction.id for faction in pack.factions],
        "cards": [card.id for card in pack.cards],
        "nobles": [noble.id for noble in pack.nobles],
    }
    units = [unit.id for faction in pack.factions for unit in faction.units]
    lists["tokens"] = [*(token.id for token in pack.tokens), *units, *lists["nobles"]]
    yield from ids_given_twice(lists)


def _board_faults(board: Board) -> Iterator[str]:
    size = len(board.fields)
    if [field.id for field in board.fields] != list(range(size)):
        yield "fields are numbered from 0 in their order"
        return
    for field in board.fields:
        for other in field.neighbours:
            if not 0 <= other < size or other == field.id:
                yield f"field {field.id} has a neighbour {other} that is no other field"
                return
            if field.id not in board.fields[other].neighbours:
                yield f"field {field.id} is a neighbour of {other}, but not the other way round"
                return
    reached = [0]
    for number in reached:
        reached += [other for other in board.fields[number].neighbours if other not in reached]
    if len(set(reached)) < size:
        yield "the board is not connected"
    if sum(field.tower for field in board.fields) != 1:
        yield "a board has one bonus field, the tower"
    if any(field.tower and field.castle is not None for field in board.fields):
        yield "the tower stands in no castle"
    there = {field.castle for field in board.fields if field.castle is not None}
    if not board.castles:
        yield "the board is for no number of players"
    for players, castles in board.castles.items():
        if len(castles) != int(players) or len(set(castles)) < len(castles) or not set(castles) <= there:
            yield f"{players} players need {players} different castles of the board"


def _counts(pack: Pack) -> Iterator[PackFault]:
    for faction in pack.factions:
        tiles = sum(unit.count for unit in faction.units)
        if tiles != TILES:
            yield PackFault("factions.json", faction.id, f"has {tiles} unit tiles, not {TILES}")
        nobles = sum(noble.faction == faction.id for noble in pack.nobles)
        if nobles != NOBLES:
            yield PackFault("nobles.json", faction.id, f"has {nobles} nobles, not {NOBLES}")
    tokens = sum(token.count for token in pack.tokens)
    if tokens != TOKENS:
        yield PackFault("tokens.json", "tokens", f"are {tokens}, not {TOKENS}")
    cards = sum(card.count for card in pack.cards)
    if cards != CARDS:
        yield PackFault("cards.json", "cards", f"are {cards}, not {CARDS}")


def _references(pack: Pack) -> Iterator[PackFault]:
    """Whatever is named is there."""
    sheet = {ability.id for ability in pack.abilities}
    factions = {faction.id for faction in pack.factions}
    units = [unit for faction in pack.factions for unit in faction.units]
    tiles = [("factions", unit) for unit in units] + [("tokens", token) for token in pack.tokens]
    for file, tile in tiles:
        if tile.ability is not None and tile.ability not in sheet:
            yield PackFault(f"{file}.json", tile.id, f"has an unknown ability {tile.ability!r}")
    for noble in pack.nobles:
        if noble.ability not in sheet:
            yield PackFault("nobles.json", noble.id, f"has an unknown ability {noble.ability!r}")
        if noble.faction not in factions:
            yield PackFault("nobles.json", noble.id, f"has an unknown faction {noble.faction!r}")
    kinds = {tile.id for _, tile in tiles} | {noble.id for noble in pack.nobles}
    kinds |= {trait for _, tile in tiles for trait in tile.traits}
    tokens = {token.id for token in pack.tokens}
    nobles = {noble.ability for noble in pack.nobles}
    for file, entry, effect in _all_effects(pack):
        target = getattr(effect, "target", None)
        named = (*getattr(effect, "of", ()), *(target.of if target is not None else ()))
        for name in named:
            if name not in kinds:
                yield PackFault(file, entry, f"names an unknown unit or trait {name!r}")
        if isinstance(effect, vocabulary.PlaceToken) and effect.token not in tokens:
            yield PackFault(file, entry, f"names an unknown token {effect.token!r}")
        if isinstance(effect, vocabulary.CheaperAbility) and effect.ability not in sheet:
            yield PackFault(file, entry, f"names an unknown ability {effect.ability!r}")
        if isinstance(effect, vocabulary.CheaperAbility):
            cheaper = next((one for one in pack.abilities if one.id == effect.ability), None)
            if cheaper is not None and not cheaper.ap and not cheaper.limit and cheaper.gold <= effect.gold:
                yield PackFault(
                    file, entry, f"makes {effect.ability!r} free, which then has no end in a turn"
                )
        if isinstance(effect, Aura) and effect.reach == "everywhere" and file == "abilities.json":
            standing = effect in next(one.standing for one in pack.abilities if one.id == entry)
            if standing and entry not in nobles:
                yield PackFault(file, entry, "only a noble's aura reaches everywhere")


def _all_effects(pack: Pack) -> Iterator[tuple[str, str, Effect]]:
    for ability in pack.abilities:
        for effect in (*ability.standing, *ability.performed):
            yield "abilities.json", ability.id, effect
    for card in pack.cards:
        for effect in card.effects:
            yield "cards.json", card.id, effect


REVEALING = (vocabulary.Draw, vocabulary.Look)
UNIT_LEAVES = (vocabulary.Convert, vocabulary.ReturnUnit, vocabulary.Remove)


def _ability_faults(ability: Ability) -> Iterator[str]:
    effects: tuple[Effect, ...] = ability.performed
    for standing in ability.standing:
        if isinstance(standing, Aura) and standing.reach not in ("adjacent", "everywhere"):
            yield "a standing aura reaches adjacent units or everywhere"
    if effects and not ability.gold and not ability.ap and ability.limit != 1:
        yield "an ability without cost works once a turn (limit 1)"
    gives_back = any(
        isinstance(effect, vocabulary.Gold | vocabulary.ActionPoints) and effect.amount > 0
        for effect in effects
    )
    if gives_back and not ability.limit:
        yield "an ability that gives back gold or action points must be limited per turn"
    if not effects and (ability.gold or ability.ap or ability.limit):
        yield "only what is performed has a cost or a limit"
    if any(isinstance(effect, vocabulary.Cancel | vocabulary.NoIncome) for effect in effects):
        yield "cancel and no_income are for cards"
    if any(_near(effect) == "fighting" or _reach(effect) == "combat" for effect in effects):
        yield "abilities are not used in a combat"
    yield from _performed_faults(effects)


def _card_faults(card: EventCard) -> Iterator[str]:
    effects: tuple[Effect, ...] = card.effects
    if card.when == "next_turn":
        for effect in effects:
            if not isinstance(effect, NEXT_TURN) or _reach(effect) not in (None, "everywhere"):
                yield "a card for a next turn changes gold, action points, income or values everywhere"
        return
    if any(isinstance(effect, vocabulary.NoIncome) for effect in effects):
        yield "no_income is for a next turn"
    if any(isinstance(effect, vocabulary.CopyNoble) for effect in effects):
        yield "copy is for a noble's ability"
    if any(_near(effect) == "adjacent" for effect in effects):
        yield "a card stands on no field that units could be adjacent to"
    if card.when == "own_turn":
        if any(isinstance(effect, vocabulary.Cancel) for effect in effects):
            yield "cancel is for a combat"
        if any(_near(effect) == "fighting" or _reach(effect) == "combat" for effect in effects):
            yield "there is no combat when the card is played"
        if card.side != "either":
            yield "only a combat has sides"
    elif card.ap and card.side != "attacker":
        yield "only the attacker can pay action points in a combat (AE-5)"
    yield from _performed_faults(effects)


def _performed_faults(effects: tuple[Effect, ...]) -> Iterator[str]:
    aimed = [place for place, effect in enumerate(effects) if not isinstance(effect, REVEALING)]
    revealing = [place for place, effect in enumerate(effects) if isinstance(effect, REVEALING)]
    if aimed and revealing and min(revealing) < max(aimed):
        yield "effects that turn something up come last, so that a choice can be cancelled"
    for effect in effects:
        target = getattr(effect, "target", None)
        if isinstance(effect, UNIT_LEAVES) and target is not None and target.nobles:
            yield "no effect but combat removes, converts or exchanges a noble"
        if isinstance(effect, Aura):
            if effect.reach == "adjacent":
                yield "a performed aura reaches everywhere, a chosen unit or the combat"
            if (effect.reach == "chosen") != (target is not None):
                yield "an aura has a target exactly if it reaches a chosen unit"


def _near(effect: Effect) -> str | None:
    target = getattr(effect, "target", None)
    return target.near if target is not None else None


def _reach(effect: Effect) -> str | None:
    return effect.reach if isinstance(effect, Aura) else None
