"""Values that are nested deeply, in numpy and pandas: an error that a program catches, and nothing is lost."""

import numpy as np
import pandas as pd

DEPTH = 100_000


def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


def nested_dicts(depth):
    value = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def outcome(work):
    try:
        return type(work()).__name__
    except (RecursionError, OverflowError, ValueError) as error:
        return type(error).__name__


kept = np.arange(3)
lists, dicts = nested(DEPTH), nested_dicts(20_000)
for depth in (10, 70, 1000):
    few = nested(depth)
    print(depth, outcome(lambda: np.array(few)), outcome(lambda: pd.Series([few]).astype(str)))
works = {
    "array": lambda: np.array(lists),
    "array of objects": lambda: np.array([lists], dtype=object)[0],
    "repr of an array": lambda: repr(np.array([lists], dtype=object)),
    "repr of a series": lambda: repr(pd.Series([lists])),
    "texts of a series": lambda: pd.Series([lists]).map(repr),
    "dump": lambda: pd.io.json.ujson_dumps(lists),
    "load": lambda: pd.io.json.ujson_loads("[" * 20_000),
    "normalise": lambda: pd.json_normalize(dicts),
    "expression": lambda: pd.eval("1" + "+1" * 20_000),
    "query": lambda: pd.DataFrame({"a": [1]}).query("a" + "+a" * 3000 + " > 0"),
    "copies": lambda: pd.Series([lists]).copy(deep=True),
}
for name, work in works.items():
    print(name, outcome(work))
kind = np.dtype("i4")
try:
    for _ in range(3000):
        kind = np.dtype([("a", kind)])
except RecursionError:
    pass
print("type", outcome(lambda: repr(kind)))
print(kept.sum(), pd.Series([1, 2]).sum())
