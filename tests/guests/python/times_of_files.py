"""Times of files and folders: `utime` in all its forms, and what copies them."""

import os
import pathlib
import shutil
import tarfile
import tempfile
import time
import zipfile

START = os.getcwd()
HOUR = 3600 * 10**9


def attempt(operation, *arguments, **options):
    try:
        return operation(*arguments, **options)
    except (OSError, ValueError, TypeError) as error:
        return f"{type(error).__name__} {getattr(error, 'errno', '')}"


def times(path):
    return os.stat(path).st_mtime_ns


def is_now(path):
    return abs(time.time_ns() - times(path)) < HOUR


for parent in ["/tmp", "/output" if os.access("/output", os.W_OK) else "/tmp"]:
    place = tempfile.mkdtemp(dir=parent)
    os.chdir(place)
    os.makedirs("tree/inner/deep")
    for name in ["tree/file", "tree/inner/file", "file"]:
        pathlib.Path(name).write_text(name)

    for path in ["file", "tree", "tree/inner/", ".", place, pathlib.Path("tree/file"), b"tree/inner"]:
        print(path if path != place else "PLACE")
        print(attempt(os.utime, path, (1_000_000_000, 1_100_000_000)), times(path))
        print(attempt(os.utime, path, (1.5, 2.25)), times(path))
        print(attempt(os.utime, path, ns=(3, 1_234_567_890_123_456_789)), times(path))
        print(attempt(os.utime, path, ns=(3, 0)), times(path))
        print(attempt(os.utime, path), is_now(path))
        os.utime(path, (0, 1))
        print(attempt(os.utime, path, None), is_now(path))
        print(attempt(os.utime, path, times=(7, 8)), times(path))
    for arguments, options in [
        (("nothing",), {}),
        (("file/x",), {}),
        (("file", (1,)), {}),
        (("file", (1, 2)), {"ns": (1, 2)}),
        (("file", "ab"), {}),
    ]:
        print(arguments, options, attempt(os.utime, *arguments, **options))

    # By descriptor, also of files that were opened to read.
    for flags in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND):
        descriptor = os.open("file", flags)
        print(attempt(os.utime, descriptor, (10 + flags, 20)), os.fstat(descriptor).st_mtime, times("file"))
        print(attempt(os.utime, descriptor), is_now("file"))
        os.close(descriptor)
    with open("file") as file:
        print(attempt(os.utime, file.fileno(), ns=(1, 2)), times("file"))

    # touch
    path = pathlib.Path("touched")
    path.touch()
    os.utime(path, (1, 1))
    path.touch()
    print(is_now(path), attempt(path.touch, exist_ok=False))
    os.utime("tree", (1, 1))
    pathlib.Path("tree").touch()
    print(is_now("tree"))

    # Copies.
    for name in ["tree/inner/file", "tree/file", "tree/inner/deep", "tree/inner", "tree", "file"]:
        os.utime(name, (1_000_000_000, 1_000_000_000 + len(name)))
    known = {name: times(name) for name in ["tree/inner/file", "tree/file", "tree/inner/deep", "tree/inner", "tree", "file"]}
    print(shutil.copytree("tree", "copy"))
    print([times("copy" + name[4:]) == known[name] for name in known if name.startswith("tree")])
    print(shutil.copytree("tree", "copy", dirs_exist_ok=True), times("copy") == known["tree"])
    print(shutil.move("copy", "moved"), times("moved") == known["tree"], times("moved/inner") == known["tree/inner"])
    print(shutil.copy2("file", "file2"), times("file2") == known["file"])
    print(attempt(shutil.copystat, "tree", "moved/inner"), times("moved/inner") == known["tree"])
    other = tempfile.mkdtemp(dir="/tmp")
    print(shutil.move("moved", os.path.join(other, "there"))[-6:], times(other + "/there") == known["tree"])
    print(shutil.move(other + "/there", "back"), times("back/inner/deep") == known["tree/inner/deep"])
    os.rmdir(other)

    # Archives.
    with tarfile.open("tree.tar", "w") as archive:
        archive.add("tree")
    with tarfile.open("tree.tar") as archive:
        archive.extractall("unpacked", filter="data")
    print([times("unpacked/" + name) == known[name] for name in known if name.startswith("tree")])
    shutil.unpack_archive("tree.tar", "again", filter="data")
    print(times("again/tree/inner") == known["tree/inner"])
    shutil.make_archive("zipped", "zip", ".", "tree")
    with zipfile.ZipFile("zipped.zip") as archive:
        print(sorted((info.filename, info.date_time) for info in archive.infolist()))
        archive.extractall("unzipped")
    print(sorted(os.listdir("unzipped/tree")), is_now("unzipped/tree/file"))

    os.chdir(START)
    shutil.rmtree(place)
