"""The line of the program that makes a call, for the records of the host."""

from sys import _getframe as _frame

from wit_world.imports import system

# Frames that are searched. A call that is deeper in libraries has no line.
_DEPTH = 64

_filename = None
# What the host was told last.
_told = 0


def begin(filename):
    """Called before each program, with its name in tracebacks."""
    global _filename, _told
    _filename = filename
    _told = 0


def note():
    """Tells the host which line of the program is running. To be called before each call of the host, which makes it slower: so
    the caller of the caller, which is mostly the program, is looked at first.
    """
    global _told
    frame = _frame(2)
    if frame.f_code.co_filename != _filename:
        frame = _outer(frame)
    line = 0 if frame is None else frame.f_lineno or 0
    if line != _told:
        _told = line
        system.at_line(line)


def _outer(frame):
    """The innermost frame of the program outside of this one."""
    for _ in range(_DEPTH):
        frame = frame.f_back
        if frame is None or frame.f_code.co_filename == _filename:
            return frame
    return None
