"""JSON Schema of annotations, and what turns the values of JSON into the annotated types."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections import abc
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union

from .errors import InvalidArgument

Schema = dict[str, Any]
Convert = Callable[[Any], Any]

_SCALARS: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null", None: "null"}

# By name, because importing their modules takes as long as all of this package.
_TEXTS: dict[str, tuple[str | None, Callable[[Any], Convert]]] = {
    "datetime.datetime": ("date-time", lambda kind: lambda text: kind.fromisoformat(text.replace("Z", "+00:00"))),
    "datetime.date": ("date", lambda kind: kind.fromisoformat),
    "datetime.time": ("time", lambda kind: kind.fromisoformat),
    "uuid.UUID": ("uuid", lambda kind: kind),
    "decimal.Decimal": (None, lambda kind: kind),
    "pathlib.Path": (None, lambda kind: kind),
    # Since Python 3.13.
    "pathlib._local.Path": (None, lambda kind: kind),
}

_ARRAYS: dict[Any, Any] = {
    list: None,
    abc.Sequence: None,
    abc.MutableSequence: None,
    abc.Iterable: None,
    abc.Collection: None,
    set: set,
    abc.Set: set,
    frozenset: frozenset,
}
_OBJECTS = (dict, abc.Mapping, abc.MutableMapping)

_UNION_TYPES = (Union, getattr(types, "UnionType", Union))

_CONSTRAINTS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}

_NESTED = 32
"""How deeply types can be nested."""


def of(annotation: Any, place: str, depth: int = 0) -> tuple[Schema, Convert | None]:
    """Returns the schema of a type, and a function that makes its values, if JSON's are others. `place` is for errors."""
    if depth > _NESTED:
        raise InvalidArgument(f"{place} has a type that is recursive or nested too deeply", "pass `input_schema`")
    if annotation is Any or annotation is object:
        return {}, None
    if _is(annotation, _SCALARS):
        return {"type": _SCALARS[annotation]}, None
    name = f"{getattr(annotation, '__module__', '')}.{getattr(annotation, '__qualname__', '')}"
    if name in _TEXTS:
        form, convert = _TEXTS[name]
        return {"type": "string", **({"format": form} if form else {})}, convert(annotation)
    alias = getattr(annotation, "__supertype__", None) or getattr(annotation, "__value__", None)
    if alias is not None:
        return of(alias, place, depth + 1)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return _annotated(arguments, place, depth)
    if origin is Literal:
        return _literal(arguments, place)
    if origin in _UNION_TYPES:
        return _union(arguments, place, depth)
    kind = origin or annotation
    if kind is tuple:
        return _tuple(arguments, place, depth)
    if _is(kind, _ARRAYS):
        return _array(kind, arguments, place, depth)
    if kind in _OBJECTS:
        return _mapping(arguments, place, depth)
    if isinstance(kind, type):
        made = _class(kind, place, depth)
        if made is not None:
            return made
    name = getattr(annotation, "__name__", None) or repr(annotation)
    raise InvalidArgument(
        f"{place} is of type {name}, for which there is no JSON Schema",
        "use types of JSON, dataclasses, TypedDict, enumerations or Pydantic models, or pass `input_schema`",
    )


def _is(annotation: Any, known: dict[Any, Any]) -> bool:
    try:
        return annotation in known
    except TypeError:
        return False


def _class(kind: type, place: str, depth: int) -> tuple[Schema, Convert | None] | None:
    if issubclass(kind, enum.Enum):
        return {"enum": [member.value for member in kind]}, kind
    if hasattr(kind, "model_json_schema") and hasattr(kind, "model_validate"):
        return kind.model_json_schema(), kind.model_validate
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, place, depth)
    if typing.is_typeddict(kind):
        return _typed_dict(kind, place, depth)
    return None


def _annotated(arguments: tuple[Any, ...], place: str, depth: int) -> tuple[Schema, Convert | None]:
    schema, convert = of(arguments[0], place, depth + 1)
    schema = dict(schema)
    for metadata in arguments[1:]:
        if isinstance(metadata, str):
            schema["description"] = metadata
        elif isinstance(metadata, dict):
            schema.update(metadata)
        else:
            _constrain(schema, metadata)
            for inner in getattr(metadata, "metadata", ()):
                _constrain(schema, inner)
    return schema, convert


def _constrain(schema: Schema, metadata: Any) -> None:
    """Adds what Pydantic's `Field` and the package annotated-types say."""
    description = getattr(metadata, "description", None) or getattr(metadata, "documentation", None)
    if isinstance(description, str):
        schema["description"] = description
    for attribute, keyword in _CONSTRAINTS.items():
        value = getattr(metadata, attribute, None)
        if isinstance(value, (int, float, str)):
            schema[keyword] = value
    suffix = "Items" if schema.get("type") == "array" else "Length"
    for attribute, keyword in (("min_length", f"min{suffix}"), ("max_length", f"max{suffix}")):
        value = getattr(metadata, attribute, None)
        if isinstance(value, int):
            schema[keyword] = value


def _literal(values: tuple[Any, ...], place: str) -> tuple[Schema, Convert | None]:
    plain = [value.value if isinstance(value, enum.Enum) else value for value in values]
    if not all(isinstance(value, (str, int, bool, type(None))) for value in plain):
        raise InvalidArgument(f"{place} has a literal that JSON does not have", "pass `input_schema`")
    return {"enum": plain}, None


def _union(arguments: tuple[Any, ...], place: str, depth: int) -> tuple[Schema, Convert | None]:
    variants = [of(argument, place, depth + 1) for argument in arguments]
    schemas = [schema for schema, _ in variants]
    simple = all(set(schema) == {"type"} for schema in schemas)
    schema: Schema = {"type": [each["type"] for each in schemas]} if simple else {"anyOf": schemas}
    converts = [(argument, convert) for argument, (_, convert) in zip(arguments, variants)]
    if all(convert is None for _, convert in converts):
        return schema, None

    def convert(value: Any) -> Any:
        for argument, each in converts:
            if each is None:
                if _matches(argument, value):
                    return value
                continue
            try:
                return each(value)
            except (TypeError, ValueError, KeyError, AttributeError):
                continue
        return value

    return schema, convert


def _matches(annotation: Any, value: Any) -> bool:
    kind = typing.get_origin(annotation) or annotation
    if annotation is Any:
        return True
    if kind in (None, type(None)):
        return value is None
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(kind, type) and isinstance(value, kind)


def _tuple(arguments: tuple[Any, ...], place: str, depth: int) -> tuple[Schema, Convert | None]:
    if not arguments or arguments[-1] is Ellipsis:
        schema, each = of(arguments[0], place, depth + 1) if arguments else ({}, None)
        items = {"type": "array", **({"items": schema} if schema else {})}
        return items, lambda values: tuple(values if each is None else map(each, values))
    parts = [of(argument, place, depth + 1) for argument in arguments]
    size = len(parts)
    schema = {
        "type": "array",
        "prefixItems": [schema for schema, _ in parts],
        "items": False,
        "minItems": size,
        "maxItems": size,
    }
    converts = [convert or (lambda value: value) for _, convert in parts]
    return schema, lambda values: tuple(convert(value) for convert, value in zip(converts, values))


def _array(kind: Any, arguments: tuple[Any, ...], place: str, depth: int) -> tuple[Schema, Convert | None]:
    items, each = of(arguments[0], place, depth + 1) if arguments else ({}, None)
    schema: Schema = {"type": "array"}
    if items:
        schema["items"] = items
    make = _ARRAYS[kind]
    if make is None:
        return schema, None if each is None else lambda values: [each(value) for value in values]
    schema["uniqueItems"] = True
    return schema, lambda values: make(values if each is None else map(each, values))


def _mapping(arguments: tuple[Any, ...], place: str, depth: int) -> tuple[Schema, Convert | None]:
    if arguments and arguments[0] not in (str, Any):
        raise InvalidArgument(f"{place} is a dict whose keys are not str", "use keys of type str, as in JSON")
    values, each = of(arguments[1], place, depth + 1) if len(arguments) > 1 else ({}, None)
    schema: Schema = {"type": "object"}
    if values:
        schema["additionalProperties"] = values
    if each is None:
        return schema, None
    return schema, lambda fields: {name: each(value) for name, value in fields.items()}


def _dataclass(kind: Any, place: str, depth: int) -> tuple[Schema, Convert]:
    hints = typing.get_type_hints(kind, include_extras=True)
    required, fields = [], {}
    for field in dataclasses.fields(kind):
        if field.init:
            fields[field.name] = hints[field.name]
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                required.append(field.name)
    schema, converts = _object(fields, required, place, depth)
    return schema, lambda values: kind(**_converted(converts, values))


def _typed_dict(kind: Any, place: str, depth: int) -> tuple[Schema, Convert | None]:
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = {name: _without_qualifier(hint) for name, hint in hints.items()}
    required = [name for name in fields if name in kind.__required_keys__]
    schema, converts = _object(fields, required, place, depth)
    return schema, (lambda values: _converted(converts, values)) if converts else None


def _without_qualifier(hint: Any) -> Any:
    """Without `Required`, `NotRequired` and `ReadOnly`."""
    origin = typing.get_origin(hint)
    if getattr(origin, "_name", None) in ("Required", "NotRequired", "ReadOnly"):
        return _without_qualifier(typing.get_args(hint)[0])
    return hint


def _object(
    fields: dict[str, Any], required: list[str], place: str, depth: int
) -> tuple[Schema, dict[str, Convert]]:
    properties, converts = {}, {}
    for name, annotation in fields.items():
        properties[name], convert = of(annotation, f"{place}.{name}", depth + 1)
        if convert is not None:
            converts[name] = convert
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    return schema, converts


def _converted(converts: dict[str, Convert], values: dict[str, Any]) -> dict[str, Any]:
    return {name: converts[name](value) if name in converts else value for name, value in values.items()}
