"""Annotations and `typing` at run time."""

from __future__ import annotations

import typing
from typing import (
    Any,
    Callable,
    Generic,
    Literal,
    NamedTuple,
    Optional,
    Protocol,
    TypedDict,
    TypeVar,
    Union,
    get_type_hints,
)

T = TypeVar("T")


class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: list[T] = []

    def push(self, item: T) -> None:
        self.items.append(item)

    def pop(self) -> T:
        return self.items.pop()


s = Stack[int]()
s.push(1)
print(s.pop(), Stack[int].__args__)


class Movie(TypedDict, total=False):
    title: str
    year: int


class Employee(NamedTuple):
    name: str
    id: int = 3


@typing.runtime_checkable
class Closeable(Protocol):
    def close(self) -> None: ...


class File:
    def close(self):
        pass


def f(a: int, b: Optional[str] = None, *c: Callable[[int], str]) -> dict[str, Any]: ...


print(Movie(title="x"), Employee("ann"), Employee("bo", 7)._replace(id=8), isinstance(File(), Closeable))
print(sorted(get_type_hints(f)), get_type_hints(f)["a"], f.__annotations__["b"])
print(typing.get_origin(dict[str, int]), typing.get_args(dict[str, int]), typing.get_args(Literal["a", "b"]))
print(isinstance(3, int | str), typing.cast(int, "not checked"), Movie.__annotations__.keys() == {"title", "year"})
print(Union[int, str] == Union[str, int], list[int] == list[int])
