"""Files: modes, seeking, lines, binary, renaming, in a temporary folder."""

import os
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "note.txt")
    with open(path, "w", encoding="utf-8") as file:
        print(file.write("first\nsecond é\n"), file.closed, os.path.basename(file.name))
    with open(path, "a") as file:
        file.write("third\n")
    with open(path) as file:
        print(file.readline().rstrip(), [line.rstrip() for line in file])
    with open(path, "r+b") as file:
        file.seek(6)
        print(file.read(6), file.tell())
        file.seek(0)
        file.write(b"FIRST")
        file.truncate(6)
    print(open(path).read(), os.path.getsize(path), os.path.exists(path), os.path.isfile(path))
    try:
        open(path, "x")
    except FileExistsError as error:
        print(type(error).__name__)
    try:
        open(os.path.join(folder, "missing"))
    except FileNotFoundError as error:
        print(type(error).__name__, os.path.basename(error.filename))
    os.mkdir(os.path.join(folder, "sub"))
    os.makedirs(os.path.join(folder, "a", "b", "c"))
    os.rename(path, os.path.join(folder, "sub", "moved.txt"))
    for base, folders, files in sorted(os.walk(folder)):
        print(os.path.relpath(base, folder), sorted(folders), files)
    os.remove(os.path.join(folder, "sub", "moved.txt"))
    os.rmdir(os.path.join(folder, "sub"))
    os.removedirs(os.path.join(folder, "a", "b", "c")) if False else None
    print(sorted(os.listdir(folder)), [entry.name for entry in os.scandir(folder) if entry.is_dir()])
    try:
        os.rmdir(os.path.join(folder, "a"))
    except OSError as error:
        print("not empty")
    with open(os.path.join(folder, "data.bin"), "wb") as file:
        file.write(bytes(range(256)))
    with open(os.path.join(folder, "data.bin"), "rb") as file:
        file.seek(-2, os.SEEK_END)
        print(file.read())
print(os.path.exists(folder))
