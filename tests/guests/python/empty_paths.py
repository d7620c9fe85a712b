"""An empty path names nothing: every function raises `FileNotFoundError`, and none takes it for the working directory."""

import contextlib
import glob
import gzip
import os
import pathlib
import shutil
import sqlite3
import tarfile
import tempfile
import zipfile

place = tempfile.mkdtemp()
os.chdir(place)
os.makedirs("folder/inner")
for name in ("file", "folder/other"):
    pathlib.Path(name).write_text(name)

attempts = {
    "open": lambda: open(""),
    "open to write": lambda: open("", "w"),
    "open to append": lambda: open("", "a"),
    "open new": lambda: open("", "x"),
    "open bytes": lambda: open(b""),
    "os.open": lambda: os.open("", os.O_RDONLY),
    "os.open folder": lambda: os.open("", os.O_RDONLY | os.O_DIRECTORY),
    "os.open new": lambda: os.open("", os.O_WRONLY | os.O_CREAT),
    "stat": lambda: os.stat(""),
    "stat bytes": lambda: os.stat(b""),
    "lstat": lambda: os.lstat(""),
    "listdir": lambda: os.listdir(""),
    "scandir": lambda: list(os.scandir("")),
    "chdir": lambda: os.chdir(""),
    "mkdir": lambda: os.mkdir(""),
    "makedirs": lambda: os.makedirs(""),
    "rmdir": lambda: os.rmdir(""),
    "removedirs": lambda: os.removedirs(""),
    "remove": lambda: os.remove(""),
    "unlink": lambda: os.unlink(""),
    "rename from": lambda: os.rename("", "new"),
    "rename to": lambda: os.rename("file", ""),
    "rename folder to": lambda: os.rename("folder", ""),
    "replace from": lambda: os.replace("", "new"),
    "replace to": lambda: os.replace("file", ""),
    "renames": lambda: os.renames("", "new"),
    "readlink": lambda: os.readlink(""),
    "link from": lambda: os.link("", "new"),
    "link to": lambda: os.link("file", ""),
    "symlink from": lambda: os.symlink("", "new"),
    "symlink to": lambda: os.symlink("file", ""),
    "utime": lambda: os.utime(""),
    "truncate": lambda: os.truncate("", 0),
    "chmod": lambda: os.chmod("", 0o644),
    "getsize": lambda: os.path.getsize(""),
    "getmtime": lambda: os.path.getmtime(""),
    "samefile": lambda: os.path.samefile("", "file"),
    "rmtree": lambda: shutil.rmtree(""),
    "rmtree bytes": lambda: shutil.rmtree(b""),
    "copy from": lambda: shutil.copy("", "new"),
    "copy to": lambda: shutil.copy("file", ""),
    "copyfile to": lambda: shutil.copyfile("file", ""),
    "copy2 to": lambda: shutil.copy2("file", ""),
    "copytree from": lambda: shutil.copytree("", "new"),
    "copytree to": lambda: shutil.copytree("folder", ""),
    "move from": lambda: shutil.move("", "new"),
    "move to": lambda: shutil.move("file", ""),
    "copystat": lambda: shutil.copystat("file", ""),
    "gzip": lambda: gzip.open(""),
    "zip to read": lambda: zipfile.ZipFile(""),
    "zip to write": lambda: zipfile.ZipFile("", "w"),
    "zip of nothing": lambda: zipfile.ZipFile("archive.zip", "w").write(""),
    "tar": lambda: tarfile.open(""),
    "tar of nothing": lambda: tarfile.TarFile("archive.tar", "w").add(""),
    "unpack": lambda: shutil.unpack_archive("", format="zip"),
    "database of a URI": lambda: sqlite3.connect("file:/nothing/x?mode=ro", uri=True),
}
for name, attempt in attempts.items():
    try:
        print(name, "RETURNED", attempt())
    except OSError as error:
        # Later releases name the file where earlier ones did not, and as text.
        paths = (os.fsdecode(path or "") for path in (error.filename, error.filename2))
        print(name, type(error).__name__, error.errno, *map(repr, paths))
    except Exception as error:
        print(name, type(error).__name__, error)

print("exists", os.path.exists(""), os.path.lexists(""), os.path.isdir(""), os.path.isfile(""), os.path.islink(""))
print("access", os.access("", os.F_OK), os.access("", os.R_OK), os.access(b"", os.W_OK))
print("glob", glob.glob(""), list(os.walk("")))
print("ignored", shutil.rmtree("", ignore_errors=True))
with contextlib.suppress(FileNotFoundError):
    shutil.rmtree("")
print("paths", pathlib.Path("") == pathlib.Path("."), pathlib.Path("").exists(), os.path.abspath("") == os.getcwd())
print("Path.open", end=" ")
try:
    pathlib.Path("").open()
except OSError as error:
    print(type(error).__name__, error.filename)

# A database with an empty name is a private one, which is gone when it is closed.
with contextlib.closing(sqlite3.connect("")) as one, contextlib.closing(sqlite3.connect("")) as two:
    one.execute("create table t (x)")
    one.execute("insert into t values (1)")
    print("database", one.execute("select * from t").fetchall(), two.execute("select * from sqlite_master").fetchall())

for name in ("archive.zip", "archive.tar"):
    if os.path.exists(name):
        os.remove(name)
print(sorted(os.listdir()), sorted(os.listdir("folder")), pathlib.Path("file").read_text())
os.chdir("/")
shutil.rmtree(place)
