"""Which of several types a value of JSON is of, as far as their schemas tell."""

from __future__ import annotations

from typing import Any

_KINDS: dict[str, Any] = {
    "string": str,
    "boolean": bool,
    "object": dict,
    "array": list,
    "null": type(None),
}

_DEPTH = 32


def fits(schema: dict[str, Any], value: Any, definitions: dict[str, Any], depth: int = 0) -> bool:
    """Whether a value fits a schema. Keywords that do not tell types apart are ignored."""
    if depth > _DEPTH:
        return True
    reference = schema.get("$ref")
    if isinstance(reference, str):
        schema = definitions.get(reference.removeprefix("#/$defs/"), {})
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is_of(kind, value) for kind in kinds):
        return False
    if "enum" in schema and not any(type(each) is type(value) and each == value for each in schema["enum"]):
        return False
    if "const" in schema and schema["const"] != value:
        return False
    for choices in (schema.get("anyOf"), schema.get("oneOf")):
        if choices and not any(fits(choice, value, definitions, depth + 1) for choice in choices):
            return False
    if isinstance(value, dict):
        return _object_fits(schema, value, definitions, depth)
    if isinstance(value, list):
        return _array_fits(schema, value, definitions, depth)
    return True


def _is_of(kind: str, value: Any) -> bool:
    if kind in ("integer", "number"):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and (kind == "number" or isinstance(value, int) or value.is_integer())
    expected = _KINDS.get(kind)
    return expected is None or isinstance(value, expected)


def _object_fits(schema: dict[str, Any], value: dict[str, Any], definitions: dict[str, Any], depth: int) -> bool:
    if any(name not in value for name in schema.get("required", ())):
        return False
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, field in value.items():
        of_field = properties.get(name, others)
        if of_field is False:
            return False
        if isinstance(of_field, dict) and not fits(of_field, field, definitions, depth + 1):
            return False
    return True


def _array_fits(schema: dict[str, Any], value: list[Any], definitions: dict[str, Any], depth: int) -> bool:
    first = schema.get("prefixItems", [])
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return False
    others = schema.get("items", True)
    for index, item in enumerate(value):
        of_item = first[index] if index < len(first) else others
        if of_item is False:
            return False
        if isinstance(of_item, dict) and not fits(of_item, item, definitions, depth + 1):
            return False
    return True
