"""Threads: there is exactly one.

Locks therefore never wait for somebody else. One that would wait for ever says so, where the build of CPython for
WASI would bring the whole instance down. Thread pools run each task at once, in `submit`, which is what most programs
that use one need; a bare `Thread` is refused.
"""

import _thread
import time

_HINT = "hint: use a plain loop, asyncio, or ThreadPoolExecutor, which runs each task at once"


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
        if timeout != -1:
            time.sleep(timeout)
            return False
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


def _refuse(*arguments, **options):
    raise RuntimeError(f"threads are not available in this sandbox\n{_HINT}")


def prepare():
    """Must run before any module takes a lock for itself."""
    _thread.lock = _thread.LockType = _thread.allocate_lock = _thread.allocate = Lock
    _thread.start_new_thread = _thread.start_new = _thread.start_joinable_thread = _refuse


def adapt_threading(threading):
    threading.Thread.start = _refuse
