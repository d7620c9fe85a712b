"""The end of a program, as the end of a process: exit handlers run, destructors are called, files are written out.

The program's objects are not taken apart. The instance is thrown away as a whole, and freeing a large or deep structure
costs time, and stack that there may not be.
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
    """Does for a program what CPython does when it finalises. What the program's own code raises by then is dropped."""
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
    # What the image was built with is frozen and not among these.
    objects = gc.get_objects()
    kinds = {kind for kind in set(map(type, objects)) if hasattr(kind, "__del__")}
    # A coroutine that nobody awaited says so by itself.
    kinds.discard(types.CoroutineType)
    if not kinds:
        return
    own = console.layers
    pending = [item for item in objects if type(item) in kinds and not any(item is layer for layer in own)]
    # Those that write to a file on their way out come before the file.
    pending.sort(key=_rank)
    for item in pending:
        _quietly(type(item).__del__, item)


def prepare():
    """Lets the next program begin without exit handlers but the one that can have something to do for it."""
    atexit._clear()
    logging._handlerList.clear()
    atexit.register(logging.shutdown)
    # A program's first finaliser registers anew.
    weakref.finalize._shutdown = False
    weakref.finalize._registered_with_atexit = False


def _rank(item):
    """Outer layers first: what is left in them goes to the inner ones."""
    if not isinstance(item, io.IOBase):
        return 0  # An archive, for example.
    if isinstance(item, io.TextIOBase):
        return 1
    if isinstance(item, io.RawIOBase):
        return 4
    return 3 if type(item).__module__ == "_io" else 2  # A compressed file lies over another.


def _quietly(action, *arguments):
    try:
        action(*arguments)
    except BaseException:
        pass
