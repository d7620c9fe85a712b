"""Tools, checks and approvers in Python."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import datetime
import decimal
import enum
import functools
import gc
import pathlib
import sys
import threading
import unittest.mock
import weakref
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest

import isolette
from isolette import _schema, errors

from .conftest import pick


def add(a: int, b: int = 2) -> int:
    """Adds two numbers.

    More about it.

    Args:
        a: The first.
        b (int): The second,
            which has a default.
    """
    return a + b


def test_a_function_is_a_tool(language: str) -> None:
    sandbox = isolette.Sandbox(language, tools=[add])
    call = pick(language, "call_tool('add', a=1)", "call_tool('add', { a: 1 })")
    result = sandbox.run(call)
    assert result.value == 3
    assert [(call.target, call.outcome) for call in result.calls] == [("add", "ok")]


def test_schemas_come_from_signatures_and_docstrings() -> None:
    tool = isolette.Tool(add)
    assert tool.name == "add" and tool.description == "Adds two numbers.\n\nMore about it."
    assert tool.input_schema == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "description": "The first."},
            "b": {"type": "integer", "description": "The second, which has a default.", "default": 2},
        },
        "required": ["a"],
        "additionalProperties": False,
    }
    assert tool.output_schema == {"type": "integer"}


def numpy_style(x: int, y: str = "a") -> None:
    """Does it.

    Parameters
    ----------
    x : int
        The first.
    y
        The second.

    Returns
    -------
    Nothing.
    """


def sphinx_style(x: int, y: str = "a") -> None:
    """Does it.

    :param x: The first,
        on two lines.
    :param str y: The second.
    :returns: nothing
    """


@pytest.mark.parametrize(
    ("function", "x"), [(numpy_style, "The first."), (sphinx_style, "The first, on two lines.")]
)
def test_docstrings_of_other_styles_are_read(function: Any, x: str) -> None:
    tool = isolette.Tool(function)
    descriptions = {name: each["description"] for name, each in tool.input_schema["properties"].items()}
    assert (tool.description, descriptions) == ("Does it.", {"x": x, "y": "The second."})


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


def test_methods_partials_and_objects_are_tools() -> None:
    class Counter:
        count = 0

        def increase(self, by: int) -> int:
            self.count += by
            return self.count

        def __call__(self, by: int) -> int:
            return self.increase(by)

    def positional(a: int, /, b: int) -> list[int]:
        return [a, b]

    counter = Counter()
    tools = [counter.increase, functools.partial(add, b=10), isolette.Tool(counter, name="counter"), positional]
    code = "[call_tool('increase', by=2), call_tool('add', a=1), call_tool('counter', by=3), call_tool('positional', a=1, b=2)]"
    assert isolette.Sandbox(tools=tools).run(code).value == [2, 11, 5, [1, 2]]


def test_exceptions_reach_the_program(language: str) -> None:
    def fail(how: str) -> None:
        if how == "tool":
            raise isolette.ToolError("only this")
        raise KeyError("no such city")

    sandbox = isolette.Sandbox(language, tools=[fail])
    messages = []
    for how in ("tool", "other"):
        code = pick(language, f"call_tool('fail', how='{how}')", f"call_tool('fail', {{ how: '{how}' }})")
        error = sandbox.run(code).error
        assert error is not None and error.type == "ToolError"
        messages.append(error.message)
    assert messages == ["Tool 'fail' failed: only this", "Tool 'fail' failed: KeyError: 'no such city'"]


@pytest.mark.parametrize("value", [b"x", object(), float("nan"), 2**64, {1: 2}, "\ud800"])
def test_results_that_json_does_not_have_fail_the_call(value: Any) -> None:
    tool = isolette.Tool(lambda: value, name="give")
    error = isolette.Sandbox(tools=[tool]).run("call_tool('give')").error
    assert error is not None and "the result of the tool" in error.message


def test_asynchronous_tools_run_on_the_loop_of_the_caller() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def later(n: int) -> int:
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return n + 1

    sandbox = isolette.Sandbox(tools=[later], tool_calls="sync")

    async def main() -> None:
        assert (await sandbox.run_async("call_tool('later', n=1)")).value == 2
        assert loops == [asyncio.get_running_loop()]

    asyncio.run(main())
    loops.clear()
    assert sandbox.run("[call_tool('later', n=1), call_tool('later', n=2)]").value == [2, 3]
    assert len(set(map(id, loops))) == 1


def test_calls_at_once_run_at_once() -> None:
    together = threading.Barrier(3, timeout=30)
    sandbox = isolette.Sandbox(tools=[isolette.Tool(lambda: together.wait(), name="meet")], tool_calls="async")
    code = "import asyncio\nsorted(await asyncio.gather(*[tools.meet() for _ in range(3)]))"
    result = sandbox.run(code)
    assert result.error is None and result.value == [0, 1, 2]


variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="unset")


def test_context_variables_of_the_caller_reach_tools() -> None:
    async def later() -> str:
        return variable.get()

    tools = [isolette.Tool(lambda: variable.get(), name="now"), later]
    sandbox = isolette.Sandbox(tools=tools, tool_calls="sync")
    code = "[call_tool('now'), call_tool('later')]"

    async def of(value: str) -> Any:
        variable.set(value)
        return (await sandbox.run_async(code)).value

    async def main() -> None:
        assert await asyncio.gather(of("a"), of("b")) == [["a", "a"], ["b", "b"]]

    asyncio.run(main())
    variable.set("c")
    assert sandbox.run(code).value == ["c", "c"]


def test_a_cancelled_run_cancels_its_asynchronous_tools() -> None:
    async def main() -> None:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def wait() -> None:
            begun.set()
            try:
                await asyncio.sleep(3600)
            finally:
                ended.set()

        run = asyncio.create_task(isolette.Sandbox(tools=[wait]).run_async("call_tool('wait')"))
        await begun.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        await asyncio.wait_for(ended.wait(), 30)

    asyncio.run(main())


def test_deferred_tools_and_tags_have_schemas() -> None:
    @isolette.tool(needs_approval=True, tags=["money"], read_only=False)
    def pay(amount: float) -> bool:
        return True

    assert isinstance(pay, isolette.Tool) and pay.input_schema["required"] == ["amount"]
    assert isolette.Sandbox(tools=[pay]).run("call_tool('pay', amount=1)").error is not None
    asked: list[isolette.CallRequest] = []

    def approve(request: isolette.CallRequest) -> bool:
        asked.append(request)
        return True

    assert isolette.Sandbox(tools=[pay], approver=approve).run("call_tool('pay', amount=1)").value is True
    assert (asked[0].target, asked[0].arguments, asked[0].reason) == ("pay", {"amount": 1}, "the tool needs approval")


@pytest.mark.parametrize("is_async", [False, True])
def test_approvers_decide(is_async: bool) -> None:
    answers: list[Any] = [True, False, "not today", isolette.Decision.allow(), isolette.Decision.deny("no"), 7]

    def decide(request: isolette.CallRequest) -> Any:
        return answers.pop(0)

    async def decide_async(request: isolette.CallRequest) -> Any:
        await asyncio.sleep(0)
        return decide(request)

    approver = decide_async if is_async else decide
    sandbox = isolette.Sandbox(tools=[add], approval="per-call", approver=approver)
    ended = [sandbox.run("call_tool('add', a=1)") for _ in range(6)]
    assert [result.value for result in ended] == [3, None, None, 3, None, None]
    messages = [result.error.message for result in ended if result.error is not None]
    expected = ["the approver refused it", "not today", "no", "the approver must return a Decision"]
    assert all(part in message for part, message in zip(expected, messages, strict=True)), messages


def test_programs_as_a_whole_are_approved_on_the_loop_of_the_caller() -> None:
    async def main() -> None:
        here = asyncio.get_running_loop()

        async def decide(request: isolette.CallRequest) -> str | bool:
            assert asyncio.get_running_loop() is here and request.capability == "program"
            return True if request.arguments["code"] == "1" else "no"

        sandbox = isolette.Sandbox(approval="always", approver=decide)
        assert (await sandbox.run_async("1")).value == 1
        with pytest.raises(errors.NotApproved, match="no"):
            await sandbox.run_async("2")

    asyncio.run(main())


def test_checks_see_every_call() -> None:
    seen: list[str] = []

    def check(request: isolette.CallRequest) -> Any:
        seen.append(request.target)
        if request.arguments == {"a": 2}:
            return "not two"
        return isolette.Decision.ask("three is much") if request.arguments == {"a": 3} else True

    sandbox = isolette.Sandbox(tools=[add], on_call=check)
    assert sandbox.run("call_tool('add', a=1)").value == 3
    error = sandbox.run("call_tool('add', a=2)").error
    assert error is not None and "not two" in error.message
    assert sandbox.run("call_tool('add', a=3)").error is not None
    assert sandbox.run("call_tool('add', a=3)", approver=lambda request: True).value == 5
    assert sandbox.run("call_tool('add', a=1)", on_call=lambda request: False).error is not None
    assert seen == ["add"] * 5


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: x, "a lambda has no name"),
        (eval("lambda: 1"), "a lambda has no name"),
    ],
)
def test_functions_without_a_name_are_refused(function: Any, message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        isolette.Tool(function)


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


def test_positional_arguments_keep_their_places() -> None:
    def use(a: int = 1, b: int = 2, /, c: int = 3) -> list[int]:
        return [a, b, c]

    code = "[call_tool('use', b=5), call_tool('use', c=6), call_tool('use', a=7), call_tool('use')]"
    assert isolette.Sandbox(tools=[use]).run(code).value == [[1, 5, 3], [1, 2, 6], [7, 2, 3], [1, 2, 3]]


def test_a_tool_that_would_end_the_interpreter_fails() -> None:
    async def leave() -> None:
        raise SystemExit(3)

    async def stay() -> int:
        return 7

    sandbox = isolette.Sandbox(tools=[leave, stay], tool_calls="sync", timeout=10)
    error = sandbox.run("call_tool('leave')").error
    assert error is not None and "SystemExit: 3" in error.message
    assert sandbox.run("call_tool('stay')").value == 7


def test_objects_with_any_attribute_are_functions() -> None:
    approver = unittest.mock.MagicMock(return_value=True)
    assert isolette.Sandbox(tools=[add], approval="per-call", approver=approver).run("call_tool('add', a=1)").value == 3


def test_closed_sandboxes_let_their_tools_go() -> None:
    class Agent:
        def __init__(self) -> None:
            self.sandbox = isolette.Sandbox(tools=[self.look])

        def look(self) -> int:
            return 1

    agent = Agent()
    assert agent.sandbox.run("call_tool('look')").value == 1
    reference = weakref.ref(agent)
    with agent.sandbox as sandbox:
        session = sandbox.session()
    assert session.run("call_tool('look')").value == 1
    with pytest.raises(errors.InvalidArgument, match="the sandbox is closed"):
        agent.sandbox.run("1")
    session.close()
    del agent, sandbox, session
    gc.collect()
    assert reference() is None


def google_style(x: int, y: Any = None) -> None:
    """Does it.

    Note: this deletes everything.

    Args:
        x (dict[str, Callable[[int], str]]): The first,
            which goes on: here.
        y: The second.

    After it.

    Returns:
        Nothing.
    """


def field_style(x: int) -> None:
    """Does it.

    :class:`dict` is used.
    :param x: The first.

    After it.
    """


@pytest.mark.parametrize("function", [google_style, field_style])
def test_descriptions_are_whole(function: Any) -> None:
    tool = isolette.Tool(function)
    kept = "Note: this deletes everything." if function is google_style else ":class:`dict` is used."
    assert kept in tool.description and "After it." in tool.description and "Nothing" not in tool.description
    expected = "The first, which goes on: here." if function is google_style else "The first."
    assert tool.input_schema["properties"]["x"]["description"] == expected
