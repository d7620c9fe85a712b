# Sorting of all kinds, sets, and the most frequent.
import numpy as np

generator = np.random.default_rng(9)
numbers = generator.integers(0, 1000, 5000)
for kind in ("quicksort", "mergesort", "heapsort", "stable"):
    ordered = np.sort(numbers, kind=kind)
    print(kind, ordered[:5], ordered[-3:], bool((np.diff(ordered) >= 0).all()))
for name in ("int8", "uint16", "int32", "uint64", "float32", "float64", "float16", "complex64", "bool", "datetime64[s]", "S3"):
    some = numbers[:200].astype("int64").astype(name)
    print(name, np.array_equal(np.sort(some), some[np.argsort(some, kind="stable")]))
print(np.intersect1d([1, 2, 3], [2, 3, 4]), np.union1d([1], [2]), np.setdiff1d([1, 2, 3], [2]), np.setxor1d([1, 2], [2, 3]), np.isin([1, 5], [5]))
values, counts = np.unique(numbers % 10, return_counts=True)
print(values[counts.argmax()], counts.sum(), np.unique([[1, 0], [1, 0], [2, 3]], axis=0).tolist())
print(np.sort([3, np.nan, 1]), np.argmax([np.nan, 1]), np.sort(np.array([2 + 1j, 1 + 5j, 1 - 5j])))
print(np.flatnonzero(np.array([0, 3, 0, 4])), np.argpartition([7, 1, 5], 1)[0], np.trim_zeros([0, 0, 1, 2, 0]))
