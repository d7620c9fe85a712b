# Times in zones, through the changes of summer time.
import pandas as pd

times = pd.date_range("2024-03-30 22:00", periods=6, freq="3h", tz="UTC")
print(times.tz_convert("Europe/Berlin"))
print(times.tz_convert("America/New_York").strftime("%Y-%m-%d %H:%M %Z").tolist())
local = pd.Series(pd.to_datetime(["2024-10-27 02:30", "2024-07-01 12:00"]))
print(local.dt.tz_localize("Europe/Paris", ambiguous=True).dt.tz_convert("UTC"))
try:
    pd.Timestamp("2024-03-31 02:30").tz_localize("Europe/Paris")
except Exception as error:
    print(type(error).__name__, error)
print(pd.Timestamp("2024-03-31 02:30").tz_localize("Europe/Paris", nonexistent="shift_forward"))
print(pd.Timestamp("2024-01-01", tz="Asia/Tokyo") < pd.Timestamp("2024-01-01", tz="UTC"))
print(pd.Timestamp("2024-06-01 08:00", tz="Asia/Kolkata").utcoffset(), pd.Timestamp(1_700_000_000, unit="s", tz="UTC"))
print(pd.to_datetime(["2024-01-01T00:00:00+02:00", "2024-01-01T00:00:00Z"], utc=True))
