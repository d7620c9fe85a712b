# Hourly measurements: resampled, shifted, and with gaps filled.
import numpy as np
import pandas as pd

index = pd.date_range("2024-02-27", periods=96, freq="h")
series = pd.Series(np.sin(np.arange(96) * 2 * np.pi / 24).round(6) * 10 + 20, index=index, name="temperature")
print(series.resample("D").agg(["min", "max", "mean"]).round(4))
print(series.resample("12h", offset="6h").mean().round(3))
print(series["2024-02-29"].head(3))
print(series.between_time("09:00", "10:00").round(2))
print(series.at_time("12:00").index.day_name().tolist())
gaps = series.drop(series.index[[3, 4, 5]])
print(gaps.asfreq("h").iloc[2:7], gaps.asfreq("h").interpolate("time").iloc[2:7].round(4))
print(series.shift(24).iloc[24:26].equals(series.iloc[0:2]), series.shift(1, freq="D").index[0])
print(series.groupby(series.index.hour).mean().round(3).head())
print(series.diff().abs().idxmax(), series.pct_change().iloc[1].round(6))
print(pd.date_range("2024-01-31", periods=4, freq="ME").strftime("%d %b %Y").tolist())
print(index.to_period("M").unique(), (index[-1] - index[0]).total_seconds())
