"""An agent of Google ADK whose code blocks run in a sandbox."""

import asyncio
from collections.abc import AsyncGenerator

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

from isolette.adapters.google_adk import IsoletteCodeExecutor


class ScriptedModel(BaseLlm):
    """Writes a program, then repeats what it printed."""

    model: str = "scripted"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        parts = [part for content in llm_request.contents for part in content.parts or []]
        printed = [part.text for part in parts if part.text and "tool_output" in part.text]
        text = f"It printed: {printed[-1]}" if printed else "```python\nprint(sum(range(10)))\n```"
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


async def main() -> None:
    agent = LlmAgent(name="analyst", model=ScriptedModel(), code_executor=IsoletteCodeExecutor(timeout_seconds=5))
    runner = InMemoryRunner(agent, app_name="example")
    session = await runner.session_service.create_session(app_name="example", user_id="user")
    question = types.Content(role="user", parts=[types.Part(text="What is the sum of the numbers below 10?")])
    answer = ""
    async for event in runner.run_async(user_id="user", session_id=session.id, new_message=question):
        texts = [part.text for part in (event.content.parts if event.content else None) or [] if part.text]
        answer = "".join(texts) or answer
    print(answer)


if __name__ == "__main__":
    asyncio.run(main())
