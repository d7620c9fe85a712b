"""Two connections to one file: both read, one writes, and the other sees it when it is done. Local time."""

import os
import sqlite3
import tempfile

folder = tempfile.mkdtemp()
path = os.path.join(folder, "shared.db")
first = sqlite3.connect(path)
first.execute("CREATE TABLE items (name TEXT)")
first.execute("INSERT INTO items VALUES ('one')")
first.commit()
second = sqlite3.connect(path, timeout=0.05)
reading = first.execute("SELECT name FROM items")
print(reading.fetchone(), second.execute("SELECT count(*) FROM items").fetchone())
first.execute("INSERT INTO items VALUES ('two')")
print(first.in_transaction, second.execute("SELECT count(*) FROM items").fetchone())
try:
    second.execute("INSERT INTO items VALUES ('three')")
except sqlite3.OperationalError as error:
    print(error)
first.commit()
second.execute("INSERT INTO items VALUES ('three')")
second.commit()
print(first.execute("SELECT name FROM items ORDER BY rowid").fetchall())
first.execute("BEGIN EXCLUSIVE")
try:
    second.execute("SELECT * FROM items").fetchall()
except sqlite3.OperationalError as error:
    print(error)
first.rollback()
third = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
print(third.execute("SELECT count(*) FROM items").fetchone())
with sqlite3.connect(path) as fourth:
    fourth.execute("ATTACH ? AS other", (path + "2",))
    fourth.execute("CREATE TABLE other.copies AS SELECT * FROM main.items")
    print(fourth.execute("SELECT count(*) FROM other.copies").fetchone())
for connection in (first, second, third, fourth):
    connection.close()
print(sorted(os.listdir(folder)))

clock = sqlite3.connect(":memory:")
for expression in (
    "datetime('2024-01-02 03:04:05', 'utc')",
    "datetime(1700000000, 'unixepoch', 'localtime')",
    "date('2024-01-31', 'LocalTime', '+1 month')",
    "strftime('%H:%M', '2024-01-02 03:04:05', 'localtime')",
    "time('2024-01-02 03:04:05', 'localtime', '+1 hour')",
    "datetime('now', 'localtime') IS NOT NULL",
    "datetime('2024-01-02', 'localtimes')",
    "julianday('2024-01-02 12:00', 'localtime')",
):
    print(expression, clock.execute(f"SELECT {expression}").fetchone())
