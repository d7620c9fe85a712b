# Sizes, types and files that no honest program would use: refused as they are natively, and nothing is wrong silently.
import io
import pickle

import numpy as np
import pandas as pd


class Loud:
    def __reduce__(self):
        return print, ("a pickle was run",)


def refused(name, work):
    try:
        print(name, work())
    except (MemoryError, OverflowError, ValueError) as error:
        # Which of them it is depends on the size of addresses.
        print(name, "refused", "pickle" in str(error))
    except Exception as error:
        print(name, type(error).__name__, str(error).splitlines()[0])


for shape in ((2**40, 2**40), (2**63 - 1,), (2**31, 2**31, 2**31), (1,) * 65):
    refused(len(shape), lambda shape=shape: np.zeros(shape).shape)
refused("negative", lambda: np.zeros(-1))
refused("repeat", lambda: np.repeat(1, 2**62))
refused("tile", lambda: np.tile([1], 2**61))
refused("strides", lambda: np.lib.stride_tricks.as_strided(np.zeros(4), (2, 2), (8, 8)).sum())
refused("string", lambda: np.dtype("U99999999999"))
refused("offset", lambda: np.dtype({"names": ["a"], "formats": ["i4"], "offsets": [-4]}))
refused("itemsize", lambda: np.dtype({"names": ["a"], "formats": ["i8"], "itemsize": 4}))
refused("names", lambda: np.dtype([("a", "i4"), ("a", "i4")]))
refused("nested", lambda: np.array(eval("[" * 70 + "1" + "]" * 70)).shape)
refused("view", lambda: np.zeros(3, "i1").view("i8"))
refused("frombuffer", lambda: np.frombuffer(b"123", "i8"))
print(np.dtype([("a", "i1"), ("b", "S0"), ("c", "f8", (2, 3))]).itemsize, np.zeros(2, dtype=[]).nbytes, np.dtype("V7").itemsize)
cycle = np.empty(2, dtype=object)
cycle[0] = cycle[1] = cycle
print(cycle, cycle[0] is cycle)
file = io.BytesIO()
np.save(file, np.array([Loud()], dtype=object), allow_pickle=True)
for allow in (False, True):
    file.seek(0)
    refused(f"load {allow}", lambda allow=allow: np.load(file, allow_pickle=allow).tolist())
refused("npz", lambda: np.load(io.BytesIO(b"PK\x03\x04" + bytes(40)), allow_pickle=False))
refused("header", lambda: np.load(io.BytesIO(b"\x93NUMPY\x01\x00\x20\x00{'descr': __import__('os'), }" + b" " * 8)))
for matrix in (np.ones((3, 3)), np.zeros((2, 2)), np.full((2, 2), np.nan), np.arange(6).reshape(2, 3)):
    refused("inv", lambda matrix=matrix: np.linalg.inv(matrix).round(3).tolist())
refused("solve", lambda: np.linalg.solve(np.zeros((2, 2)), [1, 2]))
refused("cholesky", lambda: np.linalg.cholesky([[1, 2], [2, 1]]))
with np.errstate(all="raise"):
    refused("division", lambda: np.array([1.0]) / 0)
    refused("overflow", lambda: np.float64(1e308) * 10)
    refused("integer", lambda: np.array([1]) // 0)
refused("eval", lambda: pd.eval("__import__('os').getcwd()"))
refused("query", lambda: pd.DataFrame({"a": [1]}).query("a.__class__.__mro__"))
refused("csv", lambda: pd.read_csv(io.StringIO('a,b\n"1,2\n3,4\n')))
refused("nul", lambda: pd.read_csv(io.StringIO("a\x00b,c\n1,2\n")).columns.tolist())
refused("json", lambda: pd.read_json(io.StringIO("[" * 2000 + "]" * 2000)))
refused("date", lambda: pd.Timestamp("9999-12-31 23:59:59.999999") + pd.Timedelta(days=1))
refused("range", lambda: len(pd.date_range("2000", periods=3, freq="1000000D")))
refused("period", lambda: pd.Period("999999", freq="D"))
print(pickle.loads(pickle.dumps(pd.DataFrame({"a": [1, None]}))).isna().sum().tolist())
