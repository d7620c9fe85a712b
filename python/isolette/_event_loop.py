"""Asynchronous functions of the embedder, called from threads of the host."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import Any

_lock = threading.Lock()
_own: asyncio.AbstractEventLoop | None = None
_thread: threading.Thread | None = None


def _own_loop() -> asyncio.AbstractEventLoop:
    """The loop for callers that have none. One for the process, so that clients that are bound to a loop go on working."""
    global _own, _thread
    with _lock:
        if _own is None or _thread is None or not _thread.is_alive():
            _own = asyncio.new_event_loop()
            _thread = threading.Thread(target=_own.run_forever, name="isolette-event-loop", daemon=True)
            _thread.start()
        return _own


def start(
    function: Callable[..., Any],
    arguments: dict[str, Any],
    context: contextvars.Context | None,
    loop: asyncio.AbstractEventLoop | None,
    done: Callable[[Any, BaseException | None], None],
) -> Callable[[], None]:
    """Starts a task that awaits `function(**arguments)`, from any thread. Returns a function that cancels it.

    `done(value, error)` is called once.
    """
    running = loop if loop is not None else _own_loop()
    task: asyncio.Task[None] | None = None
    is_cancelled = False

    async def run() -> None:
        try:
            value = await function(**arguments)
        except asyncio.CancelledError as error:
            done(None, error)
            raise
        except BaseException as error:
            # Also those that would end the loop: they fail the call, as those of other functions do.
            done(None, error)
        else:
            done(value, None)

    def begin() -> None:
        nonlocal task
        if not is_cancelled:
            task = running.create_task(run())

    def end() -> None:
        if task is not None:
            task.cancel()

    def cancel() -> None:
        nonlocal is_cancelled
        is_cancelled = True
        try:
            running.call_soon_threadsafe(end)
        except RuntimeError:
            pass  # The loop is closed, and has no tasks.

    # A copy, because a context can be entered only once at a time.
    running.call_soon_threadsafe(begin, context=None if context is None else context.copy())
    return cancel
