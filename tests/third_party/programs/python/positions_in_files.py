"""Positions in open files: sequences of operations on two handles of one file, in memory and on a mount, for every way to open it.

Prints what each operation returns or raises, so that any difference from Linux shows.
"""

import os
import random
import tempfile

MEMORY = tempfile.mkdtemp()
MOUNT = tempfile.mkdtemp(dir="/output" if os.access("/output", os.W_OK) else None)

MODES = ["rb", "r+b", "wb", "w+b", "ab", "a+b", "xb", "x+b"]
FLAGS = {
    "r": os.O_RDONLY,
    "w": os.O_WRONLY,
    "rw": os.O_RDWR,
    "wc": os.O_WRONLY | os.O_CREAT,
    "rwt": os.O_RDWR | os.O_TRUNC,
    "wa": os.O_WRONLY | os.O_APPEND,
    "rwa": os.O_RDWR | os.O_APPEND,
    "rwac": os.O_RDWR | os.O_APPEND | os.O_CREAT,
    "rwat": os.O_RDWR | os.O_APPEND | os.O_TRUNC,
    "rwx": os.O_RDWR | os.O_CREAT | os.O_EXCL,
}
START = b"0123456789abcdef"


def outcome(operation, *arguments):
    try:
        result = operation(*arguments)
    except OSError as error:
        # A file object that cannot do something says so without a number.
        return type(error).__name__ if error.errno is None else error.errno
    return result.decode("latin-1") if isinstance(result, bytes) else result


class Stream:
    """A handle that `open` returns."""

    def __init__(self, path, mode, buffering):
        self.file = open(path, mode, buffering=buffering)

    def read(self, count):
        return self.file.read(count)

    def write(self, data):
        return self.file.write(data)

    def seek(self, offset, whence):
        return self.file.seek(offset, whence)

    def tell(self):
        return self.file.tell()

    def truncate(self, size):
        return self.file.truncate(size)

    def truncate_here(self):
        return self.file.truncate()

    def size(self):
        return os.fstat(self.file.fileno()).st_size

    def flush(self):
        return self.file.flush()

    def close(self):
        self.file.close()


class Descriptor:
    """A handle that `os.open` returns."""

    def __init__(self, path, flags):
        self.number = os.open(path, flags)

    def read(self, count):
        return os.read(self.number, count)

    def write(self, data):
        return os.write(self.number, data)

    def seek(self, offset, whence):
        return os.lseek(self.number, offset, whence)

    def tell(self):
        return os.lseek(self.number, 0, os.SEEK_CUR)

    def truncate(self, size):
        return os.ftruncate(self.number, size)

    def size(self):
        return os.fstat(self.number).st_size

    def read_at(self, count, offset):
        return os.pread(self.number, count, offset)

    def write_at(self, data, offset):
        return os.pwrite(self.number, data, offset)

    def close(self):
        os.close(self.number)


def steps(choice, kind, letter):
    """Yields a name and arguments of some operations."""
    names = ["read", "read", "write", "write", "seek", "seek", "seek", "tell", "truncate", "size"]
    names += ["read_at", "write_at", "write_at"] if kind is Descriptor else ["flush", "truncate_here"]
    for _ in range(9):
        name = choice.choice(names)
        data = (letter * choice.randrange(1, 5)).encode()
        yield {
            "read": (name, choice.randrange(0, 9)),
            "write": (name, data),
            "seek": (name, choice.randrange(-6, 22), choice.randrange(3)),
            "truncate": (name, choice.randrange(0, 20)),
            "read_at": (name, choice.randrange(0, 9), choice.randrange(0, 20)),
            "write_at": (name, data, choice.randrange(0, 20)),
        }.get(name, (name,))


def run(place, number, makes, label):
    choice = random.Random(number)
    path = os.path.join(place, "file")
    if number % 4 or "x" not in label:
        with open(path, "wb") as file:
            file.write(START)
    lines, handles = [], []
    for kind, *how in makes:
        try:
            handles.append((kind, kind(path, *how)))
        except OSError as error:
            lines.append(f"open {error.errno}")
    plans = [list(steps(choice, kind, letter)) for (kind, _), letter in zip(handles, "XY")]
    while any(plans):
        at = choice.choice([index for index, plan in enumerate(plans) if plan])
        name, *arguments = plans[at].pop(0)
        shown = ",".join(a.decode() if isinstance(a, bytes) else str(a) for a in arguments)
        lines.append(f"{at}.{name}({shown})={outcome(getattr(handles[at][1], name), *arguments)}")
    for _, handle in handles:
        lines.append(f"close={outcome(handle.close)}")
    if os.path.exists(path):
        with open(path, "rb") as file:
            lines.append(repr(file.read().decode()))
        os.remove(path)
    print(label, " ".join(lines))


number = 0
for where, place in [("memory", MEMORY), ("mount", MOUNT)]:
    for first in MODES:
        for second in ["rb", "r+b", "a+b"]:
            for buffering in (0, -1):
                number += 1
                makes = [(Stream, first, buffering), (Stream, second, buffering)]
                run(place, number, makes, f"{where} {first} {second} {buffering}:")
    for first, flags in FLAGS.items():
        for second in ["r", "rw", "rwa"]:
            for _ in range(3):
                number += 1
                makes = [(Descriptor, flags), (Descriptor, FLAGS[second])]
                run(place, number, makes, f"{where} {first} {second}:")
        number += 1
        run(place, number, [(Descriptor, flags), (Stream, "a+b", 0)], f"{where} {first} stream:")

# Text, where positions are opaque between lines.
for place in (MEMORY, MOUNT):
    path = os.path.join(place, "text")
    for mode in ["w", "a+", "r+", "a", "w+"]:
        with open(path, mode, encoding="utf-8", errors="replace") as file:
            seen = [outcome(file.tell), outcome(file.read), outcome(file.seek, 0)]
            seen += [outcome(file.write, f"{mode} äöü\n"), outcome(file.tell)]
            seen += [outcome(file.seek, 0), outcome(file.readline), outcome(file.tell)]
            seen += [outcome(file.write, "more\n"), outcome(file.tell)]
        with open(path, "rb") as file:
            print(mode, seen, file.read())
    os.remove(path)
os.rmdir(MEMORY)
os.rmdir(MOUNT)
