"""smolagents."""

from __future__ import annotations

from typing import Any

import pytest
from smolagents import CodeAgent, Model, tool
from smolagents.local_python_executor import InterpreterError
from smolagents.models import ChatMessage, MessageRole

from isolette.adapters.smolagents import IsolettePythonExecutor


class Scripted(Model):
    """Writes each program in turn."""

    def __init__(self, *programs: str) -> None:
        super().__init__()
        self.programs = list(programs)
        self.seen: list[Any] = []

    def generate(self, messages: Any, *arguments: Any, **options: Any) -> ChatMessage:
        self.seen.append(messages)
        return ChatMessage(role=MessageRole.ASSISTANT, content=f"Thought: go\n<code>\n{self.programs.pop(0)}\n</code>")


@tool
def double(n: int) -> int:
    """Doubles a number.

    Args:
        n: The number.
    """
    return n * 2


def test_an_agent_runs_steps() -> None:
    model = Scripted("x = double(20) + double(n=1)\nprint('x is', x)", "final_answer(x)")
    agent = CodeAgent(tools=[double], model=model, executor=IsolettePythonExecutor())
    assert agent.run("go") == 42
    assert "x is 42" in str(model.seen[-1])


def test_errors_reach_the_model_and_the_agent_goes_on() -> None:
    model = Scripted("x = 1\nraise ValueError('no')", "final_answer({'x': x, 'n': n})")
    agent = CodeAgent(tools=[], model=model, executor=IsolettePythonExecutor())
    assert agent.run("go", additional_args={"n": [7]}) == {"x": 1, "n": [7]}
    assert "ValueError: no" in str(model.seen[-1])


def test_time_is_limited_and_the_next_step_starts_anew() -> None:
    executor = IsolettePythonExecutor(timeout=0.5)
    executor.send_tools({"double": double})
    with pytest.raises(InterpreterError, match="took longer"):
        executor("print('begun', flush=True)\nwhile True: pass")
    assert executor.state["_print_outputs"] == "begun\n"
    assert executor("double(4)").output == 8
    executor.cleanup()
