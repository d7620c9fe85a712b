"""Paths from where the program is, the null device, and what else `os` and `shutil` say of files."""

import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

with open("relative.txt", "w") as file:
    file.write("here\n")
print(Path("relative.txt").read_text(), os.path.exists("relative.txt"), Path.cwd() == Path(os.getcwd()))
print(os.path.abspath("relative.txt") == os.path.join(os.getcwd(), "relative.txt"))
os.makedirs("deep/er", exist_ok=True)
Path("deep/er/note").write_text("x")
os.chdir("deep")
print(os.listdir(), open("er/note").read(), os.path.basename(os.getcwd()))
os.chdir("..")
shutil.rmtree("deep")
os.remove("relative.txt")
with open(os.devnull, "w") as null:
    print("gone", file=null)
    null.write("x" * 100_000)
with open(os.devnull) as null:
    print(repr(null.read()))
with open(os.devnull, "r+b", buffering=0) as null:
    print(null.write(b"abc"), null.read())
print(os.path.exists("/dev/null"), stat.S_ISCHR(os.stat(os.devnull).st_mode))
before = sys.stdout
sys.stdout = open(os.devnull, "w")
print("unheard")
sys.stdout.close()
sys.stdout = before
print(shutil.get_terminal_size(), shutil.get_terminal_size((100, 50)))
old = os.umask(0o077)
print(oct(os.umask(old)), oct(old))
path = os.path.join(tempfile.mkdtemp(), "file")
Path(path).write_text("#!/bin/sh\n")
print(oct(os.stat(path).st_mode), stat.filemode(os.stat(os.path.dirname(path)).st_mode)[0])
os.chmod(path, 0o600)
print(oct(os.stat(path).st_mode & 0o777), stat.filemode(os.lstat(path).st_mode))
os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
print(oct(Path(path).stat().st_mode), os.access(path, os.R_OK))
with open(path) as file:
    print(oct(os.fstat(file.fileno()).st_mode))
shutil.copy(path, path + "2")
print(oct(os.stat(path + "2").st_mode))
os.utime(path, (1, 1_000_000_000))
print(os.stat(path).st_mtime, os.path.getmtime(path))
try:
    os.chmod(path + "3", 0o600)
except FileNotFoundError as error:
    print(error.errno)


class Log:
    opener = open
    waiter = __import__("time").sleep
    writer = print


with Log().opener(path) as file:
    print(file.readline().strip(), Log().waiter(0))
shutil.rmtree(os.path.dirname(path))

# Permissions stay with the file that they were set for, wherever it is moved, and with no other.
import os
import shutil
import tempfile

permissions = tempfile.mkdtemp()
before = os.getcwd()
os.chdir(permissions)
os.umask(0o022)


def touch(name):
    with open(name, "w"):
        pass


def mode(name):
    return oct(os.stat(name).st_mode & 0o777)


touch("a")
os.chmod("a", 0o600)
os.rename("a", "b")
touch("a")
print(mode("a"), mode("b"))
os.remove("b")
touch("b")
print(mode("b"))
os.chmod("b", 0o640)
os.replace("b", "a")
touch("b")
print(mode("a"), mode("b"))
os.chdir(before)
shutil.rmtree(permissions)
