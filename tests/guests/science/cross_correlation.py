# How columns depend on each other, in three ways, and on their own past.
import numpy as np
import pandas as pd

rng = np.random.default_rng(11)
x = rng.normal(size=300)
frame = pd.DataFrame({"x": x, "y": 2 * x + rng.normal(size=300), "z": rng.normal(size=300), "cube": x**3})
for method in ("pearson", "spearman", "kendall"):
    print(method)
    print(frame.corr(method=method).round(6) if method != "spearman" else frame.rank().corr().round(6))
print(frame.cov().round(6), frame.corrwith(frame["x"]).round(6).to_dict())
print([round(frame["y"].autocorr(lag), 6) for lag in (1, 2, 5)])
print(np.corrcoef(frame["x"], frame["y"]).round(6).tolist())
print(np.correlate([1, 2, 3], [0, 1, 0.5], "full").tolist(), np.convolve([1, 2, 3], [0, 1, 0.5]).tolist())
