"""The interface of the package hyperlight-sandbox 0.8, on the sandboxes of this package.

Names, defaults, exceptions and messages are those of hyperlight-sandbox. What differs:

- Code runs in the strongest isolation that the machine has; hyperlight-sandbox needs a hypervisor. `ISOLATION` names another one.
- A run takes at most `TIMEOUT`; hyperlight-sandbox has no limit. Sizes of heap and stack are checked, and raise the memory limit if
  they are larger than it.
- Domains can be allowed after the first run: the guest continues from a snapshot with the new rules.
- Objects can be used, and dropped, on any thread, and `run` does not keep other threads from running.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Optional

from ._guest import Guest, JSSandbox, WasmSandbox
from ._results import ExecutionResult
from ._settings import DEFAULT_HEAP_SIZE, DEFAULT_MODULE_REF, DEFAULT_STACK_SIZE, file_limits, resolve_module_path

__all__ = ["CodeExecutionTool", "ExecutionResult", "Sandbox", "SandboxEnvironment", "__version__"]

__version__ = "0.8.0"

TIMEOUT = 300.0
"""The limit on wall time of a run, in seconds."""

ISOLATION = "auto"
"""The isolation: `auto`, `microvm` or `process`."""


@dataclass
class SandboxEnvironment:
    """The settings of a sandbox."""

    input_dir: Optional[str] = None
    output_dir: Optional[str] = None
    temp_output: bool = False
    backend: str = "wasm"
    module: Optional[str] = DEFAULT_MODULE_REF
    module_path: Optional[str] = None
    heap_size: str = DEFAULT_HEAP_SIZE
    stack_size: str = DEFAULT_STACK_SIZE
    filesystem_limits: Optional[Literal["unlimited"]] = None
    max_file_size: Optional[str] = None
    max_total_size: Optional[str] = None
    max_file_count: Optional[int] = None


def _load_backend(backend: str) -> tuple[str, type[Guest]]:
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
        limits = file_limits(filesystem_limits, max_file_size, max_total_size, max_file_count)
        name, guest = _load_backend(backend)
        settings: dict[str, Any] = {
            "heap_size": heap_size or DEFAULT_HEAP_SIZE,
            "stack_size": stack_size or DEFAULT_STACK_SIZE,
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
