"""Recursion: deep, mutual, memoised, endless."""

import functools
import json
import sys


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


print(depth(900))
sys.setrecursionlimit(20000)
print(depth(15000))
sys.setrecursionlimit(1000)


def endless():
    return endless()


try:
    endless()
except RecursionError as error:
    print("RecursionError", "recursion" in str(error))


class Node:
    def __init__(self):
        self.me = self

    def __repr__(self):
        return f"<{self.me!r}>"


try:
    repr(Node())
except RecursionError:
    print("repr")


@functools.cache
def ackermann(m, n):
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


print(ackermann(2, 20))


def hanoi(n, a="A", b="B", c="C"):
    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)


print(hanoi(8))
even = lambda n: n == 0 or odd(n - 1)
odd = lambda n: n != 0 and even(n - 1)
print(even(300), odd(301))
nested = [1]
for _ in range(50):
    nested = [nested]
print(json.dumps(nested).count("["), str(nested).count("]"))
