"""`statistics`."""

import statistics as s

data = [2.75, 1.75, 1.25, 0.25, 0.5, 1.25, 3.5]
print(
    f"{s.mean(data):.6f} {s.median(data)} {s.mode(data)} {s.stdev(data):.6f} {s.pstdev(data):.6f} {s.variance(data):.6f}"
)
print(s.median_low([1, 2, 3, 4]), s.median_high([1, 2, 3, 4]), s.multimode("aabbc"), s.quantiles(range(1, 10), n=4))
print(s.harmonic_mean([40, 60]), f"{s.geometric_mean([54, 24, 36]):.1f}", s.fmean([1, 2, 3], weights=[1, 1, 2]))
slope, intercept = s.linear_regression([1, 2, 3, 4], [3, 5, 7, 9])
print(slope, intercept, f"{s.correlation([1, 2, 3], [1, 2, 4]):.4f}", f"{s.covariance([1, 2, 3], [1, 2, 4]):.2f}")
normal = s.NormalDist(100, 15)
print(f"{normal.cdf(130):.4f} {normal.inv_cdf(0.5):.1f} {normal.zscore(115)}")
try:
    s.mean([])
except s.StatisticsError as error:
    print("StatisticsError")
