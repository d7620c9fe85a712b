# Links and special files, made by the program.
# expect: contained

import os

made = []
attempts = {
    "symlink": lambda: os.symlink("/etc/passwd", "/output/symlink"),
    "upwards": lambda: os.symlink("../../..", "/output/upwards"),
    "hard link": lambda: os.link("/input/notes.txt", "/output/hard"),
    "pipe": lambda: os.mkfifo("/output/pipe"),
    "device": lambda: os.mknod("/output/device"),
}
for name, attempt in attempts.items():
    try:
        attempt()
        made.append(name)
    except (OSError, AttributeError):
        pass
result = "contained" if not made and os.listdir("/output") == [] else made
