"""`sys.stdout` and `sys.stderr`, over the console capability.

Text is gathered here and handed on in large pieces. Everything that lets time pass outside of the interpreter must call
`flush` first, so that whoever watches sees what the program has said so far. Printing must never fail: what UTF-8
cannot carry (lone surrogates) is written as a backslash escape.
"""

import io
import sys

from wit_world.imports import console
from wit_world.imports.console import Stream

BUFFER_SIZE = 32 * 1024


class ConsoleStream(io.RawIOBase):
    """One of the two streams, as the raw layer of a text file."""

    def __init__(self, stream, name, descriptor):
        self._stream = stream
        self._descriptor = descriptor
        self.name = name
        self.mode = "wb"

    def writable(self):
        return True

    def fileno(self):
        return self._descriptor

    def isatty(self):
        return False

    def write(self, data):
        data = bytes(data)
        console.write(self._stream, data)
        return len(data)

    def close(self):
        """The console outlives whoever closes it, as the descriptors 1 and 2 of a process do."""


def _text(stream, name, descriptor, line_buffering):
    raw = ConsoleStream(stream, name, descriptor)
    return io.TextIOWrapper(
        io.BufferedWriter(raw, BUFFER_SIZE),
        encoding="utf-8",
        errors="backslashreplace",
        newline="\n",
        line_buffering=line_buffering,
    )


def open_streams():
    """Gives the program its standard streams."""
    sys.stdout = sys.__stdout__ = _text(Stream.STDOUT, "<stdout>", 1, False)
    sys.stderr = sys.__stderr__ = _text(Stream.STDERR, "<stderr>", 2, True)
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def restore_streams():
    """Takes back what an earlier run of the session may have replaced or closed."""
    if sys.__stdout__.closed or sys.__stderr__.closed:
        open_streams()
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


def flush():
    """Hands on all that was written. Never fails, whatever the program has put in place of the streams."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except Exception:
            # A stream of the program's own making, or one that it closed: there is nothing left to say.
            pass


def input(prompt="", /):
    """There is nobody who could type."""
    if prompt != "":
        print(prompt, end="")
    raise EOFError("input() has nothing to read in this sandbox\nhint: pass values in as variables, or read a file")
