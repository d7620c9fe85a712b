# A time series: dates, windows, differences, and the longest rise.
import numpy as np

days = np.arange("2024-02-26", "2024-03-08", dtype="datetime64[D]")
values = np.array([3.0, 4, 6, 5, 7, 8, 9, 4, 5, 6, 2])
print(days[0], days[-1], len(days), (days[-1] - days[0]).astype(int), np.is_busday(days).sum())
windows = np.lib.stride_tricks.sliding_window_view(values, 3)
print(windows.mean(axis=1).round(4))
print(np.diff(values), np.sign(np.diff(values)).astype(int), np.convolve(values, np.ones(3) / 3, "valid").round(4))
print(days[values == values.max()], np.datetime64("2024-02-29") + np.timedelta64(1, "D"))
print(np.busday_offset("2024-03-01", 1, roll="forward"), days.astype("datetime64[M]")[[0, -1]])
weekday = (days.astype("datetime64[D]").view("int64") - 4) % 7
print(weekday)
for day in np.unique(weekday):
    print(day, values[weekday == day].mean())
