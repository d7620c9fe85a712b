"""Functions that start processes, which fail in a sandbox."""

import os
import subprocess

from isolette.builtin import builtin
from isolette.hard_exit import HardExit

_WHY = "processes are not available in this sandbox"
_HINT = "hint: do the work in Python (shutil, pathlib, zipfile, re …), or ask for a tool and use call_tool()"


def _exit(status):
    raise HardExit(status)


def abort():
    raise HardExit(134)


def _refuse(*arguments, **options):
    raise OSError(f"{_WHY}\n{_HINT}")


def _refuse_popen(self, args, *rest, **options):
    # `__del__` reads this attribute.
    self._child_created = False
    raise OSError(f"cannot run {args!r}: {_WHY}\n{_HINT}")


def prepare():
    os._exit = builtin(_exit)
    os.abort = builtin(abort)
    for name in ("system", "popen", "fork", "forkpty", "execv", "execve", "execvp", "execvpe", "spawnv", "posix_spawn"):
        setattr(os, name, builtin(_refuse))
    subprocess.Popen.__init__ = _refuse_popen


def adapt_multiprocessing(context):
    """Called with `multiprocessing.context`."""
    for name in (
        "Barrier",
        "BoundedSemaphore",
        "Condition",
        "Event",
        "JoinableQueue",
        "Lock",
        "Manager",
        "Pipe",
        "Pool",
        "Queue",
        "RLock",
        "Semaphore",
        "SimpleQueue",
        "Array",
        "RawArray",
        "RawValue",
        "Value",
    ):
        setattr(context.BaseContext, name, _refuse_multiprocessing)
    for name in ("Process", "ForkProcess", "SpawnProcess", "ForkServerProcess"):
        if hasattr(context, name):
            getattr(context, name).start = _refuse_multiprocessing


def _refuse_multiprocessing(self, *arguments, **options):
    raise OSError(f"{_WHY}\nhint: use a plain loop, or ThreadPoolExecutor, which runs each task at once")
