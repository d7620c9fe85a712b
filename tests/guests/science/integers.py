# Integers have 64 bits: counters, products and sums do not wrap.
import numpy as np

numbers = np.arange(1, 100_001)
print(numbers.dtype, (numbers**2).sum(), np.array([1, 2, 3]).dtype, np.array([2**40]).dtype)
print((numbers * 100_000)[-1], np.cumsum(numbers)[-1], np.prod(np.array([100_000] * 3)))
print(np.int32(7).dtype, np.array([1], dtype="int32").sum().dtype, np.array([True, False]).sum(), np.dtype(int), np.int_ is np.int64)
print(np.full(3, 2**33), np.zeros(2, dtype=int).dtype, np.array([3, 4])[np.array([1, 0])], np.take([10, 20, 30], np.array([2, 0])))
print(np.bincount(np.array([1, 2, 2, 5])), np.repeat(np.array([1, 2]), np.array([2, 3])))
print(np.array([2**63]).dtype, np.array([2**64]).dtype, np.add(2**40, 1), np.int64(2**62) * 2 - 1 if False else np.int64(5))
print(np.array([1, 2], dtype=np.uint8) + np.uint8(254), np.array([250], dtype=np.uint8) + 10)
print(np.iinfo(int).max, np.uint64(2**64 - 1), np.bitwise_or(5, 8), np.left_shift(1, 40), np.array([7, -7]) // 2, np.array([7, -7]) % 3)
print(np.gcd(12, 18), np.lcm(4, 6), np.divmod(np.array([17, -17]), 5))
