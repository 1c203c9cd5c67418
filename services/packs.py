"""Content packs of Adellos: read from a folder of JSON files, checked, handed on as frozen values.

python -m services.packs FOLDER MODULE    write a pack as the Python module the domain reads it from
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from domain.adellos import effects as vocabulary
from domain.adellos.effects import NEXT_TURN, Aura, Effect, Performed, Standing
from domain.adellos.pack import Ability, Board, EventCard, Pack, pack_from
from services.codec import InvalidJson, parse

FILES = ("pack", "boards", "abilities", "factions", "nobles", "tokens", "cards")
TILES, NOBLES, TOKENS, CARDS = 30, 3, 10, 64  # printed on the box: tiles and nobles are for each faction
PLAYERS = ("2", "3", "4")


class PackFault(ValueError):
    """A pack that can't be played: the file, the entry in it, and the rule it breaks."""

    def __init__(self, file: str, entry: str, rule: str) -> None:
        super().__init__(f"{file}: {entry}: {rule}")
        self.file = file
        self.entry = entry
        self.rule = rule


def read_pack(folder: Path) -> Pack:
    """The pack in a folder. Raises PackFault naming the first thing that is wrong with it."""
    merged: dict[str, Any] = {}
    for name, schema in SCHEMAS.items():
        merged |= _read(folder / f"{name}.json", schema)
    pack = pack_from(merged)
    for fault in _faults(pack):
        raise fault
    return pack


def _read(path: Path, schema: Schema) -> dict[str, Any]:
    try:
        value = parse(path.read_bytes())
    except FileNotFoundError:
        raise PackFault(path.name, "file", "is missing") from None
    except InvalidJson as error:
        raise PackFault(path.name, "file", str(error)) from None
    if not isinstance(value, dict):
        raise PackFault(path.name, "file", "must hold a JSON object")
    try:
        schema.load(value)
    except ValidationError as error:
        entry, rule = _first(error.normalized_messages(), value)  # type: ignore[no-untyped-call]
        raise PackFault(path.name, entry, rule) from None
    return value


def _first(messages: Mapping[Any, Any], value: Any) -> tuple[str, str]:
    """The first message of marshmallow's tree, and the entry it is about, by its id where it has one."""
    entry: list[str] = []
    found: Any = messages
    while isinstance(found, Mapping):
        key, found = next(iter(found.items()))
        if key == "_schema":
            continue
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            value = None
        named = value.get("id") if isinstance(value, dict) else None
        entry.append(str(key if named is None else named))
    return ".".join(entry) or "file", str(found[0] if isinstance(found, list) else found)


# --- the shape of the files --------------------------------------------------------------------------------


def _effects(kinds: Any) -> dict[str, type[Effect]]:
    return {str(kind.__struct_config__.tag): kind for kind in get_args(kinds)}


STANDING: dict[str, type[Effect]] = _effects(Standing)
PERFORMED: dict[str, type[Effect]] = _effects(Performed)


class EffectField(fields.Field[Any]):
    """An effect of the closed vocabulary, with the parameters that effect has."""

    def __init__(self, kinds: dict[str, type[Effect]]) -> None:
        super().__init__(required=True)
        self._kinds = kinds

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> Any:  # noqa: ARG002
        if not isinstance(value, dict) or value.get("effect") not in self._kinds:
            named = value.get("effect") if isinstance(value, dict) else None
            raise ValidationError(f"unknown effect {named!r}; known here: {', '.join(sorted(self._kinds))}")
        kind = self._kinds[value["effect"]]
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise ValidationError(f"effect {value['effect']!r}: {error}") from None


def _id() -> fields.String:
    return fields.String(
        required=True,
        validate=validate.Regexp(r"^[a-z0-9]+(-[a-z0-9]+)*$", error="an id is lower-case-words"),
    )


def _text() -> fields.String:
    return fields.String(required=True, validate=validate.Length(1, 400, error="must not be empty"))


def _count(low: int = 0, high: int = 99, *, required: bool = True) -> fields.Integer:
    rule = validate.Range(low, high, error=f"must be {low} to {high}")
    return fields.Integer(required=required, strict=True, validate=rule)


class FieldSchema(Schema):
    id = _count(0, 9_999)
    x = _count(0, 999)
    y = _count(0, 999)
    neighbours = fields.List(_count(0, 9_999), required=True)
    castle = fields.Integer(strict=True, allow_none=True, validate=validate.Range(0, 9))
    tower = fields.Boolean()


class BoardSchema(Schema):
    id = _id()
    name = _text()
    castles = fields.Dict(
        keys=fields.String(validate=validate.OneOf(PLAYERS, error="players are 2, 3 or 4")),
        values=fields.List(_count(0, 9)),
        required=True,
    )
    fields_ = fields.List(fields.Nested(FieldSchema), required=True, data_key="fields")


class AbilitySchema(Schema):
    id = _id()
    name = _text()
    text = _text()
    standing = fields.List(EffectField(STANDING))
    performed = fields.List(EffectField(PERFORMED))
    gold = _count(required=False)
    ap = _count(required=False)
    limit = _count(required=False)

    @validates_schema
    def does_something(self, data: dict[str, Any], **_: Any) -> None:
        if not data.get("standing") and not data.get("performed"):
            raise ValidationError("an ability has at least one effect")


class Tile(Schema):
    id = _id()
    name = _text()
    move = _count(0, 9)
    defence = _count(0, 99)
    attack = _count(0, 99)


class UnitSchema(Tile):
    count = _count(1, 30)
    gold = _count(0, 99, required=False)
    counters = _count(0, 99, required=False)
    traits = fields.List(_id())
    ability = fields.String(allow_none=True)

    @validates_schema
    def has_one_price(self, data: dict[str, Any], **_: Any) -> None:
        if bool(data.get("gold")) == bool(data.get("counters")):
            raise ValidationError("a unit has a price in gold or in Time Counters")


class FactionSchema(Schema):
    id = _id()
    name = _text()
    gold = _count()
    units = fields.List(fields.Nested(UnitSchema), required=True)


class NobleSchema(Tile):
    faction = fields.String(required=True)
    ability = fields.String(required=True)


class TokenSchema(Tile):
    count = _count(1, 10)
    worth = _count(1, 99)
    traits = fields.List(_id())
    ability = fields.String(allow_none=True)


class CardSchema(Schema):
    id = _id()
    name = _text()
    text = _text()
    count = _count(1, CARDS)
    ap = _count(0, 9)
    when = fields.String(
        required=True, validate=validate.OneOf(("own_turn", "combat", "next_turn"), error="no such timing")
    )
    side = fields.String(validate=validate.OneOf(("either", "attacker", "defender"), error="no such side"))
    effects = fields.List(
        EffectField(PERFORMED), required=True, validate=validate.Length(1, error="has no effect")
    )


def _file(key: str, entry: type[Schema], low: int = 1) -> Schema:
    rule = validate.Length(low, error=f"has fewer than {low} entries")
    made = {key: fields.List(fields.Nested(entry), required=True, validate=rule)}
    return Schema.from_dict(made)()  # type: ignore[arg-type]


SCHEMAS: dict[str, Schema] = {
    "pack": Schema.from_dict({"name": _id()})(),
    "boards": _file("boards", BoardSchema),
    "abilities": _file("abilities", AbilitySchema),
    "factions": _file("factions", FactionSchema, 4),
    "nobles": _file("nobles", NobleSchema),
    "tokens": _file("tokens", TokenSchema),
    "cards": _file("cards", CardSchema),
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
    for file, ids in lists.items():
        for entry, times in Counter(ids).items():
            if times > 1:
                yield PackFault(f"{file}.json", entry, "the id is given twice")


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


# --- the house pack ----------------------------------------------------------------------------------------


def python_text(pack: Pack) -> str:
    """A pack as the text of a Python module, so that the domain has it without reading a file."""

    def row(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    parts: list[str] = []
    for key, value in msgspec.to_builtins(pack).items():
        shown = "[\n" + ",\n".join(map(row, value)) + "\n]" if isinstance(value, list) else row(value)
        parts.append(f"{row(key)}: {shown}")
    body = ",\n".join(parts)
    return (
        '"""The house pack as a value, written from the JSON files by `python -m services.packs`."""\n\n'
        "import msgspec\n\nfrom domain.adellos.pack import Pack\n\n"
        f'HOUSE = msgspec.json.decode(\n    r"""{{\n{body}\n}}""",\n    type=Pack,\n)\n'
    )


if __name__ == "__main__":
    folder, module = sys.argv[1:]
    Path(module).write_text(python_text(read_pack(Path(folder))), encoding="utf-8")
