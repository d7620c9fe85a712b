"""`sqlite3` without a file."""

import sqlite3

connection = sqlite3.connect(":memory:")
connection.row_factory = sqlite3.Row
connection.executescript("""
    CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, country TEXT, people REAL);
    CREATE INDEX by_country ON city (country);
""")
rows = [("Lyon", "FR", 0.5), ("Paris", "FR", 2.1), ("Bonn", "DE", 0.3), ("Rome", "IT", 2.8)]
with connection:
    connection.executemany("INSERT INTO city (name, country, people) VALUES (?, ?, ?)", rows)
for row in connection.execute(
    "SELECT country, COUNT(*) n, SUM(people) total FROM city GROUP BY country HAVING n > 0 ORDER BY total DESC"
):
    print(row["country"], row["n"], round(row["total"], 1), row.keys())
print(
    connection.execute("SELECT name FROM city WHERE people > :limit ORDER BY name", {"limit": 1}).fetchall()[0]["name"]
)
try:
    with connection:
        connection.execute("INSERT INTO city (name) VALUES ('Nice')")
        connection.execute("INSERT INTO city (name) VALUES ('Rome')")
except sqlite3.IntegrityError as error:
    print(error)
print(connection.execute("SELECT COUNT(*) FROM city").fetchone()[0], connection.total_changes > 0)
connection.create_function("shout", 1, lambda text: text.upper() + "!")
print(connection.execute("SELECT shout(name) FROM city LIMIT 1").fetchone()[0])


class Longest:
    def __init__(self):
        self.best = ""

    def step(self, value):
        self.best = max(self.best, value, key=len)

    def finalize(self):
        return self.best


connection.create_aggregate("longest", 1, Longest)
print(connection.execute("SELECT longest(name) FROM city").fetchone()[0])
print(connection.execute("SELECT name, RANK() OVER (ORDER BY people DESC) FROM city LIMIT 2").fetchall()[1]["name"])
print(
    connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT SUM(i) FROM n"
    ).fetchone()[0]
)
print(connection.execute("SELECT json_extract('{\"a\": [1, 2]}', '$.a[1]')").fetchone()[0])
cursor = connection.execute("SELECT ?, ?, ?, ?", (None, b"\x00\x01", 2**40, "é"))
print(tuple(cursor.fetchone()), [column[0] for column in connection.execute("SELECT 1 AS one, 2 AS two").description])
try:
    connection.execute("SELEC 1")
except sqlite3.OperationalError as error:
    print(error)
connection.close()
try:
    connection.execute("SELECT 1")
except sqlite3.ProgrammingError:
    print("closed")
