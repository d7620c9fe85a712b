# Divisions, overflows and invalid operations: warnings, errors and values as everywhere.
import warnings

import numpy as np


def shown(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = work()
    print(value, [str(warning.message) for warning in caught])


one = np.array([1.0, 0.0, -1.0])
shown(lambda: one / 0)
shown(lambda: np.float64(1) / 0)
shown(lambda: np.float64(0) / 0)
shown(lambda: np.float32(1) / np.float32(0))
shown(lambda: np.log(one))
shown(lambda: np.sqrt(one))
shown(lambda: np.exp(np.array([710.0, 1.0])))
shown(lambda: np.array([1e200, 1.0]) ** 2)
shown(lambda: np.array([0.0, 2.0]) ** -1.0)
shown(lambda: np.array([np.inf, 1.0]) - np.array([np.inf, 1.0]))
shown(lambda: np.array([np.nan, 1.0]) + 1)
shown(lambda: np.array([np.inf, 1.0]) * 2)
shown(lambda: np.array([1e308, 1e308]).sum())
shown(lambda: np.array([np.inf, 1.0]).sum())
shown(lambda: np.array([3, 4]) // 0)
shown(lambda: np.array([3, 4]) % 0)
shown(lambda: np.float64(3) % 0)
shown(lambda: np.float64(1e308) * 10)
shown(lambda: np.arctanh(np.array([1.0, 0.5])))
shown(lambda: np.arcsin(np.array([2.0, 0.5])))
shown(lambda: np.reciprocal(np.array([0.0, 4.0])))
shown(lambda: np.mean([]))
shown(lambda: np.nan_to_num(one / 0))
inplace = np.array([1.0, 0.0, 4.0])


def divide():
    global inplace
    inplace /= np.array([0.0, 0.0, 2.0])
    return inplace


shown(divide)
with np.errstate(all="raise"):
    for work in (lambda: one / 0, lambda: np.log(-one), lambda: np.exp(np.array([1000.0])), lambda: np.float64(1) / 0):
        try:
            print(work())
        except FloatingPointError as error:
            print("FloatingPointError:", error)
with np.errstate(divide="ignore", invalid="ignore"):
    shown(lambda: one / 0)
