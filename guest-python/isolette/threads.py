"""Threads: one at a time.

`Thread.start` runs the thread to its end before it returns, which is one of the orders that a computer could have chosen,
unless the thread waits for what another one would do later: that is refused, with a hint. A `Timer` runs when it is due and
the program waits, or at the program's end. Thread pools run each task at once, in `submit`.

A lock that would wait for ever says so, where the build of CPython for WASI would bring the whole instance down.
"""

import _thread
import sys
import time
from _contextvars import Context

from wit_world.imports import system

from isolette.builtin import builtin
from isolette.hard_exit import HardExit

_HINT = "hint: use a plain loop, asyncio, or ThreadPoolExecutor, which runs each task at once"

_NONE = "threads are not available in this sandbox: "
_START = "start() ran this one at once, and it waits"
_TIMER = "a Timer runs while the program waits, and this one waits"
TASK = "submit() ran this task at once, and it waits"
# Frames that a thread needs to begin, and to say how it failed.
_FRAMES = 100
# So many times a thread may sleep, whatever time that takes of the run.
_SLEEPS = 3

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

    __slots__ = ("_locked", "_gave_up", "__weakref__")

    def __init__(self):
        self._locked = False
        self._gave_up = ()

    def __reduce__(self):
        raise TypeError("cannot pickle '_thread.lock' object")

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
            _give_up(self)
            return
        if _current != _main:
            _refuse()
        raise RuntimeError(
            "deadlock: this lock is held already, and no other thread could ever release it "
            "(threads are not available in this sandbox)"
        )

    def release(self):
        if not self._locked:
            raise RuntimeError("release unlocked lock")
        self._locked = False
        if self._gave_up:
            _come_too_late(self)

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
        self._gave_up = ()

    def __repr__(self):
        return f"<{'locked' if self._locked else 'unlocked'} _thread.lock object at {id(self):#x}>"


class Handle:
    """What a `Thread` knows of the thread of the operating system that it stands for."""

    ident = None
    # Whether another thread has waited for this one, and so knows that it has ended.
    joined = False
    _done = False

    def is_done(self):
        return self._done

    def _set_done(self):
        self._done = True

    def join(self, timeout=None):
        end = None if timeout is None or timeout < 0 else time.monotonic() + timeout
        while not self._done and run_timer(end):
            pass
        if self._done:
            self.joined = True
        elif _current != _main:
            _refuse()
        elif end is not None:
            time.sleep(max(0, end - time.monotonic()))


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


def _refuse():
    """Ends the thread that runs, and has its starter say so whatever the thread does with the exception."""
    waiting = Waiting()
    if not isinstance(_running[-1].passing, HardExit):
        _running[-1].passing = waiting
    raise waiting


def _text(how):
    return f"{_NONE}{how} for what only another one could do\n{_HINT}"


def _give_up(awaited):
    """Remembers that a thread no longer waits for something. On a computer it might have got it."""
    if _current != _main:
        awaited._gave_up = (*awaited._gave_up, _running[-1])


def _come_too_late(awaited):
    """Called when another thread provides it. One that has been joined had given up before on a computer, too."""
    left = awaited._gave_up
    awaited._gave_up = tuple(gone for gone in left if gone in _running)
    for gone in left:
        if gone not in _running and not gone.handle.joined:
            raise RuntimeError(_text(gone.how))


def count_sleep(seconds):
    """Refuses that a thread sleeps the time of the run away: the one that could stop it waits for its end."""
    if _current == _main or not isinstance(seconds, (int, float)) or not seconds > 0:
        return
    run = _running[-1]
    if run.time is None:
        run.time = system.deadline_left() / 1e9
    run.sleeps += 1
    run.slept += seconds
    if run.slept > (run.time / 2 if run.sleeps > _SLEEPS else run.time):
        _refuse()


def make_thread_handle(ident, /):
    handle = Handle()
    handle.ident = ident
    return handle


def get_ident():
    """Return a non-zero integer that uniquely identifies the current thread amongst other threads."""
    return _current


def start_new_thread(function, args, kwargs={}, /):
    """Start a new thread and return its identifier."""
    handle = Handle()
    run(lambda: _quietly(function, args, kwargs), handle)
    return handle.ident


def start_joinable_thread(function, handle=None, daemon=True):
    """*For internal use only*: start a new thread."""
    handle = Handle() if handle is None else handle
    thread = getattr(function, "__self__", None)
    if _is_timer(thread):
        handle.ident = new_ident()
        thread._ident = handle.ident
        thread._started.set()
        _timers.append((time.monotonic() + thread.interval, handle.ident, function, handle, thread))
        _timers.sort(key=lambda entry: entry[:2])
        return handle
    try:
        run(function, handle)
    except Exception:
        # `Thread.start` takes it out of there when it could not be started.
        _limbo[thread] = thread
        raise
    return handle


def new_ident():
    global _last
    _last += 1
    return _last


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
        this.passing = error
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


def _quietly(function, args, kwargs):
    import threading

    try:
        function(*args, **kwargs)
    except SystemExit:
        pass
    except (Waiting, HardExit) as error:
        _running[-1].passing = error
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
    run(function, handle, _TIMER)
    return True


def _is_over(entry):
    """Whether a timer was cancelled, and will do nothing."""
    if not entry[4].finished.is_set():
        return False
    run(entry[2], entry[3], _TIMER)
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
    while True:
        try:
            if not run_timer():
                return
        except Exception as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)


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
    _thread._make_thread_handle = builtin(make_thread_handle)
    _thread.get_ident = builtin(get_ident)


def adapt_threading(threading):
    """Called with `threading`."""
    global _timer, _limbo
    from _threading_local import local

    _timer, _limbo = threading.Timer, threading._limbo
    threading.local = local
    make_hook = threading._make_invoke_excepthook
    wait = threading.Event.wait
    wait_for_notice, notify = threading.Condition.wait, threading.Condition.notify
    wait_at_barrier = threading.Barrier._wait

    def make_invoke_excepthook():
        usual = make_hook()

        def invoke(thread):
            import sys

            error = sys.exception()
            if isinstance(error, (Waiting, HardExit)):
                _running[-1].passing = error
            else:
                usual(thread)

        return invoke

    def event_wait(self, timeout=None):
        if _current != _main and not self._flag:
            _refuse()
        return wait(self, timeout)

    def condition_wait(self, timeout=None):
        got = wait_for_notice(self, timeout)
        if not got:
            _give_up(self)
        return got

    def condition_notify(self, n=1):
        notify(self, n)
        if self._gave_up:
            _come_too_late(self)

    def barrier_wait(self, timeout):
        if _current != _main:
            _refuse()
        return wait_at_barrier(self, timeout)

    def refuse_pickling(self, protocol):
        raise TypeError("cannot pickle '_thread.RLock' object")

    def run_timer_once(self):
        # It was waited for before.
        if not self.finished.is_set():
            self.function(*self.args, **self.kwargs)
        self.finished.set()

    for kind, name, function in (
        (threading.Event, "wait", event_wait),
        (threading.Condition, "wait", condition_wait),
        (threading.Condition, "notify", condition_notify),
        (threading.Barrier, "_wait", barrier_wait),
    ):
        usual = getattr(kind, name)
        function.__name__, function.__qualname__, function.__doc__ = name, usual.__qualname__, usual.__doc__
        setattr(kind, name, function)
    threading.Condition._gave_up = ()
    # The one in C knows a single thread, which owns whatever any of these owns.
    threading._CRLock = None
    threading._PyRLock.__reduce_ex__ = refuse_pickling
    threading._make_invoke_excepthook = make_invoke_excepthook
    threading.Timer.run = run_timer_once


def adapt_queue(queue):
    """Called with `queue`. The one in C waits for a lock that is not one of these, which brings the whole instance down."""
    import _queue

    simple = queue._PySimpleQueue
    simple.__name__ = simple.__qualname__ = "SimpleQueue"
    simple.__module__ = "_queue"
    queue.SimpleQueue = _queue.SimpleQueue = simple
