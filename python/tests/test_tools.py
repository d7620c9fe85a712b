"""Tools, checks and approvers in Python."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import datetime
import enum
import functools
import threading
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest

import isolette
from isolette import errors

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
