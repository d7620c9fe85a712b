"""Custom interfaces, described in WIT and implemented in Python."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from . import _checks, _native
from ._approval import is_async

C = TypeVar("C", bound=type)


class CapabilityError(Exception):
    """Raise this in a function whose type is `result<…, …>`: the program gets an exception with the error.

    :param value: The error, as a value of its type: `"no-report"`, `{"unknown-place": "Atlantis"}`.
    """

    def __init__(self, value: Any = None) -> None:
        super().__init__(value)
        self.value = value


class Capability:
    """An interface with its implementation, for `Sandbox(capabilities=[…])`. Programs import it as a module.

    Functions get arguments by name: a record as a dictionary with the names of Python (`high_c` for `high-c`); `list<u8>` as `bytes`;
    a variant as the name of its case or `{"case": value}`; an enum as the name of its case, and flags as a list of names, all of them
    as in the WIT; a resource as its object. They may return the same, objects with the attributes of a record, and members of
    enumerations.

    :param name: The interface: `acme:weather/forecast@1.0.0`.
    :param implementation: An object whose methods are the functions of the interface, with the names of Python. They may be
        asynchronous. The constructor of a resource `station` is `new_station`, and its static function `find` is `station_find`.
    :param wit: The path of the WIT, a file or a directory; or its text.
    :param resources: The classes of the resources, by the names of the WIT: `{"rows": Rows}`. Functions return their objects, which
        a program holds until it drops them or its guest ends.

    Raises `errors.InvalidArgument` if a function or a method is not implemented, or a resource has no class.
    """

    def __init__(
        self,
        name: str,
        implementation: object,
        *,
        wit: str | os.PathLike[str],
        resources: Mapping[str, type] | None = None,
    ) -> None:
        name = _checks.kind("name", name, str, "str")
        is_text = isinstance(wit, str) and ("{" in wit or "\n" in wit)
        functions = {each: (function, is_async(function)) for each, function in _functions(implementation)}
        classes = {}
        for resource, each in (resources or {}).items():
            if not isinstance(resource, str) or not isinstance(each, type):
                raise TypeError(f"`resources` must have classes by the names of the WIT, not {resource!r:.60}: {each!r:.60}")
            classes[resource] = (each, {method: is_async(function) for method, function in _functions(each)})
        path = None if is_text else _checks.path("wit", wit)
        self._native = _native.Capability(name, path, str(wit) if is_text else None, functions, classes)

    @property
    def name(self) -> str:
        """The name of the interface, with its version."""
        return self._native.name

    def declaration(self, language: str = "python") -> str:
        """The module that programs import: a Python stub, or a TypeScript module."""
        return self._native.declaration(_checks.kind("language", language, str, "str"))

    def __repr__(self) -> str:
        return f"<isolette.Capability {self.name}>"


def capability(
    name: str, *, wit: str | os.PathLike[str], resources: Mapping[str, type] | None = None
) -> Callable[[C], C]:
    """Says, as the decorator of a class, which interface its objects implement: `Sandbox(capabilities=[Weather()])` takes them.

    The parameters are those of `Capability`.
    """

    def decorate(kind: C) -> C:
        if not isinstance(kind, type):
            raise TypeError(f"`capability` decorates a class, not {type(kind).__name__}")
        kind.__isolette_capability__ = (name, wit, resources)  # type: ignore[attr-defined]
        return kind

    return decorate


def as_capability(name: str, value: Any) -> _native.Capability:
    """A capability for the native module, of one or of an object of a decorated class."""
    if isinstance(value, Capability):
        return value._native
    described = getattr(value, "__isolette_capability__", None)
    if described is None or isinstance(value, type):
        raise TypeError(f"`{name}` must be a Capability, or an object of a class with @capability, not {value!r:.100}")
    interface, wit, resources = described
    return Capability(interface, value, wit=wit, resources=resources)._native


def _functions(implementation: object) -> list[tuple[str, Callable[..., Any]]]:
    members = inspect.getmembers(implementation, callable)
    return [(name, function) for name, function in members if not name.startswith("_")]
