# A test of two groups: bootstrap, permutations and Welch's statistic.
import numpy as np
import pandas as pd

rng = np.random.default_rng(314)
data = pd.DataFrame({"group": np.repeat(["control", "new"], 150), "time": np.r_[rng.gamma(4, 2.0, 150), rng.gamma(4, 1.8, 150)]})
summary = data.groupby("group")["time"].agg(["mean", "std", "count"])
print(summary.round(5))
a, b = (data.loc[data["group"] == name, "time"].to_numpy() for name in ("control", "new"))
difference = a.mean() - b.mean()
welch = difference / np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
boot = np.array([rng.choice(a, len(a)).mean() - rng.choice(b, len(b)).mean() for _ in range(1000)])
print(round(difference, 6), round(welch, 6), np.percentile(boot, [2.5, 97.5]).round(5))
both = np.concatenate([a, b])
null = np.array([(lambda p: p[:150].mean() - p[150:].mean())(rng.permutation(both)) for _ in range(500)])
print((np.abs(null) >= abs(difference)).mean(), null.std().round(6))
order = pd.Series(both).rank().to_numpy()
print(order[:150].sum() - 150 * 151 / 2, round(float(np.median(a) - np.median(b)), 6))
