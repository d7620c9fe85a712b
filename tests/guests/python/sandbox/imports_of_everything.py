"""Every public module of the standard library can be imported, but for those that need what a sandbox does not have."""

import importlib
import sys

ABSENT = set(
    """
    _interpchannels antigravity bz2 ctypes curses dbm.gnu ensurepip fcntl grp idlelib lzma mmap msvcrt nt ntpath pwd
    pydoc_data readline resource syslog termios this tkinter tty pty turtle turtledemo venv winreg winsound
""".split()
)
missing = []
for name in sorted(sys.stdlib_module_names):
    if name.startswith("_") or name in ABSENT:
        continue
    try:
        importlib.import_module(name)
    except ImportError as error:
        missing.append(f"{name}: {error}")
print(missing)
for name in ("numpy", "ctypes", "bz2", "made_up_package"):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        print(error.name)
