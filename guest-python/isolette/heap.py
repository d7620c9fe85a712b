"""The heap that every sandbox starts with.

A sandbox copies each page that it writes to. New objects that fall into holes all over the heap of the image would
cost a page each; so the holes are filled before the image is closed, and what a program allocates lies side by side
behind them.
"""

import gc

_SLOTS = 20_000
_LARGEST = 1 << 20
_HEADER = 17  # What the interpreter adds to the length of a `bytes` object, in bytes.

# Kept for ever.
_filling = []

# Given back when a program has used up all memory, so that it can still be told how it ended.
_reserve = []
_RESERVE = 4 << 20


def settle():
    """Called once, as the last step of the build."""
    gc.collect()
    _reserve.append(bytes(_RESERVE))
    _fill_holes()
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


def release_reserve():
    """Makes a little memory available."""
    _reserve.clear()
