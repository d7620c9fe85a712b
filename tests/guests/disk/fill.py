# Writes until the disk is full, says so, and goes on. However it is written, the reason is the same.
import errno
import os

PATH = "/output/full.bin"


def until_full():
    with open(PATH, "wb") as file:
        for _ in range(1024):
            file.write(b"x" * 65536)


def as_text():
    with open(PATH, "a", encoding="utf-8") as file:
        print("x" * 100_000, file=file)


def unbuffered():
    with open(PATH, "r+b", buffering=0) as file:
        file.seek(0, os.SEEK_END)
        while file.write(b"x" * 65536):
            pass


def by_descriptor():
    descriptor = os.open(PATH, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(descriptor, b"x" * 65536)
    finally:
        os.close(descriptor)

reasons = set()
for way in (until_full, as_text, unbuffered, by_descriptor):
    try:
        way()
        reasons.add(f"there was room for {way.__name__}")
    except OSError as error:
        reasons.add(errno.errorcode[error.errno])
result = ", ".join(sorted(reasons))
print("still here")
