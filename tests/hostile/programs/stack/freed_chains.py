# Chains of many kinds, a million links long, freed link by link.
# expect: value

import collections
import functools
import itertools


def generator(inner):
    yield inner


def started(inner):
    made = generator(inner)
    next(made)
    return made


class Plain:
    pass


class Slotted:
    __slots__ = ("next",)


class Ended:
    def __del__(self):
        pass


def linked(kind):
    def link(inner):
        made = kind()
        made.next = inner
        return made

    return link


def failed(inner):
    made = ValueError()
    made.__context__ = inner
    return made


LINKS = {
    "dict": lambda inner: {"inner": inner},
    "list": lambda inner: [inner],
    "tuple": lambda inner: (inner,),
    "closure": lambda inner: lambda: inner,
    "iterator": lambda inner: iter([inner]),
    "map": lambda inner: map(abs, inner or ()),
    "zip": lambda inner: zip(inner or ()),
    "chain": lambda inner: itertools.chain(inner or (), ()),
    "generator": started,
    "object": linked(Plain),
    "slots": linked(Slotted),
    "destructor": linked(Ended),
    "exception": failed,
    "deque": lambda inner: collections.deque([inner]),
    "property": lambda inner: property(inner),
    "method": lambda inner: staticmethod(inner),
    "slice": lambda inner: slice(inner),
    "partial": lambda inner: functools.partial(functools.partial, inner),
}
for name, link in LINKS.items():
    chain = None
    for _ in range(1_000_000 if name in ("dict", "list", "tuple", "object") else 200_000):
        chain = link(chain)
    del chain
