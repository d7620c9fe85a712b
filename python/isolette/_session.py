"""Sessions."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _checks, _native, _options
from ._options import RunOptions
from ._paused import Answer, PausedCall, SavedRun, answers, paused_calls
from ._results import READ_LIMIT, DirectoryEntry, ExecutionResult, _with
from ._running import Done, caller, outcome, running_loop
from ._snapshots import Snapshot, key_bytes
from ._stream import Stream
from .errors import InvalidArgument

if TYPE_CHECKING:
    from typing_extensions import Unpack

_NO_OPTIONS: Mapping[str, Any] = {"on_output": None}


class Session:
    """A guest that keeps its globals, imports and `/tmp` from run to run, as at an interactive prompt.

    It runs one program at a time. An exception in a program does not end the session. If the host ends a run (timeout,
    cancellation, out of memory), the session ends too, unless the run was to be rolled back (`rollback_on_error`), the session
    is restored from a snapshot, or it takes over a paused program (`continue_paused`).
    """

    def __init__(self, native: _native.Session) -> None:
        self._native = _checks.kind("native", native, _native.Session, "what `Sandbox.session` makes")
        # Those of the program that waits, if one does: functions among them are kept no longer.
        self._options = _NO_OPTIONS

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
        return _options.finished(self._native.run(text, native), native)

    async def run_async(self, code: str, **options: Unpack[RunOptions]) -> ExecutionResult:
        """The same for asynchronous callers."""
        text, native = _options.code(code), _options.native(options, running_loop())
        return _options.finished(await outcome(lambda done: self._native.run_async(text, native, done)), native)

    def stream(self, code: str, **options: Unpack[RunOptions]) -> Stream:
        """Returns what runs a program while it is iterated over, as `Sandbox.stream` does."""
        return Stream(self._native.run_async, _options.code(code), options)

    def start(self, code: str, **options: Unpack[RunOptions]) -> ExecutionResult | None:
        """Runs a program until it ends, or until it waits for the answer to a call of a deferred tool or to a deferred approval.

        Returns `None` if it waits: for the answers to `paused_calls`, which `resume` gives. Its time does not pass meanwhile, and the
        session runs no other program. To end it, cancel it (`cancel`) and resume it, `restore` the session, or close it; the last two
        leave a program that was saved to its file. Close the session if a function of its options refers to it: the garbage collector
        does not.

        Raises what `run` raises.
        """
        text, native = _options.code(code), _options.native(options)
        return self._step(self._advance(lambda: self._native.start(text, native)), native)

    async def start_async(self, code: str, **options: Unpack[RunOptions]) -> ExecutionResult | None:
        """The same for asynchronous callers. Cancelling the task cancels the run."""
        text, native = _options.code(code), _options.native(options, running_loop())
        return self._step(await self._advance_async(lambda done: self._native.start_async(text, native, done)), native)

    @property
    def paused_calls(self) -> tuple[PausedCall, ...]:
        """The calls that wait for an answer, in the order in which the program made them. Empty if no program waits.

        Raises `errors.InvalidArgument` if the session is closed, or runs a program in another thread.
        """
        return paused_calls(self._native.paused_calls())

    def resume(self, answer: Answer | Mapping[int, Answer]) -> ExecutionResult | None:
        """Answers the first of `paused_calls`, or some of them by their `id`, and continues as `start` does.

        Raises what `run` raises; `errors.InvalidArgument` if no program waits, or an answer does not fit: the program still waits
        then.
        """
        answered, options = answers(answer, self.paused_calls), self._options
        return self._step(self._advance(lambda: self._native.resume(answered, caller())), options)

    async def resume_async(self, answer: Answer | Mapping[int, Answer]) -> ExecutionResult | None:
        """The same for asynchronous callers. Cancelling the task cancels the run."""
        answered, options = answers(answer, self.paused_calls), self._options
        callers = caller(running_loop())
        resumed = await self._advance_async(lambda done: self._native.resume_async(answered, callers, done))
        return self._step(resumed, options)

    def save_paused(self, path: str | os.PathLike[str], *, key: bytes | None = None) -> None:
        """Writes the session with the program that waits to a file that only the present user can read.

        The program still waits here, too. If the session is closed or restored instead, its program is left to the file
        (`SavedRun`).

        Raises `errors.InvalidArgument` if no program waits, and `errors.Unavailable` if it cannot be saved.
        """
        self._native.save_paused(_checks.path("path", path), key_bytes(key))

    def paused_to_bytes(self, *, key: bytes | None = None) -> bytes:
        """Returns what `save_paused` writes."""
        return self._native.paused_to_bytes(key_bytes(key))

    def forget_paused_file(self) -> None:
        """Declares that what was saved is deleted: closing the session ends its program again."""
        self._native.forget_paused_file()

    def continue_paused(self, saved: SavedRun, **options: Unpack[RunOptions]) -> None:
        """Takes a paused program over that was saved, with the names, modules, `/tmp` and temporary `/output` that it had around it.

        They take the place of what the session has now, to which it returns if the program fails and is to be rolled back
        (`rollback_on_error`). `resume` continues the program. The options `variables` and `filename` have no effect, and `labels`
        replace those of the program.

        Raises `errors.InvalidArgument` if the program is of another image, isolation, version or kind of processor, or if a program
        of this session waits already; `errors.LimitExceeded` if what it keeps in the host is more than the limits permit;
        `errors.SessionEnded` if there is no state to return to. The session is then as before.
        """
        saved, native = _checks.kind("saved", saved, SavedRun, "a SavedRun"), _options.native(options)
        self._native.continue_paused(saved._native, native)
        self._options = native

    def _step(self, native: Any, options: Mapping[str, Any]) -> ExecutionResult | None:
        """The result of a program, or `None` if it waits."""
        self._options = options if native is None else _NO_OPTIONS
        return None if native is None else _options.finished(native, options)

    def _advance(self, run: Callable[[], Any]) -> Any:
        try:
            return run()
        except InvalidArgument:
            raise
        except BaseException:
            # An interrupt can come while the program is paused, and its caller does not learn that it waits.
            if self._native.is_cancelled():
                with contextlib.suppress(Exception):
                    self._native.resume([], caller())
            raise

    async def _advance_async(self, start: Callable[[Done], _native.CancellationToken]) -> Any:
        import asyncio

        try:
            return await outcome(start)
        except InvalidArgument:
            raise
        except (Exception, asyncio.CancelledError):
            # As above.
            if self._native.is_cancelled():
                callers = caller(running_loop())
                with contextlib.suppress(Exception):
                    await outcome(lambda done: self._native.resume_async([], callers, done))
            raise

    def snapshot(self) -> Snapshot:
        """Saves the state. Raises `errors.Unavailable` with the isolation `wasm`."""
        return Snapshot(self._native.snapshot())

    def restore(self, snapshot: Snapshot) -> None:
        """Returns to a state. Files on mounts, calls of tools and requests are not undone."""
        self._native.restore(_checks.kind("snapshot", snapshot, Snapshot, "a Snapshot")._native)
        self._options = _NO_OPTIONS

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
