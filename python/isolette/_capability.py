"""Custom interfaces, described in WIT and implemented in Python."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from typing import Any, TypeVar

from . import _checks, _native
from ._approval import is_async

C = TypeVar("C", bound=type)


class CapabilityError(Exception):
    """Raise this in a function whose type is `result<…, …>`: the program gets an exception with the error.

    :param value: The error, as JSON with the names of the WIT: `"no-report"`, `{"unknown-place": "Atlantis"}`.
    """

    def __init__(self, value: Any = None) -> None:
        super().__init__(value)
        self.value = value


class Capability:
    """An interface with its implementation, for `Sandbox(capabilities=[…])`. Programs import it as a module.

    :param name: The interface: `acme:weather/forecast@1.0.0`.
    :param implementation: An object whose methods are the functions of the interface, with the names of Python. They get values as
        JSON; the fields of records have the names of Python (`high_c` for `high-c`). They may be asynchronous.
    :param wit: The path of the WIT, a file or a directory; or its text.

    Raises `errors.InvalidArgument` if a function is not implemented, and for interfaces with resources, which are implemented in
    Rust only.
    """

    def __init__(self, name: str, implementation: object, *, wit: str | os.PathLike[str]) -> None:
        name = _checks.kind("name", name, str, "str")
        is_text = isinstance(wit, str) and ("{" in wit or "\n" in wit)
        functions = {
            each: (_outcome(function), is_async(function))
            for each, function in inspect.getmembers(implementation, callable)
            if not each.startswith("_")
        }
        path = None if is_text else _checks.path("wit", wit)
        self._native = _native.Capability(name, path, str(wit) if is_text else None, functions)

    @property
    def name(self) -> str:
        """The name of the interface, with its version."""
        return self._native.name

    def declaration(self, language: str = "python") -> str:
        """The module that programs import: a Python stub, or a TypeScript module."""
        return self._native.declaration(_checks.kind("language", language, str, "str"))

    def __repr__(self) -> str:
        return f"<isolette.Capability {self.name}>"


def capability(name: str, *, wit: str | os.PathLike[str]) -> Callable[[C], C]:
    """Says, as the decorator of a class, which interface its objects implement: `Sandbox(capabilities=[Weather()])` takes them."""

    def decorate(kind: C) -> C:
        if not isinstance(kind, type):
            raise TypeError(f"`capability` decorates a class, not {type(kind).__name__}")
        kind.__isolette_capability__ = (name, wit)  # type: ignore[attr-defined]
        return kind

    return decorate


def as_capability(name: str, value: Any) -> _native.Capability:
    """A capability for the native module, of one or of an object of a decorated class."""
    if isinstance(value, Capability):
        return value._native
    described = getattr(value, "__isolette_capability__", None)
    if described is None or isinstance(value, type):
        raise TypeError(f"`{name}` must be a Capability, or an object of a class with @capability, not {value!r:.100}")
    interface, wit = described
    return Capability(interface, value, wit=wit)._native


def _outcome(function: Callable[..., Any]) -> Callable[..., Any]:
    if is_async(function):

        @functools.wraps(function)
        async def call_async(**arguments: Any) -> dict[str, Any]:
            try:
                return {"ok": await function(**arguments)}
            except CapabilityError as error:
                return {"error": error.value}

        return call_async

    @functools.wraps(function)
    def call(**arguments: Any) -> dict[str, Any]:
        try:
            return {"ok": function(**arguments)}
        except CapabilityError as error:
            return {"error": error.value}

    return call
