import csv
import io
import statistics
from itertools import groupby

data = """region,product,amount
north,apple,10.5
south,pear,3
north,pear,7.25
south,"apple, red",1e2
"""
rows = list(csv.DictReader(io.StringIO(data)))
rows.sort(key=lambda row: (row["region"], row["product"]))
for region, group in groupby(rows, key=lambda row: row["region"]):
    amounts = [float(row["amount"]) for row in group]
    print(f"{region:>6}: n={len(amounts)} sum={sum(amounts):8.2f} mean={statistics.fmean(amounts):.3f} stdev={statistics.stdev(amounts):.3f}")
out = io.StringIO()
writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, delimiter=";")
writer.writerow(["a", 1, 2.5, None, 'q"uote'])
print(repr(out.getvalue()))
print(list(csv.reader(["1;2;'x;y'"], delimiter=";", quotechar="'")), csv.Sniffer().sniff("a|b|c\n1|2|3\n").delimiter)
