# Lines of a server's log: parsed, counted by hour and status, slowest paths.
import re

import pandas as pd

lines = [
    f'10.0.0.{n % 5} - - [0{n % 9 + 1}/Mar/2024:{n % 24:02}:{n * 7 % 60:02}:00 +0000] "GET /{"abc"[n % 3]}/{n % 4} HTTP/1.1" '
    f"{[200, 200, 404, 500][n % 4]} {n * 37 % 5000} {n % 13 / 10:.3f}"
    for n in range(240)
] + ["broken line"]
pattern = re.compile(r'(?P<ip>\S+) \S+ \S+ \[(?P<time>[^\]]+)\] "(?P<method>\S+) (?P<path>\S+) [^"]*" (?P<status>\d+) (?P<size>\d+) (?P<took>\S+)')
frame = pd.DataFrame([match.groupdict() for line in lines if (match := pattern.match(line))])
frame["time"] = pd.to_datetime(frame["time"], format="%d/%b/%Y:%H:%M:%S %z")
frame = frame.astype({"status": int, "size": int, "took": float})
print(len(lines) - len(frame), frame.dtypes.to_dict())
print(frame["status"].value_counts().sort_index(), frame.groupby(frame["time"].dt.hour)["size"].sum().nlargest(3))
print(frame.groupby("path")["took"].quantile(0.95).sort_values(ascending=False, kind="stable").head(3).round(4))
print(frame.pivot_table(index="ip", columns="status", values="size", aggfunc="count", fill_value=0))
print(frame.set_index("time").sort_index().resample("D")["took"].mean().round(4).head(3))
print(frame[frame["status"] >= 500].groupby(frame["path"].str.split("/").str[1]).size().to_dict())
