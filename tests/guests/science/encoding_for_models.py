# A table made ready for a model: encoded, scaled, split and imputed.
import numpy as np
import pandas as pd

frame = pd.DataFrame({"color": ["red", "blue", None, "red"], "size": ["S", "L", "M", "M"], "x": [1.0, np.nan, 3.0, 5.0], "y": [0, 1, 1, 0]})
dummies = pd.get_dummies(frame, columns=["color"], dummy_na=True, dtype=int)
print(dummies, frame["size"].map({"S": 0, "M": 1, "L": 2}).tolist())
x = frame["x"].fillna(frame["x"].median())
print(((x - x.mean()) / x.std()).round(6).tolist(), ((x - x.min()) / (x.max() - x.min())).tolist())
rng = np.random.default_rng(3)
order = rng.permutation(len(frame))
train, test = frame.iloc[order[:3]], frame.iloc[order[3:]]
print(train.index.tolist(), test.index.tolist(), pd.factorize(frame["color"])[1].tolist())
print(pd.cut(frame["x"], bins=2, labels=False).tolist(), np.digitize([1, 2.5, 9], [2, 4]), frame["y"].value_counts(normalize=True).to_dict())
print(np.polynomial.polynomial.polyvander([1, 2], 3), pd.DataFrame({"a": [1, 2]}).join(dummies[["y"]]).values.tolist())
