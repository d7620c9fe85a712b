# A table in SQLite: written, queried and grouped there and here.
import sqlite3

import pandas as pd

with sqlite3.connect(":memory:") as database:
    films = pd.DataFrame({"title": ["A", "B", "C", "D"], "year": [1999, 2004, 1999, 2010], "stars": [4.5, None, 3.0, 5.0]})
    print(films.to_sql("films", database, index=False))
    print(pd.read_sql("SELECT year, COUNT(*) AS n, AVG(stars) AS mean FROM films GROUP BY year ORDER BY year", database))
    print(pd.read_sql_query("SELECT * FROM films WHERE stars > ? AND title <> :t".replace(":t", "?"), database, params=(3.5, "D")))
    films.assign(year=films["year"] + 100).to_sql("films", database, if_exists="append", index=False)
    print(pd.read_sql("SELECT MAX(year) AS last, COUNT(*) AS n FROM films", database).to_dict("records"))
    for part in pd.read_sql("SELECT title FROM films", database, chunksize=3):
        print(part["title"].tolist())
    try:
        films.to_sql("films", database)
    except ValueError as error:
        print(error)
    print(pd.read_sql("SELECT sql FROM sqlite_master", database)["sql"][0])
