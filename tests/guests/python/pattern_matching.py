"""`match`: literals, captures, sequences, mappings, classes, guards, alternatives."""

from dataclasses import dataclass
from enum import Enum


@dataclass
class Point:
    x: int
    y: int


class Colour(Enum):
    RED = 1


def describe(value):
    match value:
        case 0 | 1:
            return "zero or one"
        case int(n) if n < 0:
            return f"negative {n}"
        case str() as text:
            return f"text {text!r}"
        case []:
            return "empty"
        case [only]:
            return f"one {only}"
        case [first, *rest]:
            return f"first {first}, rest {rest}"
        case {"type": "circle", "r": r, **others}:
            return f"circle {r} {others}"
        case {"type": kind}:
            return f"a {kind}"
        case Point(0, y):
            return f"on the axis at {y}"
        case Point(x=px, y=py) if px == py:
            return f"diagonal {px}"
        case Point():
            return "a point"
        case Colour.RED:
            return "red"
        case None | True | False:
            return f"constant {value}"
        case 3.5:
            return "three and a half"
        case _:
            return "something else"


for value in (
    0,
    1,
    -4,
    "hi",
    [],
    [7],
    (1, 2, 3),
    {"type": "circle", "r": 2, "c": 1},
    {"type": "square"},
    {},
    Point(0, 5),
    Point(3, 3),
    Point(1, 2),
    Colour.RED,
    None,
    3.5,
    99,
):
    print(describe(value))

match ["go", "north", 3]:
    case ["go", ("north" | "south") as direction, int(steps)]:
        print(direction, steps)
