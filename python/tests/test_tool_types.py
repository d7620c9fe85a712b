"""Types of arguments and results of tools."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import pathlib
import sys
import threading
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest

import isolette
from isolette import _schema, errors


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0


class Options(TypedDict, total=False):
    deep: bool


class Line(TypedDict):
    points: list[Point]
    color: Color


def typed(
    point: Point,
    line: Line,
    when: datetime.datetime,
    kind: Literal["a", "b"] = "a",
    either: Union[int, str, Point] = 1,
    names: Annotated[set[str], "Names"] = frozenset(),  # type: ignore[assignment]
    pair: tuple[int, str] = (1, "a"),
    options: Optional[Options] = None,
    table: Mapping[str, list[int]] = {},
) -> Point:
    assert isinstance(point, Point) and isinstance(line["points"][0], Point) and line["color"] is Color.RED
    assert when.year == 2026 and when.tzinfo is not None and kind == "b"
    assert isinstance(either, Point) and names == {"x"} and pair == (1, "b") and options == {"deep": True}
    assert table == {"k": [1]}
    return Point(point.x + 1)


def test_arguments_have_the_annotated_types() -> None:
    sandbox = isolette.Sandbox(tools=[typed])
    code = """
    call_tool('typed', point={'x': 1}, line={'points': [{'x': 2, 'y': 3}], 'color': 'red'}, when='2026-11-26T00:00:00Z',
              kind='b', either={'x': 5}, names=['x'], pair=[1, 'b'], options={'deep': True}, table={'k': [1]})
    """
    result = sandbox.run("import textwrap\n" + "\n".join(line.strip() for line in code.splitlines()))
    assert result.error is None and result.value == {"x": 2, "y": 0}
    wrong = sandbox.run("call_tool('typed', point={'x': 'no'}, line={'points': [], 'color': 'red'}, when='x')")
    assert wrong.error is not None and "point" in wrong.error.message


def test_models_of_pydantic_are_used() -> None:
    pydantic = pytest.importorskip("pydantic")

    class Order(pydantic.BaseModel):  # type: ignore[name-defined, misc]
        name: str = pydantic.Field(min_length=1)
        count: int = 1

    def buy(order: Order, times: Annotated[int, pydantic.Field(ge=1, description="How often")] = 1) -> Order:
        assert isinstance(order, Order)
        return Order(name=order.name, count=order.count * times)

    buy.__annotations__.update(order=Order, times=Annotated[int, pydantic.Field(ge=1, description="How often")])
    buy.__annotations__["return"] = Order
    tool = isolette.Tool(buy)
    assert tool.input_schema["properties"]["times"]["minimum"] == 1
    assert tool.input_schema["properties"]["times"]["description"] == "How often"
    sandbox = isolette.Sandbox(tools=[tool])
    assert sandbox.run("call_tool('buy', order={'name': 'a', 'count': 2}, times=3)").value == {"name": "a", "count": 6}
    assert sandbox.run("call_tool('buy', order={'name': ''})").error is not None
    assert sandbox.run("call_tool('buy', order={'name': 'a'}, times=0)").error is not None


def test_annotations_without_a_schema_are_refused() -> None:
    def of_object(x: threading.Thread) -> None: ...

    def of_bytes(x: bytes) -> None: ...

    def of_unknown(x: Unknown) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    for function, message in ((of_object, "Thread"), (of_bytes, "bytes"), (of_unknown, "cannot be resolved")):
        with pytest.raises(errors.InvalidArgument, match=message) as raised:
            isolette.Tool(function)
        assert raised.value.hint is not None and "input_schema" in raised.value.hint
        assert isolette.Tool(function, input_schema={"type": "object"}).name == function.__name__


def test_models_with_models_in_them_are_used() -> None:
    pydantic = pytest.importorskip("pydantic")

    class Inner(pydantic.BaseModel):  # type: ignore[name-defined, misc]
        x: int

    class Outer(pydantic.BaseModel):  # type: ignore[name-defined, misc]
        inner: Inner
        name: str = pydantic.Field(default="n", alias="userName")

    first = Inner

    class Inner(pydantic.BaseModel):  # type: ignore[name-defined, misc, no-redef]
        y: str

    class Other(pydantic.BaseModel):  # type: ignore[name-defined, misc]
        inner: Inner

    def use(one: Outer, many: list[Outer], other: Optional[Other] = None) -> Outer:
        assert isinstance(one.inner, first) and isinstance(many[0].inner, first)
        assert other is not None and other.inner.y == "z"
        return one

    use.__annotations__.update(one=Outer, many=list[Outer], other=Optional[Other])
    use.__annotations__["return"] = Outer
    tool = isolette.Tool(use, strict_results=True)
    assert len(tool.input_schema["$defs"]) == 3
    code = "call_tool('use', one={'inner': {'x': 1}}, many=[{'inner': {'x': 2}}], other={'inner': {'y': 'z'}})"
    result = isolette.Sandbox(tools=[tool]).run(code)
    assert result.error is None and result.value == {"inner": {"x": 1}, "userName": "n"}


@dataclasses.dataclass
class Number:
    x: int


@dataclasses.dataclass
class Word:
    x: str
    length: int = dataclasses.field(init=False, default=0)


class Both(TypedDict):
    a: int
    b: "NotRequired[str]"


try:
    from typing import NotRequired
except ImportError:  # Python 3.10
    from typing import Optional as NotRequired  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (Union[tuple[str, ...], str], "abc", "abc"),
        (Union[tuple[str, ...], str], ["a"], ("a",)),
        (Union[decimal.Decimal, float], 0.1, 0.1),
        (Union[decimal.Decimal, float], "0.1", decimal.Decimal("0.1")),
        (Union[decimal.Decimal, str], "no number", "no number"),
        (Union[set[str], dict[str, int]], {"a": 1}, {"a": 1}),
        (Union[Number, Word], {"x": "hi"}, Word("hi")),
        (Union[Number, Word], {"x": 1}, Number(1)),
        (Union[list[Number], dict[str, Number]], {}, {}),
        (Union[Line, Number], {"x": 1}, Number(1)),
        (Union[pathlib.Path, str], "a", pathlib.Path("a")),
        (Union[str, pathlib.Path], "a", "a"),
        (Optional[Color], "red", Color.RED),
        (Optional[Color], None, None),
        (int, 5.0, 5),
    ],
)
def test_values_get_the_type_that_they_fit(annotation: Any, value: Any, expected: Any) -> None:
    seen: list[Any] = []

    def note(value: Any) -> None:
        seen.append(value)

    note.__annotations__["value"] = annotation
    sandbox = isolette.Sandbox(tools=[note], variables={"x": value})
    result = sandbox.run("call_tool('note', value=x)")
    assert result.error is None, result.error
    assert seen == [expected] and type(seen[0]) is type(expected)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="skipped: typing has NotRequired since 3.11")
def test_fields_that_are_not_required_may_be_missing() -> None:
    schema, _ = _schema.Schemas().of(Both, "x")
    assert schema["required"] == ["a"]


def test_defaults_that_json_does_not_have_are_left_out() -> None:
    def use(
        a: float = float("inf"),
        b: int = 1 << 70,
        c: str = "\ud800",
        d: Literal["x", "y"] = None,  # type: ignore[assignment]
        e: Color = None,  # type: ignore[assignment]
        f: int = 3,
    ) -> list[bool]:
        return [d is None, e is None]

    tool = isolette.Tool(use)
    assert [name for name, schema in tool.input_schema["properties"].items() if "default" in schema] == ["f"]
    assert isolette.Sandbox(tools=[tool]).run("call_tool('use', d=None, e=None)").value == [True, True]
