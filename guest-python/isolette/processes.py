"""Processes: there is exactly one, and it cannot start others."""

import errno
import os
import subprocess

_WHY = "processes are not available in this sandbox"
_HINT = "hint: do the work in Python (shutil, pathlib, zipfile, re …), or ask for a tool and use call_tool()"


class HardExit(BaseException):
    """`os._exit`: ends the program at once, past `except Exception` and past the usual end of the interpreter."""

    def __init__(self, code):
        self.code = code


def _exit(status):
    raise HardExit(status)


def abort():
    raise HardExit(134)


def _refuse(*arguments, **options):
    raise OSError(errno.ENOSYS, f"{_WHY}; {_HINT}")


def _refuse_popen(self, args, *rest, **options):
    # What `__del__` of a half-made object looks at.
    self._child_created = False
    raise OSError(errno.ENOSYS, f"cannot run {args!r}: {_WHY}; {_HINT}")


def prepare():
    os._exit = _exit
    os.abort = abort
    for name in ("system", "popen", "fork", "forkpty", "execv", "execve", "execvp", "execvpe", "spawnv", "posix_spawn"):
        setattr(os, name, _refuse)
    subprocess.Popen.__init__ = _refuse_popen
