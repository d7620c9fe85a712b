# Running totals, changes, lags, and runs of equal values.
import numpy as np
import pandas as pd

frame = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=8), "shop": list("abababab"), "sales": [5, 3, 8, 0, 2, 7, 7, 1]})
frame["total"] = frame.groupby("shop")["sales"].cumsum()
frame["before"] = frame.groupby("shop")["sales"].shift(1)
frame["change"] = frame.groupby("shop")["sales"].pct_change().replace([np.inf, -np.inf], np.nan).round(4)
frame["best"] = frame["sales"].cummax()
print(frame.to_string())
series = pd.Series([1, 1, 0, 1, 1, 1, 0, 0])
runs = (series != series.shift()).cumsum()
print(runs.tolist(), series.groupby(runs).agg(["first", "size"]).values.tolist(), series.groupby(runs).cumcount().tolist())
print(series.cumprod().tolist(), series.diff().fillna(0).astype(int).tolist(), series.expanding().sum().tolist())
print(np.maximum.accumulate([3, 1, 4, 1, 5]), np.add.reduceat(np.arange(8), [0, 3, 5]), np.ediff1d([1, 4, 9]), np.diff([1, 4, 9, 16], 2))
print(frame.set_index("day")["sales"].rolling("3D").sum().tolist(), frame["sales"].sub(frame["sales"].mean()).abs().cumsum().round(4).tolist())
