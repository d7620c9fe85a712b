"""Python replacements of C functions.

A Python function in a class becomes a method of its instances, while a C function does not: `class Log: opener = open`. A
`staticmethod` is callable and does not become a method either.
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
    """Sets the module and name of the replacements created so far. Called while the image is built."""
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
