"""Microsoft Agent Framework: a context provider that gives an agent the tool `execute_code`.

    from agent_framework import Agent
    from isolette.adapters.agent_framework import IsoletteCodeActProvider

    provider = IsoletteCodeActProvider(tools=[get_weather], temp_output=True)
    agent = Agent(client=client, context_providers=[provider])
"""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from agent_framework import AgentSession, Content, ContextProvider, FunctionTool, SessionContext

from .._approval import CallRequest
from .._code_act import CodeActProvider, text_of, text_of_error
from .._results import ExecutionResult
from .._sandbox import Sandbox
from .._settings import Mount, MountLike
from .._tools import Tool
from ..errors import Error

EXECUTE_CODE = "execute_code"


class IsoletteCodeActProvider(ContextProvider):
    """Adds the tool `execute_code` and its instructions to each run of an agent.

    Tools of the provider are callable by programs only, not by the model. Changes affect later runs of the agent.

    :param source_id: Identifies the provider.
    :param tools: Functions, tools of Agent Framework, or tools of this package.
    :param approval_mode: `always_require` asks before each program. By default that is so if one of the tools requires it.
    :param file_mounts: Directories of the host.
    :param allowed_domains: Network rules.
    :param max_output_files: How many files of `/output` are returned; more are an error.
    :param max_output_file_bytes: How long each may be.
    :param max_output_total_bytes: How long all together may be.
    :param settings: Other settings of `isolette.Sandbox`.
    """

    DEFAULT_SOURCE_ID = "isolette_codeact"

    def __init__(
        self,
        source_id: str = DEFAULT_SOURCE_ID,
        *,
        tools: Any = (),
        approval_mode: str | None = None,
        file_mounts: Iterable[MountLike] = (),
        allowed_domains: Iterable[str] = (),
        max_output_files: int = 20,
        max_output_file_bytes: int = 5 << 20,
        max_output_total_bytes: int = 20 << 20,
        **settings: Any,
    ) -> None:
        super().__init__(source_id)
        self._approval_mode = approval_mode
        self._limits = (max_output_files, max_output_file_bytes, max_output_total_bytes)
        self._provider = CodeActProvider(**{"approver": _of_framework, **settings})
        self.add_tools(tools)
        self.add_file_mounts(file_mounts)
        self.add_allowed_domains(allowed_domains)

    def add_tools(self, tools: Any) -> None:
        """Adds one tool or several. One of the same name is replaced; `execute_code` is left out."""
        each = [tools] if callable(tools) or isinstance(tools, (Tool, FunctionTool)) else list(tools)
        converted = [_tool(tool) for tool in each]
        self._provider.add_tools(*(tool for tool in converted if tool.name != EXECUTE_CODE))

    def get_tools(self) -> list[Any]:
        """The tools."""
        return self._provider.tools

    def remove_tool(self, name: str) -> None:
        """Removes a tool. Raises `KeyError` if there is none."""
        _known(lambda: self._provider.remove_tool(name), f"No managed tool named {name!r} is registered.")

    def clear_tools(self) -> None:
        """Removes all tools."""
        self._provider.clear_tools()

    def add_file_mounts(self, mounts: Any) -> None:
        """Adds one directory or several. One at the same path is replaced."""
        is_one = isinstance(mounts, Mount) or (isinstance(mounts, tuple) and bool(mounts) and isinstance(mounts[-1], str))
        self._provider.add_file_mounts(*([mounts] if is_one else mounts))

    def get_file_mounts(self) -> list[Mount]:
        """The directories."""
        return self._provider.file_mounts

    def remove_file_mount(self, mount_path: str) -> None:
        """Removes a directory by its path in the guest. Raises `KeyError` if there is none."""
        _known(lambda: self._provider.remove_file_mount(mount_path), f"No file mount exists for {mount_path!r}.")

    def clear_file_mounts(self) -> None:
        """Removes all directories."""
        self._provider.clear_file_mounts()

    def add_allowed_domains(self, domains: str | Iterable[str]) -> None:
        """Adds one network rule or several."""
        self._provider.add_allowed_domains(*([domains] if isinstance(domains, str) else domains))

    def get_allowed_domains(self) -> list[str]:
        """The network rules."""
        return self._provider.allowed_domains

    def remove_allowed_domain(self, domain: str) -> None:
        """Removes a network rule. Raises `KeyError` if there is none."""
        _known(lambda: self._provider.remove_allowed_domain(domain), f"No allowed domain exists for {domain!r}.")

    def clear_allowed_domains(self) -> None:
        """Removes all network rules."""
        self._provider.clear_allowed_domains()

    async def before_run(
        self, *, agent: Any, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Called by the framework before each run of the agent."""
        provider, sandbox = self._provider, self._provider.sandbox
        needs_approval = self._approval_mode == "always_require" or provider.approval_required

        async def execute_code(code: str) -> list[Content]:
            try:
                return self._contents(sandbox, await sandbox.run_async(code))
            except Error as error:
                return [Content.from_error(message="Execution error", error_details=text_of_error(sandbox, error))]

        tool = FunctionTool(
            name=EXECUTE_CODE,
            description=provider.description,
            approval_mode="always_require" if needs_approval else "never_require",
            func=execute_code,
            input_model=provider.schema,
        )
        context.extend_instructions(self.source_id, provider.instructions(tools_visible_to_model=False))
        context.extend_tools(self.source_id, [tool])

    def _contents(self, sandbox: Sandbox, result: ExecutionResult) -> list[Content]:
        text = text_of(sandbox, result) or "Code executed successfully without output."
        contents = [Content.from_text(text)]
        most_files, most_bytes, most_in_all = self._limits
        sizes = [file.size for file in result.files]
        too_much = None
        if len(sizes) > most_files:
            too_much = f"Sandbox exceeded the output file count limit of {most_files}."
        elif any(size > most_bytes for size in sizes):
            too_much = f"An output file exceeds the {most_bytes}-byte per-file output limit."
        elif sum(sizes) > most_in_all:
            too_much = f"Output files exceed the {most_in_all}-byte cumulative output limit."
        if too_much is not None:
            return [*contents, Content.from_error(message="Output limit", error_details=too_much)]
        for file in result.files:
            kind = mimetypes.guess_type(file.path)[0] or "application/octet-stream"
            data = result.read_output(file.path, most_bytes)
            contents.append(Content.from_data(data, kind, additional_properties={"path": file.path}))
        return contents


def _of_framework(request: CallRequest) -> bool:
    """The framework has asked about the program as a whole before it is run, and about nothing else."""
    return request.capability == "program"


def _tool(tool: Any) -> Tool:
    if isinstance(tool, Tool):
        return tool
    if not isinstance(tool, FunctionTool):
        return Tool(tool)
    inner = tool

    async def call(**arguments: Any) -> Any:
        return await inner.invoke(arguments=arguments, skip_parsing=True)

    schema: Mapping[str, Any] = inner.parameters()
    needs_approval = inner.approval_mode == "always_require"
    return Tool(call, name=inner.name, description=inner.description, input_schema=schema, needs_approval=needs_approval)


def _known(remove: Callable[[], None], message: str) -> None:
    try:
        remove()
    except KeyError:
        raise KeyError(message) from None
