"""Checks and approvers in Python."""

from __future__ import annotations

import asyncio
import unittest.mock
from typing import Any

import pytest

import isolette
from isolette import errors

from .conftest import add


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


def test_objects_with_any_attribute_are_functions() -> None:
    approver = unittest.mock.MagicMock(return_value=True)
    assert isolette.Sandbox(tools=[add], approval="per-call", approver=approver).run("call_tool('add', a=1)").value == 3
