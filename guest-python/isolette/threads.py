"""Threads: one at a time.

`Thread.start` runs the thread to its end before it returns, which is one of the orders that a computer could have chosen,
unless the thread waits for what another one would do later: that is refused, with a hint. A `Timer` runs when it is due and
the program waits, or at the program's end. Thread pools run each task at once, in `submit`.

A lock that would wait for ever says so, where the build of CPython for WASI would bring the whole instance down.
"""

import _thread
import time

from isolette.builtin import builtin
from isolette.hard_exit import HardExit

_HINT = "hint: use a plain loop, asyncio, or ThreadPoolExecutor, which runs each task at once"

# Which thread runs: the main one, or one that a thread waits for to end.
_main = _thread.get_ident()
_current = _main
_last = _main
# Timers that have not run yet, as (when, number, what runs it, handle, timer).
_timers = []


class Waiting(BaseException):
    """A thread waits for another one. Passes by whatever handles exceptions in between."""


class Lock:
    """`threading.Lock` for a single thread."""

    __slots__ = ("_locked", "__weakref__")

    def __init__(self):
        self._locked = False

    def acquire(self, blocking=True, timeout=-1):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if not self._locked:
            self._locked = True
            return True
        if not blocking:
            return False
        self._wait(timeout)
        if self._locked:
            return False
        self._locked = True
        return True

    def _wait(self, timeout):
        """Lets timers run, one of which may release it."""
        end = None if timeout == -1 else time.monotonic() + timeout
        while self._locked and run_timer(end):
            pass
        if not self._locked:
            return
        if end is not None:
            time.sleep(max(0, end - time.monotonic()))
            return
        if _current != _main:
            raise Waiting
        raise RuntimeError(
            "deadlock: this lock is held already, and no other thread could ever release it "
            "(threads are not available in this sandbox)"
        )

    def release(self):
        if not self._locked:
            raise RuntimeError("release unlocked lock")
        self._locked = False

    def locked(self):
        return self._locked

    acquire_lock = acquire
    release_lock = release
    locked_lock = locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exception):
        self.release()

    def _at_fork_reinit(self):
        self._locked = False

    def __repr__(self):
        return f"<{'locked' if self._locked else 'unlocked'} _thread.lock object at {id(self):#x}>"


class Handle:
    """What a `Thread` knows of the thread of the operating system that it stands for."""

    ident = None
    _done = False

    def is_done(self):
        return self._done

    def _set_done(self):
        self._done = True

    def join(self, timeout=None):
        end = None if timeout is None or timeout < 0 else time.monotonic() + timeout
        while not self._done and run_timer(end):
            pass
        if not self._done and end is not None:
            time.sleep(max(0, end - time.monotonic()))


def get_ident():
    """Return a non-zero integer that uniquely identifies the current thread amongst other threads."""
    return _current


def start_new_thread(function, args, kwargs={}, /):
    """Start a new thread and return its identifier."""
    handle = Handle()
    _run(lambda: _quietly(function, args, kwargs), handle)
    return handle.ident


def start_joinable_thread(function, handle=None, daemon=True):
    """*For internal use only*: start a new thread."""
    handle = Handle() if handle is None else handle
    thread = getattr(function, "__self__", None)
    if _is_timer(thread):
        handle.ident = _new_ident()
        thread._ident = handle.ident
        thread._started.set()
        _timers.append((time.monotonic() + thread.interval, handle.ident, function, handle, thread))
        _timers.sort(key=lambda entry: entry[:2])
        return handle
    try:
        _run(function, handle)
    except Exception:
        # `Thread.start` takes it out of there when it could not be started.
        _limbo[thread] = thread
        raise
    return handle


def _new_ident():
    global _last
    _last += 1
    return _last


def _run(function, handle):
    """Runs a thread to its end."""
    global _current
    before = _current
    _current = handle.ident = handle.ident or _new_ident()
    _passing.append(None)
    try:
        function()
    except Waiting as waiting:
        _passing[-1] = waiting
    finally:
        _current = before
        handle._set_done()
        passing = _passing.pop()
    if isinstance(passing, HardExit):
        raise passing
    if passing is not None:
        raise RuntimeError(
            "threads are not available in this sandbox: start() ran this one at once, and it waits for what only another "
            f"one could do\n{_HINT}"
        )


# For each thread that runs, what has to go on to the one that started it.
_passing = []


def _quietly(function, args, kwargs):
    import threading

    try:
        function(*args, **kwargs)
    except SystemExit:
        pass
    except (Waiting, HardExit) as error:
        _passing[-1] = error
    except BaseException as error:
        threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, None)))


def run_timer(end=None):
    """Waits for the next timer and runs it, if it is due by then. Says whether there was one."""
    _timers[:] = [entry for entry in _timers if not _is_over(entry)]
    if not _timers or (end is not None and _timers[0][0] > end):
        return False
    due, _, function, handle, _ = _timers.pop(0)
    delay = due - time.monotonic()
    if delay > 0:
        _sleep(delay)
    _run(function, handle)
    return True


def _is_over(entry):
    """Whether a timer was cancelled, and will do nothing."""
    if not entry[4].finished.is_set():
        return False
    _run(entry[2], entry[3])
    return True


def sleep(seconds):
    """Waits, and runs the timers that are due meanwhile."""
    end = time.monotonic() + seconds
    while run_timer(end):
        pass
    rest = end - time.monotonic()
    if rest > 0:
        _sleep(rest)


def has_timers():
    return bool(_timers)


def finish():
    """Lets the timers of a program run that has come to its end. Those of daemons do not."""
    _timers[:] = [entry for entry in _timers if not entry[4].daemon]
    while run_timer():
        pass


def forget():
    _timers.clear()


def _is_timer(thread):
    kind = type(thread)
    return _timer is not None and isinstance(thread, _timer) and kind.run is _timer.run


_timer = _limbo = None
_sleep = time.sleep


def prepare():
    """Must run before any module takes a lock for itself."""
    _thread.lock = _thread.LockType = _thread.allocate_lock = _thread.allocate = Lock
    _thread.start_new_thread = _thread.start_new = builtin(start_new_thread)
    _thread.start_joinable_thread = builtin(start_joinable_thread)
    _thread._ThreadHandle = Handle
    _thread.get_ident = builtin(get_ident)


def adapt_threading(threading):
    """Called with `threading`."""
    global _timer, _limbo
    from _threading_local import local

    _timer, _limbo = threading.Timer, threading._limbo
    threading.local = local
    make_hook = threading._make_invoke_excepthook
    wait = threading.Event.wait

    def make_invoke_excepthook():
        usual = make_hook()

        def invoke(thread):
            import sys

            error = sys.exception()
            if isinstance(error, (Waiting, HardExit)):
                _passing[-1] = error
            else:
                usual(thread)

        return invoke

    def event_wait(self, timeout=None):
        if _current != _main and not self._flag:
            raise Waiting
        return wait(self, timeout)

    def run(self):
        # It was waited for before.
        if not self.finished.is_set():
            self.function(*self.args, **self.kwargs)
        self.finished.set()

    event_wait.__name__ = event_wait.__qualname__ = "wait"
    event_wait.__doc__ = wait.__doc__
    threading._make_invoke_excepthook = make_invoke_excepthook
    threading.Event.wait = event_wait
    threading.Timer.run = run
