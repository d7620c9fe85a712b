"""asyncio without sockets: an event loop with ready callbacks, timers, and the calls that the host performs.

The loop waits in the host, so that the deadline of the run applies. If no callback is ready, no timer is set and no call is
pending, the loop raises an error instead of waiting without end.
"""

import asyncio
import concurrent.futures
import contextvars
import functools
import time
import types
from asyncio import base_events, events, futures, tasks, unix_events

from isolette import overlap, pending, threads

_NO_SOCKETS = (
    "asyncio cannot open connections in this sandbox: there are no sockets\n"
    "hint: use httpx.AsyncClient, or await asyncio.to_thread(http_get, url)"
)
_NO_PROCESSES = (
    "asyncio cannot start anything: processes are not available in this sandbox\n"
    "hint: do the work in Python, or ask for a tool and use call_tool()"
)


class _Waiting:
    """The selector of the base class: waits, and never returns an event. Calls that are complete settle their futures."""

    def select(self, timeout):
        if pending.exist():
            pending.wait(timeout)
        elif timeout is None:
            raise RuntimeError(
                "deadlock: every task waits for another task, and none can continue\n"
                "hint: set the event, put the item or release the lock that the tasks wait for, or use asyncio.wait_for"
            )
        elif timeout > 0:
            time.sleep(timeout)
        return ()


class EventLoop(base_events.BaseEventLoop):
    """The event loop of a sandbox."""

    def __init__(self, selector=None):
        super().__init__()
        self._selector = _Waiting()
        self._pool = None
        self._needs_no_time = False

    def _process_events(self, event_list):
        # The loop reads the clock next, which is a host call, to see which timers are due.
        self._needs_no_time = not self._scheduled

    def time(self):
        if self._needs_no_time:
            self._needs_no_time = False
            return 0.0
        return time.monotonic()

    def _write_to_self(self):
        pass

    def run_in_executor(self, executor, func, *args):
        """Runs the function immediately, because there is one thread, unless it only waits for the host (`overlap.py`).
        `asyncio.to_thread` calls this as well, with a function that runs another one in a context.
        """
        self._check_closed()
        if isinstance(func, functools.partial) and not args and isinstance(func.func, types.BuiltinMethodType):
            if func.args and func.func.__name__ == "run" and isinstance(func.func.__self__, contextvars.Context):
                future = self._overlapping(func.args[0], func.args[1:], func.keywords)
                if future is not None:
                    return future
        if executor is None:
            if self._pool is None:
                from concurrent.futures import ThreadPoolExecutor

                self._pool = ThreadPoolExecutor(thread_name_prefix="asyncio")
            executor = self._pool
        return futures.wrap_future(executor.submit(func, *args), loop=self)

    def _overlapping(self, function, arguments, keywords):
        future = concurrent.futures.Future()
        if overlap.submit(function, arguments, keywords, future):
            return futures.wrap_future(future, loop=self)
        return None

    async def create_connection(self, *arguments, **options):
        raise PermissionError(_NO_SOCKETS)

    create_server = create_datagram_endpoint = create_unix_connection = create_unix_server = create_connection
    connect_accepted_socket = sock_connect = sock_accept = sock_recv = sock_sendall = create_connection

    async def subprocess_exec(self, *arguments, **options):
        raise OSError(_NO_PROCESSES)

    subprocess_shell = subprocess_exec


class _Policy(events._BaseDefaultEventLoopPolicy):
    """Replaces `asyncio.DefaultEventLoopPolicy`, so that programs for older versions of Python get an event loop."""

    _loop_factory = EventLoop
    _current = None

    def get_event_loop(self):
        # Before 3.14, `get_event_loop` created the loop of the main thread; many programs rely on that.
        if self._current is None or self._current.is_closed():
            self.set_event_loop(self.new_event_loop())
        return self._current

    def set_event_loop(self, loop):
        if loop is not None and not isinstance(loop, events.AbstractEventLoop):
            raise TypeError(f"loop must be an instance of AbstractEventLoop or None, not '{type(loop).__name__}'")
        self._current = loop


def has_only_this_task():
    """Returns whether the running task is all that the running loop can continue with: no other task is ready, and no timer
    is set. If the task waits for a call, it can wait in the host, without a turn of the loop.
    """
    loop = events._get_running_loop()
    if type(loop) is not EventLoop or loop._ready or loop._stopping or loop._task_factory is not None:
        return False
    if len(loop._scheduled) != loop._timer_cancelled_count:
        return False
    task = tasks.current_task(loop)
    # A task that was cancelled gets the exception when it next returns to the loop.
    return task is not None and not task._must_cancel


def _leave_loop():
    """Hides the event loop of the starting thread, and returns the state to restore."""
    policy = events._event_loop_policy
    current = None
    if isinstance(policy, _Policy):
        current, policy._current = policy._current, None
    loop = events._get_running_loop()
    if loop is None:
        return policy, current, None, None
    task = tasks._swap_current_task(loop, None)
    events._set_running_loop(None)
    return policy, current, loop, task


def _return_to_loop(state):
    policy, current, loop, task = state
    if isinstance(policy, _Policy):
        policy._current = current
    if loop is not None:
        events._set_running_loop(loop)
        tasks._swap_current_task(loop, task)


def prepare():
    asyncio.EventLoop = asyncio.SelectorEventLoop = EventLoop
    unix_events.SelectorEventLoop = unix_events.EventLoop = EventLoop
    unix_events._DefaultEventLoopPolicy = unix_events._UnixDefaultEventLoopPolicy = _Policy
    events._set_event_loop_policy(_Policy())
    threads.leave_loop, threads.return_to_loop = _leave_loop, _return_to_loop
