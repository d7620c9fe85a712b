"""Results of programs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .errors import InvalidArgument, ProgramError

READ_LIMIT = 64 << 20
"""How many bytes of a file are read unless the caller says otherwise."""

T = TypeVar("T")


@dataclass(frozen=True)
class GuestError:
    """An exception that ended a program."""

    type: str
    """The class of the exception: `ZeroDivisionError`, `TypeError`."""
    message: str
    line: int | None
    """The line in the program, counted from 1."""
    traceback: str
    """The traceback as the language prints it, without the interpreter's internal frames."""


@dataclass(frozen=True)
class OutputFile:
    """A file that a program left in `/output`."""

    path: str
    """The path in the guest: `/output/report.txt`."""
    size: int
    """The size in bytes."""
    sha256: str | None
    """The SHA-256 of the content in hexadecimal. `None` where the host did not compute it."""


@dataclass(frozen=True)
class DirectoryEntry:
    """An entry of a directory that a guest sees."""

    path: str
    """The path in the guest."""
    directory: bool
    """Whether it is a directory."""
    size: int
    """The size in bytes; 0 if it is not a regular file."""


@dataclass(frozen=True)
class Truncated:
    """What was truncated because it exceeded its limit."""

    stdout: int = 0
    """Bytes that were cut from `stdout`."""
    stderr: int = 0
    """Bytes that were cut from `stderr`."""
    value: bool = False
    """Whether the value was dropped because it was too long."""
    error: int = 0
    """Bytes that were cut from the exception's message and traceback."""
    calls: int = 0
    """Host calls that `ExecutionResult.calls` does not list."""
    files: bool = False
    """Whether the run changed more in `/output` than `ExecutionResult.files` lists."""
    digests: int = 0
    """Number of files without a digest."""


@dataclass(frozen=True)
class Usage:
    """The resources that a run used."""

    wall_ms: float = 0.0
    """Time from the request to the result, in milliseconds."""
    cpu_ms: float = 0.0
    """CPU time of the guest and of the host's work for its calls, without tools, in milliseconds."""
    sleep_ms: float = 0.0
    """All sleeps together, in milliseconds."""
    memory_peak_bytes: int = 0
    """Peak linear memory. Most of it is shared between instances."""
    host_calls: int = 0
    tool_calls: int = 0
    """Tool calls, refused ones included."""
    http_requests: int = 0
    """HTTP requests, refused ones included."""
    capability_calls: int = 0
    """Calls of custom interfaces, refused ones included."""
    http_bytes: int = 0
    """Bytes of the bodies of all requests and responses."""


@dataclass(frozen=True)
class HopRecord:
    """One request of a call that took several."""

    operation: str
    """The HTTP method."""
    target: str
    """The URL without its query."""
    rule: str | None
    """The network rule that allowed the request."""
    outcome: str
    """`redirected`, `repeated`, or the outcome of the call."""


@dataclass(frozen=True)
class CallRecord:
    """The record of one host call of a program."""

    time: str
    """When the call began, as RFC 3339 in UTC."""
    started_ms: float
    """When the call began, in milliseconds since the beginning of the run."""
    capability: str
    """`tools`, `http`, `capabilities` or `files`."""
    operation: str
    """`call` for a tool, the method of a request, the function of an interface, or the operation on a file."""
    target: str
    """The tool's name, the URL without its query, the interface, or the path."""
    outcome: str
    """How the call ended: `ok`, `denied`, `failed`, …"""
    line: int | None = None
    """The line of the program that made the call, from 1, as the guest says; not for files."""
    rule: str | None = None
    """The rule of the policy that decided."""
    bytes_out: int = 0
    """Size of the arguments, in bytes."""
    bytes_in: int = 0
    """Size of the result, in bytes."""
    duration_ms: float = 0.0
    hops: tuple[HopRecord, ...] = ()
    """All requests that were made for a call that was redirected or repeated."""
    arguments_sha256: str | None = None
    arguments: Any = None
    """The arguments, if the sandbox records them, with secrets redacted."""
    approval: str | None = None
    """The decision of the approver, an approval rule or a check, if one was made."""
    mismatch: str | None = None
    """How the result violates the tool's result schema."""
    signature: str | None = None
    """The signature of the function of a custom interface."""
    note: str | None = None
    """A note of the implementation of a custom interface."""


@dataclass(frozen=True)
class LimitHit:
    """A limit that truncated data or caused a call to be refused."""

    name: str
    """The name of the limit."""
    limit: int
    used: int
    hint: str = ""
    """What the caller can do."""


@dataclass(frozen=True)
class BudgetUsage:
    """The limit and the use of one part of a budget."""

    limit: int
    used: int

    @property
    def remaining(self) -> int:
        """How much remains; 0 if the limit is exceeded."""
        return max(self.limit - self.used, 0)


@dataclass(frozen=True)
class BudgetState:
    """How much of a shared budget is used. A part without a limit is `None`."""

    tool_calls: BudgetUsage | None = None
    http_requests: BudgetUsage | None = None
    time_ms: BudgetUsage | None = None
    """Wall time of runs, in milliseconds."""

    @classmethod
    def _of(cls, state: dict[str, Any]) -> BudgetState:
        return cls(**{name: BudgetUsage(**part) for name, part in state.items()})


@dataclass(frozen=True)
class ExecutionResult:
    """The result of a run that ended by itself, with or without an exception."""

    value: Any = None
    """The global `result` if the program set it, else the value of its trailing expression."""
    stdout: str = ""
    """What the program wrote to standard output."""
    stderr: str = ""
    """What the program wrote to standard error."""
    exit_code: int = 0
    """0, or 1 after an exception, or the one that the program requested."""
    error: GuestError | None = None
    """The exception that ended the program."""
    value_exact: bool = True
    """Whether `value` is the value itself. If not, JSON cannot represent it, and `value` is its printed form; in a table of
    pandas, only dates and durations are printed."""
    files: tuple[OutputFile, ...] = ()
    """The files that the run created or changed in `/output`, sorted by path: at most 1,000."""
    calls: tuple[CallRecord, ...] = ()
    """The host calls with an effect outside of the sandbox (tools, HTTP, custom interfaces), in order."""
    usage: Usage = field(default_factory=Usage)
    """The resources that the run used."""
    truncated: Truncated = field(default_factory=Truncated)
    """What was truncated because it exceeded its limit."""
    limits_reached: tuple[LimitHit, ...] = ()
    """Limits that truncated data or caused a call to be refused, each at most once."""
    budgets: tuple[BudgetState, ...] = ()
    """The state of the shared budgets of the run at its end: the sandbox's before the run's own."""
    call_modes: dict[str, Any] = field(default_factory=dict)
    """What calls of tools and of functions of custom interfaces returned: results, or awaitables."""
    run: str | None = None
    """The identifier of the run, also in audits and traces."""
    rolled_back: bool = False
    """Whether the session has returned to the state before the run."""
    _output: Any = field(default=None, repr=False, compare=False)

    @classmethod
    def _of(cls, result: tuple[dict[str, Any], Any]) -> ExecutionResult:
        """Makes a result of what the native module returns."""
        values, output = result
        error = values.get("error")
        values["error"] = None if error is None else _with(GuestError, error)
        values["usage"] = _with(Usage, values["usage"])
        values["truncated"] = _with(Truncated, values["truncated"])
        values["files"] = tuple(_with(OutputFile, file) for file in values.get("files", ()))
        values["calls"] = tuple(_call(call) for call in values.get("calls", ()))
        values["limits_reached"] = tuple(_with(LimitHit, hit) for hit in values.get("limits_reached", ()))
        values["budgets"] = tuple(BudgetState._of(state) for state in values.get("budgets", ()))
        values.setdefault("call_modes", {})
        values["_output"] = output
        return _with(cls, values)

    @property
    def success(self) -> bool:
        """Whether the program ended without an exception and with exit code 0."""
        return self.exit_code == 0 and self.error is None

    def raise_for_error(self) -> ExecutionResult:
        """Raises `errors.ProgramError` if the program ended with an exception or another exit code than 0."""
        if self.error is not None:
            raise ProgramError(f"the program raised {self.error.type}: {self.error.message}", None, self)
        if self.exit_code != 0:
            raise ProgramError(f"the program ended with exit code {self.exit_code}", None, self)
        return self

    def read_output(self, path: str, limit: int = READ_LIMIT) -> bytes:
        """Reads a file of at most `limit` bytes in `/output`, by its path in the guest, as it is now.

        Raises `errors.InvalidArgument` if there is no such file, `errors.LimitExceeded` if it is longer.
        """
        content: bytes = self._files().read(path, limit)
        return content

    def list_output(self) -> tuple[OutputFile, ...]:
        """Lists all files that are in `/output` now, at most 1,000: also those of other runs in the same directory."""
        return tuple(_with(OutputFile, file) for file in self._files().list())

    @property
    def output_path(self) -> str | None:
        """The directory of the host that was mounted as `/output`. A temporary one is removed with the last result."""
        path = None if self._output is None else self._output.path()
        return None if path is None else os.fspath(path)

    def _files(self) -> Any:
        if self._output is None:
            raise InvalidArgument("the result was copied, and has no files", "read them where the program was run")
        return self._output

    def __getstate__(self) -> dict[str, Any]:
        # The files stay in the process that ran the program.
        return {**self.__dict__, "_output": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _repr_html_(self) -> str:
        """For notebooks: value, output, exception, pictures, other files and calls."""
        from ._html import of_result

        return of_result(self)


def _with(kind: type[T], values: dict[str, Any]) -> T:
    """Makes a frozen dataclass. Setting its fields one by one takes longer than a short program."""
    made = object.__new__(kind)
    made.__dict__.update(values)
    return made


def _call(values: dict[str, Any]) -> CallRecord:
    values["hops"] = tuple(_with(HopRecord, hop) for hop in values.get("hops", ()))
    return _with(CallRecord, values)
