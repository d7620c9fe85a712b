# Everything that would change what may only be read.
# expect: contained

import os

done = []
attempts = {
    "write": lambda: open("/input/new", "w"),
    "append": lambda: open("/input/notes.txt", "a"),
    "update": lambda: open("/input/notes.txt", "r+"),
    "truncate": lambda: os.truncate("/input/notes.txt", 0),
    "remove": lambda: os.remove("/input/notes.txt"),
    "directory": lambda: os.mkdir("/input/new"),
    "time": lambda: os.utime("/input/notes.txt", (0, 0)),
    "mode": lambda: os.chmod("/input/notes.txt", 0o777),
}
for name, attempt in attempts.items():
    try:
        attempt()
        if name != "mode":
            done.append(name)
    except (OSError, AttributeError):
        pass
result = "contained" if not done and open("/input/notes.txt").read() == "notes" else done
