# Floats that integers cannot hold: values and warnings as on x86-64.
import warnings

import numpy as np


def shown(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = work()
    print(value, [str(warning.message) for warning in caught])


fits = np.array([-1.5, 1.5, 100.0])
wide = np.array([-1.0, 300.0, -70000.0, 3e9, 5e9])
endless = np.array([np.nan, np.inf, -np.inf, 1e19, 2e19, -1e19])
for name in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool"]:
    # Of what no integer holds, uint32 has results that depend on the processor.
    for numbers in [fits, wide] if name == "uint32" else [fits, wide, endless]:
        for kind in ["float64", "float32"]:
            shown(lambda: (name, numbers.astype(kind).astype(name).tolist()))
    shown(lambda: np.array([-1.0, 60000.0], "float16").astype(name))
    shown(lambda: (wide + 0j)[::2].astype(name))
shown(lambda: np.float64(-1).astype(np.uint8))
shown(lambda: np.array([1e300, 1.0, np.inf, np.nan]).astype(np.float32))
shown(lambda: np.array([1e300 + 1j]).astype(np.complex64))
shown(lambda: np.array([1e300, 70000.0]).astype(np.float16))
shown(lambda: np.array([[1e300, 2.0], [3.0, 4.0]])[:, ::-1].astype(np.float32))
whole = np.zeros(3, np.int64)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        whole[:] = [1.0, np.nan, 2.0]
    except ValueError as error:
        print(error)
    whole[:] = np.array([1.0, 2.9, -3.9])
    try:
        whole[:] = np.array([1.0, np.nan, 2.0])
    except RuntimeWarning as error:
        print(error)
print(whole)
with np.errstate(invalid="raise"):
    try:
        np.array([np.nan]).astype(int)
    except FloatingPointError as error:
        print(error)
shown(lambda: np.array([1e300]).astype(np.complex64))
