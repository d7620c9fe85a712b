"""Locks, and joins of threads.

A lock that would wait without end raises an error. The native lock of CPython for WASI would end the whole instance.
"""

import time

from isolette import pending, threads, timers


def _wait_for_call(end):
    """Waits until a call or a timer is due, at most until `end`. Returns whether this is to be continued."""
    due = timers.next_due()
    until = min((moment for moment in (end, due) if moment is not None), default=None)
    rest = None if until is None else until - time.monotonic()
    if rest is not None and rest <= 0:
        return False
    pending.wait(rest)
    return True


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
        if not blocking or timeout == 0:
            return False
        self._wait(timeout)
        if self._locked:
            return False
        self._locked = True
        return True

    def _wait(self, timeout):
        """Waits for calls, and runs timers; both may release the lock."""
        end = None if timeout == -1 else time.monotonic() + timeout
        while self._locked and (pending.exist() and _wait_for_call(end) or timers.run_next(end)):
            pass
        if not self._locked:
            return
        if end is not None:
            time.sleep(max(0, end - time.monotonic()))
            threads.give_up(self)
            return
        if not threads.is_main():
            threads.refuse()
        raise RuntimeError(
            "deadlock: the lock is already held, and no other thread can release it "
            "(threads are not available in this sandbox)\n"
            "hint: release the lock, or provide the awaited item, before this line; an RLock can be acquired twice"
        )

    def release(self):
        if not self._locked:
            raise RuntimeError("release unlocked lock")
        self._locked = False
        if self._gave_up:
            threads.come_too_late(self)

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
    """The handle of a thread, which `threading.Thread` uses."""

    ident = None
    # Whether another thread has joined this one.
    joined = False
    _done = False

    def is_done(self):
        return self._done

    def _set_done(self):
        self._done = True

    def join(self, timeout=None):
        end = None if timeout is None or timeout < 0 else time.monotonic() + timeout
        while not self._done and timers.run_next(end):
            pass
        if self._done:
            self.joined = True
        elif not threads.is_main():
            threads.refuse()
        elif end is not None:
            time.sleep(max(0, end - time.monotonic()))
