# Intervals as an index: lookups, overlaps and bookings.
import pandas as pd

taxes = pd.Series([0.0, 0.2, 0.4], index=pd.IntervalIndex.from_breaks([0, 10_000, 50_000, 1_000_000], closed="left"))
print(taxes, taxes[[5_000, 10_000, 70_000]].tolist(), 50_000 in taxes.index[1])
bookings = pd.DataFrame({"room": [1, 1, 2], "start": pd.to_datetime(["2024-05-01", "2024-05-04", "2024-05-02"]), "nights": [3, 2, 5]})
spans = pd.arrays.IntervalArray.from_arrays(bookings["start"], bookings["start"] + pd.to_timedelta(bookings["nights"], unit="D"), closed="left")
night = pd.Interval(pd.Timestamp("2024-05-03"), pd.Timestamp("2024-05-05"), closed="left")
print(spans, spans.overlaps(night), spans.length.days.tolist(), spans.mid[0])
print([interval.left for interval in pd.interval_range(0, 4) if 1.5 in interval])
print(pd.cut([0.2, 0.4, 0.9], 3, precision=2), pd.Interval(0, 5).overlaps(pd.Interval(5, 8)), pd.Interval(0, 5, "both").length)
ages = pd.Series([5, 17, 30, 64, 90])
print(pd.cut(ages, [0, 18, 65, 100], right=False).value_counts(sort=False), ages.groupby(pd.cut(ages, [0, 50, 100]), observed=True).mean())
try:
    taxes[-1]
except KeyError as error:
    print("KeyError", error)
