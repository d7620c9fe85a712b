"""`doctest`."""

import doctest


def add(a, b):
    """Adds.

    >>> add(1, 2)
    3
    >>> add("a", 1)
    Traceback (most recent call last):
        ...
    TypeError: can only concatenate str (not "int") to str
    >>> [n for n in range(20)]  # doctest: +ELLIPSIS
    [0, 1, ..., 19]
    """
    return a + b


print(doctest.testmod())
