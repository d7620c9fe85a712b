"""Checks of arguments. Every error names the argument, and says what was expected."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, overload

from . import _native
from .errors import InvalidArgument


T = TypeVar("T")


@overload
def kind(name: str, value: Any, kinds: type[T], expected: str) -> T: ...
@overload
def kind(name: str, value: Any, kinds: tuple[type, ...], expected: str) -> Any: ...
def kind(name: str, value: Any, kinds: type | tuple[type, ...], expected: str) -> Any:
    """Returns the value if it is of a type."""
    # `True` is an integer for Python, and for no caller.
    if isinstance(value, kinds) and not (isinstance(value, bool) and not _allows_bool(kinds)):
        return value
    raise TypeError(f"`{name}` must be {expected}, not {type(value).__name__}")


def _allows_bool(kinds: type | tuple[type, ...]) -> bool:
    return bool in (kinds if isinstance(kinds, tuple) else (kinds,)) or kinds is object


@overload
def optional(name: str, value: Any, kinds: type[T], expected: str) -> T | None: ...
@overload
def optional(name: str, value: Any, kinds: tuple[type, ...], expected: str) -> Any: ...
def optional(name: str, value: Any, kinds: type | tuple[type, ...], expected: str) -> Any:
    """The same for a value that may be `None`."""
    return None if value is None else kind(name, value, kinds, f"{expected} or None")


def function(name: str, value: Any) -> Any:
    """A function, or `None`."""
    if value is None or callable(value):
        return value
    raise TypeError(f"`{name}` must be a function or None, not {type(value).__name__}")


def path(name: str, value: Any) -> str:
    """A path of the host."""
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        if isinstance(text, str):
            if "\0" in text:
                raise InvalidArgument(f"`{name}` has a null character", "pass the path of a file")
            return text
    raise TypeError(f"`{name}` must be a path, not {type(value).__name__}")


def texts(name: str, values: Any) -> list[str]:
    """A list of texts. A single one is a mistake, not a list of its letters."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"`{name}` must be a list of str, not {type(values).__name__}")
    return [kind(f"{name}[{index}]", value, str, "str") for index, value in enumerate(values)]


def mapping(name: str, value: Any) -> dict[str, Any]:
    """A mapping whose keys are texts."""
    if not isinstance(value, Mapping):
        raise TypeError(f"`{name}` must be a dict, not {type(value).__name__}")
    for key in value:
        kind(f"a key of {name}", key, str, "str")
    return dict(value)


def seconds(name: str, value: Any) -> float | None:
    """A time: seconds, a `timedelta`, or text such as `"500ms"`."""
    if value is None:
        return None
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if value == "unlimited":
        raise InvalidArgument(f"`{name}` is {value!r}", "a run has a limit; that of the sandbox can be unlimited")
    if isinstance(value, str):
        try:
            return _native.parse_duration(value)
        except ValueError as error:
            raise InvalidArgument(f"`{name}` is {value!r}: {error}") from None
    return float(kind(name, value, (int, float), "a number of seconds, a timedelta or text such as '30s'"))


def duration(name: str, value: Any) -> str | None:
    """The same as text of a policy file."""
    if isinstance(value, str) and value == "unlimited":
        return value
    number = seconds(name, value)
    if number is None:
        return None
    if not 0 < number < 1e12:
        raise InvalidArgument(f"`{name}` is {number} seconds", "pass a number of seconds above 0")
    return f"{max(round(number * 1e9), 1)}ns"


def count(name: str, value: Any) -> int | None:
    """A number that is not negative, or `None`."""
    number = optional(name, value, int, "int")
    if number is not None and not 0 <= number < 1 << 63:
        raise InvalidArgument(f"`{name}` is {number}", "pass a number from 0 to 2**63 - 1")
    return number


def secrets(name: str, values: Any) -> dict[str, Any]:
    """Secrets of a policy. No error may have their values."""
    for key, value in mapping(name, values).items():
        if not isinstance(value, Mapping):
            raise TypeError(
                f"`{name}[{key!r}]` must be a dict, not {type(value).__name__}\n"
                "hint: docs/policy.md describes secrets"
            )
    return dict(values)


def size(name: str, value: Any) -> str | None:
    """A size: bytes, or text such as `"256MiB"`, as text of a policy file."""
    if value is None or isinstance(value, str):
        return value
    number = kind(name, value, int, "a number of bytes or text such as '256MiB'")
    if number <= 0:
        raise InvalidArgument(f"`{name}` is {number} bytes", "pass a number of bytes above 0")
    return f"{number}B"
