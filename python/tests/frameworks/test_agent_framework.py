"""Microsoft Agent Framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    FunctionTool,
    Message,
)

import isolette
from isolette.adapters.agent_framework import IsoletteCodeActProvider


class Scripted(FunctionInvocationLayer, BaseChatClient):
    """Calls `execute_code` with each program, then ends."""

    def __init__(self, *programs: str) -> None:
        super().__init__()
        self.programs = list(programs)
        self.seen: list[tuple[Sequence[Message], Mapping[str, Any]]] = []

    async def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **kwargs: Any
    ) -> ChatResponse:
        self.seen.append((list(messages), dict(options)))
        if not self.programs:
            return ChatResponse(messages=[Message(role="assistant", contents=["done"])])
        call = Content.from_function_call(
            call_id=str(len(self.seen)), name="execute_code", arguments={"code": self.programs.pop(0)}
        )
        return ChatResponse(messages=[Message(role="assistant", contents=[call])])


def results(client: Scripted) -> list[Content]:
    contents = [content for message in client.seen[-1][0] for content in message.contents]
    return [content for content in contents if content.type == "function_result"]


def double(n: int) -> int:
    """Doubles a number."""
    return n * 2


async def test_an_agent_runs_programs(tmp_path: Path) -> None:
    triple = FunctionTool(name="triple", description="Triples", func=lambda n: n * 3, input_model={"type": "object"})
    provider = IsoletteCodeActProvider(tools=[double, triple], temp_output=True)
    client = Scripted("call_tool('double', n=21) + call_tool('triple', n=1)", "open('/output/a.txt', 'w').write('x')")
    answer = await Agent(client=client, context_providers=[provider]).run("go")
    assert answer.text == "done"
    messages, options = client.seen[0]
    assert [tool.name for tool in options["tools"]] == ["execute_code"]
    assert "execute_code" in str(options.get("instructions")) + str([message.text for message in messages])
    first, second = results(client)
    assert "45" in str(first.result)
    assert "text/plain" in str([item.to_dict() for item in second.items or []])


async def test_changes_affect_later_runs() -> None:
    provider = IsoletteCodeActProvider()
    provider.add_tools([double])
    provider.add_file_mounts(("/tmp", "/data"))
    provider.add_allowed_domains("GET https://a.example")
    assert [tool.name for tool in provider.get_tools()] == ["double"]
    assert provider.get_file_mounts()[0].guest == "/data" and provider.get_allowed_domains() == ["GET https://a.example"]
    provider.remove_tool("double")
    provider.remove_file_mount("/data")
    provider.remove_allowed_domain("GET https://a.example")
    for remove, message in (
        (provider.remove_tool, "No managed tool named 'x' is registered."),
        (provider.remove_file_mount, "No file mount exists for 'x'."),
        (provider.remove_allowed_domain, "No allowed domain exists for 'x'."),
    ):
        with pytest.raises(KeyError, match=message):
            remove("x")
    client = Scripted("call_tool('double', n=1)")
    await Agent(client=client, context_providers=[provider]).run("go")
    assert "double" in str(results(client)[0].result) and "ToolError" in str(results(client)[0].result)


async def test_tools_that_need_approval_need_it_for_the_program() -> None:
    provider = IsoletteCodeActProvider(tools=[isolette.Tool(double, needs_approval=True)])
    client = Scripted("call_tool('double', n=1)")
    answer = await Agent(client=client, context_providers=[provider]).run("go")
    assert len(answer.user_input_requests) == 1 and not results(client)


async def test_files_are_limited_and_errors_are_contents() -> None:
    provider = IsoletteCodeActProvider(temp_output=True, max_output_file_bytes=3, timeout=0.5)
    client = Scripted("print('kept')\nopen('/output/a', 'w').write('long')", "while True: pass")
    await Agent(client=client, context_providers=[provider]).run("go")
    long, ended = (str([item.to_dict() for item in result.items or []]) + str(result.result) for result in results(client))
    assert "kept" in long and "3-byte per-file output limit" in long
    assert "took longer than its timeout" in ended
