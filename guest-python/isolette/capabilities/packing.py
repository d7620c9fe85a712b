"""Packs consecutive scalars together. If that fails, the invalid value is determined afterwards."""

import struct

from isolette.capabilities.mismatch import Mismatch

# The exceptions for a value that cannot be packed.
MISFITS = (struct.error, TypeError, ValueError, OverflowError, Mismatch)


def run(end, scalars, count):
    """Returns the encoder of consecutive scalars that end at position `end` of `count` values."""
    start = end - len(scalars)
    is_part = len(scalars) < count
    pack = struct.Struct("<" + "".join(scalar.format for _, scalar in scalars)).pack
    lowered = [(position, scalar.lower) for position, (_, scalar) in enumerate(scalars) if scalar.lower]

    def encode(values, append):
        if is_part:
            values = values[start:end]
        try:
            if lowered:
                parts = list(values)
                for position, lower in lowered:
                    parts[position] = lower(parts[position])
                append(pack(*parts))
            else:
                append(pack(*values))
        except Mismatch as mismatch:
            # `position` is the index of the invalid value.
            mismatch.path.append(scalars[position][0])
            raise
        except MISFITS as error:
            raise _misfit(scalars, values, error) from None

    return encode


def _misfit(scalars, values, error):
    for (label, scalar), value in zip(scalars, values):
        if scalar.lower is None:
            try:
                alone(scalar, value)
            except Mismatch as mismatch:
                mismatch.path.append(label)
                return mismatch
    return error


def alone(scalar, value):
    """Returns the bytes of one scalar."""
    try:
        return struct.pack("<" + scalar.format, scalar.lower(value) if scalar.lower else value)
    except Mismatch:
        raise
    except MISFITS as error:
        scalar.check(value)
        raise Mismatch(TypeError, "a number", f": {error}") from None
