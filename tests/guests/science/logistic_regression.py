# A classifier by gradient descent: its loss, confusion matrix and the area under its curve.
import numpy as np
import pandas as pd

rng = np.random.default_rng(17)
x = rng.normal(size=(300, 3))
target = (x @ [1.5, -2.0, 0.0] + 0.5 + rng.logistic(size=300) > 0).astype(int)
design = np.column_stack([np.ones(300), x])
weights = np.zeros(4)
for step in range(400):
    probability = 1 / (1 + np.exp(-design @ weights))
    weights -= 0.5 * design.T @ (probability - target) / 300
loss = -np.mean(target * np.log(probability) + (1 - target) * np.log(1 - probability))
print(weights.round(4), round(loss, 6))
print(pd.crosstab(pd.Series(target, name="true"), pd.Series((probability > 0.5).astype(int), name="said")))
order = pd.Series(probability).rank()
positive = target.sum()
area = (order[target == 1].sum() - positive * (positive + 1) / 2) / (positive * (300 - positive))
print(round(area, 6), round(float(((probability > 0.5) == target).mean()), 6))
print(np.where(np.exp(np.array([0.0, 700.0])) > 1e300, "large", "small"), np.logaddexp(0, [-800, 0, 800]))
