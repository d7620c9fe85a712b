"""A sandbox for code that language models write: it runs untrusted Python and JavaScript programs, isolated from the host.

    >>> import isolette
    >>> sandbox = isolette.Sandbox()
    >>> result = sandbox.run("print('hello')\\n6 * 7")
    >>> result.stdout, result.value
    ('hello\\n', 42)

A program can use only what the sandbox grants: tools (functions of this process), directories, and network rules.

    >>> def get_weather(city: str) -> str:
    ...     return f"{city}: 21 °C"
    >>> sandbox = isolette.Sandbox(tools=[get_weather])
    >>> sandbox.run("call_tool('get_weather', city='Paris')").value
    'Paris: 21 °C'

`Sandbox` lists all settings, `RunOptions` those of one run. Every method that waits has an asynchronous twin: `run` and
`run_async`. A `Session` keeps its state from run to run; it can be saved, continued elsewhere and forked (`Snapshot`). A program
that calls a deferred tool is paused (`Sandbox.start`), and goes on with the answer, also in another process.

Exceptions of this package are in `isolette.errors`; all are `isolette.Error`.
"""

from __future__ import annotations

import atexit

from . import _native, errors
from ._approval import CallRequest, Decision
from ._capability import Capability, CapabilityError, capability
from ._code_act import CodeActProvider
from ._file_systems import FileStatus, FileSystem
from ._http import HttpError, HttpRequest, HttpResponse
from ._images import register as _register_images
from ._options import RunOptions
from ._oversight import Audit, Budget, CancellationToken, Metrics
from ._paused import Answer, PausedCall, PausedRun, SavedRun, Step
from ._pools import PoolState, SandboxPool, WarmImage
from ._results import (
    BudgetState,
    BudgetUsage,
    CallRecord,
    DirectoryEntry,
    ExecutionResult,
    GuestError,
    HopRecord,
    LimitHit,
    OutputFile,
    Truncated,
    Usage,
)
from ._sandbox import Explanation, Sandbox
from ._session import Session
from ._settings import Determinism, Mount
from ._snapshots import Snapshot
from ._sources import McpServer, OpenApi, ToolSet
from ._stream import OutputChunk, Stream
from ._tools import Tool, tool
from .errors import Error, ToolError

__version__ = _native.VERSION

__all__ = [
    "Answer",
    "Audit",
    "Budget",
    "BudgetState",
    "BudgetUsage",
    "CallRecord",
    "CallRequest",
    "CancellationToken",
    "Capability",
    "CapabilityError",
    "CodeActProvider",
    "Decision",
    "Determinism",
    "DirectoryEntry",
    "Error",
    "ExecutionResult",
    "Explanation",
    "FileStatus",
    "FileSystem",
    "GuestError",
    "HopRecord",
    "HttpError",
    "HttpRequest",
    "HttpResponse",
    "LimitHit",
    "McpServer",
    "Metrics",
    "Mount",
    "OpenApi",
    "OutputChunk",
    "OutputFile",
    "PausedCall",
    "PausedRun",
    "PoolState",
    "RunOptions",
    "Sandbox",
    "SandboxPool",
    "SavedRun",
    "Session",
    "Snapshot",
    "Step",
    "Stream",
    "Tool",
    "ToolError",
    "ToolSet",
    "Truncated",
    "Usage",
    "WarmImage",
    "__version__",
    "capability",
    "errors",
    "tool",
]

_register_images()
# Threads of sandboxes must not wait for an interpreter that ends.
atexit.register(_native.shut_down)
