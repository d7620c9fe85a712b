# A hundred thousand functions composed into one.
# expect: exception RecursionError or stack

from functools import reduce

compose = lambda outer, inner: lambda value: outer(inner(value))
reduce(compose, [abs] * 100_000)(-1)
