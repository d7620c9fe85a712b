"""Sandboxes of this package in place of hyperlight-sandbox's guests."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from isolette import errors
from isolette._sandbox import Sandbox
from isolette._session import Session
from isolette._snapshots import Snapshot

# For its settings, which a program may change, so that they are read when they are used.
from isolette.compat import hyperlight_sandbox

from ._network import RULES_LIMIT, Rule, methods_of
from ._results import ExecutionResult
from ._settings import DEFAULT_HEAP_SIZE, DEFAULT_STACK_SIZE, size
from ._tools import of_tool_object, tool

_MEMORY = 256 << 20


@dataclass
class PySnapshot:
    """The state of a guest."""

    state: Snapshot


class Guest:
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
        wanted = size(heap_size or DEFAULT_HEAP_SIZE) + size(stack_size or DEFAULT_STACK_SIZE)
        self._memory = max(wanted, _MEMORY)
        self._limits: dict[str, Any] = {}
        if filesystem_limits == "unlimited":
            self._limits = dict.fromkeys(("file_bytes", "file_total_bytes", "file_count"), "unlimited")
        for name, most in (("file_bytes", max_file_size), ("file_total_bytes", max_total_size)):
            if most is not None:
                # A limit of nothing does not exist here.
                self._limits[name] = f"{max(size(most), 1)}B"
        if max_file_count is not None:
            self._limits["file_count"] = max_file_count
        self._tools: dict[str, Callable[..., Any]] = {}
        self._rules: list[Rule] = []
        self._sandbox: Sandbox | None = None
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
            self._tools[name] = of_tool_object(name, handler)
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
                result = session.run(code, timeout=hyperlight_sandbox.TIMEOUT)
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
        names = methods_of(methods)
        if len(self._rules) >= RULES_LIMIT:
            raise RuntimeError(f"too many network permissions (at most {RULES_LIMIT})")
        rule = Rule(target, names)
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

    def _build(self) -> Sandbox:
        return Sandbox(
            self.language,
            isolation=hyperlight_sandbox.ISOLATION,
            input=self._input,
            output=self._output,
            temp_output=self._temp_output and self._output is None,
            allow=[str(rule) for rule in self._rules],
            memory=self._memory,
            limits=self._limits or None,
            timeout=hyperlight_sandbox.TIMEOUT,
            tools=[tool(name, function, self._calling) for name, function in self._tools.items()],
        )

    def _clear_output(self) -> None:
        path = self.output_path()
        for entry in () if path is None else os.scandir(path):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                os.unlink(entry.path)


class WasmSandbox(Guest):
    """Runs Python."""

    language = "python"


class JSSandbox(Guest):
    """Runs JavaScript."""

    language = "javascript"
