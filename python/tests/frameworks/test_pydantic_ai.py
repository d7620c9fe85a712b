"""Pydantic AI."""

from __future__ import annotations

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from isolette.adapters.pydantic_ai import IsoletteToolset


def double(n: int) -> int:
    """Doubles a number."""
    return n * 2


async def test_an_agent_runs_programs() -> None:
    seen: list[AgentInfo] = []
    programs = ["call_tool('double', n=21)", "1 / 0"]

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(info)
        if programs:
            return ModelResponse([ToolCallPart("execute_code", {"code": programs.pop(0)})])
        return ModelResponse([TextPart("done")])

    toolset = IsoletteToolset(tools=[double])
    result = await Agent(FunctionModel(model), toolsets=[toolset]).run("go")
    returned = [part.content for message in result.all_messages() for part in message.parts if isinstance(part, ToolReturnPart)]
    assert result.output == "done" and "42" in returned[0] and "ZeroDivisionError" in returned[1]
    (definition,) = seen[0].function_tools
    assert definition.name == "execute_code" and "double" in str(definition.description)
    assert "execute_code" in str(seen[0].instructions)


async def test_changes_of_the_tools_are_seen() -> None:
    descriptions: list[str] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        descriptions.append(str(info.function_tools[0].description))
        return ModelResponse([TextPart("done")])

    toolset = IsoletteToolset(tools=[double])
    agent = Agent(FunctionModel(model), toolsets=[toolset])
    await agent.run("go")
    toolset.provider.remove_tool("double")
    await agent.run("go")
    assert "double" in descriptions[0] and "double" not in descriptions[1]
