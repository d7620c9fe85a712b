"""Recursion through functions of C is as deep as the recursion limit lets it be."""

import functools
import re
import sys


def largest(n):
    return 0 if n == 0 else 1 + max(largest(child) for child in (n - 1,))


def total(n):
    return 0 if n == 0 else 1 + sum(map(total, (n - 1,)))


@functools.lru_cache(maxsize=None)
def remembered(n):
    return 0 if n == 0 else 1 + remembered(n - 1)


def by_key(n):
    return 0 if n == 0 else 1 + sorted([n - 1], key=by_key)[0] * 0


def replaced(n):
    return "x" if n == 0 else re.sub("y", lambda match: replaced(n - 1), "y")


class Attributes:
    def __getattr__(self, name):
        n = int(name[1:])
        return 0 if n == 0 else 1 + getattr(self, f"a{n - 1}")


class Shown:
    def __init__(self, inner):
        self.inner = inner

    def __repr__(self):
        return f"<{self.inner!r}>"


print(largest(200), total(300), remembered(200), by_key(300), replaced(150), Attributes().a300)
sys.setrecursionlimit(20_000)
print(largest(2000), total(3000), by_key(1500), replaced(1500), Attributes().a3000)
for n in range(0, 8000, 100):
    remembered(n)
remembered.cache_clear()
print(remembered(5000))
shown = 0
for _ in range(3000):
    shown = Shown(shown)
print(len(repr(shown)))
print(eval("1+" * 5000 + "1"), eval("1 " + "- 1 " * 4000), len(eval("[" + "1," * 50_000 + "]")))
sys.setrecursionlimit(1000)
try:
    remembered.cache_clear()
    remembered(100_000)
except RecursionError as error:
    print("RecursionError")
