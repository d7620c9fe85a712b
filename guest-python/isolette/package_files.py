"""Files of packages, by their paths: `open`, `os.stat`, `os.listdir` and `os.scandir` find what the image contains.

A sandbox has no disk, but packages read templates, fonts and settings beside their modules. A file of a mount at the same path
comes first. What the image contains cannot be written to.
"""

import errno
import io
import os
import posix
import stat as modes

from isolette import linux_errors
from isolette.builtin import builtin
from isolette.importer import store

FOLDER = "/packages"


def _inside(path):
    """Returns a path of the image, or None."""
    if isinstance(path, int):
        return None
    path = os.fspath(path)
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    if not path.startswith(FOLDER):
        return None
    path = os.path.normpath(path)
    return path if path == FOLDER or path.startswith(FOLDER + "/") else None


def _members(path):
    """The names in a folder, each with whether it is a folder; none if there is no such folder."""
    start = path + "/"
    found = {}
    for file in store.data_paths():
        if file.startswith(start):
            name, _, rest = file[len(start) :].partition("/")
            found[name] = bool(rest) or found.get(name, False)
    return found


def find(path, mode):
    """Returns a stream of a file in the image, or None if there is none. Only reading is possible."""
    inside = _inside(path)
    if inside is None:
        return None
    writes = not {"w", "a", "x", "+"}.isdisjoint(mode)
    if inside not in store.data_paths():
        if _members(inside):
            raise _error(errno.EISDIR, path)
        return None
    if writes:
        raise _error(errno.EROFS, path)
    content = _Content(store.get_data(inside))
    content.name, content.mode = inside, "rb"
    return io.BufferedReader(content)


def _error(number, path):
    return OSError(number, linux_errors.text(number), path)


class _Content(io.BytesIO):
    """The contents of a file, with its name."""


def _found(path):
    path = _inside(path)
    if path is None:
        return None
    size = store.data_size(path)
    if size is not None:
        return os.stat_result((modes.S_IFREG | 0o444, 0, 0, 1, 0, 0, size, 0, 0, 0))
    if _members(path):
        return os.stat_result((modes.S_IFDIR | 0o555, 0, 0, 1, 0, 0, 0, 0, 0, 0))
    return None


def _describing(usual):
    """`os.stat` or `os.lstat`: nothing in the image is a link."""

    def function(path, **options):
        try:
            return usual(path, **options)
        except OSError:
            found = _found(path)
            if found is None:
                raise
            return found

    return _like(usual, function)


def _listing(usual, result):
    """`os.listdir` or `os.scandir`: `result` makes what it returns of the path and the members of a folder."""

    def function(path=None):
        try:
            return usual(path)
        except OSError:
            inside = None if path is None else _inside(path)
            if inside in store.data_paths():
                raise _error(errno.ENOTDIR, path) from None
            members = _members(inside) if inside else None
            if not members:
                raise
            return result(path, members)

    return _like(usual, function)


def _names(path, members):
    return [os.fsencode(name) for name in members] if isinstance(path, bytes) else list(members)


def _entries(path, members):
    return _Entries(_Entry(path, name, is_folder) for name, is_folder in members.items())


def _access(path, mode, **options):
    return posix.access(path, mode, **options) or (not mode & os.W_OK and _found(path) is not None)


def _like(usual, function):
    function.__doc__ = usual.__doc__
    return builtin(function, usual.__name__)


class _Entries:
    """What `os.scandir` returns."""

    def __init__(self, entries):
        self._entries = entries

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def close(self):
        self._entries = iter(())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class _Entry:
    """An `os.DirEntry` of a file or folder in the image."""

    def __init__(self, folder, name, is_folder):
        folder = os.fspath(folder)
        self.name = os.fsencode(name) if isinstance(folder, bytes) else name
        self.path = os.path.join(folder, self.name)
        self._is_folder = is_folder

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"

    def is_dir(self, *, follow_symlinks=True):
        return self._is_folder

    def is_file(self, *, follow_symlinks=True):
        return not self._is_folder

    def is_symlink(self):
        return False

    def is_junction(self):
        return False

    def inode(self):
        return 0

    def stat(self, *, follow_symlinks=True):
        return _found(self.path)


stat, lstat = _describing(posix.stat), _describing(posix.lstat)
access = _like(posix.access, _access)
listdir, scandir = _listing(posix.listdir, _names), _listing(posix.scandir, _entries)


def prepare():
    """Called once, while the image is built."""
    for function in (stat, lstat, access, listdir, scandir):
        setattr(os, function.__name__, function)
