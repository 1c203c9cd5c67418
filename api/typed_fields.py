"""Marshmallow schemas from a game's typed fields, so that a new game needs nothing here."""

import re
import types
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from marshmallow import RAISE, Schema, ValidationError, fields, validate
from marshmallow_oneofschema.one_of_schema import OneOfSchema
from msgspec import NODEFAULT, Meta, Struct

from domain.game import FieldSpec, SeenBy, fields_of

NO_NUL = "^[^\\u0000]*$"


class WholeNumber(fields.Integer):
    """An integer, strictly: no 2.9, no true, no "7"."""

    def _validated(self, value: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value


class YesOrNo(fields.Boolean):
    """true or false, strictly."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:  # noqa: ARG002
        if type(value) is not bool:
            raise self.make_error("invalid")
        return value


class Text(fields.String):
    """Text without NUL; with `pattern` (for JSON Schema and Python alike) the whole text has to match it."""

    default_error_messages = {"pattern": "It does not have the right form."}  # noqa: RUF012 - as marshmallow has it

    def __init__(self, *, pattern: str = NO_NUL, **kwargs: Any) -> None:
        metadata = {"pattern": pattern} | dict(kwargs.pop("metadata", {}))
        super().__init__(metadata=metadata, **kwargs)
        self._pattern = re.compile(pattern.removesuffix("$"))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text: str = super()._deserialize(value, attr, data, **kwargs)
        if not self._pattern.fullmatch(text):
            raise self.make_error("pattern")
        return text


class Constant(fields.String):
    """One fixed text: a discriminator, kept in its schema and documented with its type (trap 15)."""

    def __init__(self, constant: str, **kwargs: Any) -> None:
        super().__init__(required=True, validate=validate.Equal(constant), **kwargs)


class QueryNumber(fields.Integer):
    """A whole number in a query string: digits only."""

    def _validated(self, value: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch("0|[1-9][0-9]{0,9}", value):
            raise self.make_error("invalid")
        return int(value)


class QueryFlag(fields.Boolean):
    """true or false in a query string."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:  # noqa: ARG002
        if value not in ("true", "false"):
            raise self.make_error("invalid")
        return bool(value == "true")


class NoDeal(fields.Field[None]):
    """null: a sealed match has no deal number."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> None:  # noqa: ARG002
        raise ValidationError("This game has no numbered deals.")


def unique(items: Sequence[Any]) -> None:
    """No item twice."""
    if any(item in items[:place] for place, item in enumerate(items)):
        raise ValidationError("It names something twice.")


class Shape(Schema):
    """An object that is asked for: it has no other fields, and the document says so."""

    class Meta:
        unknown = RAISE


class OneOf(OneOfSchema):
    """One of several shapes; a field that each keeps tells which.

    `overlapping`: games may give things the same name and fields, so that a value may have more than one shape.
    """

    type_field_remove = False
    overlapping = False

    def get_data_type(self, data: Mapping[str, Any]) -> Any:
        found = data.get(self.type_field)
        if found is not None and (not isinstance(found, str) or found not in self.type_schemas):
            raise ValidationError({self.type_field: [f"It must be one of {', '.join(self.type_schemas)}."]})
        return found


def field_of(spec: FieldSpec, *, seen: bool = False, omits_defaults: bool = False) -> fields.Field[Any]:
    """A field as it is asked for, or (`seen`) as it leaves: then only what everybody sees is always there."""
    required = spec.required
    if seen:
        required = spec.seen_by is SeenBy.EVERYONE and (spec.required or not omits_defaults)
    description = spec.description + (f" ({spec.unit})" if spec.unit else "")
    options: dict[str, Any] = {"required": required, "metadata": {"description": description}}
    if (
        not seen
        and not spec.required
        and spec.default is not NODEFAULT
        and not isinstance(spec.default, Struct)
    ):
        default = list(spec.default) if isinstance(spec.default, tuple) else spec.default
        options["metadata"]["default"] = default
    return _field(spec.type, options, seen=seen)


def _field(kind: Any, options: dict[str, Any], *, seen: bool) -> fields.Field[Any]:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated(parts, options, seen=seen)
    if origin in (Union, types.UnionType):
        rest = [part for part in parts if part is not type(None)]
        if len(rest) < len(parts):
            options = options | {"allow_none": True}
        return _field(rest[0], options, seen=seen) if len(rest) == 1 else fields.Raw(**options)
    if origin is Literal:
        return (
            Text(validate=validate.OneOf(parts), **options)
            if isinstance(parts[0], str)
            else WholeNumber(validate=validate.OneOf(parts), **options)
        )
    if origin in (tuple, list, Sequence) or kind in (tuple, list):
        item = parts[0] if parts else Any
        return fields.List(_field(item, {}, seen=seen), **options)
    if origin is dict or kind is dict:
        value = parts[1] if parts else Any
        return fields.Dict(
            keys=fields.String(), values=_field(value, {"allow_none": True}, seen=seen), **options
        )
    if isinstance(kind, type) and issubclass(kind, Struct):
        return fields.Nested(shape_of(kind, seen=seen), **options)
    simple: dict[Any, type[fields.Field[Any]]] = {bool: YesOrNo, int: WholeNumber, float: fields.Float}
    if kind is str:
        return fields.String(**options) if seen else Text(**options)
    return simple.get(kind, fields.Raw)(**options)


def _annotated(parts: tuple[Any, ...], options: dict[str, Any], *, seen: bool) -> fields.Field[Any]:
    """The limits of a field: marshmallow enforces what the JSON Schema says."""
    checks: list[Any] = []
    metadata = dict(options.get("metadata", {}))
    for meta in parts[1:]:
        if not isinstance(meta, Meta):
            continue
        if meta.ge is not None or meta.le is not None:
            checks.append(validate.Range(min=meta.ge, max=meta.le))
        if meta.min_length is not None or meta.max_length is not None:
            checks.append(validate.Length(min=meta.min_length, max=meta.max_length))
        extra = meta.extra_json_schema or {}
        if extra.get("uniqueItems"):
            checks.append(unique)
        metadata |= extra
    if checks:
        options = options | {"validate": checks}
    return _field(parts[0], options | ({"metadata": metadata} if metadata else {}), seen=seen)


@cache
def shape_of(kind: type[Struct], *, seen: bool = False, name: str | None = None) -> type[Schema]:
    """The schema of a struct type."""
    omits = kind.__struct_config__.omit_defaults
    members = {spec.name: field_of(spec, seen=seen, omits_defaults=omits) for spec in fields_of(kind)}
    return type(name or kind.__name__ + ("Seen" if seen else ""), (Schema if seen else Shape,), dict(members))
