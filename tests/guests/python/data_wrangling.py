"""What models are asked for most: group, join, pivot, deduplicate, rank, report."""

import csv
import io
import json
from collections import Counter, defaultdict
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter

sales = list(
    csv.DictReader(
        io.StringIO("""day,region,product,units,price
2024-01-05,north,pen,10,1.50
2024-01-06,south,ink,3,7.25
2024-01-06,north,ink,1,7.25
2024-02-01,south,pen,20,1.40
2024-02-01,south,pen,20,1.40
2024-02-03,east,paper,,4.00
""")
    )
)
seen, unique = set(), []
for row in sales:
    key = tuple(row.items())
    if key not in seen:
        seen.add(key)
        unique.append(
            {
                **row,
                "units": int(row["units"] or 0),
                "price": float(row["price"]),
                "day": date.fromisoformat(row["day"]),
            }
        )
print(len(sales), len(unique))
revenue = defaultdict(float)
for row in unique:
    revenue[row["region"]] += row["units"] * row["price"]
for region, total in sorted(revenue.items(), key=lambda item: (-item[1], item[0])):
    print(f"{region:<6}{total:>8.2f} {'#' * int(total // 5)}")
pivot = defaultdict(lambda: defaultdict(int))
for row in unique:
    pivot[row["day"].strftime("%Y-%m")][row["product"]] += row["units"]
print(json.dumps(pivot, sort_keys=True))
print({month: sum(r["units"] for r in rows) for month, rows in groupby(unique, key=lambda r: r["day"].month)})
prices = {"pen": {"vat": 0.2}, "ink": {"vat": 0.1}}
joined = [{**row, **prices.get(row["product"], {"vat": 0})} for row in unique]
print([round(r["price"] * (1 + r["vat"]), 2) for r in joined])
print(sorted(unique, key=itemgetter("product", "day"))[0]["region"], max(unique, key=itemgetter("units"))["product"])
print(
    Counter(r["product"] for r in unique).most_common(),
    [d.isoformat() for d in (date(2024, 2, 27) + timedelta(n) for n in range(4))],
)
values = [r["units"] for r in unique]
print([sum(values[max(0, i - 1) : i + 1]) / len(values[max(0, i - 1) : i + 1]) for i in range(len(values))])


def flatten(value, prefix=""):
    if isinstance(value, dict):
        return {k: v for key, item in value.items() for k, v in flatten(item, f"{prefix}{key}.").items()}
    if isinstance(value, list):
        return {k: v for i, item in enumerate(value) for k, v in flatten(item, f"{prefix}{i}.").items()}
    return {prefix[:-1]: value}


print(flatten({"a": {"b": [1, {"c": None}]}, "d": "x"}))
header = ["name", "n"]
rows = [["pen", 30], ["ink", 4]]
widths = [max(len(str(cell)) for cell in column) for column in zip(header, *rows)]
print("\n".join(" | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)) for row in [header, *rows]))
