"""The end of a program, like the end of a process: runs exit handlers, calls destructors and flushes files.

The objects of the program are not freed, because the host discards the whole instance, and freeing a large or deep structure
takes time and stack.
"""

import atexit
import gc
import io
import logging
import types
import weakref

from isolette import console, timers
from isolette.hard_exit import HardExit


def end_program():
    """Finalises the program like CPython. Exceptions of the program are dropped at this point."""
    try:
        _finalise()
    except HardExit:
        raise
    except BaseException:
        pass


def _finalise():
    try:
        timers.finish()
    except HardExit:
        raise
    except BaseException:
        pass
    _quietly(atexit._run_exitfuncs)
    prepare()
    # Objects of the image are frozen and not in this list.
    objects = gc.get_objects()
    kinds = {kind for kind in set(map(type, objects)) if hasattr(kind, "__del__")}
    # CPython itself warns about a coroutine that was never awaited.
    kinds.discard(types.CoroutineType)
    if not kinds:
        return
    own = console.layers
    pending = [item for item in objects if type(item) in kinds and not any(item is layer for layer in own)]
    # Objects that write to a file in their destructor come before the file.
    pending.sort(key=_rank)
    for item in pending:
        _quietly(type(item).__del__, item)


def prepare():
    """Removes all exit handlers except that of `logging`, before the next program starts."""
    atexit._clear()
    logging._handlerList.clear()
    atexit.register(logging.shutdown)
    # The first finaliser of the next program registers the exit handler again.
    weakref.finalize._shutdown = False
    weakref.finalize._registered_with_atexit = False


def _rank(item):
    """Orders outer layers before inner ones, because they flush to the inner layers."""
    if not isinstance(item, io.IOBase):
        return 0  # An archive, for example.
    if isinstance(item, io.TextIOBase):
        return 1
    if isinstance(item, io.RawIOBase):
        return 4
    return 3 if type(item).__module__ == "_io" else 2  # A compressed file wraps another file.


def _quietly(action, *arguments):
    try:
        action(*arguments)
    except BaseException:
        pass
