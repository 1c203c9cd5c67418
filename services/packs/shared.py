"""What the content packs of all games share: reading a folder of JSON files, faults, fields, effects, the module."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
from marshmallow import Schema, ValidationError, fields, validate
from msgspec import Struct

from services.codec import InvalidJson, parse


class PackFault(ValueError):
    """A pack that can't be played: the file, the entry in it, and the rule it breaks."""

    def __init__(self, file: str, entry: str, rule: str) -> None:
        super().__init__(f"{file}: {entry}: {rule}")
        self.file = file
        self.entry = entry
        self.rule = rule


# --- reading -----------------------------------------------------------------------------------------------


def read_folder(folder: Path, schemas: Mapping[str, Schema]) -> dict[str, Any]:
    """The files of a pack as one value. Raises PackFault naming the first thing that has not the right shape."""
    merged: dict[str, Any] = {}
    for name, schema in schemas.items():
        merged |= _read(folder / f"{name}.json", schema)
    return merged


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


def ids_given_twice(lists: Mapping[str, Iterable[str]]) -> Iterator[PackFault]:
    """A fault for each id that a list of a file has more than once."""
    for file, ids in lists.items():
        for entry, times in Counter(ids).items():
            if times > 1:
                yield PackFault(f"{file}.json", entry, "the id is given twice")


# --- the shape of the files --------------------------------------------------------------------------------


def effects_by_name(kinds: Any) -> dict[str, type[Struct]]:
    """The effects of a union by the name they have in JSON."""
    return {str(kind.__struct_config__.tag): kind for kind in get_args(kinds)}


class EffectField(fields.Field[Any]):
    """An effect of the closed vocabulary, with the parameters that effect has."""

    def __init__(self, kinds: Mapping[str, type[Struct]]) -> None:
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


def id_field() -> fields.String:
    return fields.String(
        required=True,
        validate=validate.Regexp(r"^[a-z0-9]+(-[a-z0-9]+)*$", error="an id is lower-case-words"),
    )


def text_field() -> fields.String:
    return fields.String(required=True, validate=validate.Length(1, 400, error="must not be empty"))


def count_field(low: int = 0, high: int = 99, *, required: bool = True) -> fields.Integer:
    rule = validate.Range(low, high, error=f"must be {low} to {high}")
    return fields.Integer(required=required, strict=True, validate=rule)


def file_of(key: str, entry: type[Schema], low: int = 1) -> Schema:
    """The schema of a file that holds one list of entries, at least `low`."""
    rule = validate.Length(low, error=f"has fewer than {low} entries")
    made = {key: fields.List(fields.Nested(entry), required=True, validate=rule)}
    return Schema.from_dict(made)()  # type: ignore[arg-type]


def head_file() -> Schema:
    """The schema of `pack.json`."""
    return Schema.from_dict({"name": id_field()})()


# --- the house packs ---------------------------------------------------------------------------------------


def python_text(pack: Struct) -> str:
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
        f"import msgspec\n\nfrom {type(pack).__module__} import Pack\n\n"
        f'HOUSE = msgspec.json.decode(\n    r"""{{\n{body}\n}}""",\n    type=Pack,\n)\n'
    )
