"""Calls of tools in Python."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import gc
import threading
import weakref
from typing import Any

import pytest

import isolette
from isolette import errors

from .conftest import add, pick


def test_a_function_is_a_tool(language: str) -> None:
    sandbox = isolette.Sandbox(language, tools=[add])
    call = pick(language, "call_tool('add', a=1)", "call_tool('add', { a: 1 })")
    result = sandbox.run(call)
    assert result.value == 3
    assert [(call.target, call.outcome) for call in result.calls] == [("add", "ok")]


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
