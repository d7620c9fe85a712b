"""Sandboxes and sessions."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, Union

from . import _approval, _checks, _native, _options
from ._capability import as_capability
from ._options import RunOptions, Seconds
from ._oversight import Audit, Budget, Metrics
from ._paused import PausedRun, SavedRun, Step, step
from ._results import READ_LIMIT, DirectoryEntry, ExecutionResult, _with
from ._running import outcome, running_loop
from ._snapshots import Snapshot
from ._sources import ToolSet
from ._stream import Stream
from ._tools import Tool, as_tool
from .errors import InvalidArgument

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Mount:
    """A directory of the host that programs can access."""

    host: str | os.PathLike[str]
    """The directory on the host."""
    guest: str
    """The path in the guest, such as `/data`."""
    access: str = "read-only"
    """`read-only` or `read-write`."""


@dataclass(frozen=True)
class Determinism:
    """Deterministic clocks and random numbers, for tests: every guest starts at the same time with the same random numbers."""

    start: datetime.datetime = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
    """The time at which every guest starts; not before 1970."""
    seed: int = 0
    """The seed of the random numbers."""


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


T = TypeVar("T")

ToolLike = Union[Tool, ToolSet, Callable[..., Any]]
MountLike = Union[Mount, "tuple[str | os.PathLike[str], str]", "tuple[str | os.PathLike[str], str, str]"]


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
    :param mounts: Directories of the host: `Mount` objects, or tuples `(host, guest)` or `(host, guest, access)`.
    :param input: A directory that is mounted at `/input`, read-only.
    :param output: A directory that is mounted at `/output`, read-write; it is created if it does not exist.
    :param temp_output: Whether each run or session gets a temporary `/output` of its own.
    :param network: The network mode: `none`, `allowlist`, `web` or `full`. With `allow`, it is an allowlist.
    :param allow: Network rules such as `GET https://api.example.com/v1`.
    :param base_urls: URLs below which everything is allowed, and which are passed to programs.
    :param secrets: Secrets that the host adds to requests, by name, as in policy files.
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
        return _finished(self._native.run(text, native), native)

    async def run_async(self, code: str, **options: Unpack[RunOptions]) -> ExecutionResult:
        """The same for asynchronous callers. Cancelling the task ends the program."""
        text, native = _options.code(code), _options.native(options, running_loop())
        return _finished(await outcome(lambda done: self._native.run_async(text, native, done)), native)

    def stream(self, code: str, **options: Unpack[RunOptions]) -> Stream:
        """Returns what runs a program while it is iterated over, with `for` or `async for`, and yields its output."""
        return Stream(self._native.run_async, _options.code(code), options)

    def start(self, code: str, **options: Unpack[RunOptions]) -> Step:
        """Runs a program until it ends, or until it waits for the answer to a call of a deferred tool or to a deferred approval.

        Raises what `run` raises.
        """
        return step(self._native.start(_options.code(code), _options.native(options)))

    async def start_async(self, code: str, **options: Unpack[RunOptions]) -> Step:
        """The same for asynchronous callers."""
        text, native = _options.code(code), _options.native(options, running_loop())
        return step(await outcome(lambda done: self._native.start_async(text, native, done)))

    def paused_from(self, saved: SavedRun, **options: Unpack[RunOptions]) -> PausedRun:
        """Takes a paused program over that was saved. Its rights, limits and budgets are those of this sandbox.

        Raises `errors.InvalidArgument` if the program is of another image, isolation, version or kind of processor.
        """
        saved = _checks.kind("saved", saved, SavedRun, "a SavedRun")
        return PausedRun(self._native.paused_from(saved._native, _options.native(options)))

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


class Session:
    """A guest that keeps its globals, imports and `/tmp` from run to run, as at an interactive prompt.

    It runs one program at a time. An exception in a program does not end the session. If the host ends a run (timeout,
    cancellation, out of memory), the session ends too, unless the run was to be rolled back (`rollback_on_error`) or the session
    is restored from a snapshot.
    """

    def __init__(self, native: _native.Session) -> None:
        self._native = _checks.kind("native", native, _native.Session, "what `Sandbox.session` makes")

    @property
    def identifier(self) -> str:
        """The identifier of the session, unique among all; audit records contain it."""
        return self._native.identifier

    @property
    def ended(self) -> bool:
        """Whether no further program can be run."""
        return bool(self._native.ended())

    def run(self, code: str, **options: Unpack[RunOptions]) -> ExecutionResult:
        """Runs a program and waits for its end, as `Sandbox.run` does. Raises also `errors.SessionEnded`."""
        text, native = _options.code(code), _options.native(options)
        return _finished(self._native.run(text, native), native)

    async def run_async(self, code: str, **options: Unpack[RunOptions]) -> ExecutionResult:
        """The same for asynchronous callers."""
        text, native = _options.code(code), _options.native(options, running_loop())
        return _finished(await outcome(lambda done: self._native.run_async(text, native, done)), native)

    def stream(self, code: str, **options: Unpack[RunOptions]) -> Stream:
        """Returns what runs a program while it is iterated over, as `Sandbox.stream` does."""
        return Stream(self._native.run_async, _options.code(code), options)

    def snapshot(self) -> Snapshot:
        """Saves the state. Raises `errors.Unavailable` with the isolation `wasm`."""
        return Snapshot(self._native.snapshot())

    def restore(self, snapshot: Snapshot) -> None:
        """Returns to a state. Files on mounts, calls of tools and requests are not undone."""
        self._native.restore(_checks.kind("snapshot", snapshot, Snapshot, "a Snapshot")._native)

    def fork(self, count: int = 1) -> list[Session]:
        """Makes sessions that continue from the state of this one, each with random numbers of its own."""
        number = _checks.count("count", count)
        return [Session(native) for native in self._native.fork(number or 0)]

    def read_file(self, path: str, limit: int = READ_LIMIT) -> bytes:
        """Reads a file of at most `limit` bytes on a mount, by its path in the guest. `/tmp` cannot be read."""
        return self._native.read_file(_checks.kind("path", path, str, "str"), _checks.count("limit", limit) or 0)

    def write_file(self, path: str, data: bytes | str) -> None:
        """Writes a file on a writable mount, and creates missing directories. Text is written as UTF-8."""
        data = _checks.kind("data", data, (bytes, bytearray, str), "bytes or str")
        encoded = data.encode() if isinstance(data, str) else bytes(data)
        self._native.write_file(_checks.kind("path", path, str, "str"), encoded)

    def list_files(self, path: str) -> list[DirectoryEntry]:
        """Lists a directory on a mount, sorted by name.

        Raises `errors.InvalidArgument` if it has more than 10,000 entries.
        """
        entries, are_more = self._native.list_files(_checks.kind("path", path, str, "str"))
        if are_more:
            raise InvalidArgument(f"`{path}` has more than {len(entries)} entries", "list a smaller directory")
        return [_with(DirectoryEntry, entry) for entry in entries]

    def close(self) -> None:
        """Ends the guest. A closed session runs nothing more."""
        self._native.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<isolette.Session {self.identifier}{', ended' if self.ended else ''}>"


def native_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Checks the settings of a sandbox, and returns them for the native module."""
    settings: dict[str, Any] = {"language": None, **(Sandbox.__init__.__kwdefaults__ or {})}
    unknown = sorted(set(given) - set(settings))
    if unknown:
        raise TypeError(f"unknown setting `{unknown[0]}`\nhint: `Sandbox` lists the settings")
    settings.update(given)

    def optional(name: str, check: Callable[[str, Any], Any]) -> Any:
        return None if settings[name] is None else check(name, settings[name])

    def one_of(name: str, kinds: type[T]) -> T | None:
        return _checks.optional(name, settings[name], kinds, f"{kinds.__name__}")

    budget, audit, metrics = one_of("budget", Budget), one_of("audit", Audit), one_of("metrics", Metrics)
    language, policy, tools = one_of("language", str), settings["policy"], _items("tools", settings["tools"])
    is_path = isinstance(policy, (str, os.PathLike))
    mounts = enumerate(_items("mounts", settings["mounts"]))
    capabilities = enumerate(_items("capabilities", settings["capabilities"]))
    keywords: dict[str, Any] = {
        "languages": None if language is None else [language],
        "tools": _patterns(settings["allow_tools"]),
        "capabilities": _checks.texts("allow_capabilities", settings["allow_capabilities"]),
        "mounts": [_mount(f"mounts[{index}]", mount) for index, mount in mounts],
        "secrets": optional("secrets", _checks.secrets),
        "timeout": _checks.duration("timeout", settings["timeout"]),
        "memory": _checks.size("memory", settings["memory"]),
        "approval": _approval_mode(settings["approval"]),
        **{name: optional(name, _checks.path) for name in ("input", "output", "image")},
        **{name: optional(name, _checks.mapping) for name in ("variables", "limits")},
        **{name: _checks.texts(name, settings[name]) for name in ("allow", "base_urls")},
        **{name: one_of(name, str) for name in ("profile", "network", "isolation", "tool_calls", "dialect")},
    }
    return {
        "policy_file": _checks.path("policy", policy) if is_path else None,
        "policy": None if is_path or policy is None else _policy(policy),
        "keywords": {name: value for name, value in keywords.items() if value is not None},
        "tools": [
            as_tool(f"tools[{index}]", each) for index, each in enumerate(tools) if not isinstance(each, ToolSet)
        ],
        "tool_sets": [each._native for each in tools if isinstance(each, ToolSet)],
        "capabilities": [as_capability(f"capabilities[{index}]", each) for index, each in capabilities],
        "temp_output": _checks.kind("temp_output", settings["temp_output"], bool, "bool"),
        "approver": _approval.approver("approver", settings["approver"]),
        "on_call": _approval.check("on_call", settings["on_call"]),
        "budget": None if budget is None else budget._native,
        "audit": None if audit is None else audit._native,
        "metrics": None if metrics is None else metrics._native,
        "redact": _checks.texts("redact", settings["redact"]),
        "deterministic": _determinism(settings["deterministic"]),
        "ready_guests": _checks.count("ready_guests", settings["ready_guests"]),
        **{name: optional(name, _checks.path) for name in ("record", "replay")},
        **{name: one_of(name, str) for name in ("record_arguments", "http_body")},
    }


def _finished(result: Any, options: Mapping[str, Any]) -> ExecutionResult:
    _options.finish(options)
    return ExecutionResult._of(result)


def _items(name: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise TypeError(f"`{name}` must be a list, not {type(values).__name__}")
    return list(values)


def as_mount(name: str, mount: Any) -> Mount:
    """A mount, of one or of a tuple."""
    if isinstance(mount, (tuple, list)) and len(mount) in (2, 3):
        mount = Mount(*mount)
    made: Mount = _checks.kind(name, mount, Mount, "a Mount or a tuple (host, guest[, access])")
    return made


def _mount(name: str, value: Any) -> dict[str, str]:
    mount = as_mount(name, value)
    return {
        "host": _checks.path(f"{name}.host", mount.host),
        "guest": _checks.kind(f"{name}.guest", mount.guest, str, "str"),
        "access": _checks.kind(f"{name}.access", mount.access, str, "str"),
    }


def _patterns(allow_tools: Any) -> list[str] | None:
    if allow_tools is None:
        return None
    patterns = _checks.texts("allow_tools", allow_tools)
    if not patterns:
        raise InvalidArgument("`allow_tools` is empty", "leave it out to allow all tools, or pass no tools")
    return patterns


def _policy(policy: Any) -> dict[str, Any]:
    checked = _checks.mapping("policy", policy)
    if "secrets" in checked:
        _checks.secrets("policy['secrets']", checked["secrets"])
    return checked


def _approval_mode(approval: Any) -> Any:
    return approval if approval is None or isinstance(approval, str) else _checks.texts("approval", approval)


def _determinism(deterministic: Any) -> tuple[float, int] | None:
    if deterministic is False or deterministic is None:
        return None
    chosen = Determinism() if deterministic is True else deterministic
    chosen = _checks.kind("deterministic", chosen, Determinism, "a Determinism or bool")
    start = _checks.kind("deterministic.start", chosen.start, datetime.datetime, "a datetime")
    return start.timestamp(), _checks.count("deterministic.seed", chosen.seed) or 0
