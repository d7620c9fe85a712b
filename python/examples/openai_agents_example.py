"""An agent of the OpenAI Agents SDK that answers by running a program."""

import asyncio
import json
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from isolette import CodeActProvider
from isolette.adapters.openai_agents import code_act_tool

PROGRAM = "sum(call_tool('price', article=article) for article in ['tea', 'milk'])"


class ScriptedModel(Model):
    """Writes a program, then repeats what it returned."""

    async def get_response(self, system_instructions: Any, input: Any, *others: Any, **options: Any) -> ModelResponse:
        results = [item["output"] for item in input if isinstance(item, dict) and "output" in item]
        output: Any
        if results:
            text = ResponseOutputText(type="output_text", text=f"It costs {results[-1]}", annotations=[])
            output = ResponseOutputMessage(id="2", type="message", role="assistant", status="completed", content=[text])
        else:
            code = json.dumps({"code": PROGRAM})
            output = ResponseFunctionToolCall(type="function_call", call_id="1", name="execute_code", arguments=code)
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *others: Any, **options: Any) -> Any:
        raise NotImplementedError


def price(article: str) -> float:
    """The price of an article."""
    return {"tea": 2.5, "milk": 1.5}[article]


async def main() -> None:
    provider = CodeActProvider(tools=[price], timeout=5)
    tools = [code_act_tool(provider)]
    agent = Agent(name="shop", instructions=provider.instructions(), model=ScriptedModel(), tools=tools)
    config = RunConfig(tracing_disabled=True)
    print((await Runner.run(agent, "What do tea and milk cost?", run_config=config)).final_output)


if __name__ == "__main__":
    asyncio.run(main())
