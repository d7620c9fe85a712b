"""Writes to a database, and has the host do something else before that is committed."""

import sqlite3

database = sqlite3.connect("/data/sales.db", timeout=30, isolation_level=None)
database.execute("CREATE TABLE IF NOT EXISTS sales (amount INTEGER)")
database.execute(f"BEGIN {kind}")
database.execute("INSERT INTO sales VALUES (1)")
meanwhile = call_tool("meanwhile")
database.execute("COMMIT")
result = [meanwhile, database.execute("SELECT count(*) FROM sales").fetchone()[0]]
database.close()
