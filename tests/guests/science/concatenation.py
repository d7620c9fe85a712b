# Tables put beneath and beside each other, and differences between two of them.
import pandas as pd

first = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
second = pd.DataFrame({"a": [3], "c": [0.5]}, index=[9])
print(pd.concat([first, second]), pd.concat([first, second], ignore_index=True, join="inner"))
print(pd.concat([first, second.reset_index(drop=True)], axis=1), pd.concat([first, first], keys=["k", "l"]).loc["l"])
print(pd.concat([first, first]).drop_duplicates().shape, pd.concat([first, first]).duplicated(keep=False).tolist())
changed = first.copy()
changed.loc[0, "b"] = "z"
print(first.compare(changed), first.equals(first.copy()), first.equals(changed))
rows = [{"n": n, "square": n * n} for n in range(4)]
table = pd.DataFrame.from_records(rows, index="n")
print(table.T, table.cumsum()["square"].tolist(), pd.DataFrame({"a": 1, "b": [2, 3]}).to_dict("split"))
print(first.combine(first * 2, lambda s, t: s + t).to_dict("list"), first.add(first).to_dict("list"))
print(pd.DataFrame([[1, 2], [3, 4]], columns=list("ab")).dot([1, 1]).tolist(), first.align(second, axis=1)[0].columns.tolist())
try:
    pd.concat([])
except ValueError as error:
    print(error)
