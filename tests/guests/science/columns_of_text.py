# Names, addresses and codes in columns of text.
import pandas as pd

people = pd.DataFrame({
    "name": [" Ada Lovelace", "grace HOPPER ", "Édith Clarke", None],
    "mail": ["ada@math.example", "grace@navy.example", "bad-address", "x@y.example"],
    "code": ["AB-123", "CD-9", "EF-4567", "12-AB"],
})
clean = people["name"].str.strip().str.title()
print(clean.tolist(), clean.str.split(" ", expand=True))
print(people["mail"].str.extract(r"^(?P<user>[\w.]+)@(?P<host>[\w.]+)$"))
print(people["code"].str.match(r"[A-Z]{2}-\d+$").tolist(), people["code"].str.replace(r"\D", "", regex=True).astype(int).tolist())
print(people["name"].str.len().tolist(), people["name"].str.contains("a", case=False, na=False).tolist())
print(people["code"].str.zfill(8).tolist(), people["code"].str.get(0).tolist(), people["code"].str[-2:].tolist())
print(people["mail"].str.partition("@")[2].value_counts().to_dict(), people["code"].str.cat(sep="|"))
words = pd.Series("the quick brown fox jumps over the lazy dog the end".split())
print(words.value_counts().head(3).to_dict(), words.str.len().groupby(words.str[0]).max().to_dict())
print(words.str.upper().str.count("[AEIOU]").sum(), words.str.startswith("t").sum(), words.str.findall("o").str.len().tolist())
print(pd.Series(["ß", "É", "ﬁ"]).str.upper().tolist(), pd.Series(["a", "B"]).str.casefold().tolist())
