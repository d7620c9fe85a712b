# An index of several levels: selected, swapped, stacked and aggregated.
import numpy as np
import pandas as pd

index = pd.MultiIndex.from_product([["2023", "2024"], ["q1", "q2", "q3"]], names=["year", "quarter"])
frame = pd.DataFrame({"income": np.arange(6) * 10, "cost": [1, 4, 9, 16, 25, 36]}, index=index)
print(frame, frame.loc["2024"], frame.loc[("2023", "q2"), "cost"])
print(frame.xs("q3", level="quarter"), frame.swaplevel().sort_index().head(3))
print(frame["income"].unstack("quarter"), frame.stack().head(4))
print(frame.groupby(level="year").sum(), frame.loc[pd.IndexSlice[:, ["q1", "q3"]], :])
print(frame.reset_index().set_index("quarter").loc["q1", "income"].tolist(), frame.index.get_level_values(0).unique().tolist())
both = pd.concat({"a": frame, "b": frame * 2}, axis=1)
print(both.columns.tolist(), both["b"]["cost"].sum(), both.xs("income", axis=1, level=1).sum().to_dict())
print(index.to_frame(index=False).duplicated("year").tolist(), frame.index.is_monotonic_increasing)
