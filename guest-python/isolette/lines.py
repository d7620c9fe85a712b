"""The line of the program that makes a call, for the records of the host."""

import sys

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
    """Tells the host which line of the program is running. To be called before each call of the host."""
    global _told
    frame = sys._getframe(1)
    line = 0
    for _ in range(_DEPTH):
        if frame is None:
            break
        if frame.f_code.co_filename == _filename:
            line = frame.f_lineno or 0
            break
        frame = frame.f_back
    if line != _told:
        _told = line
        system.at_line(line)
