"""Threads: one at a time.

`Thread.start` runs the thread to its end before it returns, which is one of the orders that a computer could have chosen,
unless the thread waits for what another one would do later: that is refused, with a hint. Thread pools run each task at
once, in `submit`. How threads wait is in `waiting.py`, those that begin later in `timers.py`, and what programs see of
all this in `thread_modules.py`.
"""

import _thread
import sys
from _contextvars import Context

from wit_world.imports import system

from isolette.hard_exit import HardExit

_HINT = "hint: use a plain loop, asyncio, or ThreadPoolExecutor, which runs each task at once"

_NONE = "threads are not available in this sandbox: "
_START = "start() ran this one at once, and it waits"
TIMER = "a Timer runs while the program waits, and this one waits"
TASK = "submit() ran this task at once, and it waits"
# Frames that a thread needs to begin, and to say how it failed.
_FRAMES = 100
# So many times a thread may sleep, whatever time that takes of the run.
_SLEEPS = 3

# Which thread runs: the main one, or one that a thread waits for to end.
_main = _thread.get_ident()
_current = _main
_last = _main


class Waiting(BaseException):
    """A thread waits for another one. Passes by whatever handles exceptions in between."""


class _Running:
    """A thread that runs, or that waits for one that it started."""

    def __init__(self, handle, how):
        self.handle = handle
        self.how = how
        # What has to go on to the one that started it.
        self.passing = None
        self.sleeps = 0
        self.slept = 0
        self.time = None


# The innermost last.
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
    """Ends the thread that runs, and has its starter say so whatever the thread does with the exception."""
    waiting = Waiting()
    pass_on(waiting)
    raise waiting


def pass_on(error):
    """Has the starter of the thread that runs know what ended it."""
    run = _running[-1]
    if not isinstance(run.passing, HardExit):
        run.passing = error


def _text(how):
    return f"{_NONE}{how} for what only another one could do\n{_HINT}"


def give_up(awaited):
    """Remembers that a thread no longer waits for something. On a computer it might have got it."""
    if not is_main():
        awaited._gave_up = (*awaited._gave_up, _running[-1])


def come_too_late(awaited):
    """Called when another thread provides it. One that has been joined had given up before on a computer, too."""
    left = awaited._gave_up
    awaited._gave_up = tuple(gone for gone in left if gone in _running)
    for gone in left:
        # Of one that was refused, its starter knows.
        if gone not in _running and not gone.handle.joined and gone.passing is None:
            raise RuntimeError(_text(gone.how))


def count_sleep(seconds):
    """Refuses that a thread sleeps the time of the run away: the one that could stop it waits for its end."""
    if is_main() or not isinstance(seconds, (int, float)) or not seconds > 0:
        return
    run = _running[-1]
    if run.time is None:
        run.time = system.deadline_left() / 1e9
    run.sleeps += 1
    run.slept += seconds
    if run.slept > (run.time / 2 if run.sleeps > _SLEEPS else run.time):
        refuse()


def run(function, handle, how=_START):
    """Runs a thread to its end."""
    global _current
    if _is_deep():
        raise RecursionError(f"{_NONE}too many of them start each other, each within the one before\n{_HINT}")
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
    """A thread begins without the running event loop of its starter. `event_loop` knows how."""


def return_to_loop(loop):
    pass
