"""LangChain: a tool, and a middleware that adds it with its instructions.

    from langchain.agents import create_agent
    from isolette.adapters.langchain import IsoletteMiddleware

    agent = create_agent(model, middleware=[IsoletteMiddleware(tools=[get_weather])])
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import SystemMessage
from langchain_core.tools import BaseTool, StructuredTool

from .._code_act import CodeActProvider
from .._tools import Tool

EXECUTE_CODE = "execute_code"


def code_act_tool(provider: CodeActProvider) -> StructuredTool:
    """A tool of LangChain that runs programs in the sandbox of the provider."""
    return StructuredTool(
        name=EXECUTE_CODE,
        description=provider.description,
        args_schema=provider.schema,
        func=provider.execute_code,
        coroutine=provider.execute_code_async,
    )


class IsoletteMiddleware(AgentMiddleware):  # type: ignore[type-arg]
    """Gives an agent the tool `execute_code`, and tells the model how to use it.

    :param tools: What programs can call: functions, tools of LangChain, or tools of this package. The model does not see them.
    :param settings: Other settings of `isolette.Sandbox`.
    """

    def __init__(self, *, tools: Iterable[Any] = (), **settings: Any) -> None:
        super().__init__()
        self.provider = CodeActProvider(**settings)
        self.provider.add_tools(*(as_tool(tool) for tool in tools))
        self.tools = [code_act_tool(self.provider)]

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Called by LangChain for each request to the model."""
        return handler(self._instructed(request))

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """The same for asynchronous agents."""
        return await handler(self._instructed(request))

    def _instructed(self, request: Any) -> Any:
        before = "" if request.system_message is None else f"{request.system_message.text}\n\n"
        text = before + self.provider.instructions(tools_visible_to_model=False)
        return request.override(system_message=SystemMessage(text))


def as_tool(tool: Any) -> Any:
    """A tool of this package, of one of LangChain."""
    if not isinstance(tool, BaseTool):
        return tool
    inner = tool
    schema = inner.tool_call_schema
    schema = schema if isinstance(schema, dict) else schema.model_json_schema()

    async def call(**arguments: Any) -> Any:
        return await inner.ainvoke(arguments)

    return Tool(call, name=inner.name, description=inner.description, input_schema=schema)
