# Reads each file of /input whole, in parts of several sizes and from its end, and writes it to /output in parts.

import hashlib
import os

CHUNK = 192 * 1024
PARTS = [10_000, 64 * 1024, CHUNK - 1, CHUNK, CHUNK + 1, 1 << 20]


def digest(parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def whole(path):
    with open(path, "rb") as file:
        return [file.read()]


def in_parts(path, size):
    with open(path, "rb", buffering=0) as file:
        while part := file.read(size):
            yield part


def backwards(path, size):
    """The parts from the last to the first, each at its place."""
    parts = []
    descriptor = os.open(path, os.O_RDONLY)
    for start in reversed(range(0, os.stat(path).st_size, size)):
        part, length = b"", min(size, os.stat(path).st_size - start)
        while len(part) < length:
            more = os.pread(descriptor, length - len(part), start + len(part))
            if not more:
                raise EOFError(f"{path} ends at {start + len(part)}")
            part += more
        parts.insert(0, part)
    os.close(descriptor)
    return parts


digests = {}
for name in sorted(os.listdir("/input")):
    path, copy = f"/input/{name}", f"/output/{name}"
    with open(copy, "wb", buffering=0) as file:
        for part in in_parts(path, CHUNK + 1):
            while part:
                part = part[file.write(part):]
    read = [digest(whole(path)), *(digest(in_parts(path, size)) for size in PARTS)]
    digests[name] = [*read, digest(backwards(path, CHUNK + 1)), digest(whole(copy))]

digests
