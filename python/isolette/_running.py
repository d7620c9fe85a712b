"""Awaiting what the host does on its threads."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    import asyncio

Done = Callable[[Any, "BaseException | None"], None]


def caller(loop: asyncio.AbstractEventLoop | None = None) -> tuple[contextvars.Context, asyncio.AbstractEventLoop | None]:
    """What functions that a run calls have of its caller."""
    return contextvars.copy_context(), loop


def running_loop() -> asyncio.AbstractEventLoop:
    """The event loop of an asynchronous caller, which has imported the module; it takes as long as this package."""
    import asyncio

    return asyncio.get_running_loop()


async def outcome(start: Callable[[Done], _native.CancellationToken]) -> Any:
    """Awaits what `start` starts. If the task is cancelled, so is that, and its end is awaited before."""
    import asyncio

    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    # After a cancellation nothing asks for the exception.
    future.add_done_callback(lambda future: future.cancelled() or future.exception())

    def settle(value: Any, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)
        elif isinstance(error, StopIteration):
            # A future cannot have it.
            future.set_exception(RuntimeError(f"a function raised {error!r}"))
        else:
            future.set_exception(error)

    def done(value: Any, error: BaseException | None) -> None:
        try:
            loop.call_soon_threadsafe(settle, value, error)
        except RuntimeError:
            pass  # The loop is closed, and nothing awaits this any more.

    token = start(done)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        token.cancel()
        await asyncio.wait([future])
        raise
