"""Modules in the working directory and on its mounts, as a program finds them without changing `sys.path`."""

import importlib
import os
import sys


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


start = os.getcwd()
print(start, sys.path[0] == "")
write("helper.py", "def double(x):\n    return 2 * x\n")
import helper

print(helper.double(4), helper.__file__)

write("/tmp/scratch.py", "PLACE = 'tmp'\n")
import scratch

print(scratch.PLACE, scratch.__file__)

for name in ("app", "main", "utils", "pack", "program", "runner", "calculator"):
    try:
        importlib.import_module(name)
        print(f"{name} is there before it is written")
    except ModuleNotFoundError as error:
        write(f"{name}.py", f"WHO = 'my {name}'\n")
        print(importlib.import_module(name).WHO)

os.mkdir("/tmp/inner")
os.chdir("/tmp/inner")
write("deep.py", "import helper\nPLACE = 'inner'\nDOUBLE = helper.double(8)\n")
import deep

print(deep.PLACE, deep.DOUBLE, deep.__file__)
write("after.py", "AFTER = True\n")
os.chdir(start)
try:
    import after
except ModuleNotFoundError as error:
    print(error)
write("early.py", "EARLY = True\n")
os.chdir("/")
import early

print(early.EARLY)

# A module of the library is not replaced by a file that is found after it.
write("/output/graphlib.py", "OWN = True\n")
import graphlib

print(hasattr(graphlib, "OWN"))

# One in the working directory is, also where the image has imported its own before; not one that the program has imported.
import statistics

os.chdir(start)
for name in ("random", "statistics", "queue", "calendar"):
    write(f"{name}.py", "OWN = True\n")
import calendar
import queue
import random
import statistics

print([hasattr(module, "OWN") for module in (random, statistics, queue, calendar)], random.__file__)
os.remove("queue.py")
importlib.reload(queue)
print(hasattr(queue, "Queue"))
write("/tmp/inner/json.py", "OWN = True\n")
import json

print(json.dumps({"a": [1]}), json.__file__)
try:
    import nowhere_at_all
except ModuleNotFoundError as error:
    print(error)
