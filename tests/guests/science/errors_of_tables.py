# What goes wrong with tables, and what pandas says.
import io

import numpy as np
import pandas as pd

frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
attempts = {
    "column": lambda: frame["c"],
    "row": lambda: frame.loc[7],
    "position": lambda: frame.iloc[5],
    "length": lambda: frame.assign(c=[1, 2, 3]),
    "truth": lambda: bool(frame),
    "parse": lambda: pd.read_csv(io.StringIO("a,b\n1,2\n1,2,3\n")),
    "empty": lambda: pd.read_csv(io.StringIO("")),
    "date": lambda: pd.to_datetime("not a date"),
    "bounds": lambda: pd.Timestamp("1500-01-01").as_unit("ns"),
    "shape": lambda: pd.DataFrame(np.zeros((2, 2, 2))),
    "pattern": lambda: pd.Series(["x"]).str.contains("("),
    "file": lambda: pd.read_csv("/output/nothing.csv"),
    "merge": lambda: frame.merge(frame, on="z"),
    "pivot": lambda: pd.DataFrame({"k": [1, 1], "c": [2, 2], "v": [3, 4]}).pivot(index="k", columns="c", values="v"),
    "kind": lambda: frame["a"].str.upper(),
    "reindex": lambda: pd.Series([1, 2], index=["x", "x"]).reindex(["x", "y"]),
    "json": lambda: pd.read_json(io.StringIO("{")),
}
for name, work in attempts.items():
    try:
        print(name, work())
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0]}")
print(frame.columns.tolist())
