"""`sys.stdout` and `sys.stderr`, over the console capability.

Text is sent to the host line by line, because buffered text is lost when the host ends the program. Code that waits outside
of the interpreter must call `flush` first, so that the caller also sees incomplete lines. Printing must never fail: characters
that UTF-8 cannot represent (lone surrogates) are written as backslash escapes.
"""

import io
import sys

from wit_world.imports import console
from wit_world.imports.console import Stream

BUFFER_SIZE = 32 * 1024
PIECE_SIZE = 128 * 1024

_stdout = _stderr = None
# All layers of both streams.
layers = ()
# Whether the program has closed or detached one of the streams.
_broken = False


class ConsoleStream(io.RawIOBase):
    """One of the two streams, as the raw layer of a text file."""

    # Closing the stream does not close the console, like descriptors 1 and 2 of a process.
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
        # Send in pieces, because each message is a copy of the data.
        for start in range(0, length, PIECE_SIZE):
            console.write(self._stream, bytes(data[start : start + PIECE_SIZE]))
        return length

    def close(self):
        pass


class TrackingWriter(io.BufferedWriter):
    """Tracks whether anything was written since the last flush."""

    pending = False

    def write(self, data):
        self.pending = True
        return super().write(data)

    def flush(self):
        super().flush()
        self.pending = False

    def close(self):
        super().close()
        self.pending = True  # The next flush detects that the stream is closed.


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
    """Creates the standard streams of the program."""
    global _stdout, _stderr, _broken, layers
    _broken = False
    stdout = io.BufferedWriter(ConsoleStream(Stream.STDOUT, "<stdout>", 1), BUFFER_SIZE)
    # Programs rarely write here, so tracking writes is cheaper than flushing an empty buffer.
    stderr = TrackingWriter(ConsoleStream(Stream.STDERR, "<stderr>", 2), BUFFER_SIZE)
    _stdout = sys.stdout = sys.__stdout__ = _text(stdout, False)
    _stderr = sys.stderr = sys.__stderr__ = _text(stderr, True)
    layers = (_stdout, stdout, stdout.raw, _stderr, stderr, stderr.raw)
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def restore_streams():
    """Restores streams that an earlier program may have replaced, closed or detached."""
    if _broken:
        open_streams()
    if sys.stdout is not _stdout or sys.__stdout__ is not _stdout:
        sys.stdout = sys.__stdout__ = _stdout
    if sys.stderr is not _stderr or sys.__stderr__ is not _stderr:
        sys.stderr = sys.__stderr__ = _stderr


def flush():
    """Sends all buffered text to the host. Never fails, even if the program has replaced the streams."""
    global _broken
    if sys.stdout is not _stdout:
        _flush(sys.stdout)
    if sys.stderr is not _stderr:
        _flush(sys.stderr)
    try:
        # Called before each tool call, so it must be fast.
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
        # The program has replaced the stream with an object that cannot be flushed.
        pass


def input(prompt="", /):
    """Raises EOFError, because a sandbox has no standard input."""
    if prompt != "":
        print(prompt, end="")
    raise EOFError(
        "input() is not available: this sandbox has no standard input\nhint: pass values in as variables, or read a file"
    )
