# Customers by the month of their first order, and how many return.
import numpy as np
import pandas as pd

rng = np.random.default_rng(77)
orders = pd.DataFrame({
    "customer": rng.integers(0, 60, 400),
    "date": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 180, 400), unit="D"),
    "amount": rng.lognormal(3, 0.5, 400).round(2),
})
orders["month"] = orders["date"].dt.to_period("M")
orders["cohort"] = orders.groupby("customer")["month"].transform("min")
orders["age"] = (orders["month"] - orders["cohort"]).map(lambda offset: offset.n)
counts = orders.groupby(["cohort", "age"])["customer"].nunique().unstack(fill_value=0)
print(counts, counts.div(counts[0], axis=0).round(3))
value = orders.groupby("customer").agg(last=("date", "max"), n=("date", "count"), total=("amount", "sum"))
value["recency"] = (orders["date"].max() - value["last"]).dt.days
value["score"] = pd.qcut(value["total"], 4, labels=[1, 2, 3, 4]).astype(int) + pd.qcut(value["n"].rank(method="first"), 4, labels=False)
print(value.sort_values(["score", "total"], ascending=False).head(4), value["score"].value_counts().sort_index().to_dict())
print(orders.sort_values("date", kind="stable").groupby("customer")["date"].diff().dt.days.describe().round(3).to_dict())
