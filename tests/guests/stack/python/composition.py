# A hundred thousand functions composed into one. Ends in RecursionError or StackOverflow.
from functools import reduce

compose = lambda outer, inner: lambda value: outer(inner(value))
reduce(compose, [abs] * 100_000)(-1)
