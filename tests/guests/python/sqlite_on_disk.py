"""`sqlite3` in a file: commits last, rollbacks do not, two connections see each other."""

import os
import sqlite3
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "shop.db")
    first = sqlite3.connect(path)
    first.execute("CREATE TABLE sale (item TEXT, amount INTEGER)")
    first.executemany("INSERT INTO sale VALUES (?, ?)", [("pen", 3), ("ink", 5)])
    first.commit()
    first.execute("DELETE FROM sale")
    first.rollback()
    second = sqlite3.connect(path)
    print(second.execute("SELECT SUM(amount) FROM sale").fetchone(), os.path.getsize(path) > 0)
    second.close()
    first.close()
    again = sqlite3.connect(path)
    print(
        again.execute("SELECT item FROM sale ORDER BY item").fetchall(),
        again.execute("PRAGMA integrity_check").fetchone(),
    )
    print("\n".join(line for line in again.iterdump() if "INSERT" in line))
    again.close()
