"""Functions of `os` and `shutil` that this build of CPython lacks. A function that is not possible in a sandbox fails with an
error of Linux.
"""

import errno
import operator
import os
import posix
import shutil

from isolette import linux_errors, package_files, working_directory
from isolette.builtin import builtin

_TYPE_OF_FILE = 0o170000
_PERMISSIONS = 0o7777

# Permissions that the program has set, by device and inode. WASI has no permissions.
_modes = {}
_umask = 0o022
_reads_modes = False


def begin():
    """Forgets what the program before has set."""
    global _umask
    _umask = 0o022
    _modes.clear()
    working_directory.begin()


def _error(number, *names):
    return OSError(number, linux_errors.text(number), *names)


def umask(mask, /):
    """Set the current numeric umask and return the previous umask."""
    global _umask
    before, _umask = _umask, mask & 0o777
    return before


def get_terminal_size(fd=1, /):
    """Return the size of the terminal window as (columns, lines)."""
    raise _error(errno.ENOTTY)


def statvfs(path):
    """Perform a statvfs system call on the given path."""
    os.stat(path)
    raise _error(errno.ENOSYS, path)


def disk_usage(path):
    """Return disk usage statistics about the given path."""
    os.stat(path)
    raise _error(errno.ENOSYS, path)


def sysconf(name, /):
    """Return an integer-valued system configuration variable."""
    value = posix.sysconf(name)
    # The C library counts the memory in 32 bits. How much a run may use is known to the host alone.
    if value < -1:
        raise _error(errno.ENOSYS)
    return value


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    """Change the access permissions of a file."""
    global _reads_modes
    found = _stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
    _modes[found.st_dev, found.st_ino] = mode & _PERMISSIONS
    if not _reads_modes:
        # The C functions are faster, so they are replaced only if a program sets permissions.
        _reads_modes = True
        os.stat, os.lstat, os.fstat = stat, lstat, fstat
        os.rename, os.replace, os.remove, os.unlink, os.rmdir = rename, replace, remove, unlink, rmdir


def fchmod(fd, mode):
    """Change the access permissions of the file given by file descriptor fd."""
    chmod(fd, mode)


def _with_mode(found):
    mode = _modes.get((found.st_dev, found.st_ino))
    if mode is None:
        return found
    values = list(found)
    values[0] = found.st_mode & _TYPE_OF_FILE | mode
    rest = {name: getattr(found, name) for name in _REST}
    return os.stat_result(values, rest)


# The attributes of a result besides its first ten values.
_TEN = "st_mode st_ino st_dev st_nlink st_uid st_gid st_size".split()
_REST = [name for name in dir(os.stat_result) if name.startswith("st_") and name not in _TEN]
_stat, _lstat, _fstat = package_files.stat, package_files.lstat, posix.fstat


@builtin
def stat(path, *, dir_fd=None, follow_symlinks=True):
    return _with_mode(_stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks))


@builtin
def lstat(path, *, dir_fd=None):
    return _with_mode(_lstat(path, dir_fd=dir_fd))


@builtin
def fstat(fd):
    return _with_mode(_fstat(fd))


# On a mount, an inode belongs to a path, so a later file at the path must not inherit the permissions.


def _found(path, dir_fd):
    try:
        return _lstat(path, dir_fd=dir_fd)
    except (OSError, ValueError, TypeError):
        return None


def _forget(found):
    return None if found is None else _modes.pop((found.st_dev, found.st_ino), None)


def _moving(move):
    def moving(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
        source, target = _found(src, src_dir_fd), _found(dst, dst_dir_fd)
        move(src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
        mode = _forget(source)
        _forget(target)
        if mode is not None and (moved := _found(dst, dst_dir_fd)) is not None:
            _modes[moved.st_dev, moved.st_ino] = mode

    return _named(moving, move)


def _removing(remove):
    def removing(path, *, dir_fd=None):
        found = _found(path, dir_fd)
        remove(path, dir_fd=dir_fd)
        if found is not None and found.st_nlink <= 1:
            _forget(found)

    return _named(removing, remove)


def _named(function, usual):
    function.__module__, function.__doc__ = "os", usual.__doc__
    return builtin(function, usual.__name__)


rename, replace = _moving(working_directory.rename), _moving(working_directory.replace)
remove, unlink, rmdir = _removing(posix.remove), _removing(posix.unlink), _removing(working_directory.rmdir)


def chown(path, uid, gid, *, dir_fd=None, follow_symlinks=True):
    """Change the owner and group id of path to the numeric uid and gid."""
    ids = _identifier("uid", uid), _identifier("gid", gid)
    os.stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
    if any(id not in (-1, 0) for id in ids):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), path)


def _identifier(name, value):
    """Returns the id of a user or group; -1 means unchanged."""
    try:
        value = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} should be integer, not {type(value).__name__}") from None
    if value < -1:
        raise OverflowError(f"{name} is less than minimum")
    if value >= 2**32:
        raise OverflowError(f"{name} is greater than maximum")
    return value


def lchown(path, uid, gid):
    """Change the owner and group id of path to the numeric uid and gid, without following a link."""
    chown(path, uid, gid, follow_symlinks=False)


def fchown(fd, uid, gid):
    """Change the owner and group id of the file given by fd to the numeric uid and gid."""
    chown(fd, uid, gid)


def _one(value):
    return lambda: value


def prepare():
    """Called once, while the image is built."""
    working_directory.prepare()
    for function in (umask, get_terminal_size, statvfs, sysconf, chmod, fchmod):
        setattr(os, function.__name__, builtin(function))
    shutil.disk_usage = disk_usage
    # `tarfile` and `shutil` call these where the user is 0.
    for function in (chown, lchown, fchown):
        if not hasattr(os, function.__name__):
            setattr(os, function.__name__, builtin(function))
    # A sandbox has one user.
    for name in ("getuid", "geteuid", "getgid", "getegid"):
        if not hasattr(os, name):
            setattr(os, name, builtin(_one(0), name))
    if not hasattr(os, "getppid"):
        os.getppid = builtin(_one(0), "getppid")
