# A generic function that dispatches to itself.
# expect: exception RecursionError

from functools import singledispatch


@singledispatch
def generic(value):
    return generic(str(value))


generic(1)
