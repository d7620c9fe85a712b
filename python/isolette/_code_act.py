"""The tool `execute_code` for agents whose model writes programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from . import _checks
from ._sandbox import Sandbox
from ._settings import Mount, MountLike, ToolLike, as_mount
from ._sources import ToolSet
from ._tools import Tool
from .errors import Error, InvalidArgument

RENDERED = 20_000
"""How many characters of each part of a result a model gets: value, standard output, standard error, error."""


class CodeActProvider:
    """Provides an agent with one tool, `execute_code`, and manages what programs are granted.

    Tools, mounts and domains can be added and removed at any time; runs in flight keep what they were started with. Each run
    starts clean.

    :param bundle_approval: Whether a program as a whole needs approval as soon as one of its tools does.
    :param settings: The settings of `Sandbox` that do not change.
    """

    def __init__(self, *, bundle_approval: bool = True, **settings: Any) -> None:
        self._tools: list[ToolLike] = list(settings.pop("tools", ()))
        self._mounts = [as_mount("mounts", mount) for mount in settings.pop("mounts", ())]
        self._domains: list[str] = _checks.texts("allow", settings.pop("allow", ()))
        self._bundle = _checks.kind("bundle_approval", bundle_approval, bool, "bool")
        self._settings = settings
        self._current: Sandbox | None = None

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox for runs that start now. It is reused until a grant changes."""
        if self._current is None:
            settings = {**self._settings, "tools": self._tools, "mounts": self._mounts, "allow": self._domains}
            sandbox = Sandbox(**settings)
            if self._bundle and sandbox._native.needs_approval_as_a_whole():
                sandbox = Sandbox(**{**settings, "approval": "always"})
            self._current = sandbox
        return self._current

    def add_tools(self, *tools: ToolLike) -> None:
        """Adds tools: functions, `Tool` objects or sets. One of the same name is replaced."""
        for tool in tools:
            if not isinstance(tool, ToolSet):
                name = _name(tool)
                self._tools = [known for known in self._tools if isinstance(known, ToolSet) or _name(known) != name]
            self._tools.append(tool)
        self._current = None

    @property
    def tools(self) -> list[ToolLike]:
        """The tools."""
        return list(self._tools)

    def remove_tool(self, name: str) -> None:
        """Removes a tool. Raises `KeyError` if there is none of that name."""
        self._tools = _without(self._tools, lambda tool: not isinstance(tool, ToolSet) and _name(tool) == name, name)
        self._current = None

    def clear_tools(self) -> None:
        """Removes all tools."""
        self._tools, self._current = [], None

    def add_file_mounts(self, *mounts: MountLike) -> None:
        """Adds directories. One at the same path in the guest is replaced."""
        for mount in mounts:
            added = as_mount("mounts", mount)
            self._mounts = [known for known in self._mounts if known.guest != added.guest]
            self._mounts.append(added)
        self._current = None

    @property
    def file_mounts(self) -> list[Mount]:
        """The directories."""
        return list(self._mounts)

    def remove_file_mount(self, guest: str) -> None:
        """Removes a directory by its path in the guest. Raises `KeyError` if there is none."""
        self._mounts = _without(self._mounts, lambda mount: mount.guest == guest, guest)
        self._current = None

    def clear_file_mounts(self) -> None:
        """Removes all directories."""
        self._mounts, self._current = [], None

    def add_allowed_domains(self, *rules: str) -> None:
        """Adds network rules."""
        self._domains = list(dict.fromkeys([*self._domains, *_checks.texts("rules", rules)]))
        self._current = None

    @property
    def allowed_domains(self) -> list[str]:
        """The network rules."""
        return list(self._domains)

    def remove_allowed_domain(self, rule: str) -> None:
        """Removes a network rule. Raises `KeyError` if there is none like it."""
        self._domains = _without(self._domains, lambda known: known == rule, rule)
        self._current = None

    def clear_allowed_domains(self) -> None:
        """Removes all network rules."""
        self._domains, self._current = [], None

    def instructions(self, *, tools_visible_to_model: bool = False) -> str:
        """The instructions about `execute_code` for a system prompt. Whether the model can also call the tools directly."""
        return self.sandbox._native.guide(tools_visible_to_model)[0]

    @property
    def description(self) -> str:
        """The description of `execute_code`."""
        return self.sandbox._native.guide(False)[1]

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments of `execute_code`: an object with the text `code`."""
        return self.sandbox._native.guide(False)[2]

    @property
    def approval_required(self) -> bool:
        """Whether each program needs approval before it starts."""
        return bool(self.sandbox.explain()["policy"]["approval"]["mode"] == "always")

    def execute_code(self, code: str, **options: Any) -> str:
        """Runs a program, and returns a text for the model: value, output and exception, or why it was ended."""
        sandbox = self.sandbox
        try:
            return text_of(sandbox, sandbox.run(_not_empty(code), **options))
        except Error as error:
            return text_of_error(sandbox, error)

    async def execute_code_async(self, code: str, **options: Any) -> str:
        """The same for asynchronous callers."""
        sandbox = self.sandbox
        try:
            return text_of(sandbox, await sandbox.run_async(_not_empty(code), **options))
        except Error as error:
            return text_of_error(sandbox, error)


def _not_empty(code: str) -> str:
    if not _checks.kind("code", code, str, "str").strip():
        raise InvalidArgument("Parameter 'code' must not be empty.", "pass a program")
    return code


def text_of(sandbox: Sandbox, result: Any) -> str:
    """A result for a model."""
    return str(sandbox._native.rendered(result._output, RENDERED)[0])


def text_of_error(sandbox: Sandbox, error: Error) -> str:
    """An error for a model, with what the program had done until then."""
    partial = "" if error.partial is None else text_of(sandbox, error.partial)
    return f"{error}\n\n{partial}".strip()


def _name(tool: ToolLike) -> str:
    return (tool if isinstance(tool, Tool) else Tool(tool)).name  # type: ignore[arg-type]


def _without(items: list[Any], is_it: Callable[[Any], bool], name: str) -> list[Any]:
    kept: Iterable[Any] = [item for item in items if not is_it(item)]
    if len(list(kept)) == len(items):
        raise KeyError(name)
    return list(kept)
