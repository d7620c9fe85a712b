# A generic function that dispatches to itself. Ends in RecursionError.
from functools import singledispatch


@singledispatch
def generic(value):
    return generic(str(value))


generic(1)
