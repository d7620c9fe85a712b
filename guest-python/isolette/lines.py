"""The line of the program that makes a call, for the records of the host."""

from sys import _getframe as _frame

from wit_world.imports import system

# Frames that are searched. A call that is deeper in libraries has no line.
_DEPTH = 64

_filename = None
# The line that the host was sent last.
_sent = 0


def begin(filename):
    """Called before each program, with its name in tracebacks."""
    global _filename, _sent
    _filename = filename
    _sent = 0


def note():
    """Tells the host which line of the program is running. To be called before each call of the host, which makes it slower: so
    the caller of the caller, which is mostly the program, is looked at first.
    """
    global _sent
    frame = _frame(2)
    if frame.f_code.co_filename != _filename:
        frame = _outer(frame)
    line = 0 if frame is None else frame.f_lineno or 0
    if line != _sent:
        _sent = line
        system.at_line(line)


def _outer(frame):
    """The innermost frame of the program outside of this one."""
    for _ in range(_DEPTH):
        frame = frame.f_back
        if frame is None or frame.f_code.co_filename == _filename:
            return frame
    return None
