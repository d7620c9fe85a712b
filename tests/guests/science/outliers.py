# Outliers by quartiles, by standard scores and by the median.
import numpy as np
import pandas as pd

values = pd.Series([10.1, 9.8, 10.4, 10.0, 9.9, 25.0, 10.2, 9.7, 10.3, -4.0, 10.05, 9.95])
low, high = values.quantile([0.25, 0.75])
width = high - low
fences = (low - 1.5 * width, high + 1.5 * width)
print([round(fence, 4) for fence in fences], values[~values.between(*fences)].to_dict())
scores = (values - values.mean()) / values.std(ddof=0)
print(scores.round(4).tolist(), values[scores.abs() > 2].tolist())
deviation = (values - values.median()).abs()
print(values[0.6745 * deviation / deviation.median() > 3.5].index.tolist())
print(values.clip(*fences).round(3).tolist(), values.clip(*fences).mean().round(5))
print(np.histogram(values, bins=[-10, 0, 9, 10, 11, 30]), values.sem().round(6), values.describe().round(4).to_dict())
