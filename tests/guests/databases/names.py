"""One database under several names, and in memory: connections lock it as one file."""

import os
import sqlite3
import tempfile

result = {}
shared = "/data/sales.db"
own = os.path.join(tempfile.mkdtemp(), "own.db")
for name, (first_path, second_path) in {
    "the same name": (shared, shared),
    "a hard link": (shared, "/data/hard.db"),
    "a symbolic link": (shared, "/data/soft.db"),
    "in memory": (own, own),
}.items():
    first = sqlite3.connect(first_path, timeout=0, isolation_level=None)
    second = sqlite3.connect(second_path, timeout=0, isolation_level=None)
    first.execute("CREATE TABLE IF NOT EXISTS sales (amount INTEGER)")
    first.execute("BEGIN IMMEDIATE")
    try:
        second.execute("BEGIN IMMEDIATE")
        answer = "both write"
    except sqlite3.OperationalError as error:
        answer = str(error)
    second.execute("SELECT count(*) FROM sales").fetchone()
    first.execute("INSERT INTO sales VALUES (1)")
    first.execute("COMMIT")
    second.execute("BEGIN IMMEDIATE")
    second.execute("INSERT INTO sales VALUES (1)")
    second.execute("COMMIT")
    count = first.execute("SELECT count(*) FROM sales").fetchone()[0]
    first.close()
    second.close()
    found = [os.stat(path) for path in (first_path, second_path)]
    with open(second_path, "rb") as file:
        opened = os.fstat(file.fileno())
    same = os.path.samestat(*found) and os.path.samestat(found[0], opened) and os.path.samefile(first_path, second_path)
    result[name] = [answer, count, same]
result["another file"] = os.path.samefile(shared, own)
