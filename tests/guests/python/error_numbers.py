"""Errors of files have Linux's numbers and texts, wherever they come from."""

import errno
import os
import pathlib
import shutil
import socket
import sys
import tempfile
import zipfile

for name in "EPERM ENOENT EINTR EIO EBADF EAGAIN ENOMEM EACCES EEXIST EXDEV ENOTDIR EISDIR EINVAL ENOTTY EFBIG ENOSPC".split():
    number = getattr(errno, name)
    print(name, number, errno.errorcode[number], os.strerror(number))
for name in "EROFS EPIPE ERANGE ENAMETOOLONG ENOSYS ENOTEMPTY ELOOP ENODATA ETIMEDOUT ECONNREFUSED ENOTSUP EWOULDBLOCK".split():
    print(name, getattr(errno, name), os.strerror(getattr(errno, name)))
print(os.strerror(0), os.strerror(12345), len([name for name in dir(errno) if name.startswith("E")]) > 120)
for number in (1, 2, 3, 4, 10, 11, 13, 17, 20, 21, 32, 103, 104, 110, 111, 99):
    print(number, type(OSError(number, "text")).__name__, OSError(number, "text"))
work = tempfile.mkdtemp()
os.chdir(work)
pathlib.Path("file").write_text("x")
os.mkdir("full")
pathlib.Path("full/inside").touch()


def attempt(action, *arguments):
    try:
        print("no error", action(*arguments))
    except OSError as error:
        print(type(error).__name__, error.errno, error.strerror, error.filename, error.args[0], error)


attempt(open, "none")
attempt(open, "none/deeper", "w")
attempt(open, "full")
attempt(open, "file/x")
attempt(open, "file", "x")
attempt(open, "n" * 300)
attempt(os.mkdir, "full")
attempt(os.rmdir, "full")
attempt(os.rmdir, "none")
attempt(os.remove, "none")
attempt(os.listdir, "file")
attempt(os.rename, "none", "other")
attempt(os.stat, "none")
attempt(os.close, 99)
attempt(os.read, 99, 1)
attempt(os.readlink, "file")
attempt(os.get_terminal_size, 99 if False else os.open("file", os.O_RDONLY))
attempt(shutil.copy, "none", "copy")
attempt(pathlib.Path("none").read_text)
attempt(zipfile.ZipFile, "none.zip")
try:
    open("none")
except OSError as error:
    print(error.errno == errno.ENOENT, repr(error))
with open("file") as file:
    try:
        file.write("x")
    except OSError as error:
        print(type(error).__name__, error.errno, error)
os.chdir("/")
shutil.rmtree(work)

for name, module in sorted(sys.modules.items()):
    for key, value in list(getattr(module, "__dict__", {}).items()):
        if key in vars(errno) and key[0] == "E" and type(value) is int and value != getattr(errno, key):
            print("differs", name, key, value)
print(socket.EBADF == errno.EBADF, sorted(socket._blocking_errnos) == [errno.EAGAIN])
