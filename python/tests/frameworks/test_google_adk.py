"""Google ADK."""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.code_executors.code_execution_utils import CodeExecutionInput, File
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

from isolette.adapters.google_adk import IsoletteCodeExecutor


class Scripted(BaseLlm):
    """Writes a program, then ends."""

    model: str = "scripted"
    texts: list[str] = []
    seen: list[str] = []

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        self.seen.append(str(llm_request.contents))
        text = self.texts.pop(0)
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


async def test_an_agent_runs_programs() -> None:
    model = Scripted(texts=["```python\nprint(6 * 7)\n```", "done"])
    agent = LlmAgent(name="analyst", model=model, code_executor=IsoletteCodeExecutor())
    runner = InMemoryRunner(agent, app_name="test")
    session = await runner.session_service.create_session(app_name="test", user_id="u")
    message = types.Content(role="user", parts=[types.Part(text="go")])
    events = [
        event async for event in runner.run_async(user_id="u", session_id=session.id, new_message=message)
    ]
    assert "done" in str(events[-1].content) and "42" in model.seen[-1]


def execute(executor: IsoletteCodeExecutor, code: str, **fields: Any) -> Any:
    return executor.execute_code(None, CodeExecutionInput(code=code, **fields))  # type: ignore[arg-type]


def test_files_go_in_and_out() -> None:
    executor = IsoletteCodeExecutor()
    files = [File(name="a.csv", content=base64.b64encode(b"1,2").decode()), File(name="b.txt", content=b"\xff")]
    code = "n = open('/output/a.csv').read()\nopen('/output/c.csv', 'w').write(n + ',3')\nprint(n)"
    result = execute(executor, code, input_files=files)
    assert (result.stdout, result.stderr, result.exit_code) == ("1,2\n", "", 0)
    (file,) = result.output_files
    assert (file.name, base64.b64decode(file.content), file.mime_type) == ("c.csv", b"1,2,3", "text/csv")


def test_state_is_kept_where_it_is_asked_for() -> None:
    stateful = IsoletteCodeExecutor(stateful=True)
    execute(stateful, "n = 1", execution_id="a")
    assert execute(stateful, "print(n)", execution_id="a").stdout == "1\n"
    assert "NameError" in execute(stateful, "print(n)", execution_id="b").stderr
    assert "NameError" in execute(IsoletteCodeExecutor(), "print(n)", execution_id="a").stderr
    assert execute(stateful, "n + 1", execution_id="a").stdout == "2\n"


def test_time_is_limited() -> None:
    result = execute(IsoletteCodeExecutor(timeout_seconds=1), "print('begun', flush=True)\nwhile True: pass")
    assert result.stdout == "begun\n" and "took longer" in result.stderr and result.exit_code == 1
