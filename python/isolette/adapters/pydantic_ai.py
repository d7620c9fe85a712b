"""Pydantic AI: a toolset.

    from pydantic_ai import Agent
    from isolette.adapters.pydantic_ai import IsoletteToolset

    agent = Agent(model, toolsets=[IsoletteToolset(tools=[get_weather])])
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.tools import Tool, ToolDefinition
from pydantic_ai.toolsets import FunctionToolset

from .._code_act import CodeActProvider
from .._settings import ToolLike


class IsoletteToolset(FunctionToolset[Any]):
    """Gives an agent the tool `execute_code`, and its instructions.

    :param tools: What programs can call. The model does not see it.
    :param id: Identifies the toolset.
    :param settings: Other settings of `isolette.Sandbox`.
    """

    def __init__(self, *, tools: Iterable[ToolLike] = (), id: str | None = None, **settings: Any) -> None:
        self.provider = CodeActProvider(tools=list(tools), **settings)

        async def execute_code(code: str) -> str:
            return await self.provider.execute_code_async(code)

        async def prepare(context: RunContext[Any], definition: ToolDefinition) -> ToolDefinition:
            # The tools may have changed since.
            return replace(
                definition, description=self.provider.description, parameters_json_schema=self.provider.schema
            )

        super().__init__([Tool(execute_code, name="execute_code", prepare=prepare)], id=id)

    async def get_instructions(self, ctx: RunContext[Any]) -> str:
        """Called by the framework for each request to the model."""
        return self.provider.instructions(tools_visible_to_model=False)
