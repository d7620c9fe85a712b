"""`sys.maxsize` has the value of a 64-bit build, which programs use as infinity. The interpreter itself counts with 32 bits,
and `hints.py` explains errors for larger numbers.
"""

import sys

from isolette.builtin import builtin

_COUNTABLE = sys.maxsize


class _Sys:
    """`sys` for a module that passes `maxsize` to C functions, or computes with it like they do."""

    maxsize = _COUNTABLE

    def __getattr__(self, name):
        return getattr(sys, name)


def prepare():
    """Called once, while the image is built."""
    sys.maxsize = 2**63 - 1


def keep(module):
    """Called with a module that needs the `maxsize` of the interpreter."""
    module.sys = _Sys()


def adapt_print_options(printoptions):
    """Called with numpy's print options, of which C code reads this one."""
    printoptions.default_format_options_dict["legacy"] = _COUNTABLE


def adapt_csv(csv):
    """Called with `csv`: accepts a field limit above the range of the interpreter."""
    limit = csv.field_size_limit

    def field_size_limit(*new):
        if not new or type(new[0]) is not int or not _COUNTABLE < new[0] <= sys.maxsize:
            return limit(*new)
        return limit(_COUNTABLE)

    field_size_limit.__doc__ = limit.__doc__
    csv.field_size_limit = builtin(field_size_limit)


def adapt_random(random):
    """Called with `random`: samples from a range that is longer than the interpreter can count."""
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
