"""The heap that every sandbox starts with.

A sandbox copies each page that it writes to. New objects that fall into holes all over the heap of the image would
cost a page each; so the holes are filled before the image is closed, and what a program allocates lies side by side
behind them.

Counting references writes as well, even to objects that are only looked at. So those of the image live for ever, which
CPython does not count (PEP 683). It has no function for that: the addresses are noted in here, and what closes the image
(`toolchain/assembler/src/immortal.rs`) sets the counts.
"""

import gc
from types import CodeType

_SLOTS = 20_000
_LARGEST = 1 << 20
_HEADER = 17  # What the interpreter adds to the length of a `bytes` object, in bytes.

# Kept for ever.
_filling = []

# Given back when a program has used up all memory, so that it can still be told how it ended.
_reserve = []
_RESERVE = 4 << 20

# What the noted addresses begin with, backwards, so that this is not mistaken for them.
_MARK = b":ta stcejbo era ereht"


def settle():
    """Called once, as the last step of the build."""
    gc.collect()
    _reserve.append(bytearray(_RESERVE))
    _fill_holes()
    _note_objects(_reserve[0])
    # Frozen objects are never looked at by the collector, so that their pages stay shared.
    gc.freeze()


def _fill_holes():
    _filling.extend([None] * _SLOTS)
    probe = bytes(8 * _LARGEST)  # Larger than any hole.
    end = id(probe)
    del probe
    slot = 0
    for size in [*(_LARGEST >> shift for shift in range(11)), *range(504, _HEADER, -8)]:
        while slot < _SLOTS:
            block = bytes(size - _HEADER)
            if id(block) >= end:
                break  # No hole of this size is left.
            _filling[slot] = block
            slot += 1
        block = None


def _note_objects(noted):
    """Sets a bit for every address, divided by four, where there is an object.

    Whoever reads them sets all of them to zero again. What is gone until then does not look like an object any more.
    """
    rest = gc.get_objects()
    while rest:
        found = rest.pop()
        address = id(found)
        place, bit = address >> 5, 1 << (address >> 2 & 7)
        if not noted[place] & bit:
            noted[place] |= bit
            rest.append(type(found))
            rest.extend(gc.get_referents(found))
            if type(found) is CodeType:
                # The collector does not know what these refer to.
                rest += [found.co_consts, found.co_names, found.co_filename, found.co_name, found.co_qualname]
                rest += [found.co_linetable, found.co_exceptiontable]
    # These are given back.
    noted[id(noted) >> 5] &= ~(1 << (id(noted) >> 2 & 7))
    # No object is where the mark is.
    for place, letter in enumerate(reversed(_MARK)):
        noted[place] = letter


def release_reserve():
    """Makes a little memory available."""
    _reserve.clear()
