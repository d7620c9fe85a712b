# Sales grouped by one and by two columns, with several aggregates.
import numpy as np
import pandas as pd

rng = np.random.default_rng(5)
sales = pd.DataFrame({
    "region": rng.choice(["north", "south", "east", "west"], 200),
    "product": rng.choice(["a", "b", "c"], 200),
    "units": rng.integers(1, 20, 200),
    "price": rng.uniform(1, 10, 200).round(2),
})
sales["revenue"] = sales["units"] * sales["price"]
print(sales.groupby("region")["revenue"].agg(["count", "sum", "mean", "std", "min", "max"]).round(3))
print(sales.groupby(["region", "product"]).agg(units=("units", "sum"), best=("revenue", "max")).head(6))
print(sales.groupby("product")["revenue"].apply(lambda s: s.nlargest(2).round(2).tolist()))
share = sales["revenue"] / sales.groupby("region")["revenue"].transform("sum")
print(share.groupby(sales["region"]).sum().round(12))
print(sales.groupby("region").filter(lambda group: len(group) > 50)["region"].unique())
print(sales.groupby("product", as_index=False)["units"].median())
print(sales.groupby("region")["units"].quantile([0.25, 0.75]).unstack())
