"""OpenAI Agents SDK: a function tool.

    from agents import Agent
    from isolette import CodeActProvider
    from isolette.adapters.openai_agents import code_act_tool

    provider = CodeActProvider(tools=[get_weather])
    agent = Agent(name="analyst", instructions=provider.instructions(), tools=[code_act_tool(provider)])
"""

from __future__ import annotations

import json
from typing import Any

from agents import FunctionTool

from .._code_act import CodeActProvider


def code_act_tool(provider: CodeActProvider) -> FunctionTool:
    """A tool that runs programs in the sandbox of the provider.

    If programs need approval as a whole, the SDK asks for it: the run of the agent is interrupted before the program is run.
    """
    needs_approval = provider.approval_required

    async def invoke(context: Any, arguments: str) -> str:
        try:
            code = json.loads(arguments)["code"]
        except (ValueError, KeyError, TypeError):
            return f"The arguments are not an object with the text `code`: {arguments[:200]}"
        # The SDK has asked about the program as a whole, and about nothing else.
        approved = {"approver": lambda request: request.capability == "program"} if needs_approval else {}
        return await provider.execute_code_async(code, **approved)

    return FunctionTool(
        name="execute_code",
        description=provider.description,
        params_json_schema=provider.schema,
        on_invoke_tool=invoke,
        needs_approval=needs_approval,
    )
