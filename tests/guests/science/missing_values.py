# Missing values: counted, filled, interpolated and dropped.
import numpy as np
import pandas as pd

frame = pd.DataFrame({
    "a": [1.0, np.nan, 3.0, np.nan, 5.0],
    "b": [np.nan, 2.0, np.nan, np.nan, 10.0],
    "c": ["x", None, "z", "x", None],
})
print(frame.isna().sum().to_dict(), frame.notna().all(axis=1).tolist())
print(frame.dropna(), frame.dropna(thresh=2), frame.dropna(subset=["c"]).index.tolist())
print(frame.fillna({"a": 0, "b": frame["b"].mean(), "c": "?"}))
print(frame["a"].ffill().tolist(), frame["b"].bfill().tolist(), frame["b"].interpolate().tolist())
print(frame[["a", "b"]].mean().to_dict(), frame["a"].sum(skipna=False), frame["a"].count())
print(frame["c"].value_counts(dropna=False), frame["a"].where(frame["a"] > 2, -1).tolist())
print(frame.replace({"x": "X", np.nan: -1}).to_dict("list"))
whole = pd.array([1, None, 3], dtype="Int64")
print(whole, whole.sum(), pd.Series(whole).fillna(0).tolist(), (pd.Series(whole) > 1).tolist())
print(frame["a"].combine_first(frame["b"]).tolist(), pd.NA is pd.NA, pd.isna([None, np.nan, pd.NaT, 1]).tolist())
