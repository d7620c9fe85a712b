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
# All that they are made of.
layers = ()
# The program has closed one of them, or taken it apart.
_broken = False


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


class NotingWriter(io.BufferedWriter):
    """Knows whether anything was written since it was last flushed."""

    pending = False

    def write(self, data):
        self.pending = True
        return super().write(data)

    def flush(self):
        super().flush()
        self.pending = False

    def close(self):
        super().close()
        self.pending = True  # The next flush is to find out.


def _text(buffer, write_through):
    return io.TextIOWrapper(
        buffer,
        encoding="utf-8",
        errors="backslashreplace",
        newline="\n",
        line_buffering=True,
        write_through=write_through,
    )


def open_streams():
    """Gives the program its standard streams."""
    global _stdout, _stderr, _broken, layers
    _broken = False
    stdout = io.BufferedWriter(ConsoleStream(Stream.STDOUT, "<stdout>", 1), BUFFER_SIZE)
    # Hardly anything is written here, so to note it costs less than to flush what is empty.
    stderr = NotingWriter(ConsoleStream(Stream.STDERR, "<stderr>", 2), BUFFER_SIZE)
    _stdout = sys.stdout = sys.__stdout__ = _text(stdout, False)
    _stderr = sys.stderr = sys.__stderr__ = _text(stderr, True)
    layers = (_stdout, stdout, stdout.raw, _stderr, stderr, stderr.raw)
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def restore_streams():
    """Takes back what an earlier program may have replaced, closed or taken apart."""
    if _broken:
        open_streams()
    if sys.stdout is not _stdout or sys.__stdout__ is not _stdout:
        sys.stdout = sys.__stdout__ = _stdout
    if sys.stderr is not _stderr or sys.__stderr__ is not _stderr:
        sys.stderr = sys.__stderr__ = _stderr


def flush():
    """Hands on all that was written. Never fails, whatever the program has put in place of the streams."""
    global _broken
    if sys.stdout is not _stdout:
        _flush(sys.stdout)
    if sys.stderr is not _stderr:
        _flush(sys.stderr)
    try:
        # Every call of a tool comes through here.
        _stdout.flush()
    except Exception:
        _broken = True
    try:
        if _stderr.buffer.pending:
            _stderr.flush()
    except Exception:
        _broken = True


def _flush(stream):
    try:
        stream.flush()
    except Exception:
        # A stream of the program's own making: there is nothing left to say.
        pass


def input(prompt="", /):
    """There is nobody who could type."""
    if prompt != "":
        print(prompt, end="")
    raise EOFError("input() has nothing to read in this sandbox\nhint: pass values in as variables, or read a file")
