# A table as text, HTML, CSV in several dialects, and with options for printing.
import io

import numpy as np
import pandas as pd

frame = pd.DataFrame({"name": ["x, y", 'quote "q"', "<b>"], "value": [1234567.891, -0.000012, np.nan], "n": [1, 20, 300]})
print(frame.to_string(index=False, float_format="{:,.2f}".format, na_rep="-"))
print(frame.to_html(index=False, border=0))
print(frame.to_csv(sep=";", decimal=",", index=False, na_rep="NA", quoting=1))
print(pd.read_csv(io.StringIO("a;b\n1,5;2\n2,5;x\n"), sep=";", decimal=",").to_dict("list"))
print(pd.read_csv(io.StringIO("# note\n a | b \n 1 | 2 \n"), sep=r"\s*\|\s*", engine="python", comment="#").to_dict())
print(pd.read_fwf(io.StringIO("ab   12\ncde   3\n"), widths=[5, 2], header=None).values.tolist())
with pd.option_context("display.precision", 3, "display.max_rows", 4, "display.width", 60):
    print(pd.DataFrame(np.arange(60).reshape(10, 6) / 7))
print(pd.Series(range(100)))
print(pd.DataFrame(np.zeros((3, 30))).shape, repr(pd.DataFrame()), repr(pd.Series([], dtype=float)))
pd.set_option("display.max_columns", 4)
print(pd.DataFrame(np.eye(8)).iloc[:2])
frame.info(memory_usage=False)
