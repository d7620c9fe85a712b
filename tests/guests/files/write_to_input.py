import errno
import os
import shutil

attempts = {
    "create": lambda: open("/input/new.txt", "w"),
    "overwrite": lambda: open("/input/notes.txt", "w"),
    "append": lambda: open("/input/notes.txt", "a"),
    "truncate": lambda: os.truncate("/input/notes.txt", 0),
    "copy": lambda: shutil.copyfile("/input/notes.txt", "/input/copy.txt"),
    "touch": lambda: os.utime("/input/notes.txt", (0, 0)),
    "rename": lambda: os.rename("/input/notes.txt", "/input/other.txt"),
    "remove": lambda: os.remove("/input/notes.txt"),
    "make_folder": lambda: os.mkdir("/input/folder"),
    "make_folders": lambda: os.makedirs("/input/deep/folder"),
    "remove_folder": lambda: os.rmdir("/input/kept"),
    "remove_everything": lambda: shutil.rmtree("/input/kept"),
}
result = {}
for name, attempt in attempts.items():
    try:
        attempt()
        result[name] = "done"
    except PermissionError as error:
        result[name] = errno.errorcode[error.errno] if " '/input/" in str(error) else str(error)
    except OSError as error:
        result[name] = str(error)
