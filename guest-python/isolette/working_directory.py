"""The working directory as Linux keeps it.

The C library joins the paths of `chdir` as text, and does not know when the directory is renamed or removed.
"""

import errno
import os
import posix

from wit_world.imports import system

from isolette import linux_errors
from isolette.builtin import builtin

_chdir, _getcwd, _getcwdb = posix.chdir, posix.getcwd, posix.getcwdb
_is_removed = False


def begin():
    """Changes to the working directory of a new program."""
    _set_removed(False)
    try:
        _chdir(system.working_directory())
    except OSError:
        pass  # The directory of the mount no longer exists.


def chdir(path):
    """Change the current working directory to the specified path."""
    _chdir(_from_removed(path) if _is_removed else path)
    here = _getcwd()
    plain = _plain(here)
    if plain != here:
        _chdir(plain)
    if _is_removed:
        _set_removed(False)


def _plain(path):
    return "/" + os.path.normpath(path).lstrip("/")


def _from_removed(path):
    """A removed directory still has the directory above it."""
    text = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else ""
    first, _, rest = text.partition("/")
    return os.path.join(os.path.dirname(_getcwd()), rest) if first == ".." else path


def getcwd():
    """Return a unicode string representing the current working directory."""
    raise OSError(errno.ENOENT, linux_errors.text(errno.ENOENT))


def getcwdb():
    """Return a bytes string representing the current working directory."""
    getcwd()


_getcwd_of_removed, _getcwdb_of_removed = builtin(getcwd), builtin(getcwdb)


def _set_removed(is_removed):
    global _is_removed
    if _is_removed != is_removed:
        _is_removed = is_removed
        os.getcwd = _getcwd_of_removed if is_removed else _getcwd
        os.getcwdb = _getcwdb_of_removed if is_removed else _getcwdb


def _place(path, directory):
    """The absolute path, or None if it is relative to an open directory or the working directory was removed."""
    path = os.fsdecode(path)
    if path.startswith("/"):
        return _plain(path)
    return None if directory is not None or _is_removed else _plain(f"{_getcwd()}/{path}")


def _moving(move):
    def moving(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
        move(src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
        source, target = _place(src, src_dir_fd), _place(dst, dst_dir_fd)
        if source is None or target is None or _is_removed:
            return
        here = _getcwd()
        if here == source or here.startswith(source + "/"):
            _chdir(target + here[len(source) :])

    return _named(moving, move)


def _rmdir(path, *, dir_fd=None):
    place = _place(path, dir_fd)
    if os.fsdecode(path).rstrip("/").rpartition("/")[2] == ".":
        raise OSError(errno.EINVAL, linux_errors.text(errno.EINVAL), path)
    posix.rmdir(path, dir_fd=dir_fd)
    if place == _getcwd():
        _set_removed(True)


def _named(function, usual):
    function.__module__, function.__doc__ = "os", usual.__doc__
    return builtin(function, usual.__name__)


rename, replace, rmdir = _moving(posix.rename), _moving(posix.replace), _named(_rmdir, posix.rmdir)


def prepare():
    """Called once, while the image is built."""
    for function in (builtin(chdir), rename, replace, rmdir):
        setattr(os, function.__name__, function)
