# Pivot tables with margins, cross tables, and back to a long table.
import pandas as pd

data = pd.DataFrame({
    "year": [2022, 2022, 2022, 2023, 2023, 2023, 2023],
    "shop": ["x", "y", "x", "y", "x", "y", "z"],
    "kind": ["tea", "tea", "mate", "mate", "tea", "tea", "mate"],
    "sold": [10, 20, 30, 40, 50, 60, 70],
})
table = data.pivot_table(index="shop", columns="year", values="sold", aggfunc="sum", fill_value=0, margins=True)
print(table)
print(data.pivot_table(index=["shop", "kind"], columns="year", values="sold", aggfunc=["sum", "count"]))
print(pd.crosstab(data["shop"], data["kind"], normalize="index").round(3))
wide = data.groupby(["shop", "year"])["sold"].sum().unstack()
print(wide.reset_index().melt(id_vars="shop", value_name="sold").dropna().sort_values(["shop", "year"]).to_string(index=False))
print(data.groupby("kind")["sold"].sum().sort_values(ascending=False).to_dict())
