"""`read_file`, `write_file` and friends on `/output` and `/tmp`."""

import os
import tempfile
from pathlib import Path

write_file("/output/deep/er/note.txt", "grüße\n")
print(read_file("/output/deep/er/note.txt"), read_file_bytes("/output/deep/er/note.txt"))
write_file("/output/data.bin", bytes([0, 255, 128]))
print(read_file_bytes("/output/data.bin"))
try:
    read_file("/output/data.bin")
except UnicodeDecodeError as error:
    print(type(error).__name__)
try:
    read_file("/output/none")
except FileNotFoundError as error:
    print(type(error).__name__, error.filename)
print(sorted(p.as_posix() for p in Path("/output").rglob("*")), tempfile.gettempdir(), os.environ["HOME"])
with tempfile.TemporaryFile() as file:
    file.write(b"kept until closed")
    file.seek(0)
    print(file.read())
with tempfile.NamedTemporaryFile("w+", suffix=".txt") as file:
    print(os.path.dirname(file.name), file.name.endswith(".txt"))
print(os.listdir("/tmp"))
write_file("/output/helper.py", "VALUE = 42\n")
import helper

print(helper.VALUE, helper.__file__)
for path in ("/etc/passwd", "/output/../etc/passwd", "../../etc/passwd"):
    try:
        open(path)
    except OSError as error:
        print(isinstance(error, (FileNotFoundError, PermissionError)))

# From one mount to another, which cannot be a mere rename.
import pathlib

pathlib.Path("/tmp/moving").write_text("moved")
moved = pathlib.Path("/tmp/moving").move("/output/moving")
print(moved, moved.read_text(), pathlib.Path("/tmp/moving").exists())
moved.unlink()
