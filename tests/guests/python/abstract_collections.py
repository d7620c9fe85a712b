"""`collections.abc`: own mappings, sequences and sets get their other methods."""

from collections.abc import (
    Callable,
    Container,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    MutableSequence,
    Sequence,
    Set,
    Sized,
)


class Lower(MutableMapping):
    def __init__(self, **items):
        self._items = {}
        self.update(items)

    def __getitem__(self, key):
        return self._items[key.lower()]

    def __setitem__(self, key, value):
        self._items[key.lower()] = value

    def __delitem__(self, key):
        del self._items[key.lower()]

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)


headers = Lower(Content="text", X=1)
print(
    headers["CONTENT"],
    "x" in headers,
    headers.get("none"),
    headers.pop("X"),
    dict(headers),
    headers == {"content": "text"},
)


class Countdown(Sequence):
    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        return self.n - i

    def __len__(self):
        return self.n


c = Countdown(4)
print(list(c), list(reversed(c)), 3 in c, c.index(2), c.count(4))


class Bits(Set):
    def __init__(self, items):
        self.mask = sum(1 << i for i in set(items))

    def __contains__(self, i):
        return self.mask >> i & 1 == 1

    def __iter__(self):
        return (i for i in range(self.mask.bit_length()) if i in self)

    def __len__(self):
        return self.mask.bit_count()


print(
    sorted(Bits([1, 3]) | Bits([2])),
    sorted(Bits([1, 2]) & Bits([2])),
    Bits([1]) <= Bits([1, 2]),
    Bits([1]) == Bits([1]),
)
print(
    [
        isinstance([], kind)
        for kind in (Iterable, Iterator, Sized, Hashable, Sequence, Mapping, Container, MutableSequence)
    ]
)
print(
    isinstance(print, Callable),
    isinstance(iter([]), Iterator),
    isinstance((1,), Hashable),
    issubclass(dict, MutableMapping),
)
