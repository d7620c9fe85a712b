"""A file that is open exists until it is closed: also after its name was removed or given to another file."""

import os
import shutil
import sqlite3
import tempfile

START = os.getcwd()


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def read(path):
    with open(path) as file:
        return file.read()


for parent in ["/tmp", "/output" if os.access("/output", os.W_OK) else "/tmp"]:
    place = tempfile.mkdtemp(dir=parent)
    os.chdir(place)

    # The pattern of atomic writes: a reader keeps the old content.
    write("data", "old content")
    reader, late = open("data"), open("data", "rb", buffering=0)
    print(reader.read(3))
    before = os.fstat(reader.fileno())
    write("data.tmp", "new, and longer than before")
    os.replace("data.tmp", "data")
    after = os.fstat(reader.fileno())
    print(repr(reader.read()), late.read(), read("data"), os.listdir())
    print(before.st_ino == after.st_ino, before.st_size == after.st_size, before.st_mtime == after.st_mtime, after.st_nlink)
    print(os.path.samestat(after, os.stat("data")), os.path.sameopenfile(reader.fileno(), late.fileno()))
    reader.seek(0)
    print(reader.readline(), reader.tell())
    reader.close()
    late.close()

    # Writes through an old handle do not reach the new file.
    one, two = open("data", "r+"), open("data", "a+")
    os.remove("data")
    print(os.path.exists("data"), os.listdir())
    write("data", "another file")
    one.write("HERE")
    one.flush()
    two.write(" END")
    two.flush()
    two.seek(0)
    one.seek(0)
    print(one.read(), "|", two.read(), "|", read("data"))
    one.truncate(3)
    print(os.fstat(one.fileno()).st_size, os.fstat(two.fileno()).st_size, os.pread(two.fileno(), 10, 1))
    os.utime(one.fileno(), (5, 7))
    os.fsync(one.fileno())
    print(os.fstat(two.fileno()).st_mtime, os.stat("data").st_mtime > 1e9)
    two.close()
    print(one.seek(0), one.read(), one.truncate(100), os.fstat(one.fileno()).st_size)
    one.close()
    print(read("data"))

    # Replaced again and again, with a handle of each version.
    handles = []
    for number in range(5):
        write("next", f"version {number}")
        os.rename("next", "data")
        handles.append(open("data"))
    os.unlink("data")
    print([handle.read() for handle in handles], os.listdir())
    for handle in handles:
        handle.close()

    # A renamed file stays the same file.
    write("name", "content")
    with open("name", "r+") as file:
        os.rename("name", "other name")
        write("name", "a new file of the old name")
        file.seek(0, 2)
        file.write(" and more")
    print(read("other name"), "|", read("name"))
    os.mkdir("folder")
    with open("folder/inside", "w+") as file:
        os.rename("folder", "renamed")
        file.write("written after")
        file.flush()
        print(read("renamed/inside"))
        shutil.rmtree("renamed")
        file.write(" and after that")
        file.seek(0)
        print(file.read(), os.path.exists("renamed"))

    # A long file, of which nothing is read before.
    with open("long", "wb") as file:
        for number in range(1000):
            file.write(b"%04d" % number * 256)
    with open("long", "rb") as file:
        os.remove("long")
        content = file.read()
        print(len(content), content[:8], content[-8:], content[700_000:700_008])
        file.seek(1_000_000)
        print(file.read(8))

    # Temporary files.
    with tempfile.TemporaryFile("w+", dir=".") as file:
        print("names", sorted(os.listdir()))
        file.write("temporary")
        file.seek(0)
        print(file.read(), os.fstat(file.fileno()).st_nlink)
    with tempfile.NamedTemporaryFile("w+", dir=".") as file:
        file.write("named")
        file.flush()
        print(read(file.name), len(os.listdir()))
        os.unlink(file.name)
        file.seek(0)
        print(file.read())
        write(file.name, "to be removed")
    with tempfile.NamedTemporaryFile("w", dir=".", delete=False) as file:
        file.write("stays")
    print(read(file.name), len(os.listdir()))
    os.remove(file.name)
    with tempfile.SpooledTemporaryFile(10, "w+", dir=".") as file:
        file.write("longer than ten characters")
        file.seek(0)
        print(file.read(), sorted(os.listdir()))

    # A failed removal changes nothing.
    with open("stays", "w+") as file:
        for attempt in (lambda: os.rmdir("stays"), lambda: os.rename("stays", "nothing/x"), lambda: os.rename("none", "stays")):
            try:
                attempt()
            except OSError as error:
                print(type(error).__name__)
        os.rename("stays", "stays")
        file.write("still here")
    print(read("stays"))

    # A database whose file is removed while it is open goes on until it is closed.
    connection = sqlite3.connect("data.db")
    connection.execute("create table t (x)")
    connection.executemany("insert into t values (?)", [(number,) for number in range(100)])
    connection.commit()
    print(connection.execute("select sum(x) from t").fetchone())
    connection.close()

    os.chdir(START)
    shutil.rmtree(place)
