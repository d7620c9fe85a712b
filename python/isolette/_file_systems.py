"""File systems for mounts, written in Python."""

from __future__ import annotations

import abc
import errno
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FileStatus:
    """What a file system knows about a file or directory."""

    kind: str
    """`file`, `directory`, or `other` for what programs cannot open."""
    size: int = 0
    """Bytes."""
    modified: int = 0
    """The time of the last modification, in nanoseconds since 1970."""


class FileSystem(abc.ABC):
    """A tree of files that is mounted in guests: an archive, an object store, a mock. `Mount(host=…)` takes one.

    Paths are relative to its root, such as `reports/june.txt`; the root is `""`. They never have `.`, `..`, empty components or a
    null character. It is checked before whether the program may write, and also the limits on files.

    An `OSError`, such as `FileNotFoundError`, reaches the program with its number. Any other exception is `EIO` there, and is
    reported to `sys.unraisablehook`. The methods are called on the threads on which guests wait, of several guests at the same
    time. They may block: the deadline of a run applies all the same.
    """

    @abc.abstractmethod
    def stat(self, path: str) -> FileStatus:
        """What is known about a file or directory."""

    @abc.abstractmethod
    def read(self, path: str, offset: int, length: int) -> bytes:
        """At most `length` bytes from `offset`, fewer only at the end of the file. `length` is at most 192 KiB."""

    @abc.abstractmethod
    def list_directory(self, path: str) -> Iterable[tuple[str, str]]:
        """The names of all entries, each with its kind: `file`, `directory` or `other`."""

    def write(self, path: str, offset: int | None, content: bytes) -> None:
        """Writes all of `content` at `offset`, or at the end of the file for `None`. The file exists. Default: read-only."""
        raise _read_only()

    def create(self, path: str, kind: str) -> None:
        """Creates an empty `file`, or a `directory`. Default: read-only."""
        raise _read_only()

    def remove(self, path: str, kind: str) -> None:
        """Removes a `file`, or an empty `directory`. Default: read-only."""
        raise _read_only()

    def freed(self, path: str) -> int:
        """How many bytes the removal of this file frees. Default: 0, so that removed files still count towards the limits."""
        return 0

    def rename(self, source: str, target: str) -> None:
        """Renames a file or directory; a file at `target` is replaced. Default: read-only."""
        raise _read_only()

    def resize(self, path: str, size: int) -> None:
        """Cuts a file to `size` bytes, or extends it with zero bytes. Default: read-only."""
        raise _read_only()

    def set_modified(self, path: str, modified: int) -> None:
        """Sets the time of the last modification, in nanoseconds since 1970. Default: read-only."""
        raise _read_only()


def _read_only() -> OSError:
    return OSError(errno.EROFS, os.strerror(errno.EROFS))


def status(value: Any) -> tuple[str, int, int]:
    """A status for the native module."""
    if not isinstance(value, FileStatus):
        raise TypeError(f"`stat` must return a FileStatus, not {type(value).__name__}")
    return value.kind, value.size, value.modified
