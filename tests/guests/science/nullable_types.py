# The types of pandas that know what is missing: whole numbers, truth, text and lists of both.
import pandas as pd

whole = pd.Series([1, None, 3], dtype="Int64")
truth = pd.Series([True, None, False], dtype="boolean")
text = pd.Series(["a", None, "c"], dtype="string")
print(whole, truth, text)
print((whole + 1).tolist(), (whole * 1.5).dtype, whole.sum(), whole.mean(), whole.isna().tolist(), whole.max())
print((truth & True).tolist(), (truth | True).tolist(), (~truth).tolist(), truth.any(), truth.all(skipna=False))
print(text.str.upper().tolist(), text.fillna("-").str.cat(sep=","), (text == "a").tolist())
frame = pd.DataFrame({"w": whole, "t": truth, "s": text})
print(frame.dtypes.to_dict(), frame.dropna().shape, frame.groupby("s", dropna=False)["w"].sum().tolist())
print(frame["w"].to_numpy(dtype=float, na_value=-1), frame["w"].astype("float64").tolist(), frame.to_json())
try:
    bool(pd.NA)
except TypeError as error:
    print(error)
print(pd.NA > 1, pd.NA | True, pd.NA**0, pd.Series([1, 2], dtype="UInt8").astype("Int64").dtype, pd.array([0.5, None]).dtype)
