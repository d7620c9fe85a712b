"""`csv`: readers, writers, dialects, dictionaries."""

import csv
import io

source = 'name,quote,n\nAnn,"says ""hi""",1\nBob,"two\nlines",2\n"Cid, Jr.",,3\n'
rows = list(csv.DictReader(io.StringIO(source)))
print(rows)
print(sum(int(row["n"]) for row in rows))
out = io.StringIO()
writer = csv.DictWriter(out, fieldnames=["a", "b"], extrasaction="ignore", lineterminator="\n")
writer.writeheader()
writer.writerows([{"a": 1, "b": "x,y"}, {"a": 'q"q', "c": 3}])
print(out.getvalue())
print(list(csv.reader(["a;b;'c;d'"], delimiter=";", quotechar="'")))
print(csv.Sniffer().sniff("a|b|c\n1|2|3\n").delimiter, list(csv.reader(["1,2.5,x"], quoting=csv.QUOTE_NONE)))
tsv = io.StringIO()
csv.writer(tsv, dialect="excel-tab", lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC).writerow(["x", 1, 2.5])
print(repr(tsv.getvalue()))
