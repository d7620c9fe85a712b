# Descriptive statistics along axes, with missing values, correlations and histograms.
import numpy as np

data = np.array([[2.0, 8, 3], [5, np.nan, 1], [7, 4, 9], [1, 6, np.nan]])
print(np.nanmean(data, axis=0), np.nanstd(data, axis=0).round(6), np.nanmax(data), np.isnan(data).sum())
full = np.nan_to_num(data, nan=5.0)
print(full.mean(), full.var(ddof=1).round(6), np.median(full, axis=1), np.ptp(full, axis=0))
print(np.corrcoef(full.T).round(5))
print(np.cov(full.T).round(5))
counts, edges = np.histogram(full, bins=4)
print(counts, edges)
print(np.histogram2d(full[:, 0], full[:, 1], bins=2)[0])
print(np.digitize([1, 4, 9], [2, 5, 8]), np.searchsorted([1, 3, 5], [0, 3, 6]))
print(np.average(full[:, 0], weights=[1, 2, 3, 4]), np.quantile(full, 0.3).round(6))
print(((full - full.mean(axis=0)) / full.std(axis=0)).round(4))
