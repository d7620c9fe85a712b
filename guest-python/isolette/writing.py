"""`open` for writing: what stands in the way of a write is told by its own error number.

The C library knows of a write that failed no more than that it did, and says `EIO`. The reason is kept until the file
is synchronised, as on other systems, so whoever is told `EIO` asks for it.
"""

import _io
import builtins
import errno
import io
import itertools
import os

from isolette.builtin import builtin

_open = io.open
_write = os.write
_LARGEST_BUFFER = 8 << 20


def _modes():
    """Every spelling of a mode that writes."""
    for action, update, kind in itertools.product("rwxa", ("", "+"), ("", "b", "t")):
        if action != "r" or update:
            yield from map("".join, itertools.permutations(action + update + kind))


_WRITING = frozenset(_modes())


class FileIO(_io.FileIO):
    __module__ = "_io"
    __doc__ = _io.FileIO.__doc__

    def write(self, data, /):
        try:
            return super().write(data)
        except OSError as error:
            _tell(self.fileno(), error)
            raise


def _tell(descriptor, error):
    if error.errno == errno.EIO:
        try:
            os.fsync(descriptor)
        except OSError as reason:
            raise reason from None


def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    # Whatever cannot be opened like this is refused by the function that this stands in for.
    if mode not in _WRITING or not isinstance(buffering, int):
        return _open(file, mode, buffering, encoding, errors, newline, closefd, opener)
    binary = "b" in mode
    if (not (encoding is errors is newline is None) or buffering == 1) if binary else buffering == 0:
        return _open(file, mode, buffering, encoding, errors, newline, closefd, opener)
    stream = FileIO(file, mode.replace("b", "").replace("t", ""), closefd, opener)
    try:
        if buffering == 0:
            return stream
        by_line = buffering == 1
        if buffering < 0 or by_line:
            buffering = max(min(stream._blksize, _LARGEST_BUFFER), io.DEFAULT_BUFFER_SIZE)
        stream = (io.BufferedRandom if "+" in mode else io.BufferedWriter)(stream, buffering)
        if not binary:
            stream = io.TextIOWrapper(stream, encoding, errors, newline, by_line)
            stream.mode = mode
        return stream
    except BaseException:
        stream.close()
        raise


def write(fd, data, /):
    try:
        return _write(fd, data)
    except OSError as error:
        _tell(fd, error)
        raise


def prepare():
    """Puts these in the place of what they are called like, before other modules take hold of it."""
    open.__module__ = "_io"
    open.__doc__, write.__doc__ = _open.__doc__, _write.__doc__
    builtins.open = io.open = _io.open = builtin(open)
    io.FileIO = FileIO
    os.write = builtin(write)
