"""Google ADK: a code executor.

    from google.adk.agents import LlmAgent
    from isolette.adapters.google_adk import IsoletteCodeExecutor

    agent = LlmAgent(name="analyst", model=model, code_executor=IsoletteCodeExecutor())
"""

from __future__ import annotations

import base64
import binascii
import mimetypes
from typing import Any

from google.adk.agents.invocation_context import InvocationContext
from google.adk.code_executors.base_code_executor import BaseCodeExecutor
from google.adk.code_executors.code_execution_utils import CodeExecutionInput, CodeExecutionResult, File
from pydantic import PrivateAttr

from .._sandbox import Sandbox
from .._session import Session
from ..errors import Error

FOLDER = "/output"
"""Where programs find their input files, and leave their output files."""

MOST_BYTES = 20 << 20
"""How long an output file may be."""


class IsoletteCodeExecutor(BaseCodeExecutor):
    """Runs the code blocks of a model. With `stateful`, programs of the same execution identifier share their state.

    Input files are in `/output`, where programs also leave the files that are returned.

    :param sandbox: Settings of `isolette.Sandbox`, as keywords, besides the fields of `BaseCodeExecutor`.
    """

    _sandbox: Sandbox = PrivateAttr()
    _sessions: dict[str, Session] = PrivateAttr(default_factory=dict)

    def __init__(self, *, sandbox: dict[str, Any] | None = None, **fields: Any) -> None:
        super().__init__(**fields)
        self._sandbox = Sandbox(**{"temp_output": True, **(sandbox or {})})

    def execute_code(
        self, invocation_context: InvocationContext, code_execution_input: CodeExecutionInput
    ) -> CodeExecutionResult:
        """Called by the framework."""
        identifier = code_execution_input.execution_id if self.stateful else None
        session = self._sessions.get(identifier) if identifier is not None else None
        if session is None or session.ended:
            session = self._sandbox.session()
            if identifier is not None:
                self._sessions[identifier] = session
        try:
            for file in code_execution_input.input_files:
                session.write_file(f"{FOLDER}/{file.name}", _bytes(file.content))
            result = session.run(code_execution_input.code, timeout=self.timeout_seconds)
        except Error as error:
            stdout = "" if error.partial is None else error.partial.stdout
            return CodeExecutionResult(stdout=stdout, stderr=str(error), exit_code=1)
        finally:
            if identifier is None:
                session.close()
        stderr = result.stderr if result.error is None else result.stderr + result.error.traceback
        stdout = result.stdout
        if result.value is not None and not stdout:
            # Programs that print nothing are judged by their value.
            stdout = f"{result.value}\n"
        files = [
            File(
                name=file.path.removeprefix(f"{FOLDER}/"),
                content=base64.b64encode(result.read_output(file.path, MOST_BYTES)).decode(),
                mime_type=mimetypes.guess_type(file.path)[0] or "application/octet-stream",
            )
            for file in result.files
            if file.size <= MOST_BYTES
        ]
        return CodeExecutionResult(stdout=stdout, stderr=stderr, output_files=files, exit_code=result.exit_code)


def _bytes(content: str | bytes) -> bytes:
    """The content of a file, which may be in base64."""
    if isinstance(content, str):
        content = content.encode()
    try:
        return base64.b64decode(content, validate=True)
    except binascii.Error:
        return content
