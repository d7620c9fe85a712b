"""The output of a program while it runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _options
from ._results import ExecutionResult
from .errors import InvalidArgument

if TYPE_CHECKING:
    import asyncio
    import queue


@dataclass(frozen=True)
class OutputChunk:
    """A part of the output of a program."""

    stream: str
    """`stdout` or `stderr`."""
    text: str


class Stream:
    """Runs a program while it is iterated over, and yields its output as `OutputChunk` objects.

    `for` and `async for` work alike, once. Afterwards, `result` is the result; leaving the loop before ends the program. Python
    leaves an `async for` that ended with `break` some time later; `contextlib.aclosing` does it at once. The exceptions of
    `Sandbox.run` are raised by the loop.
    """

    def __init__(self, start: Callable[..., Any], code: str, options: Mapping[str, Any]) -> None:
        self._start, self._code, self._options = start, code, dict(options)
        _options.native(self._options)  # Mistakes are errors here, not in the loop.
        self._is_used = False
        self._result: ExecutionResult | None = None

    @property
    def result(self) -> ExecutionResult:
        """The result, once the program has ended."""
        if self._result is None:
            raise InvalidArgument("the program has not ended", "iterate over the stream first")
        return self._result

    def __iter__(self) -> Iterator[OutputChunk]:
        from queue import SimpleQueue

        events: queue.SimpleQueue[Any] = SimpleQueue()
        token = self._begin(events.put, None)
        try:
            while True:
                event = events.get()
                if not isinstance(event, OutputChunk):
                    break
                yield event
        except BaseException:
            # The loop was left, or interrupted. The program ends before this does.
            token.cancel()
            while isinstance(events.get(), OutputChunk):
                pass
            raise
        self._conclude(event)

    async def __aiter__(self) -> AsyncIterator[OutputChunk]:
        from asyncio import Queue, get_running_loop

        loop = get_running_loop()
        events: asyncio.Queue[Any] = Queue()

        def put(event: Any) -> None:
            try:
                loop.call_soon_threadsafe(events.put_nowait, event)
            except RuntimeError:
                pass  # The loop is closed.

        token = self._begin(put, loop)
        try:
            while True:
                event = await events.get()
                if not isinstance(event, OutputChunk):
                    break
                yield event
        except BaseException:
            token.cancel()
            # As above, so that a session is free for its next program.
            while isinstance(await events.get(), OutputChunk):
                pass
            raise
        self._conclude(event)

    def _begin(self, put: Callable[[Any], None], loop: asyncio.AbstractEventLoop | None) -> Any:
        if self._is_used:
            raise InvalidArgument("the stream was used before", "make another one")
        self._is_used = True
        also = self._options.get("on_output")

        def on_output(stream: str, text: str) -> None:
            put(OutputChunk(stream, text))
            if also is not None:
                also(stream, text)

        options = _options.native({**self._options, "on_output": on_output}, loop)

        def done(value: Any, error: BaseException | None) -> None:
            _options.finish(options)
            put((value, error))

        return self._start(self._code, options, done)

    def _conclude(self, event: Any) -> None:
        value, error = event
        if error is not None:
            raise error
        self._result = ExecutionResult._of(value)
