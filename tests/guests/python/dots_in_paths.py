"""`..` leaves a directory that exists, and the working directory is a plain path, which follows its directory."""

import contextlib
import io
import os
import pathlib
import shutil
import tarfile
import tempfile

START = os.getcwd()


def attempt(operation, *arguments, **options):
    try:
        return operation(*arguments, **options)
    except OSError as error:
        # Earlier releases do not name the file of `utime`.
        name = "" if operation is os.utime else shown(error.filename)
        return f"{type(error).__name__} {error.errno} {name}"


def shown(path):
    return path.replace(os.path.realpath(place), "PLACE") if isinstance(path, str) else path


def read(path):
    with open(path) as file:
        return file.read()


def write(path):
    with open(path, "w") as file:
        return file.write("new")


def here():
    return shown(os.getcwd())


for parent in ["/tmp", "/output" if os.access("/output", os.W_OK) else "/tmp"]:
    place = os.path.realpath(tempfile.mkdtemp(dir=parent))
    os.chdir(place)
    os.makedirs("a/b/c")
    os.mkdir("a/empty")
    for name in ["file.txt", "a/file.txt", "a/b/file.txt"]:
        pathlib.Path(name).write_text(name)

    for path in [
        "a/../file.txt",
        "a/b/../../file.txt",
        "a/b/../file.txt",
        "./a/./b/.././file.txt",
        "a//b//..//file.txt",
        "nothing/../file.txt",
        "a/nothing/../../file.txt",
        "a/nothing/../file.txt",
        "file.txt/../file.txt",
        "file.txt/..",
        "file.txt/.",
        "file.txt/",
        "a/file.txt/../b/file.txt",
        "a/../nothing/../a/file.txt",
        "a/b/c/../../../a/b/c/../file.txt",
        "nothing/..",
        "nothing/../..",
        "../" * 40 + place[1:] + "/file.txt",
    ]:
        label = path if len(path) < 60 else "from the root"
        for operation in (read, write, os.stat, os.listdir, os.path.exists, os.unlink, os.chdir):
            result = attempt(operation, path)
            if operation is os.stat and not isinstance(result, str):
                result = result.st_size
            if isinstance(result, list):
                result = sorted(result)
            print(label, operation.__name__, result if path == label else str(result)[:20], here())
            os.chdir(place)
            for name in ["file.txt", "a/file.txt", "a/b/file.txt"]:
                pathlib.Path(name).write_text(name)
    for operation, arguments in [
        (os.mkdir, ["nothing/../made"]),
        (os.mkdir, ["a/../made"]),
        (os.rmdir, ["nothing/../made"]),
        (os.rmdir, ["made/."]),
        (os.rmdir, ["a/.."]),
        (os.rmdir, ["a/../made"]),
        (os.rename, ["file.txt", "nothing/../other"]),
        (os.rename, ["nothing/../file.txt", "other"]),
        (os.rename, ["a/../file.txt", "a/b/../other"]),
        (os.rename, ["a/other", "file.txt"]),
        (os.utime, ["nothing/../file.txt"]),
        (os.truncate, ["file.txt/../file.txt", 0]),
        (os.access, ["nothing/../file.txt", os.R_OK]),
        (shutil.copy, ["a/../file.txt", "nothing/../copy"]),
        (shutil.rmtree, ["nothing/../a"]),
        (os.makedirs, ["x/y/../z"]),
        (shutil.rmtree, ["x"]),
    ]:
        print(operation.__name__, arguments, attempt(operation, *arguments))

    # The working directory.
    for path in ["a/b", "..", "./b", ".", "..//b/./c//", "../../..", "a/b/c/", "../..", "..", "a/b/../empty", "../../a/"]:
        print("chdir", path, attempt(os.chdir, path), here(), os.path.relpath(os.path.abspath("x"), place))
    print(attempt(os.chdir, "nothing/.."), attempt(os.chdir, "file.txt"), attempt(os.chdir, "file.txt/.."), here())
    os.chdir("b/..")
    print(here(), os.getcwdb() == os.fsencode(os.getcwd()), pathlib.Path.cwd() == pathlib.Path(place, "a"))
    with contextlib.suppress(AttributeError):  # Python 3.10
        with contextlib.chdir("b/c/.."):
            print(here())
    print(here())

    # An archive is unpacked into the working directory.
    os.chdir(place)
    os.chdir("a/../a/b/..")
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        archive.add("b", "unpacked")
    content.seek(0)
    with tarfile.open(fileobj=content) as archive:
        archive.extractall("rel", filter="data")
    print(sorted(os.listdir("rel/unpacked")), read("rel/unpacked/file.txt"))

    # A working directory that is renamed or removed.
    os.chdir(place)
    os.makedirs("old/inner")
    os.chdir("old/inner")
    os.rename(os.path.join(place, "old"), os.path.join(place, "renamed"))
    print(here(), os.listdir("."), write("made"), read("../inner/made"), os.path.exists(os.path.join(place, "renamed/inner/made")))
    os.replace("../../renamed", "../../again")
    print(here())
    shutil.move(place + "/again", place + "/moved")
    print(here())
    os.remove("made")
    os.rmdir("../inner")
    print(attempt(os.getcwd), attempt(os.getcwdb), attempt(write, "x"), attempt(os.mkdir, "y"))
    print(attempt(os.chdir, ".."), here())
    os.rmdir(place + "/moved")
    print(attempt(os.getcwd), attempt(os.chdir, place), here())

    os.chdir(START)
    shutil.rmtree(place)
