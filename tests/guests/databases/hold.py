"""Locks a database for itself, in the midst of a change, and keeps it as long as it lives."""

import sqlite3

database = sqlite3.connect("/data/sales.db", timeout=30, isolation_level=None)
database.execute("CREATE TABLE IF NOT EXISTS sales (amount INTEGER)")
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN EXCLUSIVE")
for _ in range(100):
    database.execute("INSERT INTO sales VALUES (zeroblob(10000))")
while for_ever:
    pass
