"""Large values: long strings, lists and integers; arrays."""

import array
import sys

text = "x" * 5_000_000
print(len(text), len(text.replace("x", "yz")), text.count("xx"))
numbers = list(range(500_000))
print(sum(numbers), len([n for n in numbers if n % 7 == 0]), numbers[-1])
big = 3**20000
print(big % 1000007, big.bit_length(), len(hex(big)))
values = array.array("d", [1.5] * 100_000)
values.append(2)
print(
    len(values),
    values.itemsize,
    sum(values),
    array.array("i", [1, 2]).tobytes().hex(),
    array.array("B", b"ab").tolist(),
)
table = {i: str(i) for i in range(200_000)}
print(len(table), table[199_999], sys.getsizeof([]) > 0)
print("".join(str(i) for i in range(20000))[-10:], len(bytearray(10_000_000)))
try:
    str(10**5000)
except ValueError as error:
    print("4300" in str(error))
