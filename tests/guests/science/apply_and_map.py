# Functions over rows, columns, cells and groups.
import pandas as pd

frame = pd.DataFrame({"w": [60.0, 82.5, 47.0], "h": [1.7, 1.8, 1.55], "who": ["ann", "bob", "cid"]})
frame["bmi"] = frame.apply(lambda row: row["w"] / row["h"] ** 2, axis=1).round(2)
print(frame, frame[["w", "h"]].apply(lambda column: column.max() - column.min()).round(4).to_dict())
print(frame[["w", "h"]].map(lambda cell: f"{cell:.1f}"), frame["who"].map({"ann": 1, "bob": 2}).tolist())
print(frame.pipe(lambda table: table[table["bmi"] > 20]).shape, frame.agg({"w": ["min", "max"], "h": "mean"}))
print(frame.apply(pd.to_numeric, errors="coerce").isna().sum().to_dict())
print([f"{row.who}:{row.w}" for row in frame.itertuples()], [(key, row["h"]) for key, row in frame.iterrows()])
print(frame.select_dtypes("number").apply(lambda row: pd.Series({"sum": row.sum(), "n": len(row)}), axis=1))
groups = pd.DataFrame({"g": list("aabb"), "v": [1, 2, 3, 4]})
print(groups.groupby("g")["v"].transform(lambda s: s - s.mean()).tolist(), groups.groupby("g")["v"].cumsum().tolist())
print(groups.groupby("g").apply(lambda g: g["v"].prod(), include_groups=False).to_dict(), groups.groupby("g").ngroup().tolist())
print(groups.groupby("g")["v"].agg(lambda s: "-".join(map(str, s))).to_dict(), groups.groupby("g").size().to_dict())
