"""Values that JSON does not have, as values that it has."""

from __future__ import annotations

import dataclasses
import enum
import os
import sys
from collections.abc import Set
from typing import Any


def plain(value: Any, place: str) -> Any:
    """Converts one level of a value. The native module converts what is in it. `place` names the value in errors."""
    fields = getattr(type(value), "__dataclass_fields__", None)
    if fields is not None:
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    dump = getattr(value, "model_dump", None)
    if dump is not None and not isinstance(value, type):
        return dump(mode="json", by_alias=True)
    if isinstance(value, enum.Enum):
        return value.value
    if _is(value, "datetime", "date") or _is(value, "datetime", "time"):
        return value.isoformat()
    if _is(value, "uuid", "UUID") or _is(value, "decimal", "Decimal"):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, Set):
        return list(value)
    # Scalars of NumPy and of similar packages.
    item = getattr(value, "item", None)
    if item is not None and getattr(value, "shape", None) == ():
        return item()
    kind = type(value).__name__
    hint = "pass text, such as base64" if isinstance(value, (bytes, bytearray, memoryview)) else "pass values of JSON"
    raise TypeError(f"{place} is of type {kind}, which JSON does not have\nhint: {hint}")


def _is(value: Any, module: str, name: str) -> bool:
    """Whether a value is of a class whose module is imported only by those who use it."""
    kind = getattr(sys.modules.get(module), name, None)
    return kind is not None and isinstance(value, kind)
