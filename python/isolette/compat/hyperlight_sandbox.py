"""The interface of the package hyperlight-sandbox 0.8, on the sandboxes of this package.

Names, defaults, exceptions and messages are those of hyperlight-sandbox. What differs:

- Code runs in the strongest isolation that the machine has; hyperlight-sandbox needs a hypervisor. `ISOLATION` names another one.
- A run takes at most `TIMEOUT`; hyperlight-sandbox has no limit. Sizes of heap and stack are checked, and raise the memory limit if
  they are larger than it.
- Domains can be allowed after the first run: the guest continues from a snapshot with the new rules.
- Objects can be used, and dropped, on any thread, and `run` does not keep other threads from running.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import re
import shutil
import threading
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Optional

from isolette import _native, errors
from isolette._sandbox import Sandbox as _IsoletteSandbox
from isolette._session import Session
from isolette._snapshots import Snapshot
from isolette._tools import Tool

__all__ = ["CodeExecutionTool", "ExecutionResult", "Sandbox", "SandboxEnvironment", "__version__"]

__version__ = "0.8.0"

DEFAULT_MODULE_REF = "python_guest.path"
_DEFAULT_HEAP_SIZE = "25Mi"
_DEFAULT_STACK_SIZE = "35Mi"

TIMEOUT = 300.0
"""The limit on wall time of a run, in seconds."""

ISOLATION = "auto"
"""The isolation: `auto`, `microvm` or `process`."""

_MEMORY = 256 << 20
_ARGUMENTS_LIMIT = 1 << 20
_RULES_LIMIT = 1024
_RESULT_DEPTH = 64
_METHODS = frozenset(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
_REFUSED_METHODS = frozenset(["CONNECT", "TRACE"])
_SIZE = re.compile(r"(\d+)(Ki|Mi|Gi)?")
_UNITS = {None: 1, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}


@dataclass
class ExecutionResult:
    """What a run printed, and its exit code."""

    stdout: str
    stderr: str
    exit_code: int

    @property
    def success(self) -> bool:
        """Whether the exit code is 0."""
        return self.exit_code == 0


@dataclass
class SandboxEnvironment:
    """The settings of a sandbox."""

    input_dir: Optional[str] = None
    output_dir: Optional[str] = None
    temp_output: bool = False
    backend: str = "wasm"
    module: Optional[str] = DEFAULT_MODULE_REF
    module_path: Optional[str] = None
    heap_size: str = _DEFAULT_HEAP_SIZE
    stack_size: str = _DEFAULT_STACK_SIZE
    filesystem_limits: Optional[Literal["unlimited"]] = None
    max_file_size: Optional[str] = None
    max_total_size: Optional[str] = None
    max_file_count: Optional[int] = None


def resolve_module_path(module: str | None, module_path: str | None) -> str:
    """Checks which guest is asked for. The images of this package take the place of all guests."""
    if module is not None and module_path is not None:
        if module != DEFAULT_MODULE_REF:
            raise ValueError("Specify either module or module_path, not both")
        module = None
    reference = module_path if module_path is not None else module
    if reference is None:
        raise ValueError("A guest module is required: set module or module_path")
    looks_like_path = os.sep in reference or reference.endswith((".aot", ".wasm"))
    if (module_path is not None or looks_like_path) and not os.path.exists(reference):
        raise FileNotFoundError(f"Guest module not found: {reference}")
    return reference


def _load_backend(backend: str) -> tuple[str, type[_Guest]]:
    """The name of a backend, and its class."""
    name = backend.strip().lower().replace("_", "-")
    if name == "wasm":
        return "wasm", WasmSandbox
    if name in ("javascript", "js", "hyperlight-js"):
        return "hyperlight-js", JSSandbox
    raise ValueError(f"Unknown backend {backend!r}. Use 'wasm' or 'hyperlight-js'")


class Sandbox:
    """A guest that keeps its state from run to run. It starts with the first run."""

    MAX_CODE_SIZE = 10 * 1024 * 1024

    def __init__(
        self,
        *,
        input_dir: str | None = None,
        output_dir: str | None = None,
        temp_output: bool = False,
        backend: str = "wasm",
        module: str | None = DEFAULT_MODULE_REF,
        module_path: str | None = None,
        heap_size: str | None = None,
        stack_size: str | None = None,
        filesystem_limits: str | None = None,
        max_file_size: str | None = None,
        max_total_size: str | None = None,
        max_file_count: int | None = None,
    ) -> None:
        limits = _file_limits(filesystem_limits, max_file_size, max_total_size, max_file_count)
        name, guest = _load_backend(backend)
        settings: dict[str, Any] = {
            "heap_size": heap_size or _DEFAULT_HEAP_SIZE,
            "stack_size": stack_size or _DEFAULT_STACK_SIZE,
            **limits,
        }
        # What was not set is left out, for classes that do not know it.
        others = {"input_dir": input_dir, "output_dir": output_dir, "temp_output": temp_output or None}
        settings.update({key: value for key, value in others.items() if value is not None})
        if name == "wasm":
            settings["module_path"] = resolve_module_path(module, module_path)
        elif module_path is not None:
            settings["module_path"] = module_path
        self._inner = guest(**settings)

    def register_tool(self, name_or_tool: Any, callback: Callable[..., Any] | None = None) -> None:
        """Registers a function under a name, or an object with `name` and `handler`, before the first run."""
        self._inner.register_tool(name_or_tool, callback)

    def run(self, code: str) -> ExecutionResult:
        """Runs a program."""
        if len(code) > self.MAX_CODE_SIZE:
            raise ValueError(f"Code size {len(code)} exceeds maximum of {self.MAX_CODE_SIZE}")
        return self._inner.run(code)

    def get_output_files(self) -> list[str]:
        """The names of the files in the output directory."""
        return self._inner.get_output_files()

    def output_path(self) -> str | None:
        """The output directory on the host."""
        return self._inner.output_path()

    def allow_domain(self, target: str, methods: list[str] | None = None) -> None:
        """Allows requests to a host or below a URL, with some methods or with all."""
        self._inner.allow_domain(target, methods)

    def snapshot(self) -> Any:
        """Saves the state of the guest."""
        return self._inner.snapshot()

    def restore(self, snapshot: Any) -> None:
        """Returns to a state, and removes the files in the output directory."""
        self._inner.restore(snapshot)

    def close(self) -> None:
        """Ends the guest. hyperlight-sandbox has no such method; users that look for one find it."""
        self._inner.close()


def _file_limits(
    filesystem_limits: Any, max_file_size: Any, max_total_size: Any, max_file_count: Any
) -> dict[str, Any]:
    """Checks the limits on files, and returns those that were set."""
    sizes = {"max_file_size": max_file_size, "max_total_size": max_total_size}
    if filesystem_limits is not None and filesystem_limits != "unlimited":
        raise ValueError("filesystem_limits must be 'unlimited' when provided")
    if filesystem_limits is not None and any(
        value is not None for value in (max_file_size, max_total_size, max_file_count)
    ):
        raise ValueError("filesystem_limits='unlimited' cannot be combined with max_file_size, max_total_size or max_file_count")
    for name, value in sizes.items():
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} must be a size string")
    if max_file_count is not None:
        if isinstance(max_file_count, bool) or not isinstance(max_file_count, int):
            raise TypeError("max_file_count must be an integer")
        if max_file_count < 0:
            raise ValueError("max_file_count must be non-negative")
    limits = {"filesystem_limits": filesystem_limits, **sizes, "max_file_count": max_file_count}
    return {name: value for name, value in limits.items() if value is not None}


def _size(text: str) -> int:
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise RuntimeError(f"invalid size: {text}")
    return int(match.group(1)) * _UNITS[match.group(2)]


@dataclass
class PySnapshot:
    """The state of a guest."""

    state: Snapshot


@dataclass
class _Rule:
    target: str
    methods: tuple[str, ...] | None

    def __str__(self) -> str:
        return self.target if self.methods is None else f"{','.join(self.methods)} {self.target}"

    def check(self) -> None:
        # Whitespace separates the parts of a rule here.
        if "://" not in self.target or "*" in self.target or any(character.isspace() for character in self.target):
            raise RuntimeError(f"invalid URL for network permission: {self.target}")
        try:
            _native.check_rule(str(self))
        except ValueError as error:
            raise RuntimeError(f"invalid URL for network permission: {self.target}: {error}") from error


class _Guest:
    """A sandbox of this package with one session."""

    language = ""

    def __init__(
        self,
        *,
        module_path: str = "",
        input_dir: str | None = None,
        output_dir: str | None = None,
        temp_output: bool = False,
        heap_size: str | None = None,
        stack_size: str | None = None,
        filesystem_limits: str | None = None,
        max_file_size: str | None = None,
        max_total_size: str | None = None,
        max_file_count: int | None = None,
    ) -> None:
        self._input, self._output, self._temp_output = input_dir, output_dir, temp_output
        wanted = _size(heap_size or _DEFAULT_HEAP_SIZE) + _size(stack_size or _DEFAULT_STACK_SIZE)
        self._memory = max(wanted, _MEMORY)
        self._limits: dict[str, Any] = {}
        if filesystem_limits == "unlimited":
            self._limits = dict.fromkeys(("file_bytes", "file_total_bytes", "file_count"), "unlimited")
        for name, size in (("file_bytes", max_file_size), ("file_total_bytes", max_total_size)):
            if size is not None:
                # A limit of nothing does not exist here.
                self._limits[name] = f"{max(_size(size), 1)}B"
        if max_file_count is not None:
            self._limits["file_count"] = max_file_count
        self._tools: dict[str, Callable[..., Any]] = {}
        self._rules: list[_Rule] = []
        self._sandbox: _IsoletteSandbox | None = None
        self._session: Session | None = None
        self._has_new_rules = False
        self._last: Any = None
        self._lock = threading.RLock()
        # Threads on which its tools are called.
        self._calling: set[int] = set()

    def register_tool(self, name_or_tool: Any, callback: Callable[..., Any] | None = None) -> None:
        if self._session is not None:
            raise RuntimeError(
                "Cannot register tools after sandbox has been initialized. Register all tools before the first run()"
            )
        name, handler = getattr(name_or_tool, "name", None), getattr(name_or_tool, "handler", None)
        if isinstance(name_or_tool, str) and callable(callback):
            self._tools[name_or_tool] = callback
        elif isinstance(name, str) and callable(handler) and callback is None:
            self._tools[name] = _of_tool_object(name, handler)
        else:
            raise TypeError("register_tool() expects (name, callable) or a Tool object")

    def _exclusive(self) -> Any:
        """The lock of the guest. Its tools cannot wait for it, because the guest waits for them."""
        if threading.get_ident() in self._calling:
            raise RuntimeError("a tool cannot use the sandbox that calls it")
        return self._lock

    def run(self, code: str) -> ExecutionResult:
        with self._exclusive():
            session = self._started()
            try:
                result = session.run(code, timeout=TIMEOUT)
            except errors.Error as error:
                if error.partial is not None:
                    self._last = error.partial
                raise RuntimeError(f"Execution failed: {error}") from error
            self._last = result
            stderr = result.stderr
            if result.error is not None:
                stderr += f"{result.error.type}: {result.error.message}\n"
            return ExecutionResult(result.stdout, stderr, result.exit_code)

    def allow_domain(self, target: str, methods: Sequence[str] | None = None) -> None:
        names = None if methods is None else tuple(method.strip().upper() for method in methods)
        if names == ():
            raise RuntimeError("invalid HTTP method: the list is empty")
        for name in names or ():
            if name not in _METHODS or name in _REFUSED_METHODS:
                raise RuntimeError(f"invalid HTTP method: {name}")
        if len(self._rules) >= _RULES_LIMIT:
            raise RuntimeError(f"too many network permissions (at most {_RULES_LIMIT})")
        rule = _Rule(target, names)
        with self._exclusive():
            # Before the first run, rules are only kept, and the first run checks them.
            if self._session is not None:
                rule.check()
            self._rules.append(rule)
            self._has_new_rules = self._session is not None

    def snapshot(self) -> PySnapshot:
        with self._exclusive():
            session = self._initialized()
            try:
                return PySnapshot(session.snapshot())
            except errors.Error as error:
                raise RuntimeError(f"Snapshot failed: {error}") from error

    def restore(self, snapshot: Any) -> None:
        with self._exclusive():
            session = self._initialized()
            if not isinstance(snapshot, PySnapshot):
                raise TypeError(f"restore() expects a snapshot, not {type(snapshot).__name__}")
            try:
                session.restore(snapshot.state)
            except errors.Error as error:
                raise RuntimeError(f"Restore failed: {error}") from error
            self._clear_output()

    def get_output_files(self) -> list[str]:
        path = self.output_path()
        if path is None:
            return []
        try:
            return sorted(entry.name for entry in os.scandir(path) if entry.is_file(follow_symlinks=False))
        except OSError as error:
            raise RuntimeError(f"Failed to get output files: {error}") from error

    def output_path(self) -> str | None:
        self._initialized()
        if self._output is not None:
            return os.path.realpath(self._output)
        return None if self._last is None else self._last.output_path

    def close(self) -> None:
        with self._exclusive():
            if self._session is not None:
                self._session.close()
            self._session = self._sandbox = None

    def _initialized(self) -> Session:
        if self._session is None:
            raise RuntimeError("Sandbox not initialized")
        return self._session

    def _started(self) -> Session:
        if self._session is None:
            for rule in list(self._rules):
                try:
                    rule.check()
                except RuntimeError:
                    self._rules.remove(rule)
                    raise
            try:
                self._sandbox = self._build()
                self._session = self._sandbox.session()
            except errors.Error as error:
                self._sandbox = None
                raise RuntimeError(f"Failed to create sandbox: {error}") from error
        elif self._has_new_rules:
            try:
                state = self._session.snapshot()
                sandbox = self._build()
                session = sandbox.session_from(state)
            except errors.Error as error:
                raise RuntimeError(f"Execution failed: cannot apply new network permissions: {error}") from error
            self._session.close()
            self._sandbox, self._session = sandbox, session
        self._has_new_rules = False
        return self._session

    def _build(self) -> _IsoletteSandbox:
        return _IsoletteSandbox(
            self.language,
            isolation=ISOLATION,
            input=self._input,
            output=self._output,
            temp_output=self._temp_output and self._output is None,
            allow=[str(rule) for rule in self._rules],
            memory=self._memory,
            limits=self._limits or None,
            timeout=TIMEOUT,
            tools=[_tool(name, function, self._calling) for name, function in self._tools.items()],
        )

    def _clear_output(self) -> None:
        path = self.output_path()
        for entry in () if path is None else os.scandir(path):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                os.unlink(entry.path)


class WasmSandbox(_Guest):
    """Runs Python."""

    language = "python"


class JSSandbox(_Guest):
    """Runs JavaScript."""

    language = "javascript"


_KINDS: dict[Any, str] = {int: "number", float: "number", str: "string", bool: "boolean", dict: "object", list: "array"}


def _tool(name: str, function: Callable[..., Any], calling: set[int]) -> Tool:
    """A tool that checks its arguments as hyperlight-sandbox does, with its messages."""
    try:
        parameters = _parameters(function)
    except (TypeError, ValueError) as error:
        raise errors.InvalidArgument(f"cannot inspect the signature of tool '{name}': {error}") from error

    def call(**arguments: Any) -> Any:
        if len(json.dumps(arguments)) > _ARGUMENTS_LIMIT:
            raise errors.ToolError(f"tool '{name}': argument payload too large (at most {_ARGUMENTS_LIMIT} bytes)")
        for parameter, (expected, is_required) in parameters.items():
            if parameter not in arguments:
                if is_required:
                    raise errors.ToolError(f"tool '{name}': missing required argument '{parameter}'")
            elif expected is not None and _kind(arguments[parameter]) != expected:
                got = _kind(arguments[parameter])
                raise errors.ToolError(f"tool '{name}': argument '{parameter}' must be {expected}, got {got}")
        calling.add(threading.get_ident())
        try:
            result = function(**arguments)
            return _result(name, asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result)
        finally:
            calling.discard(threading.get_ident())

    return Tool(call, name=name, description=inspect.getdoc(function) or "", input_schema={"type": "object"})


async def _awaited(awaitable: Any) -> Any:
    return await awaitable


def _parameters(function: Callable[..., Any]) -> dict[str, tuple[str | None, bool]]:
    """The type of each parameter, if one is known, and whether it is required."""
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except Exception:
        hints = {}
    known: dict[str, tuple[str | None, bool]] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        is_required = parameter.default is parameter.empty
        annotation = hints.get(parameter.name, parameter.annotation)
        if typing.get_origin(annotation) is Annotated:
            annotation = typing.get_args(annotation)[0]
        expected = _KINDS.get(typing.get_origin(annotation) or annotation) if annotation is not parameter.empty else None
        if expected is None and annotation is parameter.empty and not is_required:
            expected = _KINDS.get(type(parameter.default))
        known[parameter.name] = (expected, is_required)
    return known


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return _KINDS.get(type(value), "object" if isinstance(value, Mapping) else "array")


def _result(name: str, value: Any, depth: int = 0) -> Any:
    """A result as hyperlight-sandbox passes it on."""
    if depth > _RESULT_DEPTH:
        raise errors.ToolError(f"tool '{name}': result is nested more than {_RESULT_DEPTH} levels deep")
    if value is None or isinstance(value, (bool, str, float)):
        return value
    if isinstance(value, int):
        return int(value) if -(1 << 63) <= value < 1 << 63 else float(value)
    if isinstance(value, dict):
        return {str(key): _result(name, each, depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_result(name, each, depth + 1) for each in value]
    return str(value)


def _of_tool_object(name: str, handler: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls the handler of a tool object as an agent's SDK does."""

    def call(**arguments: Any) -> Any:
        result = handler({"arguments": arguments, "tool_call_id": "sandbox", "tool_name": name})
        if inspect.isawaitable(result):
            result = asyncio.run(_awaited(result))
        if isinstance(result, dict) and "textResultForLlm" in result:
            import ast

            text = result["textResultForLlm"]
            try:
                return ast.literal_eval(text)
            except (ValueError, SyntaxError):
                return text
        return result

    return call


@dataclass
class CodeExecutionTool:
    """Runs programs in a sandbox that is made for the first of them."""

    environment: SandboxEnvironment = field(default_factory=SandboxEnvironment)
    tools: list[Callable[..., Any]] = field(default_factory=list)
    _sandbox: Optional[Sandbox] = field(default=None, init=False, repr=False, compare=False)

    def _get_sandbox(self) -> Sandbox:
        if self._sandbox is None:
            self._sandbox = Sandbox(**vars(self.environment))
            for tool in self.tools:
                self._sandbox.register_tool(getattr(tool, "__name__", type(tool).__name__), tool)
        return self._sandbox

    def run(
        self, code: str, inputs: dict[str, bytes] | None = None, outputs: list[str] | None = None
    ) -> ExecutionResult:
        """Runs a program. As in hyperlight-sandbox, `inputs` and `outputs` have no effect."""
        return self._get_sandbox().run(code)
