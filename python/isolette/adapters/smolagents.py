"""smolagents: a Python executor for `CodeAgent`.

    from smolagents import CodeAgent
    from isolette.adapters.smolagents import IsolettePythonExecutor

    agent = CodeAgent(tools=[get_weather], model=model, executor=IsolettePythonExecutor())
"""

from __future__ import annotations

import inspect
from typing import Any

from smolagents import Tool as SmolTool
from smolagents.local_python_executor import CodeOutput, InterpreterError, PythonExecutor

from .._sandbox import Sandbox
from .._session import Session
from .._tools import Tool
from ..errors import Error, InvalidArgument

FINAL_ANSWER = "final_answer"

_FUNCTION = """
def {name}(*args, **kwargs):
    names = {names!r}
    if len(args) > len(names):
        raise TypeError(f"{name}() takes {{len(names)}} arguments but {{len(args)}} were given")
    answer = call_tool({name!r}, **dict(zip(names, args)), **kwargs)
    {after}
"""


class IsolettePythonExecutor(PythonExecutor):
    """Runs the steps of an agent in a session, so that variables remain. Tools run in this process.

    :param settings: Settings of `isolette.Sandbox`.
    """

    def __init__(self, **settings: Any) -> None:
        if "language" in settings and settings["language"] != "python":
            raise InvalidArgument("smolagents runs Python", "leave `language` out")
        self._settings = settings
        self._tools: dict[str, Any] = {}
        self._variables: dict[str, Any] = {}
        self._session: Session | None = None
        self._answer: list[Any] = []
        self.state: dict[str, Any] = {"_print_outputs": ""}

    def send_tools(self, tools: dict[str, SmolTool]) -> None:
        """Called by the agent before its steps."""
        if self._session is not None and {**self._tools, **tools} == self._tools:
            return
        self._tools.update(tools)
        self.cleanup()

    def send_variables(self, variables: dict[str, Any]) -> None:
        """Called by the agent before its steps."""
        self._variables.update(variables)

    def __call__(self, code_action: str) -> CodeOutput:
        """Runs one step. Raises `InterpreterError` if it fails."""
        session = self._started()
        variables, self._variables = self._variables, {}
        self._answer.clear()
        try:
            result = session.run(code_action, variables=variables)
        except Error as error:
            self.state["_print_outputs"] = "" if error.partial is None else error.partial.stdout
            raise InterpreterError(str(error)) from error
        self.state["_print_outputs"] = result.stdout
        if self._answer:
            return CodeOutput(output=self._answer[0], logs=result.stdout, is_final_answer=True)
        if result.error is not None:
            raise InterpreterError(result.error.traceback)
        return CodeOutput(output=result.value, logs=result.stdout, is_final_answer=False)

    def cleanup(self) -> None:
        """Ends the session."""
        if self._session is not None:
            self._session.close()
        self._session = None

    def _started(self) -> Session:
        if self._session is None or self._session.ended:
            tools = [_tool(name, tool, self._answer) for name, tool in self._tools.items()]
            self._session = Sandbox("python", tools=tools, **self._settings).session()
            prelude = "".join(_function(name, tool) for name, tool in self._tools.items())
            self._session.run(prelude).raise_for_error()
        return self._session


def _parameters(tool: Any) -> list[str]:
    inputs = getattr(tool, "inputs", None)
    return list(inputs) if isinstance(inputs, dict) else list(inspect.signature(tool).parameters)


def _function(name: str, tool: Any) -> str:
    # The step ends with the answer.
    after = "raise SystemExit(0)" if name == FINAL_ANSWER else "return answer"
    return _FUNCTION.format(name=name, names=_parameters(tool), after=after)


def _tool(name: str, tool: Any, answer: list[Any]) -> Tool:
    def call(**arguments: Any) -> Any:
        result = tool(**arguments)
        if name == FINAL_ANSWER:
            answer[:] = [result]
        return result

    description = getattr(tool, "description", "") or inspect.getdoc(tool) or ""
    return Tool(call, name=name, description=description, input_schema={"type": "object"})
