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

FOLDER = "/packages"

_stat, _lstat, _listdir, _scandir, _access = posix.stat, posix.lstat, posix.listdir, posix.scandir, posix.access


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


def _files():
    from isolette.importer import store

    return store


def _listed(path):
    """The names in a folder, each with whether it is a folder, or None."""
    inside = None if path is None else _inside(path)
    if inside is None:
        return None
    if inside in _files().data_paths():
        raise _error(errno.ENOTDIR, path)
    return _members(inside)


def _members(path):
    start = path + "/"
    found = {}
    for file in _files().data_paths():
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
    if inside not in _files().data_paths():
        if _members(inside):
            raise _error(errno.EISDIR, path)
        return None
    if writes:
        raise _error(errno.EROFS, path)
    content = _Content(_files().get_data(inside))
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
    size = _files().data_size(path)
    if size is not None:
        return os.stat_result((modes.S_IFREG | 0o444, 0, 0, 1, 0, 0, size, 0, 0, 0))
    if _members(path):
        return os.stat_result((modes.S_IFDIR | 0o555, 0, 0, 1, 0, 0, 0, 0, 0, 0))
    return None


@builtin
def stat(path, *, dir_fd=None, follow_symlinks=True):
    try:
        return _stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
    except OSError:
        found = _found(path)
        if found is None:
            raise
        return found


@builtin
def lstat(path, *, dir_fd=None):
    try:
        return _lstat(path, dir_fd=dir_fd)
    except OSError:
        found = _found(path)
        if found is None:
            raise
        return found


@builtin
def access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
    if _access(path, mode, dir_fd=dir_fd, effective_ids=effective_ids, follow_symlinks=follow_symlinks):
        return True
    return not mode & os.W_OK and _found(path) is not None


@builtin
def listdir(path=None):
    try:
        return _listdir(path)
    except OSError:
        members = _listed(path)
        if not members:
            raise
        return [os.fsencode(name) for name in members] if isinstance(path, bytes) else list(members)


@builtin
def scandir(path=None):
    try:
        return _scandir(path)
    except OSError:
        members = _listed(path)
        if not members:
            raise
        return _Entries(_Entry(path, name, is_folder) for name, is_folder in members.items())


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


def prepare():
    """Called once, while the image is built."""
    for function, usual in ((stat, _stat), (lstat, _lstat), (access, _access), (listdir, _listdir), (scandir, _scandir)):
        function.__doc__ = usual.__doc__
        setattr(os, usual.__name__, function)
