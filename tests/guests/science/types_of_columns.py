# Types: inferred, converted, nullable, and what does not fit.
import numpy as np
import pandas as pd

raw = pd.DataFrame({"n": ["1", "2", "x"], "f": ["1.5", "", "3e2"], "b": ["True", "False", "True"], "i": [1, 2, 3]})
print(raw.dtypes.to_dict(), pd.to_numeric(raw["n"], errors="coerce").tolist(), pd.to_numeric(raw["f"]).tolist())
print(raw["b"].map({"True": True, "False": False}).dtype, raw["i"].astype("int8").dtype, raw["i"].astype(str).tolist())
print(raw["i"].astype("float32").dtype, pd.to_numeric(raw["i"], downcast="unsigned").dtype, raw.convert_dtypes().dtypes.tolist())
print(pd.Series([2**31, 2**40]).dtype, pd.Series([2**31, 2**40]).sum(), pd.Series([2**63]).dtype, pd.Series([1, 2.5, "x"]).dtype)
print(pd.Series([1, 2, None]).dtype, pd.Series([1, 2, None], dtype="Int64").dtype, pd.Series([True, None], dtype="boolean").tolist())
for work in (
    lambda: pd.Series([1.5, np.nan]).astype(int),
    lambda: pd.Series([300]).astype("Int8"),
    lambda: pd.Series(["x"]).astype(float),
    lambda: pd.Series([1, 2]).astype("nothing"),
):
    try:
        print(work().tolist())
    except Exception as error:
        print(type(error).__name__, error)
print(raw.memory_usage(index=False, deep=False)["i"], pd.api.types.is_numeric_dtype(raw["i"]), np.result_type("int32", "float32"))
print(pd.Series([0.1, 0.2]).sum(), pd.Series([1, 2]) / 0, pd.Series([7, -7]) // 2, pd.Series([7, -7]) % 3)
