# Nested JSON as a table, and tables as JSON.
import io
import json

import pandas as pd

text = json.dumps([
    {"id": 1, "user": {"name": "Ann", "tags": ["x", "y"]}, "lines": [{"sku": "a", "n": 2}, {"sku": "b", "n": 1}]},
    {"id": 2, "user": {"name": "Bob", "tags": []}, "lines": [{"sku": "a", "n": 5}]},
])
data = json.loads(text)
print(pd.json_normalize(data, sep="."))
print(pd.json_normalize(data, "lines", ["id", ["user", "name"]]))
frame = pd.DataFrame({"a": [1, 2], "b": [0.5, None], "d": pd.to_datetime(["2024-01-01", None]), "s": ["é", '"q"']})
for orient in ("records", "split", "index", "columns", "values", "table"):
    print(orient, frame.to_json(orient=orient, date_format="iso"))
print(frame.to_json(orient="records", lines=True, force_ascii=False, date_format="iso"), end="")
print(pd.read_json(io.StringIO('{"a": {"x": 1, "y": 2}, "b": {"x": null, "y": 0.25}}')))
print(pd.read_json(io.StringIO('{"n": 1}\n{"n": 2}\n'), lines=True)["n"].sum())
print(frame.to_dict("records")[0], json.loads(frame[['a', 'b']].to_json(double_precision=3))["b"])
