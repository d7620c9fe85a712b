"""The heap that every sandbox starts with.

A sandbox copies each page that it writes to. New objects in free blocks all over the heap of the image would cost a page
each. So the build fills the free blocks, and a program allocates contiguous memory behind them.

Reference counts cause writes as well, even to objects that are only read. So the objects of the image are immortal, and
CPython does not count references to them (PEP 683). CPython has no API for that: this module writes a bitmap of the addresses,
and the assembler (`toolchain/assembler/src/immortal.rs`) sets the counts.
"""

import gc
from types import CodeType

_SLOTS = 20_000
_LARGEST = 1 << 20
_HEADER = 17  # What the interpreter adds to the length of a `bytes` object, in bytes.

# Fills the free blocks, and is never freed.
_filling = []

# Released when a program has used up all memory, so that the error can still be reported.
_reserve = []
_RESERVE = 4 << 20

# The bytes at the start of the bitmap, reversed, so that the assembler does not find them here.
_MARK = b":ta stcejbo era ereht"


def prepare():
    """Called once, as the last step of the build."""
    gc.collect()
    _reserve.append(bytearray(_RESERVE))
    _fill_holes()
    _list_objects(_reserve[0])
    # The garbage collector does not visit frozen objects, so their pages stay shared.
    gc.freeze()


def _fill_holes():
    _filling.extend([None] * _SLOTS)
    probe = bytes(8 * _LARGEST)  # Larger than any free block.
    end = id(probe)
    del probe
    slot = 0
    for size in [*(_LARGEST >> shift for shift in range(11)), *range(504, _HEADER, -8)]:
        while slot < _SLOTS:
            block = bytes(size - _HEADER)
            if id(block) >= end:
                break  # No free block of this size remains.
            _filling[slot] = block
            slot += 1
        block = None


def _list_objects(bitmap):
    """Sets the bit of every address, divided by four, at which there is an object.

    The assembler clears the bitmap, and skips objects that were freed in the meantime.
    """
    rest = gc.get_objects()
    while rest:
        found = rest.pop()
        address = id(found)
        place, bit = address >> 5, 1 << (address >> 2 & 7)
        if not bitmap[place] & bit:
            bitmap[place] |= bit
            rest.append(type(found))
            rest.extend(gc.get_referents(found))
            if type(found) is CodeType:
                # The garbage collector does not visit the referents of code objects.
                rest += [found.co_consts, found.co_names, found.co_filename, found.co_name, found.co_qualname]
                rest += [found.co_linetable, found.co_exceptiontable]
    # The bitmap itself is released later, so it must not become immortal.
    bitmap[id(bitmap) >> 5] &= ~(1 << (id(bitmap) >> 2 & 7))
    # There is no object at the addresses that the mark overlaps.
    for place, letter in enumerate(reversed(_MARK)):
        bitmap[place] = letter


def release_reserve():
    """Releases the reserved memory."""
    _reserve.clear()
