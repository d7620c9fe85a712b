"""`sys.stdout` and `sys.stderr`, over the console capability.

Text is handed on line by line, because what is still here when the host ends the program is lost. Everything that lets
time pass outside of the interpreter must call `flush` first, so that whoever watches sees the beginning of a line as
well. Printing must never fail: what UTF-8 cannot carry (lone surrogates) is written as a backslash escape.
"""

import io
import sys

from wit_world.imports import console
from wit_world.imports.console import Stream

BUFFER_SIZE = 32 * 1024
PIECE_SIZE = 128 * 1024

_stdout = _stderr = None


class ConsoleStream(io.RawIOBase):
    """One of the two streams, as the raw layer of a text file."""

    # The console outlives whoever closes it, as the descriptors 1 and 2 of a process do.
    closed = False

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
        length = len(data)
        if length <= PIECE_SIZE:
            console.write(self._stream, bytes(data))
            return length
        # In pieces, as the whole would need as much memory again on its way to the host.
        for start in range(0, length, PIECE_SIZE):
            console.write(self._stream, bytes(data[start : start + PIECE_SIZE]))
        return length

    def close(self):
        pass


def _text(stream, name, descriptor):
    raw = ConsoleStream(stream, name, descriptor)
    return io.TextIOWrapper(
        io.BufferedWriter(raw, BUFFER_SIZE),
        encoding="utf-8",
        errors="backslashreplace",
        newline="\n",
        line_buffering=True,
    )


def open_streams():
    """Gives the program its standard streams."""
    global _stdout, _stderr
    sys.stdout = sys.__stdout__ = _text(Stream.STDOUT, "<stdout>", 1)
    sys.stderr = sys.__stderr__ = _text(Stream.STDERR, "<stderr>", 2)
    _stdout, _stderr = sys.stdout, sys.stderr
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def restore_streams():
    """Takes back what an earlier program may have replaced or closed."""
    if sys.__stdout__.closed or sys.__stderr__.closed:
        open_streams()
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


def flush():
    """Hands on all that was written. Never fails, whatever the program has put in place of the streams."""
    if sys.stdout is _stdout and sys.stderr is _stderr:
        try:
            # Every call of a tool comes through here.
            _stdout.flush()
            _stderr.flush()
            return
        except Exception:
            pass
    _flush(sys.stdout)
    _flush(sys.stderr)
    if sys.stdout is not sys.__stdout__:
        _flush(sys.__stdout__)
    if sys.stderr is not sys.__stderr__:
        _flush(sys.__stderr__)


def _flush(stream):
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
