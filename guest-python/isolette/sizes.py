"""`sys.maxsize` is that of 64 bits, which programs take for infinity. What the interpreter can count ends at 32 bits, and
says so when it is asked for more (`hints.py`).
"""

import sys

from isolette.builtin import builtin

_COUNTABLE = sys.maxsize


class _Sys:
    """`sys` for a module that hands its `maxsize` to functions of C, or computes with it as they do."""

    maxsize = _COUNTABLE

    def __getattr__(self, name):
        return getattr(sys, name)


def prepare():
    """Called once, while the image is built."""
    sys.maxsize = 2**63 - 1


def keep(module):
    """Called with a module that is to have the interpreter's own."""
    module.sys = _Sys()


def adapt_csv(csv):
    """Called with `csv`: no limit at all is what its limit is set to."""
    limit = csv.field_size_limit

    def field_size_limit(*new):
        if not new or type(new[0]) is not int or not _COUNTABLE < new[0] <= sys.maxsize:
            return limit(*new)
        return limit(_COUNTABLE)

    field_size_limit.__doc__ = limit.__doc__
    csv.field_size_limit = builtin(field_size_limit)


def adapt_random(random):
    """Called with `random`: what is chosen from a range needs no length that can be counted."""
    few = random.Random.sample

    def sample(self, population, k, *, counts=None):
        try:
            return few(self, population, k, counts=counts)
        except OverflowError:
            if type(population) is not range or counts is not None:
                raise
        length = (population[-1] - population[0]) // population.step + 1
        if not 0 <= k <= length:
            raise ValueError("Sample larger than population or is negative")
        chosen = [None] * k
        places = set()
        for number in range(k):
            while (place := self._randbelow(length)) in places:
                pass
            places.add(place)
            chosen[number] = population[place]
        return chosen

    sample.__doc__ = few.__doc__
    random.Random.sample = sample
    random.sample = random._inst.sample
