"""Functions that stand in for ones of C.

A function of Python that a class holds becomes a method of its instances, and one of C does not: `class Log: opener = open`.
A `staticmethod` can be called as it is, and does not become one either.
"""

import sys


class _Builtin(staticmethod):
    def __repr__(self):
        return f"<built-in function {self.__name__}>"

    def __reduce__(self):
        return self.__qualname__


def builtin(function, name=None):
    if name is not None:
        function.__name__ = function.__qualname__ = name
    return _Builtin(function)


def name_all():
    """Tells those that were made so far where programs find them. Called while the image is built."""
    for place in ("builtins", "os", "io", *sorted(sys.modules)):
        if place.startswith("isolette."):
            continue
        names = getattr(sys.modules.get(place), "__dict__", None)
        for name, value in list(names.items()) if type(names) is dict else ():
            if type(value) is not _Builtin:
                continue
            home = sys.modules.get(value.__module__)
            if getattr(home, value.__qualname__, None) is not value:
                value.__module__ = place
                value.__name__ = value.__qualname__ = name
