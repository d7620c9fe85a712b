"""Changes to `_thread`, `threading` and `queue`."""

import _thread

from isolette import threads, timers
from isolette.builtin import builtin
from isolette.hard_exit import HardExit
from isolette.waiting import Handle, Lock

_timer = _limbo = None


def prepare():
    """Called once, before any module creates a lock."""
    _thread.lock = _thread.LockType = _thread.allocate_lock = _thread.allocate = Lock
    _thread.start_new_thread = _thread.start_new = builtin(start_new_thread)
    _thread.start_joinable_thread = builtin(start_joinable_thread)
    _thread._ThreadHandle = Handle
    _thread._make_thread_handle = builtin(make_thread_handle)
    _thread.get_ident = builtin(threads.get_ident)


def start_new_thread(function, args, kwargs={}, /):
    """Start a new thread and return its identifier."""
    handle = Handle()
    threads.run(lambda: _quietly(function, args, kwargs), handle)
    return handle.ident


def start_joinable_thread(function, handle=None, daemon=True):
    """*For internal use only*: start a new thread."""
    handle = Handle() if handle is None else handle
    thread = getattr(function, "__self__", None)
    if _is_timer(thread):
        handle.ident = threads.new_ident()
        thread._ident = handle.ident
        thread._started.set()
        timers.add(thread, function, handle)
        return handle
    try:
        threads.run(function, handle)
    except Exception:
        # `Thread.start` removes the thread from this dict if it could not be started.
        _limbo[thread] = thread
        raise
    return handle


def make_thread_handle(ident, /):
    handle = Handle()
    handle.ident = ident
    return handle


def _is_timer(thread):
    kind = type(thread)
    return _timer is not None and isinstance(thread, _timer) and kind.run is _timer.run


def _quietly(function, args, kwargs):
    import threading

    try:
        function(*args, **kwargs)
    except SystemExit:
        pass
    except (threads.Waiting, HardExit) as error:
        threads.pass_on(error)
    except BaseException as error:
        threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, None)))


def adapt_threading(threading):
    """Called with `threading`."""
    global _timer, _limbo
    from _threading_local import local

    _timer, _limbo = threading.Timer, threading._limbo
    threading.local = local
    make_hook = threading._make_invoke_excepthook
    wait = threading.Event.wait
    wait_for_notice, notify = threading.Condition.wait, threading.Condition.notify
    wait_for_predicate = threading.Condition.wait_for
    wait_at_barrier = threading.Barrier._wait

    def make_invoke_excepthook():
        usual = make_hook()

        def invoke(thread):
            import sys

            error = sys.exception()
            if isinstance(error, (threads.Waiting, HardExit)):
                threads.pass_on(error)
            else:
                usual(thread)

        return invoke

    def event_wait(self, timeout=None):
        if not threads.is_main() and not self._flag:
            threads.refuse()
        return wait(self, timeout)

    def condition_wait(self, timeout=None):
        got = wait_for_notice(self, timeout)
        if not got and timeout > 0:
            threads.give_up(self)
        return got

    def condition_wait_for(self, predicate, timeout=None):
        result = wait_for_predicate(self, predicate, timeout)
        # The predicate may become true without a notification, so a late change could not be detected.
        if not result and not threads.is_main() and timeout > 0:
            threads.refuse()
        return result

    def condition_notify(self, n=1):
        notify(self, n)
        if self._gave_up:
            threads.come_too_late(self)

    def barrier_wait(self, timeout):
        if not threads.is_main():
            threads.refuse()
        return wait_at_barrier(self, timeout)

    def refuse_pickling(self, protocol):
        raise TypeError("cannot pickle '_thread.RLock' object")

    def run_timer_once(self):
        # `timers.py` has already waited for the interval.
        if not self.finished.is_set():
            self.function(*self.args, **self.kwargs)
        self.finished.set()

    for kind, name, function in (
        (threading.Event, "wait", event_wait),
        (threading.Condition, "wait", condition_wait),
        (threading.Condition, "wait_for", condition_wait_for),
        (threading.Condition, "notify", condition_notify),
        (threading.Barrier, "_wait", barrier_wait),
    ):
        usual = getattr(kind, name)
        function.__name__, function.__qualname__, function.__doc__ = name, usual.__qualname__, usual.__doc__
        setattr(kind, name, function)
    threading.Condition._gave_up = ()
    # The lock in C only knows the thread of the operating system, which is the same for all threads here.
    threading._CRLock = None
    threading._PyRLock.__reduce_ex__ = refuse_pickling
    threading._make_invoke_excepthook = make_invoke_excepthook
    threading.Timer.run = run_timer_once


def adapt_queue(queue):
    """Called with `queue`. The queue in C waits for a native lock, which ends the whole instance."""
    import _queue

    simple = queue._PySimpleQueue
    simple.__name__ = simple.__qualname__ = "SimpleQueue"
    simple.__module__ = "_queue"
    queue.SimpleQueue = _queue.SimpleQueue = simple
