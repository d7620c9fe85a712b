"""numpy and pandas, in images that contain them: numbers, arrays and tables as values, and numpy's random generator.

Nothing here imports them: a program that does not use them must not pay for them.
"""

import sys

from isolette import tables

# More elements are printed as numpy prints them, with an ellipsis.
_ELEMENTS_LIMIT = 100_000
_DEPTH_LIMIT = 100


def prepare():
    """Called once, while the image is built."""
    from isolette.importer import store

    if "numpy.random" in sys.modules:
        # The import of `random` seeds the generator that its functions share.
        store.park("numpy.random", _seed)


def seed_again():
    """Seeds the shared generator in a copy of a program that has used it."""
    if "numpy.random" in sys.modules:
        _seed()


def _seed():
    sys.modules["numpy.random.mtrand"]._rand.seed()


def plain(value):
    """Returns a copy of a value with lists, dictionaries and numbers in place of those of numpy and pandas, and whether JSON
    represents all of them: dates in tables are texts in the copy. Returns (None, True) if there is nothing to replace.

    Raises `ValueError` for arrays and tables that are too large for a value, or nested too deeply.
    """
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None, True
    copy = _Copy(numpy, sys.modules.get("pandas"))
    result = copy.of(value, 0)
    return (result if copy.found else None), copy.exact


class _Copy:
    def __init__(self, numpy, pandas):
        self._array = numpy.ndarray
        self._number = numpy.generic
        self._pandas = pandas
        self._room = _ELEMENTS_LIMIT
        self.found = False
        self.exact = True

    def of(self, value, depth):
        if depth > _DEPTH_LIMIT:
            raise ValueError("nested too deeply")
        kind = type(value)
        if issubclass(kind, self._number):
            self.found = True
            item = value.item()
            # Numbers without a counterpart in Python are their own items.
            return item if not isinstance(item, self._number) else value
        if issubclass(kind, self._array):
            self._take(value.size)
            if value.dtype.names is not None:
                return value
            items = value.tolist()
            return self.of(items, depth + 1) if value.dtype.hasobject else items
        if issubclass(kind, dict):
            return {self.of(key, depth + 1): self.of(item, depth + 1) for key, item in value.items()}
        if issubclass(kind, (list, tuple)):
            return [self.of(item, depth + 1) for item in value]
        if self._pandas is not None and tables.is_table(self._pandas, value):
            self._take(value.size)
            items, exact = tables.items(self._pandas, value)
            self.exact = self.exact and exact
            return self.of(items, depth + 1)
        return value

    def _take(self, size):
        self.found = True
        self._room -= size
        if self._room < 0:
            raise ValueError(
                f"an array or table of more than {_ELEMENTS_LIMIT} elements is not a value; use a file or a part of it"
            )
