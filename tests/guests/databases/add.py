"""Reads a database and writes to it; what cannot be done in time is an error."""

import sqlite3

database = sqlite3.connect("/data/sales.db", timeout=timeout)
result = []
for statement in ("SELECT count(*) FROM sales", "INSERT INTO sales VALUES (1)"):
    try:
        with database:
            row = database.execute(statement).fetchone()
        result.append(row[0] if row else "written")
    except sqlite3.OperationalError as error:
        result.append(str(error))
database.close()
