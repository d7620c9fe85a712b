"""`open` for writing, with the exact error number of a failed write.

The C library reports every failed write as `EIO`. The adapter keeps the reason until the file is synchronised, so after `EIO`
this module calls `fsync` and raises its error.
"""

import _io
import builtins
import errno
import io
import itertools
import os

from isolette import folders, package_files
from isolette.builtin import builtin

_open = io.open
_write = os.write
_LARGEST_BUFFER = 8 << 20


def _modes():
    """Yields every spelling of a mode that writes."""
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
            _raise_reason(self.fileno(), error)
            raise


def _raise_reason(descriptor, error):
    if error.errno == errno.EIO:
        try:
            os.fsync(descriptor)
        except OSError as reason:
            raise reason from None


def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    # The original function handles other modes and rejects invalid arguments.
    if mode not in _WRITING or not isinstance(buffering, int):
        return _reading(file, mode, buffering, encoding, errors, newline, closefd, opener)
    binary = "b" in mode
    if (not (encoding is errors is newline is None) or buffering == 1) if binary else buffering == 0:
        return _open(file, mode, buffering, encoding, errors, newline, closefd, opener)
    try:
        stream = FileIO(file, mode.replace("b", "").replace("t", ""), closefd, opener)
    except OSError:
        if opener is None:
            package_files.find(file, mode)  # It raises what is more exact.
        raise
    if not isinstance(file, int) and (path := os.fspath(file))[-3:] in (".py", b".py"):
        folders.written(path)
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


def _reading(file, mode, buffering, encoding, errors, newline, closefd, opener):
    try:
        return _open(file, mode, buffering, encoding, errors, newline, closefd, opener)
    except OSError:
        stream = package_files.find(file, mode) if opener is None else None
        if stream is None:
            raise
        return stream if "b" in mode else io.TextIOWrapper(stream, encoding, errors, newline)


def write(fd, data, /):
    try:
        return _write(fd, data)
    except OSError as error:
        _raise_reason(fd, error)
        raise


def prepare():
    """Replaces the functions of the same name, before other modules import them."""
    open.__module__ = "_io"
    open.__doc__, write.__doc__ = _open.__doc__, _write.__doc__
    builtins.open = io.open = _io.open = builtin(open)
    io.FileIO = FileIO
    os.write = builtin(write)
