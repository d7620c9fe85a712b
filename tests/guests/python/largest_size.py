"""`sys.maxsize` as infinity."""

import csv
import functools
import io
import itertools
import random
import sys
from collections import UserString
from collections.abc import Set

print(sys.maxsize, sys.maxsize == 2**63 - 1, sys.maxsize > 2**32)
best = sys.maxsize
for value in (10**12, 3 * 10**10, 2**40):
    best = min(best, value)
print(best, min([sys.maxsize, 2**35]), max(-sys.maxsize - 1, -(2**40)))
print(list(itertools.islice("abc", sys.maxsize)), list(itertools.islice("abcdef", 1, sys.maxsize, 2)))
print("abc"[: sys.maxsize], [1, 2, 3].index(3, 0, sys.maxsize), "a-b".find("b", 0, sys.maxsize))
print(csv.field_size_limit(sys.maxsize) > 0, list(csv.reader(io.StringIO("a,b\n"))))
print(sys.maxsize in range(2**64), range(sys.maxsize)[5], UserString("abcabc").count("c"))
random.seed(1)
print(random.sample(range(10**12), 3), random.randrange(sys.maxsize) < sys.maxsize)
for count in (-1, 1.5):
    try:
        print(random.sample(range(10**12), count))
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)


class Numbers(Set):
    def __init__(self, of):
        self.of = frozenset(of)

    def __contains__(self, item):
        return item in self.of

    def __iter__(self):
        return iter(self.of)

    def __len__(self):
        return len(self.of)

    __hash__ = Set._hash


print(hash(Numbers([1, 2, 3])) == hash(frozenset([1, 2, 3])))
print(functools.reduce(lambda a, b: a if a < b else b, [5, 2**33], sys.maxsize))
