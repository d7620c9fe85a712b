"""Sandboxes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _approval, _checks, _http, _native, _options, _settings
from ._options import RunOptions, Seconds
from ._oversight import Audit, Budget, Metrics
from ._paused import PausedRun, SavedRun, Step, step
from ._results import ExecutionResult
from ._running import outcome, running_loop
from ._session import Session
from ._settings import Determinism, MountLike, ToolLike
from ._snapshots import Snapshot
from ._stream import Stream
from .errors import InvalidArgument

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Explanation(Mapping[str, Any]):
    """The effective engine, image and policy of a sandbox: what is enforced, which can differ from what was requested.

    A mapping with the structure of `isolette run --explain --json`; `str()` is text for people.
    """

    def __init__(self, fields: dict[str, Any], text: str) -> None:
        self._fields = fields
        self._text = text

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __iter__(self) -> Any:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __str__(self) -> str:
        return self._text


class Sandbox:
    """Runs untrusted programs, each in a guest of its own. By default nothing is allowed, and every limit is finite.

    Sandboxes can be used from many threads, whose programs run in parallel, and from asynchronous code.

    :param language: `python` or `javascript`. Default: that of the policy or the image, else `python`.
    :param policy: The path of a policy file, or its content as a dict (`docs/policy.md`). The other arguments go over it: lists,
        such as `allow` and `mounts`, are added to those of the policy, all else replaces it.
    :param profile: The profile that the settings are based on: `locked`, `web`, `full`, or one of the policy.
    :param tools: What programs can call: plain functions, `Tool` objects, and sets of tools (`OpenApi`, `McpServer`).
    :param allow_tools: Patterns such as `github.get_*`: of the tools, only those that match one may be called. Default: all.
    :param capabilities: Custom interfaces: `Capability` objects, or objects of classes with `@capability`.
    :param allow_capabilities: Which functions of them may be called: `acme:weather/forecast.get`. Default: all.
    :param mounts: Directories of the host, or file systems in Python: `Mount` objects, or tuples `(host, guest)` or
        `(host, guest, access)`.
    :param input: A directory that is mounted at `/input`, read-only.
    :param output: A directory that is mounted at `/output`, read-write; it is created if it does not exist.
    :param temp_output: Whether each run or session gets a temporary `/output` of its own.
    :param network: The network mode: `none`, `allowlist`, `web` or `full`. With `allow`, it is an allowlist.
    :param allow: Network rules such as `GET https://api.example.com/v1`.
    :param base_urls: URLs below which everything is allowed, and which are passed to programs.
    :param secrets: Secrets that the host adds to requests, by name, as in policy files.
    :param http_transport: Answers the requests that the policy allows, instead of the network: a function of an `HttpRequest` and
        of `send`, asynchronous or not, that returns an `HttpResponse`. `send()` sends the request over the network.
    :param resolver: Resolves host names instead of the system: a function of the name that returns addresses. The policy decides
        about these as about those of a name server.
    :param variables: Globals of all programs.
    :param timeout: The limit on wall time of a run: seconds, a `timedelta`, or text such as `"30s"`.
    :param memory: The limit on memory of a guest, interpreter included: bytes, or text such as `"256MiB"`.
    :param limits: All other limits by name, as in policy files.
    :param isolation: `auto`, `microvm`, `process` or `wasm`. A named isolation never falls back to another one.
    :param image: The image: its directory, as a path with a `/`, or its name.
    :param approval: Which calls need approval: `never`, `always`, `per-call`, or a list of rules.
    :param approver: Decides about calls that need approval: a function of a `CallRequest`, asynchronous or not. Without one,
        they are denied.
    :param on_call: A check of every call that the policy allows. It must return quickly.
    :param budget: A budget that all runs share.
    :param audit: Records every host call.
    :param metrics: Counts runs, calls and guests.
    :param record_arguments: How much of the arguments of calls is recorded: `nothing`, `digest` or `whole`.
    :param redact: Secrets that are removed from all records of calls.
    :param deterministic: Makes clocks and random numbers deterministic.
    :param record: Records HTTP exchanges and tool calls in a directory.
    :param replay: Answers HTTP requests and tool calls from a directory of `record`.
    :param ready_guests: How many guests are kept ready for the next runs, at most 64.
    :param http_body: The form of the `body` of HTTP responses: `auto` or `text`.
    :param tool_calls: What calls of tools return: `auto`, `sync` or `async`.
    :param dialect: The names and conventions by which programs call tools.

    Raises `errors.InvalidArgument` for a wrong setting, `errors.ImageNotFound` without an image, and `errors.Unavailable` if the
    machine does not have the isolation.
    """

    def __init__(
        self,
        language: str | None = None,
        *,
        policy: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        profile: str | None = None,
        tools: Iterable[ToolLike] = (),
        allow_tools: Iterable[str] | None = None,
        capabilities: Iterable[Any] = (),
        allow_capabilities: Iterable[str] = (),
        mounts: Iterable[MountLike] = (),
        input: str | os.PathLike[str] | None = None,
        output: str | os.PathLike[str] | None = None,
        temp_output: bool = False,
        network: str | None = None,
        allow: Iterable[str] = (),
        base_urls: Iterable[str] = (),
        secrets: Mapping[str, Any] | None = None,
        http_transport: _http.Transport | None = None,
        resolver: _http.Resolver | None = None,
        variables: Mapping[str, Any] | None = None,
        timeout: Seconds | None = None,
        memory: int | str | None = None,
        limits: Mapping[str, Any] | None = None,
        isolation: str | None = None,
        image: str | os.PathLike[str] | None = None,
        approval: str | Iterable[str] | None = None,
        approver: _approval.Approver | None = None,
        on_call: _approval.Check | None = None,
        budget: Budget | None = None,
        audit: Audit | None = None,
        metrics: Metrics | None = None,
        record_arguments: str | None = None,
        redact: Iterable[str] = (),
        deterministic: Determinism | bool = False,
        record: str | os.PathLike[str] | None = None,
        replay: str | os.PathLike[str] | None = None,
        ready_guests: int | None = None,
        http_body: str | None = None,
        tool_calls: str | None = None,
        dialect: str | None = None,
    ) -> None:
        settings = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        self._open: _native.Sandbox | None = _native.Sandbox(native_settings(settings))

    @classmethod
    def _of(cls, native: _native.Sandbox) -> Sandbox:
        """A sandbox that the native module has made."""
        sandbox = cls.__new__(cls)
        sandbox._open = native
        return sandbox

    @property
    def _native(self) -> _native.Sandbox:
        if self._open is None:
            raise InvalidArgument("the sandbox is closed", "make another one")
        return self._open

    def close(self) -> None:
        """Lets go of the tools and of the guests that are kept ready. Runs and sessions go on; no others are started.

        A sandbox whose tools are methods of the object that has it is kept by them until it is closed.
        """
        self._open = None

    def run(self, code: str, **options: Unpack[RunOptions]) -> ExecutionResult:
        """Runs a program in a fresh guest and waits for its end. Other threads of Python go on meanwhile.

        An exception in the program is not an exception here: it is in the result.

        Raises `errors.Timeout`, `errors.OutOfMemory`, `errors.Cancelled` or the exception of another limit if the host ended the
        program; `errors.NotApproved`, `errors.BudgetSpent`, `errors.LimitExceeded`, `errors.InvalidArgument` or
        `errors.Unavailable` if it was not run. Ctrl-C ends the program and raises `KeyboardInterrupt`.
        """
        text, native = _options.code(code), _options.native(options)
        return _options.finished(self._native.run(text, native), native)

    async def run_async(self, code: str, **options: Unpack[RunOptions]) -> ExecutionResult:
        """The same for asynchronous callers. Cancelling the task ends the program."""
        text, native = _options.code(code), _options.native(options, running_loop())
        return _options.finished(await outcome(lambda done: self._native.run_async(text, native, done)), native)

    def stream(self, code: str, **options: Unpack[RunOptions]) -> Stream:
        """Returns what runs a program while it is iterated over, with `for` or `async for`, and yields its output."""
        return Stream(self._native.run_async, _options.code(code), options)

    def start(self, code: str, **options: Unpack[RunOptions]) -> Step:
        """Runs a program until it ends, or until it waits for the answer to a call of a deferred tool or to a deferred approval.

        Raises what `run` raises.
        """
        text, native = _options.code(code), _options.native(options)
        return step(self._native.start(text, native), native)

    async def start_async(self, code: str, **options: Unpack[RunOptions]) -> Step:
        """The same for asynchronous callers."""
        text, native = _options.code(code), _options.native(options, running_loop())
        return step(await outcome(lambda done: self._native.start_async(text, native, done)), native)

    def paused_from(self, saved: SavedRun, **options: Unpack[RunOptions]) -> PausedRun:
        """Takes a paused program over that was saved. Its rights, limits and budgets are those of this sandbox.

        The options `variables` and `filename` have no effect, and `labels` replace those of the program.

        Raises `errors.InvalidArgument` if the program is of another image, isolation, version or kind of processor;
        `errors.LimitExceeded` if what it keeps in the host is more than the limits permit.
        """
        saved, native = _checks.kind("saved", saved, SavedRun, "a SavedRun"), _options.native(options)
        return PausedRun(self._native.paused_from(saved._native, native), native)

    def session(self) -> Session:
        """Starts a session: a guest that keeps its state from run to run."""
        return Session(self._native.session())

    def session_from(self, snapshot: Snapshot) -> Session:
        """Starts a session that continues from a snapshot. It has the rights of this sandbox."""
        snapshot = _checks.kind("snapshot", snapshot, Snapshot, "a Snapshot")
        return Session(self._native.session_from(snapshot._native))

    def explain(self, code: str | None = None) -> Explanation:
        """Returns what is enforced; with a program, also what calls of tools would return in it."""
        text = None if code is None else _options.code(code)
        return Explanation(*self._native.explain(text))

    @property
    def ready_guests(self) -> int:
        """How many guests are ready for the next runs."""
        return self._native.ready_guests

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Sandbox:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._open is None:
            return "<isolette.Sandbox, closed>"
        explanation = self.explain()
        return f"<isolette.Sandbox {explanation['language']}, {explanation['isolation']['engine']}>"


def native_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Checks settings, and returns them for the native module, with the defaults of `Sandbox`."""
    return _settings.native(given, {"language": None, **(Sandbox.__init__.__kwdefaults__ or {})})
