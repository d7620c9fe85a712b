"""Threads, one at a time.

`Thread.start` runs the thread to its end before it returns, which is a valid order of execution. If the thread waits for an
action of another thread, `start` raises an error with a hint. Thread pools run each task in `submit`. `waiting.py` implements
locks and joins, `timers.py` implements threads that start later, and `thread_modules.py` changes the standard library.
"""

import _thread
import sys
from _contextvars import Context

from wit_world.imports import system

from isolette.hard_exit import HardExit

_HINT = "hint: use a plain loop, asyncio, or ThreadPoolExecutor, which runs each task at once"

_NONE = "threads are not available in this sandbox: "
_START = "start() runs a thread to its end, and this thread waits for another one"
TIMER = "a Timer runs while the program waits, and this Timer waits for another thread"
TASK = "submit() runs a task to its end, and this task waits for another one"
# Stack frames that a thread needs to start and to report an error.
_FRAMES = 100
# Number of sleeps of a thread that may take more than half of the time of the run.
_SLEEPS = 3

# The identifiers of the main thread, of the running thread, and of the newest thread.
_main = _thread.get_ident()
_current = _main
_last = _main


class Waiting(BaseException):
    """A thread waits for another one. Derives from `BaseException`, so that `except Exception` does not catch it."""


class _Running:
    """A thread that runs, or that waits for a thread that it started."""

    def __init__(self, handle, how):
        self.handle = handle
        self.how = how
        # The exception to raise in the thread that started this one.
        self.passing = None
        self.sleeps = 0
        self.slept = 0
        self.time = None


# The innermost thread is last.
_running = []


def get_ident():
    """Return a non-zero integer that uniquely identifies the current thread amongst other threads."""
    return _current


def new_ident():
    global _last
    _last += 1
    return _last


def is_main():
    return _current == _main


def refuse():
    """Ends the running thread. The starting thread raises an error, even if the thread catches the exception."""
    waiting = Waiting()
    pass_on(waiting)
    raise waiting


def pass_on(error):
    """Records the exception that ended the running thread for the starting thread."""
    run = _running[-1]
    if not isinstance(run.passing, HardExit):
        run.passing = error


def _text(how):
    return f"{_NONE}{how}\n{_HINT}"


def give_up(awaited):
    """Records that a thread stopped waiting after a timeout. With concurrent threads it might have succeeded."""
    if not is_main():
        awaited._gave_up = (*awaited._gave_up, _running[-1])


def come_too_late(awaited):
    """Called when another thread provides the awaited item. Raises unless the waiting thread was joined before."""
    waiters = awaited._gave_up
    awaited._gave_up = tuple(waiter for waiter in waiters if waiter in _running)
    for waiter in waiters:
        # The starting thread already reports a refused thread.
        if waiter not in _running and not waiter.handle.joined and waiter.passing is None:
            raise RuntimeError(_text(waiter.how))


def count_sleep(seconds):
    """Ends a thread that sleeps for most of the run, because the thread that could stop it waits for its end."""
    if is_main() or not isinstance(seconds, (int, float)) or not seconds > 0:
        return
    run = _running[-1]
    if run.time is None:
        run.time = system.deadline_remaining() / 1e9
    run.sleeps += 1
    run.slept += seconds
    if run.slept > (run.time / 2 if run.sleeps > _SLEEPS else run.time):
        refuse()


def run(function, handle, how=_START):
    """Runs a thread to its end."""
    global _current
    if _is_deep():
        raise RecursionError(f"{_NONE}too many threads start each other\n{_HINT}")
    before = _current
    _current = handle.ident = handle.ident or new_ident()
    this = _Running(handle, how)
    _running.append(this)
    loop = leave_loop()
    try:
        Context().run(function)
    except (Waiting, HardExit) as error:
        pass_on(error)
    finally:
        return_to_loop(loop)
        _current = before
        handle._set_done()
        _running.pop()
    if isinstance(this.passing, HardExit):
        raise this.passing
    if this.passing is not None:
        raise RuntimeError(_text(how))


def _is_deep():
    try:
        sys._getframe(sys.getrecursionlimit() - _FRAMES)
    except ValueError:
        return False
    return True


def leave_loop():
    """Hides the running event loop from a new thread. `event_loop.py` replaces this function."""


def return_to_loop(loop):
    pass
