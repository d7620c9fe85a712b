# Ranks, quantiles and the largest of each group.
import numpy as np
import pandas as pd

marks = pd.DataFrame({"pupil": list("abcdefgh"), "class": list("xxyyxyxy"), "mark": [70, 85, 85, 90, 60, 75, 85, 40]})
for method in ("average", "min", "max", "first", "dense"):
    print(method, marks["mark"].rank(method=method, ascending=False).tolist())
print(marks.sort_values(["mark", "pupil"], ascending=[False, True]).head(4))
print(marks.nlargest(3, "mark", keep="all"), marks.nsmallest(2, "mark")["pupil"].tolist())
print(marks["mark"].quantile([0.1, 0.5, 0.9]), marks["mark"].rank(pct=True).tolist())
print(marks.groupby("class")["mark"].rank().tolist(), marks.groupby("class").head(1)["pupil"].tolist())
print(marks.loc[marks.groupby("class")["mark"].idxmax()], marks["mark"].mode().tolist())
print(np.percentile(marks["mark"], [25, 75], method="midpoint"), marks["mark"].skew().round(9), marks["mark"].kurt().round(9))
print(marks.sample(3, random_state=1)["pupil"].tolist(), marks.sample(frac=0.5, random_state=2).sort_index().index.tolist())
