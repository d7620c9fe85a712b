# Least squares with several predictors: coefficients, residuals, errors and R².
import numpy as np
import pandas as pd

rng = np.random.default_rng(42)
n = 200
data = pd.DataFrame({"x1": rng.normal(size=n), "x2": rng.uniform(0, 10, n), "g": rng.choice(["a", "b"], n)})
data["y"] = 3 + 2 * data["x1"] - 0.5 * data["x2"] + (data["g"] == "b") * 1.5 + rng.normal(scale=0.3, size=n)
design = np.column_stack([np.ones(n), data["x1"], data["x2"], data["g"] == "b"]).astype(float)
beta, residual, rank, _ = np.linalg.lstsq(design, data["y"].to_numpy(), rcond=None)
predicted = design @ beta
error = data["y"] - predicted
variance = (error**2).sum() / (n - rank)
standard = np.sqrt(variance * np.diag(np.linalg.inv(design.T @ design)))
print(pd.DataFrame({"beta": beta, "error": standard, "t": beta / standard}, index=["1", "x1", "x2", "b"]).round(5))
print("R2", round(1 - (error**2).sum() / ((data["y"] - data["y"].mean()) ** 2).sum(), 6), "rank", rank)
print(np.round(np.polyfit(data["x2"], data["y"], 1), 6), round(float(residual[0]), 5))
ridge = np.linalg.solve(design.T @ design + 10 * np.eye(4), design.T @ data["y"])
print(ridge.round(5), data.groupby("g")["y"].mean().round(5).to_dict())
