"""LangChain."""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import tool

from isolette.adapters.langchain import IsoletteMiddleware


class Scripted(GenericFakeChatModel):
    """Calls `execute_code` with a program, then ends."""

    seen: list[Any] = []
    bound: list[Any] = []

    def bind_tools(self, tools: Any, **options: Any) -> Scripted:
        self.bound.extend(tools)
        return self

    def _generate(self, messages: list[BaseMessage], *arguments: Any, **options: Any) -> Any:
        self.seen.append(messages)
        return super()._generate(messages, *arguments, **options)


def model(code: str) -> Scripted:
    call = AIMessage("", tool_calls=[{"name": "execute_code", "args": {"code": code}, "id": "1"}])
    return Scripted(messages=iter([call, AIMessage("done")]))


@tool
def triple(n: int) -> int:
    """Triples a number."""
    return n * 3


def double(n: int) -> int:
    """Doubles a number."""
    return n * 2


def answer(result: dict[str, Any]) -> str:
    return "".join(message.text for message in result["messages"] if isinstance(message, ToolMessage))


def test_an_agent_runs_programs() -> None:
    scripted = model("call_tool('triple', n=14) + call_tool('double', n=0)")
    agent = create_agent(scripted, system_prompt="Be brief.", middleware=[IsoletteMiddleware(tools=[triple, double])])
    result = agent.invoke({"messages": [("user", "go")]})
    assert "42" in answer(result) and result["messages"][-1].text == "done"
    system = scripted.seen[0][0].text
    assert system.startswith("Be brief.") and "execute_code" in system
    assert [bound.name for bound in scripted.bound[:1]] == ["execute_code"]


async def test_an_asynchronous_agent_runs_programs() -> None:
    agent = create_agent(model("call_tool('triple', n=14)"), middleware=[IsoletteMiddleware(tools=[triple])])
    assert "42" in answer(await agent.ainvoke({"messages": [("user", "go")]}))


def test_exceptions_of_programs_are_for_the_model() -> None:
    agent = create_agent(model("1 / 0"), middleware=[IsoletteMiddleware(timeout=5)])
    assert "ZeroDivisionError" in answer(agent.invoke({"messages": [("user", "go")]}))
