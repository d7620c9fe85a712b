# Two tables joined in all ways, and by the nearest earlier time.
import pandas as pd

customers = pd.DataFrame({"id": [1, 2, 3, 4], "name": ["Ann", "Bob", "Cid", "Dan"]})
orders = pd.DataFrame({"order": [10, 11, 12, 13], "id": [1, 1, 3, 9], "total": [5.0, 7.5, 1.25, 9.0]})
for how in ("inner", "left", "right", "outer"):
    print(how)
    print(customers.merge(orders, on="id", how=how, indicator=True).sort_values(["id", "order"]).reset_index(drop=True))
print(customers.merge(orders, how="cross").shape)
print(customers.set_index("id").join(orders.groupby("id")["total"].sum()).fillna({"total": 0}))
trades = pd.DataFrame({"time": pd.to_datetime(["09:00:01", "09:00:03", "09:00:07"], format="%H:%M:%S"), "n": [1, 2, 3]})
quotes = pd.DataFrame({"time": pd.to_datetime(["09:00:00", "09:00:02", "09:00:06"], format="%H:%M:%S"), "bid": [9.5, 9.6, 9.4]})
print(pd.merge_asof(trades, quotes, on="time")[["n", "bid"]])
try:
    customers.merge(orders, on="id", validate="one_to_one")
except pd.errors.MergeError as error:
    print("MergeError:", error)
