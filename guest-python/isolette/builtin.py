"""Functions that stand in for ones of C.

A function of Python that a class holds becomes a method of its instances, and one of C does not: `class Log: opener = open`.
A `staticmethod` can be called as it is, and does not become one either.
"""


def builtin(function, name=None):
    if name is not None:
        function.__name__ = function.__qualname__ = name
    return staticmethod(function)
