# A cached function that calls itself.
# expect: exception RecursionError

from functools import cache


@cache
def number(n):
    return number(n + 1)


number(0)
