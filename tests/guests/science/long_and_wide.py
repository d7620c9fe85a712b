# The same measurements as a wide and as a long table.
import pandas as pd

wide = pd.DataFrame({"id": [1, 2], "t_2022": [1.5, 2.5], "t_2023": [3.5, 4.5], "n_2022": [10, 20], "n_2023": [30, 40]})
print(wide.melt(id_vars="id", value_vars=["t_2022", "t_2023"], var_name="year", value_name="t"))
long = pd.wide_to_long(wide, ["t", "n"], i="id", j="year", sep="_")
print(long, long.unstack("year").round(1))
print(long.reset_index().pivot(index="year", columns="id", values="t"))
lists = pd.DataFrame({"key": ["a", "b"], "items": [[1, 2, 3], []]})
print(lists.explode("items"), lists["items"].str.len().tolist())
print(wide.T, wide.set_index("id").stack().reset_index().to_string(index=False, header=False))
print(wide.filter(regex="^n_").sum(axis=1).tolist(), wide.rename(columns=lambda name: name.upper()).columns.tolist())
