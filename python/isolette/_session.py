"""Sessions."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from . import _checks, _native, _options
from ._options import RunOptions
from ._results import READ_LIMIT, DirectoryEntry, ExecutionResult, _with
from ._running import outcome, running_loop
from ._snapshots import Snapshot
from ._stream import Stream
from .errors import InvalidArgument

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
        return _options.finished(self._native.run(text, native), native)

    async def run_async(self, code: str, **options: Unpack[RunOptions]) -> ExecutionResult:
        """The same for asynchronous callers."""
        text, native = _options.code(code), _options.native(options, running_loop())
        return _options.finished(await outcome(lambda done: self._native.run_async(text, native, done)), native)

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
