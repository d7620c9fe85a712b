"""Counts in a database, one transaction for each step."""

import sqlite3

database = sqlite3.connect("/data/counter.db", timeout=60, isolation_level=None)
for _ in range(steps):
    database.execute("BEGIN IMMEDIATE")
    (value,) = database.execute("SELECT value FROM counter").fetchone()
    database.execute("UPDATE counter SET value = ?", (value + 1,))
    database.execute("INSERT INTO history VALUES (?, ?)", (who, value + 1))
    database.execute("COMMIT")
result = database.execute("PRAGMA integrity_check").fetchone()[0]
database.close()
