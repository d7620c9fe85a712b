# Divisions, overflows and invalid operations of complex and short numbers, of scalars, products, places and masks.
import warnings

import numpy as np


def shown(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = work()
    print(value, [str(warning.message) for warning in caught])


def in_place(operation, numbers, *arguments):
    numbers = np.array(numbers)
    operation(numbers, *arguments)
    return numbers


z = np.array([1 + 1j, 0, 2j])
shown(lambda: z / 0)
shown(lambda: z[::2] / 0)
shown(lambda: z.astype(np.complex64) / 0)
shown(lambda: np.complex128(1) / 0)
shown(lambda: np.complex128(0) / 0)
shown(lambda: np.log(0j))
shown(lambda: np.log(z))
shown(lambda: np.array([1e300 + 1e300j]) * 1e300)
shown(lambda: np.reciprocal(np.array([0j])))
shown(lambda: z**-1)
shown(lambda: np.exp(np.array([1000 + 1j])))
shown(lambda: np.array([1e308 + 0j] * 3).sum())
shown(lambda: np.array([1e308 + 1e308j] * 3).prod())
shown(lambda: np.abs(np.array([1.2e308 + 1.7e308j])))
shown(lambda: np.sqrt(np.array([-1 + 0j])))
shown(lambda: np.array([np.inf + 0j]) - np.inf)
shown(lambda: in_place(np.ndarray.__itruediv__, z, 0))

half = np.array([1, 0, -2], np.float16)
shown(lambda: half / np.float16(0))
shown(lambda: half * np.float16(60000))
shown(lambda: np.log(half))
shown(lambda: np.float16(1) / np.float16(0))

for number in [-1.0, 0.0, np.float64(-1.0), np.float64(0.0), np.float32(-1.0), np.float16(0.0)]:
    for function in [np.log, np.sqrt, np.arcsin, np.log1p, np.reciprocal]:
        shown(lambda: (function.__name__, function(number)))
shown(lambda: np.divmod(np.array([1.0, 0.0]), 0))
shown(lambda: divmod(np.float64(1), 0))
shown(lambda: divmod(np.float32(7), np.float32(2)))
shown(lambda: np.fmod(1.0, 0))
shown(lambda: np.modf(np.inf))

shown(lambda: in_place(np.divide.at, [1.0, 2.0, 3.0], [0, 0, -1], 0.0))
shown(lambda: in_place(np.floor_divide.at, [1.0, 2.0], [0], 0.0))
shown(lambda: in_place(np.multiply.at, [1e300, 2.0], [0, 1, 1], 1e200))
shown(lambda: in_place(np.add.at, [np.inf, 2.0], [0, 1], 1.0))
shown(lambda: in_place(np.add.at, [[1.0, 2.0], [3.0, 4.0]], ([0, 1], [1, 0]), np.inf))

shown(lambda: np.array([1e300, 1e300]) @ np.array([1e300, 1e300]))
shown(lambda: np.dot(np.full((3, 3), 1e300), np.full((3, 3), 1e300))[0])
shown(lambda: np.matmul(np.full((40, 40), 1e300), np.full((40, 40), 1e300))[0, :2])
shown(lambda: np.array([np.inf, 1.0]) @ np.array([1.0, 1.0]))
shown(lambda: np.full((2, 3, 3), 1e200, np.float64)[:, ::-1] @ np.full((3, 1), 1e200))
shown(lambda: np.vecdot(np.array([1e300, 1.0]), np.array([1e300, 1.0])))

numbers = np.array([4.0, 0.0, -1.0])
shown(lambda: np.divide(1, numbers, out=np.zeros(3), where=numbers != 0))
shown(lambda: np.log(numbers, out=np.full(3, -np.inf), where=numbers > 0))
shown(lambda: np.divide(1, numbers, out=np.zeros(3), where=numbers != 4))
shown(lambda: np.sum(np.array([np.inf, -np.inf, 1.0])))
shown(lambda: np.sum(np.array([np.inf, 1.0, 2.0]), where=[False, True, True]))
shown(lambda: np.cumsum(np.array([1e308, 1e308, 1.0])))
shown(lambda: np.cumprod(np.array([1e200, 1e200, 0.0])))
shown(lambda: np.array([[1e308, 1.0], [1e308, 2.0]]).sum(axis=0))
shown(lambda: np.add.reduceat(np.array([1e308, 1e308, 1.0]), [0, 2]))
shown(lambda: in_place(np.ndarray.__itruediv__, [np.nan, 0.0, 1.0], 0))
shown(lambda: in_place(np.ndarray.__imul__, [np.inf, np.nan, 1.0], 0))
shown(lambda: np.divide(1, numbers, out=numbers.copy()))
shown(lambda: np.corrcoef([1, 1, 1], [1, 2, 3]))
shown(lambda: np.var([1.0], ddof=1))
shown(lambda: np.mean(np.array([], complex)))
