"""Relative paths lead to `/output`, which is there to be written to, and what cannot be said of a disk is an error of Linux's."""

import os
import shutil
import sqlite3

print(os.getcwd(), os.path.abspath("x"))
with open("written.txt", "w") as file:
    file.write("x")
print(os.listdir("/output"), os.path.exists("/output/written.txt"))
os.makedirs("deep/er")
shutil.copy("written.txt", "deep/er/copy.txt")
print(sorted(os.listdir("deep/er")))
os.chdir("/tmp")
print(os.listdir("."), os.getcwd())
for action in (os.get_terminal_size, lambda: shutil.disk_usage("/tmp"), lambda: os.statvfs("/tmp")):
    try:
        action()
    except OSError as error:
        print(error.errno, error.strerror)
try:
    sqlite3.connect(":memory:").execute("CREATE VIRTUAL TABLE words USING fts5(text)")
except sqlite3.OperationalError as error:
    print(error)
