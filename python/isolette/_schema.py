"""JSON Schema of annotations, and what turns the values of JSON into the annotated types."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections import abc
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union

from ._fits import fits
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


class Schemas:
    """Makes schemas. Those of results describe what this package makes of values; dataclasses and models can differ in that.

    Definitions that schemas refer to are collected in `definitions`, for the root of the document.
    """

    def __init__(self, *, of_results: bool = False) -> None:
        self._of_results = of_results
        self.definitions: dict[str, Schema] = {}

    def of(self, annotation: Any, place: str, depth: int = 0) -> tuple[Schema, Convert | None]:
        """Returns the schema of a type, and a function that makes its values, if JSON's are others. `place` is for errors."""
        if depth > _NESTED:
            raise InvalidArgument(f"{place} has a type that is recursive or nested too deeply", "pass `input_schema`")
        if annotation is Any or annotation is object:
            return {}, None
        if _is(annotation, _SCALARS):
            # JSON does not distinguish 5 and 5.0.
            return {"type": _SCALARS[annotation]}, _integer if annotation is int else None
        name = f"{getattr(annotation, '__module__', '')}.{getattr(annotation, '__qualname__', '')}"
        if name in _TEXTS:
            form, convert = _TEXTS[name]
            return {"type": "string", **({"format": form} if form else {})}, convert(annotation)
        alias = getattr(annotation, "__supertype__", None) or getattr(annotation, "__value__", None)
        if alias is not None:
            return self.of(alias, place, depth + 1)
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is Annotated:
            return self._annotated(arguments, place, depth)
        if origin is Literal:
            return _literal(arguments, place)
        if origin in _UNION_TYPES:
            return self._union(arguments, place, depth)
        kind = origin or annotation
        if kind is tuple:
            return self._tuple(arguments, place, depth)
        if _is(kind, _ARRAYS):
            return self._array(kind, arguments, place, depth)
        if kind in _OBJECTS:
            return self._mapping(arguments, place, depth)
        if isinstance(kind, type):
            made = self._class(kind, place, depth)
            if made is not None:
                return made
        shown = getattr(annotation, "__name__", None) or repr(annotation)
        raise InvalidArgument(
            f"{place} is of type {shown}, for which there is no JSON Schema",
            "use types of JSON, dataclasses, TypedDict, enumerations or Pydantic models, or pass `input_schema`",
        )

    def _class(self, kind: Any, place: str, depth: int) -> tuple[Schema, Convert | None] | None:
        if issubclass(kind, enum.Enum):
            return {"enum": [member.value for member in kind]}, kind
        if hasattr(kind, "model_json_schema") and hasattr(kind, "model_validate"):
            schema = kind.model_json_schema(mode="serialization" if self._of_results else "validation")
            return self._with_definitions(schema), kind.model_validate
        if dataclasses.is_dataclass(kind):
            return self._dataclass(kind, place, depth)
        if typing.is_typeddict(kind):
            return self._typed_dict(kind, place, depth)
        return None

    def _with_definitions(self, schema: Schema) -> Schema:
        """Moves the definitions of a schema to those of the document, under names that no other has."""
        own: dict[str, Schema] = schema.pop("$defs", {})
        names: dict[str, str] = {}
        for name in own:
            unique, number = name, 2
            while unique in self.definitions or unique in names.values():
                unique, number = f"{name}_{number}", number + 1
            names[name] = unique
        references = {f"#/$defs/{name}": f"#/$defs/{unique}" for name, unique in names.items()}
        for name, definition in own.items():
            self.definitions[names[name]] = _renamed(definition, references)
        renamed: Schema = _renamed(schema, references)
        return renamed

    def _annotated(self, arguments: tuple[Any, ...], place: str, depth: int) -> tuple[Schema, Convert | None]:
        schema, convert = self.of(arguments[0], place, depth + 1)
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

    def _union(self, arguments: tuple[Any, ...], place: str, depth: int) -> tuple[Schema, Convert | None]:
        variants = [self.of(argument, place, depth + 1) for argument in arguments]
        schemas = [schema for schema, _ in variants]
        schema: Schema = {"anyOf": schemas}
        if all(set(each) == {"type"} and isinstance(each["type"], str) for each in schemas):
            kinds = list(dict.fromkeys(each["type"] for each in schemas))
            schema = {"type": kinds if len(kinds) > 1 else kinds[0]}
        if all(convert is None for _, convert in variants):
            return schema, None

        def convert(value: Any) -> Any:
            for each, make in variants:
                if not fits(each, value, self.definitions):
                    continue
                try:
                    return value if make is None else make(value)
                except (TypeError, ValueError, KeyError, AttributeError, ArithmeticError):
                    continue
            return value

        return schema, convert

    def _tuple(self, arguments: tuple[Any, ...], place: str, depth: int) -> tuple[Schema, Convert | None]:
        if not arguments or arguments[-1] is Ellipsis:
            schema, each = self.of(arguments[0], place, depth + 1) if arguments else ({}, None)
            items = {"type": "array", **({"items": schema} if schema else {})}
            return items, lambda values: tuple(values if each is None else map(each, values))
        parts = [self.of(argument, place, depth + 1) for argument in arguments]
        size = len(parts)
        schema = {
            "type": "array",
            "prefixItems": [schema for schema, _ in parts],
            "items": False,
            "minItems": size,
            "maxItems": size,
        }
        converts = [convert or _unchanged for _, convert in parts]
        return schema, lambda values: tuple(convert(value) for convert, value in zip(converts, values))

    def _array(
        self, kind: Any, arguments: tuple[Any, ...], place: str, depth: int
    ) -> tuple[Schema, Convert | None]:
        items, each = self.of(arguments[0], place, depth + 1) if arguments else ({}, None)
        schema: Schema = {"type": "array"}
        if items:
            schema["items"] = items
        make = _ARRAYS[kind]
        if make is None:
            return schema, None if each is None else lambda values: [each(value) for value in values]
        schema["uniqueItems"] = True
        return schema, lambda values: make(values if each is None else map(each, values))

    def _mapping(self, arguments: tuple[Any, ...], place: str, depth: int) -> tuple[Schema, Convert | None]:
        if arguments and arguments[0] not in (str, Any):
            raise InvalidArgument(f"{place} is a dict whose keys are not str", "use keys of type str, as in JSON")
        values, each = self.of(arguments[1], place, depth + 1) if len(arguments) > 1 else ({}, None)
        schema: Schema = {"type": "object"}
        if values:
            schema["additionalProperties"] = values
        if each is None:
            return schema, None
        return schema, lambda fields: {name: each(value) for name, value in fields.items()}

    def _dataclass(self, kind: Any, place: str, depth: int) -> tuple[Schema, Convert]:
        hints = typing.get_type_hints(kind, include_extras=True)
        required, fields = [], {}
        for field in dataclasses.fields(kind):
            if not field.init and not self._of_results:
                continue
            fields[field.name] = hints[field.name]
            has_default = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
            if self._of_results or not has_default:
                required.append(field.name)
        schema, converts = self._object(fields, required, place, depth)
        return schema, lambda values: kind(**_converted(converts, values))

    def _typed_dict(self, kind: Any, place: str, depth: int) -> tuple[Schema, Convert | None]:
        hints = typing.get_type_hints(kind, include_extras=True)
        fields, required = {}, []
        for name, hint in hints.items():
            fields[name], is_required = _without_qualifiers(hint)
            # The set of the class is wrong where annotations are texts.
            if name in kind.__required_keys__ if is_required is None else is_required:
                required.append(name)
        schema, converts = self._object(fields, required, place, depth)
        return schema, (lambda values: _converted(converts, values)) if converts else None

    def _object(
        self, fields: dict[str, Any], required: list[str], place: str, depth: int
    ) -> tuple[Schema, dict[str, Convert]]:
        properties, converts = {}, {}
        for name, annotation in fields.items():
            properties[name], convert = self.of(annotation, f"{place}.{name}", depth + 1)
            if convert is not None:
                converts[name] = convert
        schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        if required:
            schema["required"] = required
        return schema, converts


def _is(annotation: Any, known: dict[Any, Any]) -> bool:
    try:
        return annotation in known
    except TypeError:
        return False


def _integer(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _unchanged(value: Any) -> Any:
    return value


def _renamed(schema: Any, references: dict[str, str]) -> Any:
    if isinstance(schema, dict):
        return {
            key: references.get(value, value) if key == "$ref" and isinstance(value, str) else _renamed(value, references)
            for key, value in schema.items()
        }
    if isinstance(schema, list):
        return [_renamed(each, references) for each in schema]
    return schema


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


def _without_qualifiers(hint: Any) -> tuple[Any, bool | None]:
    """The type without `Required`, `NotRequired` and `ReadOnly`, and which of the first two it had."""
    name = getattr(typing.get_origin(hint), "_name", None)
    if name not in ("Required", "NotRequired", "ReadOnly"):
        return hint, None
    inner, is_required = _without_qualifiers(typing.get_args(hint)[0])
    return inner, is_required if name == "ReadOnly" else name == "Required"


def _converted(converts: dict[str, Convert], values: dict[str, Any]) -> dict[str, Any]:
    return {name: converts[name](value) if name in converts else value for name, value in values.items()}
