"""OpenAI Agents SDK."""

from __future__ import annotations

import json
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

import isolette
from isolette.adapters.openai_agents import code_act_tool


class Scripted(Model):
    """Calls `execute_code` with a program, then ends."""

    def __init__(self, code: str) -> None:
        self.code: str | None = code
        self.seen: list[Any] = []

    async def get_response(self, system_instructions: str | None, input: Any, *arguments: Any, **options: Any) -> ModelResponse:
        self.seen.append(input)
        output: Any
        if self.code is not None:
            arguments_ = json.dumps({"code": self.code})
            output = ResponseFunctionToolCall(type="function_call", call_id="1", name="execute_code", arguments=arguments_)
            self.code = None
        else:
            text = ResponseOutputText(type="output_text", text="done", annotations=[])
            output = ResponseOutputMessage(id="2", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *arguments: Any, **options: Any) -> Any:
        raise NotImplementedError


def double(n: int) -> int:
    """Doubles a number."""
    return n * 2


async def run(provider: isolette.CodeActProvider, model: Scripted) -> Any:
    agent = Agent(name="a", instructions=provider.instructions(), model=model, tools=[code_act_tool(provider)])
    return agent, await Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True))


async def test_an_agent_runs_programs() -> None:
    model = Scripted("call_tool('double', n=21)")
    _, result = await run(isolette.CodeActProvider(tools=[double]), model)
    assert result.final_output == "done" and "42" in str(model.seen[-1])


async def test_the_sdk_asks_about_programs_that_need_approval() -> None:
    provider = isolette.CodeActProvider(tools=[isolette.Tool(double, needs_approval=True)])
    model = Scripted("call_tool('double', n=21)")
    agent, result = await run(provider, model)
    assert len(result.interruptions) == 1 and len(model.seen) == 1
    state = result.to_state()
    state.approve(result.interruptions[0])
    result = await Runner.run(agent, state, run_config=RunConfig(tracing_disabled=True))
    assert result.final_output == "done" and "42" in str(model.seen[-1])
