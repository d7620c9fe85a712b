# Moving, expanding and exponentially weighted statistics of prices.
import numpy as np
import pandas as pd

prices = pd.Series(100 + np.cumsum(np.array([(n * 37 % 11) - 5 for n in range(40)]) / 4), name="price")
frame = pd.DataFrame({
    "price": prices,
    "mean": prices.rolling(5).mean(),
    "std": prices.rolling(5).std(),
    "median": prices.rolling(5, min_periods=1).median(),
    "max": prices.rolling(5).max(),
    "ewm": prices.ewm(span=5).mean(),
    "expanding": prices.expanding().mean(),
})
print(frame.iloc[[0, 3, 4, 10, 39]].round(5).to_string())
print(prices.rolling(4, center=True).sum().dropna().head(3).tolist())
print(prices.rolling(10).corr(prices.shift(1)).round(6).tail(3).tolist())
print(prices.rolling(6).apply(lambda window: window[-1] - window[0], raw=True).round(4).tail(3).tolist())
print(prices.rolling(5).quantile(0.75).tail(2).tolist(), prices.rolling(5).skew().tail(2).round(6).tolist())
stamps = prices.set_axis(pd.date_range("2024-01-01", periods=40, freq="36h"))
print(stamps.rolling("4D").count().tail(3))
print(prices.rolling(3, win_type=None).var(ddof=0).tail(2).round(6).tolist(), prices.ewm(alpha=0.3).std().tail(2).round(6).tolist())
